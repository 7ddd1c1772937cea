"""False variants of a sentence, with their edits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from dfactscore.factor._settings import Type

_AT_MOST = 3


@dataclass(frozen=True, slots=True)
class Edit:
    """One change to a sentence."""

    old: str
    new: str
    span: tuple[int, int]  # position of `old` in the original, in characters


@dataclass(frozen=True, slots=True)
class Candidate:
    """A changed sentence."""

    type: Type
    text: str
    edits: tuple[Edit, ...]
    maker: str  # `"rules"`, or the name of the model


def apply_edits(sentence: str, edits: Sequence[Edit]) -> str:
    """Applies edits to a sentence.

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
    """Creates a rule-based candidate from its edits."""
    ordered = tuple(sorted(edits, key=lambda e: e.span))
    return Candidate(type, apply_edits(sentence, ordered), ordered, "rules")


def drawn(
    type: Type, sentence: str, place: tuple[str, int], choices: Sequence[str], draw: Random
) -> list[Candidate]:
    """Creates up to three candidates, each with a different replacement in the same place."""
    old, start = place
    span = (start, start + len(old))
    chosen = draw.sample(choices, min(_AT_MOST, len(choices)))
    return [candidate(type, sentence, [Edit(old, new, span)]) for new in chosen]


def candidate_record(candidate: Candidate) -> dict[str, Any]:
    """A candidate as stored in journals and items."""
    return {
        "text": candidate.text,
        "type": candidate.type,
        "edits": [{"from": e.old, "to": e.new, "span": list(e.span)} for e in candidate.edits],
        "maker": candidate.maker,
    }
