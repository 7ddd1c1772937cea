"""A false variant of a sentence, with the edits that made it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from dfactscore.factor._settings import Type

_AT_MOST = 3


@dataclass(frozen=True, slots=True)
class Edit:
    """One change.

    Attributes:
        old: The original words.
        new: The replacement.
        span: The position of `old` in the original, in characters.
    """

    old: str
    new: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A changed sentence.

    Attributes:
        type: Kind of the changed detail.
        text: The whole changed sentence.
        edits: The plan, in the order of the sentence; the text is what it makes of the original.
        maker: ``"rules"``, or the model's name.
    """

    type: Type
    text: str
    edits: tuple[Edit, ...]
    maker: str


def apply_edits(sentence: str, edits: Sequence[Edit]) -> str:
    """Returns the result of a plan for a sentence.

    Example:
        >>> apply_edits("He won in 1936.", [Edit("1936", "1938", (10, 14))])
        'He won in 1938.'
    """
    text = sentence
    for edit in sorted(edits, key=lambda e: e.span, reverse=True):
        start, end = edit.span
        assert sentence[start:end] == edit.old, edit
        text = text[:start] + edit.new + text[end:]
    return text


def candidate(type: Type, sentence: str, edits: Sequence[Edit]) -> Candidate:
    """A candidate of a plan that the rules made."""
    ordered = tuple(sorted(edits, key=lambda e: e.span))
    return Candidate(type, apply_edits(sentence, ordered), ordered, "rules")


def drawn(
    type: Type, sentence: str, place: tuple[str, int], choices: Sequence[str], draw: Random
) -> list[Candidate]:
    """Up to three candidates, each with another choice at one place.

    Args:
        type: Kind of the changed detail.
        sentence: The sentence.
        place: The words, and where they begin.
        choices: Possible replacements.
        draw: Decides which.
    """
    old, start = place
    span = (start, start + len(old))
    chosen = draw.sample(choices, min(_AT_MOST, len(choices)))
    return [candidate(type, sentence, [Edit(old, new, span)]) for new in chosen]


def candidate_record(one: Candidate) -> dict[str, Any]:
    """Its form in journals and items."""
    return {
        "text": one.text,
        "type": one.type,
        "edits": [{"from": e.old, "to": e.new, "span": list(e.span)} for e in one.edits],
        "maker": one.maker,
    }
