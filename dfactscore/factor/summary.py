"""Means over items: accuracy with its interval, ties, pairs, types, perplexity."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from dfactscore._util.numbers import mean
from dfactscore.factor.factor_items import FactorItem
from dfactscore.factor.verdicts import NORMALIZATIONS, ItemVerdict, Normalization, judge, normalized
from dfactscore.likelihood import Continuation
from dfactscore.measures.bootstrap import clustered_interval

__all__ = ["Policy", "Scored", "summarize"]

Policy = Literal["unsupported", "exclude"]


@dataclass(frozen=True, slots=True)
class Scored:
    """An item as it was read by a model, in one context.

    Attributes:
        item: The item.
        context: What stood before its prefix (``"none"`` ...).
        position: Where the target's page stood among several, or empty.
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
        """Why the item has no score, or empty."""
        named = zip(("true completion", *map(str, range(99))), self.continuations, strict=False)
        return next((f"{which}: {one.error}" for which, one in named if one.error), "")

    def scores(self, by: Normalization) -> list[float]:
        """The completions' scores, the true one first."""
        return [normalized(one, by) for one in self.continuations]

    def verdict(self, by: Normalization) -> ItemVerdict | None:
        """Right or wrong; None where a completion has no number."""
        return None if self.error else judge(self.scores(by))


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
        by: What log-probabilities are divided by.
        policy: An item without a number counts as wrong, or is left out.
        confidence: Level of the interval.
        resamples: Bootstrap samples; documents are drawn.
        seed: Seed of the draws.
    """
    verdicts = [one.verdict(by) for one in scored]
    known = [v for v in verdicts if v is not None]
    items = {one.item.id for one in scored}
    failed = {o.item.id for o, v in zip(scored, verdicts, strict=True) if v is None}
    accuracy = _by_item(scored, verdicts, lambda v: float(v.right), policy)
    credit = _by_item(scored, verdicts, lambda v: v.credit, policy)
    values = [value for value, _ in accuracy.values()]
    interval = clustered_interval(
        values, [cluster for _, cluster in accuracy.values()],
        confidence=confidence, resamples=resamples, seed=seed,
    ) if values else (math.nan, math.nan)  # fmt: skip
    true = [one.continuations[0] for one, v in zip(scored, verdicts, strict=True) if v is not None]
    return {
        "items": len(items),
        "scored": len(items) - len(failed),
        "coverage": (len(items) - len(failed)) / len(items) if items else None,
        "right": sum(values),
        "accuracy": mean(values),
        "interval": [_number(bound) for bound in interval],
        "accuracy_tie_credit": mean(value for value, _ in credit.values()),
        "ties": sum(v.tie for v in known),
        "chance": mean(1 / len(one.continuations) for one in scored),
        "pairwise_accuracy": _pairwise(scored, verdicts, policy),
        "mean_margin": mean(v.margin for v in known),
        "accuracy_by_normalization": {
            other: mean(
                value
                for value, _ in _by_item(
                    scored, [one.verdict(other) for one in scored], lambda v: float(v.right), policy
                ).values()
            )
            for other in NORMALIZATIONS
        },
        "by_type": _by_type(scored, verdicts, policy),
        "perplexity_token": _perplexity(true, [len(one.tokens) for one in true]),
        "perplexity_byte": _perplexity(true, [one.bytes for one in true]),
        "truncated": len({o.item.id for o in scored if any(c.dropped for c in o.continuations)}),
        "tokens_alone_differ": _alone(scored),
    }


def _by_item(
    scored: Sequence[Scored], verdicts: Sequence[ItemVerdict | None], value: Any, policy: Policy
) -> dict[str, tuple[float, str]]:
    """Each item's mean value and what it is drawn with."""
    values: dict[str, list[float]] = {}
    clusters: dict[str, str] = {}
    for one, verdict in zip(scored, verdicts, strict=True):
        if verdict is None and policy == "exclude":
            continue
        number = 0.0 if verdict is None else float(value(verdict))
        values.setdefault(one.item.id, []).append(number)
        clusters[one.item.id] = one.item.cluster
    return {key: (mean(numbers) or 0.0, clusters[key]) for key, numbers in values.items()}


def _pairs(
    scored: Sequence[Scored], verdicts: Sequence[ItemVerdict | None], policy: Policy
) -> list[tuple[str, bool]]:
    """Type of each false completion, and whether the true one is strictly above it."""
    found = []
    for one, verdict in zip(scored, verdicts, strict=True):
        if verdict is None and policy == "exclude":
            continue
        for number, false in enumerate(one.item.contradictions):
            beaten = verdict is not None and verdict.beaten[number]
            found.append((false.type or false.kind, beaten))
    return found


def _pairwise(
    scored: Sequence[Scored], verdicts: Sequence[ItemVerdict | None], policy: Policy
) -> float | None:
    return mean(float(beaten) for _, beaten in _pairs(scored, verdicts, policy))


def _by_type(
    scored: Sequence[Scored], verdicts: Sequence[ItemVerdict | None], policy: Policy
) -> dict[str, Mapping[str, Any]]:
    pairs = _pairs(scored, verdicts, policy)
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
    return _number(math.exp(min(700.0, -math.fsum(c.logprob for c in continuations) / total)))


def _alone(scored: Sequence[Scored]) -> int | None:
    """Items in which a completion encoded alone has another number of tokens."""
    known = [one for one in scored if all(c.alone is not None for c in one.continuations)]
    if not known:
        return None
    return len(
        {o.item.id for o in known if any(c.alone != len(c.tokens) for c in o.continuations
                                         if not c.error)}
    )  # fmt: skip


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
