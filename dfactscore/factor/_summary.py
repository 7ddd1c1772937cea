"""Means over items: accuracy with its interval, ties, pairs, types, perplexity."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from dfactscore._util.numbers import finite, mean
from dfactscore.factor._factor_items import FactorItem
from dfactscore.factor._verdicts import (
    NORMALIZATIONS,
    ItemVerdict,
    Normalization,
    judge,
    normalized,
)
from dfactscore.likelihood import Continuation
from dfactscore.measures._bootstrap import clustered_interval

Policy = Literal["unsupported", "exclude"]


@dataclass(frozen=True, slots=True)
class Scored:
    """An item as it was read by a model, in one context.

    Attributes:
        item: The item.
        context: The context before its prefix (``"none"`` ...).
        position: The position of the target's page among several, or empty.
        continuations: The true completion's, then the false ones'.
        passages: Titles of the passages or pages before the prefix.
    """

    item: FactorItem
    context: str
    position: str
    continuations: tuple[Continuation, ...]
    passages: tuple[str, ...] = ()

    @property
    def error(self) -> str:
        """The reason why the item has no score, or empty."""
        named = zip(("true completion", *map(str, range(99))), self.continuations, strict=False)
        return next((f"{which}: {one.error}" for which, one in named if one.error), "")

    def scores(self, by: Normalization) -> list[float]:
        """The completions' scores, the true one first."""
        return [normalized(one, by) for one in self.continuations]

    def verdict(self, by: Normalization) -> ItemVerdict | None:
        """Right or wrong; None if a completion has no number."""
        return None if self.error else judge(self.scores(by))


Judged = tuple[Scored, ItemVerdict | None]
"""A reading with its verdict; None if a completion has no number."""
Value = Callable[[Scored, ItemVerdict | None], float | None]
"""Returns the score of a reading; None leaves it out."""


def summarize(
    scored: Sequence[Scored],
    *,
    by: Normalization = "token",
    policy: Policy = "unsupported",
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> dict[str, Any]:
    """Sums up items that were read in one context.

    An item that was read several times (a page in several positions) counts once, by its mean.

    Args:
        scored: The items.
        by: Divisor of log-probabilities.
        policy: An item without a number counts as wrong, or is left out.
        confidence: Level of the interval.
        resamples: Bootstrap samples; documents are drawn.
        seed: Seed of the draws.
    """
    rows = [(one, one.verdict(by)) for one in scored]
    known = [(one, v) for one, v in rows if v is not None]
    items = {one.item.id for one in scored}
    n_scored = len(items - {one.item.id for one, v in rows if v is None})
    counted = counting(rows, policy)
    accuracy = by_item(counted, is_right)
    interval = item_interval(accuracy, confidence=confidence, resamples=resamples, seed=seed)
    pairs = _pairs(counted)
    true = [one.continuations[0] for one, _ in known]
    return {
        "items": len(items),
        "scored": n_scored,
        "coverage": n_scored / len(items) if items else None,
        "right": sum(value for value, _ in accuracy.values()),
        "accuracy": mean(value for value, _ in accuracy.values()),
        "interval": interval,
        "accuracy_tie_credit": _mean(by_item(counted, _credit)),
        "ties": sum(v.tie for _, v in known),
        "chance": mean(1 / len(one.continuations) for one in scored),
        "pairwise_accuracy": mean(float(beaten) for _, beaten in pairs),
        "mean_margin": mean(v.margin for _, v in known),
        "accuracy_by_normalization": {
            other: _accuracy(scored, other, policy) for other in NORMALIZATIONS
        },
        "by_type": _by_type(pairs),
        "perplexity_token": _perplexity(true, [len(one.tokens) for one in true]),
        "perplexity_byte": _perplexity(true, [one.bytes for one in true]),
        "truncated": len({o.item.id for o in scored if any(c.dropped for c in o.continuations)}),
        "tokens_alone_differ": _alone(scored),
    }


def _accuracy(scored: Sequence[Scored], by: Normalization, policy: Policy) -> float | None:
    return _mean(by_item(counting([(one, one.verdict(by)) for one in scored], policy), is_right))


def counting(rows: Iterable[Judged], policy: Policy) -> list[Judged]:
    """The readings that count: an item without a number is wrong, or left out."""
    return [row for row in rows if row[1] is not None or policy != "exclude"]


def by_item(rows: Iterable[Judged], value: Value) -> dict[str, tuple[float, str]]:
    """Mean of each item's readings, and what it is drawn with; None leaves a reading out."""
    found: dict[str, list[float]] = {}
    clusters: dict[str, str] = {}
    for one, verdict in rows:
        number = value(one, verdict)
        if number is not None:
            found.setdefault(one.item.id, []).append(number)
            clusters[one.item.id] = one.item.cluster
    return {key: (math.fsum(v) / len(v), clusters[key]) for key, v in found.items()}


def item_interval(
    values: Mapping[str, tuple[float, str]], *, confidence: float, resamples: int, seed: int
) -> list[float | None]:
    """The interval of the mean of items; clusters are drawn."""
    if not values:
        return [None, None]
    bounds = clustered_interval(
        [value for value, _ in values.values()],
        [cluster for _, cluster in values.values()],
        confidence=confidence,
        resamples=resamples,
        seed=seed,
    )
    return [finite(bound) for bound in bounds]


def is_right(one: Scored, verdict: ItemVerdict | None) -> float:
    """1 where the true completion is above every false one; an item without a number is wrong."""
    return float(verdict is not None and verdict.right)


def _credit(one: Scored, verdict: ItemVerdict | None) -> float:
    return 0.0 if verdict is None else verdict.credit


def _mean(values: Mapping[str, tuple[float, str]]) -> float | None:
    return mean(value for value, _ in values.values())


def _pairs(rows: Iterable[Judged]) -> list[tuple[str, bool]]:
    """Type of each false completion, and whether the true one is strictly above it."""
    return [
        (false.type or false.kind, verdict is not None and verdict.beaten[number])
        for one, verdict in rows
        for number, false in enumerate(one.item.contradictions)
    ]


def _by_type(pairs: Sequence[tuple[str, bool]]) -> dict[str, Mapping[str, Any]]:
    return {
        kind: {
            "contradictions": sum(k == kind for k, _ in pairs),
            "accuracy": mean(float(beaten) for k, beaten in pairs if k == kind),
        }
        for kind in sorted({k for k, _ in pairs if k})
    }


def _perplexity(continuations: Sequence[Continuation], sizes: Sequence[int]) -> float | None:
    total = sum(sizes)
    if not total:
        return None
    return finite(math.exp(min(700.0, -math.fsum(c.logprob for c in continuations) / total)))


def _alone(scored: Sequence[Scored]) -> int | None:
    """Items in which a completion encoded alone has another number of tokens."""
    known = [one for one in scored if all(c.alone is not None for c in one.continuations)]
    if not known:
        return None
    return len(
        {
            o.item.id
            for o in known
            if any(c.alone != len(c.tokens) for c in o.continuations if not c.error)
        }
    )
