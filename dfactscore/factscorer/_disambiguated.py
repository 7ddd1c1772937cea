"""D-FActScore in the form of the old package's results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._results.result import Result
from dfactscore._scoring import Record
from dfactscore._util.numbers import mean
from dfactscore._util.printable import short_repr
from dfactscore.factscorer._databases import list_missing
from dfactscore.factscorer._result import shares
from dfactscore.retrieval import KnowledgeSource, MissingPage, Passage


def passages_given(
    docs: Any, count: int, single: bool, source: Callable[[], KnowledgeSource], file: Path
) -> list[tuple[Passage, ...]]:
    """The documents of each text.

    Args:
        docs: For each text a list of ``{title, text}`` or titles; the list alone for one text.
        count: The number of texts.
        single: Whether the text was given as a string.
        source: Opens the pages that titles mean.
        file: The file for titles without a page, if they are many.

    Raises:
        InputError: If they do not fit, or a title has no page.
    """
    if not isinstance(docs, (list, tuple)):
        raise InputError(f"docs: expected a list a text, found {short_repr(docs)}")
    rows: Sequence[Any] = docs
    if single and docs and all(isinstance(one, (str, Mapping)) for one in docs):
        rows = [docs]
    if len(rows) != count:
        raise InputError(f"docs: {len(rows)} entries for {count} texts")
    found, lacking = [], []
    for index, row in enumerate(rows):
        if not isinstance(row, (list, tuple)):
            raise InputError(f"docs[{index}]: expected a list, found {short_repr(row)}")
        passages: list[Passage] = []
        for place, one in enumerate(row):
            if isinstance(one, str):
                page = source().lookup(one)
                if isinstance(page, MissingPage):
                    lacking.append(page.reason)
                else:
                    passages.append(Passage(page.title, page.text))
                continue
            title, text = (
                (one.get(k) for k in ("title", "text"))
                if isinstance(one, Mapping)
                else (
                    None,
                    None,
                )
            )
            if not isinstance(title, str) or not isinstance(text, str):
                raise InputError(
                    f"docs[{index}][{place}]: expected {{title, text}} or a title, found "
                    f"{short_repr(one)}"
                )
            passages.append(Passage(title, text))
        found.append(tuple(passages))
    if lacking:
        listed = list_missing(lacking, file)
        raise InputError(f"docs: {len(lacking)} titles have no page: {listed}")
    return found


def dscore_result(
    result: Mapping[str, Any], records: Sequence[Record], gamma: float | None
) -> dict[str, Any]:
    """A result with the keys of D-FActScore after those of FActScore."""
    decisions = [_linked(record) for record in records]
    answered = [decision for decision in decisions if decision]
    scored = [record.scores for record in records if record.scores is not None]
    more: dict[str, Any] = {"global_score": mean(shares(answered, gamma))}
    if gamma:
        more["init_global_score"] = mean(shares(answered, None))
    return {
        **result,
        **more,
        "global_decisions": decisions,
        "num_groups": mean(None if s.n_bio is None else float(s.n_bio) for s in scored),
        "num_supporting_topics": mean(None if s.n_ent is None else float(s.n_ent) for s in scored),
    }


def _linked(record: Record) -> list[dict[str, Any]] | None:
    """One entry per fact: whether the entity that its group is linked to supports it."""
    if record.matrix is None or not record.facts or record.groups is None:
        return None
    result = Result(record)
    titles = {i: group.entity for group in result.groups for i in group.facts}
    return [
        {
            "atom": one.fact.text.strip(),
            "is_supported": one.standing == "supported",
            "supporting_topic": titles.get(i) if one.standing == "supported" else None,
        }
        for i, one in enumerate(result.facts)
    ]
