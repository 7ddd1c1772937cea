"""Computes means over items: accuracy with its interval, ties, pairs, types, perplexity."""

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
    """An item with the likelihoods of its completions, in one context."""

    item: FactorItem
    context: str  # type of context, such as `"none"`
    position: str  # position of the target's page if there are several pages; otherwise empty
    continuations: tuple[Continuation, ...]
    passages: tuple[str, ...] = ()

    @property
    def error(self) -> str:
        """Why the item has no score; empty if it has one."""
        named = zip(("true completion", *map(str, range(99))), self.continuations, strict=False)
        return next((f"{which}: {c.error}" for which, c in named if c.error), "")

    def scores(self, by: Normalization) -> list[float]:
        """The scores of the completions, starting with the true one."""
        return [normalized(continuation, by) for continuation in self.continuations]

    def verdict(self, by: Normalization) -> ItemVerdict | None:
        """The verdict; None if a completion has no likelihood."""
        return None if self.error else judge(self.scores(by))


Judged = tuple[Scored, ItemVerdict | None]
"""A reading with its verdict; None if a completion has no likelihood."""
Value = Callable[[Scored, ItemVerdict | None], float | None]
"""Returns the value of a reading; None excludes it."""


def summarize(
    scored: Sequence[Scored],
    *,
    by: Normalization = "token",
    policy: Policy = "unsupported",
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> dict[str, Any]:
    """Summarizes items in one context.

    An item with several readings (positions of the page) counts once, using their mean.
    """
    rows = [(reading, reading.verdict(by)) for reading in scored]
    known = [(reading, v) for reading, v in rows if v is not None]
    items = {reading.item.id for reading in scored}
    n_scored = len(items - {reading.item.id for reading, v in rows if v is None})
    counted = counting(rows, policy)
    accuracy = by_item(counted, is_right)
    interval = item_interval(accuracy, confidence=confidence, resamples=resamples, seed=seed)
    pairs = _pairs(counted)
    true = [reading.continuations[0] for reading, _ in known]
    return {
        "items": len(items),
        "scored": n_scored,
        "coverage": n_scored / len(items) if items else None,
        "right": sum(value for value, _ in accuracy.values()),
        "accuracy": mean(value for value, _ in accuracy.values()),
        "interval": interval,
        "accuracy_tie_credit": _mean(by_item(counted, _credit)),
        "ties": sum(v.tie for _, v in known),
        "chance": mean(1 / len(reading.continuations) for reading in scored),
        "pairwise_accuracy": mean(float(beaten) for _, beaten in pairs),
        "mean_margin": mean(v.margin for _, v in known),
        "accuracy_by_normalization": {
            other: _accuracy(scored, other, policy) for other in NORMALIZATIONS
        },
        "by_type": _by_type(pairs),
        "perplexity_token": _perplexity(true, [len(c.tokens) for c in true]),
        "perplexity_byte": _perplexity(true, [c.bytes for c in true]),
        "truncated": len({o.item.id for o in scored if any(c.dropped for c in o.continuations)}),
        "tokens_alone_differ": _alone(scored),
    }


def _accuracy(scored: Sequence[Scored], by: Normalization, policy: Policy) -> float | None:
    return _mean(
        by_item(counting([(reading, reading.verdict(by)) for reading in scored], policy), is_right)
    )


def counting(rows: Iterable[Judged], policy: Policy) -> list[Judged]:
    """The readings to count; `policy` decides whether those without a likelihood are included."""
    return [row for row in rows if row[1] is not None or policy != "exclude"]


def by_item(rows: Iterable[Judged], value: Value) -> dict[str, tuple[float, str]]:
    """The mean value and the cluster of each item, ignoring readings whose value is None."""
    values: dict[str, list[float]] = {}
    clusters: dict[str, str] = {}
    for reading, verdict in rows:
        number = value(reading, verdict)
        if number is not None:
            values.setdefault(reading.item.id, []).append(number)
            clusters[reading.item.id] = reading.item.cluster
    return {key: (math.fsum(v) / len(v), clusters[key]) for key, v in values.items()}


def item_interval(
    values: Mapping[str, tuple[float, str]], *, confidence: float, resamples: int, seed: int
) -> list[float | None]:
    """The bootstrap interval of the mean over items, obtained by resampling clusters."""
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


def is_right(reading: Scored, verdict: ItemVerdict | None) -> float:
    """1 if the true completion scores higher than every false one, otherwise 0."""
    return float(verdict is not None and verdict.right)


def _credit(reading: Scored, verdict: ItemVerdict | None) -> float:
    return 0.0 if verdict is None else verdict.credit


def _mean(values: Mapping[str, tuple[float, str]]) -> float | None:
    return mean(value for value, _ in values.values())


def _pairs(rows: Iterable[Judged]) -> list[tuple[str, bool]]:
    """The type of each false completion, and whether the true one scores strictly higher."""
    return [
        (false.type or false.kind, verdict is not None and verdict.beaten[number])
        for reading, verdict in rows
        for number, false in enumerate(reading.item.contradictions)
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
    """The number of items with a completion that is tokenized differently without its context."""
    known = [
        reading for reading in scored if all(c.alone is not None for c in reading.continuations)
    ]
    if not known:
        return None
    return len(
        {
            o.item.id
            for o in known
            if any(c.alone != len(c.tokens) for c in o.continuations if not c.error)
        }
    )
