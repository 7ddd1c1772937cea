"""Measures of AmbigFACTOR: is a wrong fact likelier because a namesake owns it?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dfactscore._util.numbers import mean
from dfactscore.factor.ambig.values import content_words
from dfactscore.factor.contexts import ItemReading
from dfactscore.factor.summary import Policy, Scored, by_item, is_right, item_interval
from dfactscore.factor.verdicts import ItemVerdict, Normalization, judge
from dfactscore.factor.without_model import BASELINES

__all__ = ["owner_measures"]

_KINDS = ("namesake", "stranger")


class _Readings:
    """The headline items in one context, with what each is worth."""

    def __init__(
        self, pairs: Sequence[tuple[Scored, ItemReading]], by: Normalization, policy: Policy
    ) -> None:
        judged = [(one, reading, one.verdict(by)) for one, reading in pairs]
        self.rows = [row for row in judged if row[2] is not None or policy != "exclude"]

    def by_item(
        self, value: Callable[[Scored, ItemVerdict | None], float | None]
    ) -> dict[str, tuple[float, str]]:
        """Mean of each item's readings and what it is drawn with; None leaves a reading out."""
        return by_item(((one, verdict) for one, _, verdict in self.rows), value)


def owner_measures(
    scored: Sequence[Scored],
    readings: Sequence[ItemReading],
    *,
    by: Normalization,
    policy: Policy,
    confidence: float,
    resamples: int,
    seed: int,
) -> dict[str, Any]:
    """What the contradictions' owners tell; empty where they have none.

    Items that are marked as leaks are left out. Intervals draw names.

    Args:
        scored: All items in all contexts.
        readings: How each of them was read.
        by: What log-probabilities are divided by.
        policy: An item without a number counts as wrong, or is left out.
        confidence: Level of the intervals.
        resamples: Bootstrap samples.
        seed: Seed of the draws.
    """
    pairs = list(zip(scored, readings, strict=True))
    if not any(c.kind in _KINDS for one in scored for c in one.item.contradictions):
        return {}
    pairs = [(one, reading) for one, reading in pairs if not one.item.extra.get("leak")]

    def share(values: Mapping[str, tuple[float, str]]) -> dict[str, Any]:
        interval = item_interval(values, confidence=confidence, resamples=resamples, seed=seed)
        numbers = [number for number, _ in values.values()]
        return {"mean": mean(numbers), "interval": interval, "n": len(numbers)}

    names = [c for c in dict.fromkeys(one.context for one, _ in pairs) if c != "prior"]
    priors = {one.item.id: one.scores(by) for one, _ in pairs if one.context == "prior"}
    of = {c: _Readings([p for p in pairs if p[0].context == c], by, policy) for c in names}
    right = {c: found.by_item(is_right) for c, found in of.items()}
    result: dict[str, Any] = {
        "items": len({one.item.id for one, _ in pairs}),
        "leaks": len({o.item.id for o in scored if o.item.extra.get("leak")}),
        "contexts": {
            c: {**_one_context(of[c], share, priors, by), "accuracy": share(right[c])}
            for c in names
        },
    }
    if priors:
        alone = _Readings([p for p in pairs if p[0].context == "prior"], by, policy)
        result["prior"] = share(alone.by_item(is_right))
    for label, first, second in (
        ("context_gain", "all", "none"),
        ("interference", "gold", "all"),
    ):
        if first in right and second in right:
            result[label] = share(_differences(right[first], right[second]))
    return {"ambig": result}


def _differences(
    first: Mapping[str, tuple[float, str]], second: Mapping[str, tuple[float, str]]
) -> dict[str, tuple[float, str]]:
    return {
        key: (value - second[key][0], cluster)
        for key, (value, cluster) in first.items()
        if key in second
    }


def _one_context(
    found: _Readings,
    share: Callable[[Mapping[str, tuple[float, str]]], dict[str, Any]],
    priors: Mapping[str, Sequence[float]],
    by: Normalization,
) -> dict[str, Any]:
    over = {kind: found.by_item(_beats(kind)) for kind in _KINDS}
    pairs = {kind: _pair_mean(found, kind) for kind in _KINDS}
    gap = (
        None
        if pairs["stranger"] is None or pairs["namesake"] is None
        else pairs["stranger"] - pairs["namesake"]
    )
    picks = {kind: found.by_item(_picks(kind)) for kind in ("true", *_KINDS)}
    shares = {kind: mean(value for value, _ in values.values()) for kind, values in picks.items()}
    errors = (shares["namesake"] or 0.0) + (shares["stranger"] or 0.0)
    slots = dict.fromkeys(str(one.item.extra.get("slot", "")) for one, _, _ in found.rows)
    positions = dict.fromkeys(one.position for one, _, _ in found.rows if one.position)
    return {
        "chance": mean(1 / len(one.continuations) for one, _, _ in found.rows),
        "true_over_namesake": pairs["namesake"],
        "true_over_namesake_by_item": share(over["namesake"]),
        "true_over_stranger": pairs["stranger"],
        "true_over_stranger_by_item": share(over["stranger"]),
        "confusion_gap": gap,
        "picks": shares,
        "errors_of_namesakes": (shares["namesake"] or 0.0) / errors if errors else None,
        "by_slot": {slot: share(found.by_item(_right_in(slot=slot))) for slot in sorted(slots)},
        "by_position": {
            place: share(found.by_item(_right_in(position=place))) for place in positions
        },
        "controls": {
            "random": mean(1 / len(one.continuations) for one, _, _ in found.rows),
            **{
                name: mean(
                    credit for credit, _ in found.by_item(_baseline(BASELINES[name])).values()
                )
                for name in ("shortest", "longest")
            },
            "overlap": _overlap(found),
            "without_prior": _without_prior(found, priors, by),
        },
    }


def _right_in(
    *, slot: str | None = None, position: str | None = None
) -> Callable[[Scored, ItemVerdict | None], float | None]:
    """Right or wrong of the readings in a slot or a position; the others are left out."""

    def value(one: Scored, verdict: ItemVerdict | None) -> float | None:
        if slot is not None and one.item.extra.get("slot") != slot:
            return None
        if position is not None and one.position != position:
            return None
        return float(verdict is not None and verdict.right)

    return value


def _beats(kind: str) -> Callable[[Scored, ItemVerdict | None], float | None]:
    def value(one: Scored, verdict: ItemVerdict | None) -> float | None:
        of_kind = [i for i, c in enumerate(one.item.contradictions) if c.kind == kind]
        if not of_kind:
            return None
        return mean(float(verdict is not None and verdict.beaten[i]) for i in of_kind)

    return value


def _pair_mean(found: _Readings, kind: str) -> float | None:
    return mean(
        float(verdict is not None and verdict.beaten[i])
        for one, _, verdict in found.rows
        for i, c in enumerate(one.item.contradictions)
        if c.kind == kind
    )


def _picks(kind: str) -> Callable[[Scored, ItemVerdict | None], float | None]:
    def value(one: Scored, verdict: ItemVerdict | None) -> float | None:
        if verdict is None:
            return 0.0
        if verdict.picked == 0:
            picked = "true" if verdict.right else one.item.contradictions[_tied(one)].kind
        else:
            picked = one.item.contradictions[verdict.picked - 1].kind
        return float(picked == kind)

    return value


def _tied(one: Scored) -> int:
    """The first false completion, for an item whose true one only ties: a tie is wrong."""
    return 0 if one.item.contradictions else -1


def _baseline(
    score: Callable[[str], float],
) -> Callable[[Scored, ItemVerdict | None], float | None]:
    def value(one: Scored, verdict: ItemVerdict | None) -> float | None:
        found = judge([score(text.strip()) for text in one.item.completions])
        return None if found is None else found.credit

    return value


def _overlap(found: _Readings) -> float | None:
    """Picks the completion most of whose words stand in the context; ties share the point."""
    credits: dict[str, list[float]] = {}
    for one, reading, _ in found.rows:
        words = content_words(reading.front or one.item.prefix)
        scores = []
        for text in one.item.completions:
            own = content_words(text)
            scores.append(len(own & words) / len(own) if own else 0.0)
        verdict = judge(scores)
        credits.setdefault(one.item.id, []).append(0.0 if verdict is None else verdict.credit)
    return mean(math.fsum(v) / len(v) for v in credits.values())


def _without_prior(
    found: _Readings, priors: Mapping[str, Sequence[float]], by: Normalization
) -> float | None:
    """Accuracy where each completion's score after the bare name is subtracted."""
    rights: dict[str, list[float]] = {}
    for one, _, _ in found.rows:
        if one.item.id in priors:
            pairs = zip(one.scores(by), priors[one.item.id], strict=True)
            verdict = judge([score - prior for score, prior in pairs])
            rights.setdefault(one.item.id, []).append(float(verdict is not None and verdict.right))
    return mean(math.fsum(v) / len(v) for v in rights.values())
