"""Rewrites a text that mixes people, with one paragraph per person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dfactscore._errors import InputError
from dfactscore._results.result import Result
from dfactscore._scoring import Record, cell_values
from dfactscore._text.sentences import split_sentences
from dfactscore.mixing._fact_sentences import retell
from dfactscore.mixing._page_descriptions import bare_title, described, opener

Unsupported = Literal["drop", "keep", "mark"]
_PRONOUN = re.compile(r"^(?:He|She|They)(?=\s)")
_POSSESSIVE = re.compile(r"^(?:His|Her|Their)(?=\s)")
_MARKER = re.compile(r"^(?:(?:[-*•–·]|#{1,6}|\(?\d{1,2}[.)])\s+)+")
NOT_FOUND = "Not found"


@dataclass(frozen=True, slots=True)
class Person:
    """A person that a text is about.

    Attributes:
        name: The page title without the qualifier in parentheses.
        description: A short description from the page; empty if the page has none.
        facts: The facts that are credited to the person.
        passages: The input passages about the person.
        opening: The heading of the paragraph.
        text: The paragraph without its heading; empty if the text is not changed.
    """

    name: str
    description: str
    facts: tuple[str, ...]
    passages: tuple[str, ...]
    opening: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Unmixed:
    """The result of `unmix`.

    Attributes:
        text: The new text, or the original text if it does not mix people.
        changed: Whether the text differs from the original.
        people: The people that the supported facts are about, in the order in which they appear in
            the text.
        unsupported: The facts that no page supports.
    """

    text: str
    changed: bool
    people: tuple[Person, ...]
    unsupported: tuple[str, ...]


def assigned(record: Record) -> tuple[int | None, ...]:
    """Returns the column that each fact is credited to, or None if no page supports the fact.

    Of the entities that support a fact, the chosen one supports the most facts in the fact's
    sentence; in a tie, it supports the most facts in the text. Irrelevant facts are not credited.
    """
    matrix = record.decided
    support = matrix.support & (cell_values(record, "verdicts") > 0)
    excluded = sorted(set(range(len(matrix.entities))) - set(record.candidate_columns))
    support[:, excluded] = False
    worth = np.where(support, cell_values(record), 0.0)
    total = worth.sum(axis=0)
    credit: list[int | None] = [None] * len(record.facts)
    for facts in _by_sentence(record).values():
        of_sentence = worth[facts].sum(axis=0)
        for f in facts:
            supporting = np.flatnonzero(support[f]).tolist()
            credit[f] = max(
                supporting,
                key=lambda e: (support[facts, e].sum(), total[e], of_sentence[e], -matrix.ranks[e]),
                default=None,
            )
    return tuple(credit)


def unmix(
    record: Record | Result, *, unsupported: Unsupported = "drop", mixed: bool | None = None
) -> Unmixed:
    """Rewrites a text that mixes people, with one paragraph per person.

    Args:
        record: A result of `Scorer`, or a record of a run.
        unsupported: The treatment of facts that no page supports: ``"drop"`` leaves them out,
            ``"keep"`` puts them next to the other facts from their sentence, and ``"mark"`` lists
            them under "Not found".
        mixed: Whether the text mixes people; by default, this is determined from its scores.

    Raises:
        InputError: If the text has not been judged.

    Example:
        >>> from dfactscore import score
        >>> result = score(
        ...     "Ann Lee is an English painter. She rowed for Canada. Lee won a medal in rowing.",
        ...     name="Ann Lee",
        ...     pages={
        ...         "Ann Lee (painter)": "Ann Lee is an English painter of landscapes.",
        ...         "Ann Lee (rower)": "Ann Lee rowed for Canada. She won a medal in rowing.",
        ...     },
        ... )
        >>> print(unmix(result).text)
        Ann Lee (painter):
        Ann Lee is an English painter.
        <BLANKLINE>
        Ann Lee (rower):
        Ann Lee rowed for Canada. Lee won a medal in rowing.
    """
    record = record.record if isinstance(record, Result) else record
    if record.matrix is None or record.scores is None:
        raise InputError(f"{record.id}: is not judged, so no fact is credited to a person")
    credit = assigned(record)
    columns = list(dict.fromkeys(e for e in credit if e is not None))
    unsupported_facts = [f for f, e in enumerate(credit) if e is None]
    change = bool(record.scores.mixed_groups) if mixed is None else mixed
    change = change and len(columns) > 1
    owner = _with_neighbors(record, credit) if unsupported == "keep" else credit
    people = tuple(
        _person(record, column, opening, credit, owner if change else ())
        for column, opening in zip(columns, _openings(record, columns), strict=True)
    )
    # A heading on a separate line shows that a different person follows.
    blocks = [f"{person.opening}:\n{person.text}" for person in people]
    if unsupported == "mark" and unsupported_facts:
        blocks.append(f"{NOT_FOUND}:\n{_paragraph(record, unsupported_facts)}")
    return Unmixed(
        "\n\n".join(blocks) if change else record.biography.text,
        change,
        people,
        tuple(record.facts[f].text for f in unsupported_facts),
    )


def _openings(record: Record, columns: Sequence[int]) -> list[str]:
    """Returns each entity's heading, using the page title if two would otherwise be identical."""
    openings = [opener(record.entities[column]) for column in columns]
    return [
        start if openings.count(start) == 1 else record.entities[column].label
        for start, column in zip(openings, columns, strict=True)
    ]


def _person(
    record: Record,
    column: int,
    opening: str,
    credit: Sequence[int | None],
    owner: Sequence[int | None],
) -> Person:
    entity = record.entities[column]
    return Person(
        bare_title(entity),
        described(entity),
        tuple(record.facts[f].text for f, e in enumerate(credit) if e == column),
        tuple(document.text for document in entity.documents),
        opening,
        _paragraph(record, [f for f, e in enumerate(owner) if e == column]),
    )


def _paragraph(record: Record, chosen: Sequence[int]) -> str:
    """Renders facts as a paragraph, keeping the order and wording of the text."""
    text = record.biography.text
    sentences: list[str] = []
    for number, facts in _by_sentence(record).items():
        selected = [f for f in facts if f in set(chosen)]
        if len(selected) == len(facts) and number is not None:
            sentences.append(_plain(split_sentences(text)[number].text))
        elif selected:
            sentences += retell(text, record.facts, facts, selected)
    if sentences:
        first = _POSSESSIVE.sub(f"{record.name}'s", sentences[0])
        sentences[0] = _PRONOUN.sub(record.name, first)
    return " ".join(sentences)


def _plain(sentence: str) -> str:
    """Returns a sentence without list or heading markers."""
    return _MARKER.sub("", sentence.replace("**", ""))


def _by_sentence(record: Record) -> dict[int | None, list[int]]:
    """Returns the facts from each sentence, in order; facts without a sentence are under None."""
    count = len(split_sentences(record.biography.text))
    sentences: dict[int | None, list[int]] = {}
    for f, fact in enumerate(record.facts):
        known = fact.sentence is not None and fact.sentence < count and fact.span is not None
        sentences.setdefault(fact.sentence if known else None, []).append(f)
    return sentences


def _with_neighbors(record: Record, credit: Sequence[int | None]) -> list[int | None]:
    """Credits each unsupported fact to the entity of the nearest supported fact."""
    known = [f for f, e in enumerate(credit) if e is not None]

    def nearest(f: int) -> int | None:
        same = [g for g in known if record.facts[g].sentence == record.facts[f].sentence]
        best = min(same or known, key=lambda g: abs(g - f), default=None)
        return None if best is None else credit[best]

    return [nearest(f) if e is None else e for f, e in enumerate(credit)]
