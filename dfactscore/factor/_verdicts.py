"""Derives verdicts on items from log-probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from dfactscore.likelihood import Continuation

Normalization = Literal["token", "sum", "character", "byte"]
NORMALIZATIONS: tuple[Normalization, ...] = get_args(Normalization)
# Means of equal numbers can differ in the last digit, depending on the order of addition.
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class ItemVerdict:
    """Verdicts based on the scores of an item's completions, of which the true one comes first."""

    right: bool
    tie: bool
    # 1 divided by the number of completions with the highest score if the true one is among them,
    # otherwise 0.
    credit: float
    margin: float
    picked: int
    beaten: tuple[bool, ...]


def normalized(continuation: Continuation, by: Normalization) -> float:
    """The log-probability of a continuation, per token, character or byte, or in total.

    The result is NaN if the continuation has no likelihood.
    """
    size = {
        "token": len(continuation.tokens),
        "sum": 1,
        "character": continuation.characters,
        "byte": continuation.bytes,
    }[by]
    return continuation.logprob / size if size and not continuation.error else math.nan


def judge(scores: Sequence[float]) -> ItemVerdict | None:
    """Compares the score of the true completion with the others; None if a score is NaN.

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
