"""Tells the people apart that a text mixes: the same content, one paragraph per person."""

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
    """One of the people that a text tells of.

    Attributes:
        name: The title of their page, without the brackets.
        description: The page's description of them; empty if it has none.
        facts: The facts that are credited to them.
        passages: The passages about them, as they were given.
        opening: The opening of a paragraph about them.
        text: The paragraph, without its opening; empty if the text is not changed.
    """

    name: str
    description: str
    facts: tuple[str, ...]
    passages: tuple[str, ...]
    opening: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Unmixed:
    """A text with the people told apart that it mixed.

    Attributes:
        text: The text; the given one where it mixes no people.
        changed: Whether it is another than the given one.
        people: Those that the supported facts are of, in the order of the text.
        unsupported: The facts that no page supports.
    """

    text: str
    changed: bool
    people: tuple[Person, ...]
    unsupported: tuple[str, ...]


def assigned(record: Record) -> tuple[int | None, ...]:
    """The column that each fact is credited to, or None if no page supports it.

    Of the entities that support a fact, the one that supports most of its sentence; where that is
    equal, most of the text. Facts that are labeled irrelevant are of no one.
    """
    matrix = record.decided
    support = matrix.support & (cell_values(record, "verdicts") > 0)
    others = sorted(set(range(len(matrix.entities))) - set(record.candidate_columns))
    support[:, others] = False
    worth = np.where(support, cell_values(record), 0.0)
    total = worth.sum(axis=0)
    credit: list[int | None] = [None] * len(record.facts)
    for own in _by_sentence(record).values():
        here = worth[own].sum(axis=0)
        for f in own:
            able = np.flatnonzero(support[f]).tolist()
            credit[f] = max(
                able,
                key=lambda e: (support[own, e].sum(), total[e], here[e], -matrix.ranks[e]),
                default=None,
            )
    return tuple(credit)


def unmix(
    record: Record | Result, *, unsupported: Unsupported = "drop", mixed: bool | None = None
) -> Unmixed:
    """Tells the people apart that a text mixes.

    Args:
        record: A result of `Scorer`, or a record of a run.
        unsupported: The treatment of facts that no page supports: left out, kept beside the facts
            of their sentence, or listed under "Not found".
        mixed: Whether the text mixes people; as its scores say by default.

    Raises:
        InputError: If nothing is judged.

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
    lost = [f for f, e in enumerate(credit) if e is None]
    change = bool(record.scores.mixed_groups) if mixed is None else mixed
    change = change and len(columns) > 1
    owner = _with_neighbors(record, credit) if unsupported == "keep" else credit
    people = tuple(
        _person(record, column, opening, credit, owner if change else ())
        for column, opening in zip(columns, _openings(record, columns), strict=True)
    )
    # A line of its own, as list headings have it, tells any reader that another person begins.
    blocks = [f"{person.opening}:\n{person.text}" for person in people]
    if unsupported == "mark" and lost:
        blocks.append(f"{NOT_FOUND}:\n{_told(record, lost)}")
    return Unmixed(
        "\n\n".join(blocks) if change else record.biography.text,
        change,
        people,
        tuple(record.facts[f].text for f in lost),
    )


def _openings(record: Record, columns: Sequence[int]) -> list[str]:
    """Returns the opening of each entity's paragraph; the title if two would open alike."""
    found = [opener(record.entities[column]) for column in columns]
    return [
        start if found.count(start) == 1 else record.entities[column].label
        for start, column in zip(found, columns, strict=True)
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
        _told(record, [f for f, e in enumerate(owner) if e == column]),
    )


def _told(record: Record, chosen: Sequence[int]) -> str:
    """Facts as running text, in the order and words of the text."""
    text = record.biography.text
    sentences: list[str] = []
    for number, own in _by_sentence(record).items():
        mine = [f for f in own if f in set(chosen)]
        if len(mine) == len(own) and number is not None:
            sentences.append(_plain(split_sentences(text)[number].text))
        elif mine:
            sentences += retell(text, record.facts, own, mine)
    if sentences:
        first = _POSSESSIVE.sub(f"{record.name}'s", sentences[0])
        sentences[0] = _PRONOUN.sub(record.name, first)
    return " ".join(sentences)


def _plain(sentence: str) -> str:
    """A sentence without the marks of the list or heading that it was in."""
    return _MARKER.sub("", sentence.replace("**", ""))


def _by_sentence(record: Record) -> dict[int | None, list[int]]:
    """The facts by their sentence, in order; facts without one together."""
    count = len(split_sentences(record.biography.text))
    found: dict[int | None, list[int]] = {}
    for f, fact in enumerate(record.facts):
        known = fact.sentence is not None and fact.sentence < count and fact.span is not None
        found.setdefault(fact.sentence if known else None, []).append(f)
    return found


def _with_neighbors(record: Record, credit: Sequence[int | None]) -> list[int | None]:
    """Gives each unsupported fact to the one that the nearest supported fact is of."""
    known = [f for f, e in enumerate(credit) if e is not None]

    def nearest(f: int) -> int | None:
        same = [g for g in known if record.facts[g].sentence == record.facts[f].sentence]
        best = min(same or known, key=lambda g: abs(g - f), default=None)
        return None if best is None else credit[best]

    return [nearest(f) if e is None else e for f, e in enumerate(credit)]
