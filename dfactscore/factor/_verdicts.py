"""Decides from log-probabilities whether an item is answered correctly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from dfactscore.likelihood import Continuation

Normalization = Literal["token", "sum", "character", "byte"]
NORMALIZATIONS: tuple[Normalization, ...] = get_args(Normalization)
# Means of equal numbers differ in their last digit by the order in which they are added.
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class ItemVerdict:
    """Verdicts from the scores of an item's completions; the true one comes first.

    Attributes:
        right: Whether the true one is strictly above every other.
        tie: Whether the true one shares the highest score.
        credit: 1 over how many share the highest score with the true one; 0 if it is below.
        margin: The true one's score minus the best false one's.
        picked: Index of the highest score, the first of several; 0 is the true one.
        beaten: For each false one whether the true one is strictly above it.
    """

    right: bool
    tie: bool
    credit: float
    margin: float
    picked: int
    beaten: tuple[bool, ...]


def normalized(one: Continuation, by: Normalization) -> float:
    """A continuation's score: its log-probability by token, character, byte or not at all.

    NaN if there is no number.
    """
    size = {"token": len(one.tokens), "sum": 1, "character": one.characters, "byte": one.bytes}[by]
    return one.logprob / size if size and not one.error else math.nan


def judge(scores: Sequence[float]) -> ItemVerdict | None:
    """Compares the true completion's score with the others; None if one is not a number.

    Example:
        >>> judge([-1.0, -2.0, -1.0]).right, judge([-1.0, -2.0, -1.0]).credit
        (False, 0.5)
    """
    if not all(map(math.isfinite, scores)):
        return None
    true, best = scores[0], max(scores[1:])
    near = max(_EQUAL, 1e-12 * max(abs(score) for score in scores))
    top = max(true, best)
    equal = [abs(score - top) <= near for score in scores]
    return ItemVerdict(
        right=true > best + near,
        tie=equal[0] and sum(equal) > 1,
        credit=1 / sum(equal) if equal[0] else 0.0,
        margin=true - best,
        picked=equal.index(True),
        beaten=tuple(true > score + near for score in scores[1:]),
    )
