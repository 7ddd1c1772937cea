"""Results in the format of the ``factscore`` package, also for D-FActScore."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import fsum
from pathlib import Path
from typing import Any

import numpy as np

from dfactscore._errors import InputError, LanguageWarning
from dfactscore._results.result import Result
from dfactscore._scoring import Record, fact_values, linked_values
from dfactscore._scoring.linked_facts import length_penalty
from dfactscore._scoring.matrix import Counts
from dfactscore._scoring.matrix_scores import NOTHING_READ
from dfactscore._text.language import unscored_languages
from dfactscore._util.message_text import short_repr, warn_caller
from dfactscore._util.numbers import mean
from dfactscore.factscorer._knowledge import list_missing
from dfactscore.retrieval import KnowledgeSource, MissingPage, Passage

#: For each text, one entry per fact, in order; None for abstentions and texts without facts.
Decisions = Sequence[Sequence[Mapping[str, Any]] | None]


def aggregate(
    decisions: Decisions,  # one entry per text, which gives `is_supported` for each fact
    *,
    # Number of facts below which a text is penalized: if a text has n ≤ gamma facts, its share is
    # multiplied by exp(1 − gamma/n). 0 and None mean no penalty.
    gamma: float | None = 10,
    # Whether each text is an answer; by default, every text that has decisions counts as one. As in
    # the original package, a text with an empty list of given facts is an answer, and a text in
    # which the decomposer finds no facts is not.
    responses: Sequence[bool] | None = None,
    config_name: str = "",
    # Whether the score adds up each fact's `support` instead of counting `is_supported`.
    counts: Counts = "verdicts",
) -> dict[str, Any]:
    """Computes the result from decisions.

    Example:
        >>> found = aggregate([[{"atom": "A.", "is_supported": True}], None], gamma=0)
        >>> found["score"], found["respond_ratio"], found["num_facts_per_response"]
        (1.0, 0.5, 1.0)
    """
    answered = [decision for decision in decisions if decision]
    is_answer = [bool(decision) for decision in decisions] if responses is None else list(responses)
    result: dict[str, Any] = {
        "score": mean(shares(answered, gamma, counts)),
        "respond_ratio": sum(is_answer) / len(is_answer) if is_answer else 0.0,
        "decisions": [None if not d else [dict(fact) for fact in d] for d in decisions],
        "num_facts_per_response": mean(float(len(decision)) for decision in answered),
    }
    if gamma:
        result["init_score"] = mean(shares(answered, None, counts))
    if counts == "expected":
        result |= {"counts": counts, "score_verdicts": mean(shares(answered, gamma))}
    # `score`, `respond_ratio`, `decisions` and `num_facts_per_response`; if there is a penalty,
    # also `init_score`; with expected counts, also `counts` and `score_verdicts`; and `config_name`
    # unless it is empty.
    return result | ({"config_name": config_name} if config_name else {})


def shares(
    answered: Sequence[Sequence[Mapping[str, Any]]],
    gamma: float | None,
    counts: Counts = "verdicts",
) -> list[float]:
    """Each text's share of supported facts, with the length penalty applied."""
    key = "support" if counts == "expected" else "is_supported"
    return [
        fsum(float(fact[key]) for fact in decision)
        / len(decision)
        * length_penalty(len(decision), gamma or None)
        for decision in answered
    ]


def passages_given(
    docs: Any, count: int, single: bool, source: Callable[[], KnowledgeSource], file: Path
) -> list[tuple[Passage, ...]]:
    """Returns the documents for each text as passages."""
    if not isinstance(docs, (list, tuple)):
        raise InputError(f"docs: expected a list per text, found {short_repr(docs)}")
    rows: Sequence[Any] = docs
    if single and docs and all(isinstance(document, (str, Mapping)) for document in docs):
        rows = [docs]
    if len(rows) != count:
        raise InputError(f"docs: {len(rows)} entries for {count} texts")
    passages_of_texts, missing = [], []
    for index, row in enumerate(rows):
        if not isinstance(row, (list, tuple)):
            raise InputError(f"docs[{index}]: expected a list, found {short_repr(row)}")
        passages: list[Passage] = []
        for place, document in enumerate(row):
            if isinstance(document, str):
                page = source().lookup(document)
                if isinstance(page, MissingPage):
                    missing.append(page.reason)
                else:
                    passages.append(Passage(page.title, page.text))
                continue
            fields = document if isinstance(document, Mapping) else {}
            title, text = fields.get("title"), fields.get("text")
            if not isinstance(title, str) or not isinstance(text, str):
                raise InputError(
                    f"docs[{index}][{place}]: expected {{title, text}} or a title, found "
                    f"{short_repr(document)}"
                )
            passages.append(Passage(title, text))
        passages_of_texts.append(tuple(passages))
    if missing:
        listed = list_missing(missing, file)
        raise InputError(f"docs: {len(missing)} titles have no page: {listed}")
    return passages_of_texts


def dscore_result(
    result: Mapping[str, Any], records: Sequence[Record], gamma: float | None
) -> dict[str, Any]:
    """Returns a result that contains FActScore's keys, followed by D-FActScore's."""
    decisions = [_linked(record) for record in records]
    answered = [decision for decision in decisions if decision]
    scored = [record.scores for record in records if record.scores is not None]
    counts = result.get("counts", "verdicts")
    scores: dict[str, Any] = {"global_score": mean(shares(answered, gamma, counts))}
    if gamma:
        scores["init_global_score"] = mean(shares(answered, None, counts))
    if counts == "expected":
        scores["global_score_verdicts"] = mean(shares(answered, gamma))
    return {
        **result,
        **scores,
        "global_decisions": decisions,
        "num_groups": mean(None if s.n_bio is None else float(s.n_bio) for s in scored),
        "num_supporting_topics": mean(None if s.n_ent is None else float(s.n_ent) for s in scored),
    }


def _linked(record: Record) -> list[dict[str, Any]] | None:
    """One entry per fact: whether the entity linked to the fact's group supports the fact."""
    if record.matrix is None or not record.facts or record.groups is None:
        return None
    result = Result(record)
    titles = {i: group.entity for group in result.groups for i in group.facts}
    support = linked_values(record)
    return [
        {
            "atom": fact.fact.text.strip(),
            "is_supported": fact.standing == "supported",
            "supporting_topic": titles.get(i) if fact.standing == "supported" else None,
            "support": support[i],
        }
        for i, fact in enumerate(result.facts)
    ]


def decisions_of(record: Record) -> list[dict[str, Any]] | None:
    """One entry per fact: whether any page supports it; None if there are no facts or verdicts."""
    if record.matrix is None or not record.facts or record.status == "not_judged":
        return None
    supported: list[bool] = np.asarray(record.decided.support.any(axis=1)).tolist()
    return [
        {"atom": fact.text.strip(), "is_supported": verdict, "support": value}
        for fact, verdict, value in zip(record.facts, supported, fact_values(record), strict=True)
    ]


def responses_of(records: Sequence[Record], has_facts: bool) -> list[bool]:
    """Whether each text is an answer, leaving out the texts that failed.

    A text without facts is an answer only if its facts were given.
    """
    silent = {"abstained", "no_answer"} if has_facts else {"abstained", "no_answer", "no_facts"}
    return [record.status not in silent for record in records if record.status != "error"]


def warn_of(records: Sequence[Record], result: Mapping[str, Any]) -> None:
    """Warns of texts that failed, are not in English, or have unreadable or no verdicts."""
    failed = sum(record.status == "error" for record in records)
    if failed:
        warn_caller(f"{failed} texts could not be decomposed")
    if others := [record for record in records if record.status == "not_english"]:
        warn_caller(
            f"{unscored_languages(Counter(r.reason for r in others), len(records))}; the "
            "built-in engine reads English only",
            LanguageWarning,
        )
    unread = sum(int((~r.matrix.readable).sum()) for r in records if r.matrix is not None)
    if unread:
        warn_caller(f"{unread} verdicts are unreadable and count as unsupported (see the coverage)")
    if unjudged := sum(record.status == "not_judged" for record in records):
        warn_caller(f"{unjudged} texts have no score: {NOTHING_READ}")
    elif result["score"] is None:
        warn_caller("no score: no text contains facts")
