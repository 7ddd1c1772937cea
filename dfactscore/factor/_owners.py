"""AmbigFACTOR's measures: whether facts about namesakes are likelier than other wrong ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dfactscore._util.numbers import mean
from dfactscore.factor._ambig.values import content_words
from dfactscore.factor._contexts import ItemReading
from dfactscore.factor._description import BASELINES
from dfactscore.factor._factor_results import (
    ItemVerdict,
    Judged,
    Normalization,
    Policy,
    Scored,
    Value,
    by_item,
    counting,
    is_right,
    item_interval,
    judge,
)

_KINDS = ("namesake", "stranger")
_ByItem = Mapping[str, tuple[float, str]]


def owner_measures(
    scored: Sequence[Scored],
    readings: Sequence[ItemReading],
    *,
    by: Normalization,  # what to divide log-probabilities by
    policy: Policy,  # whether an item without a likelihood counts as wrong or is excluded
    confidence: float,
    resamples: int,
    seed: int,
) -> dict[str, Any]:
    """AmbigFACTOR's measures; empty if the items' contradictions have no ``kind``.

    Items marked as leaks are excluded. Intervals are based on resampling names.
    """
    if not any(c.kind in _KINDS for one in scored for c in one.item.contradictions):
        return {}
    included = [one for one in scored if not one.item.extra.get("leak")]
    fronts = {id(one): reading.front for one, reading in zip(scored, readings, strict=True)}
    priors = {one.item.id: one.scores(by) for one in included if one.context == "prior"}

    def share(values: _ByItem) -> dict[str, Any]:
        interval = item_interval(values, confidence=confidence, resamples=resamples, seed=seed)
        numbers = [number for number, _ in values.values()]
        return {"mean": mean(numbers), "interval": interval, "n": len(numbers)}

    rows: dict[str, list[Judged]] = {}
    for context in dict.fromkeys(one.context for one in included):
        judged = [(one, one.verdict(by)) for one in included if one.context == context]
        rows[context] = counting(judged, policy)
    controls = {
        "shortest": _baseline("shortest"),
        "longest": _baseline("longest"),
        "overlap": _overlap(fronts),
        "without_prior": _without_prior(priors, by),
    }
    right = {context: by_item(of_context, is_right) for context, of_context in rows.items()}
    result: dict[str, Any] = {
        "items": len({one.item.id for one in included}),
        "leaks": len({o.item.id for o in scored if o.item.extra.get("leak")}),
        "contexts": {
            context: {
                **_one_context(of_context, share, controls),
                "accuracy": share(right[context]),
            }
            for context, of_context in rows.items()
            if context != "prior"
        },
    }
    if priors:
        result["prior"] = share(right["prior"])
    for label, first, second in (
        ("context_gain", "all", "none"),
        ("interference", "gold", "all"),
    ):
        if first in right and second in right:
            result[label] = share(_differences(right[first], right[second]))
    return {"ambig": result}


def _differences(first: _ByItem, second: _ByItem) -> _ByItem:
    return {
        key: (value - second[key][0], cluster)
        for key, (value, cluster) in first.items()
        if key in second
    }


def _one_context(
    rows: Sequence[Judged],
    share: Callable[[_ByItem], dict[str, Any]],
    controls: Mapping[str, Value],
) -> dict[str, Any]:
    pairs = {kind: _pair_mean(rows, kind) for kind in _KINDS}
    stranger, namesake = pairs["stranger"], pairs["namesake"]
    picks = {kind: _mean(rows, _picks(kind)) for kind in ("true", *_KINDS)}
    errors = (picks["namesake"] or 0.0) + (picks["stranger"] or 0.0)
    slots = {str(reading.item.extra.get("slot", "")) for reading, _ in rows}
    positions = dict.fromkeys(reading.position for reading, _ in rows if reading.position)
    chance = mean(1 / len(reading.continuations) for reading, _ in rows)
    return {
        "chance": chance,
        "true_over_namesake": namesake,
        "true_over_namesake_by_item": share(by_item(rows, _beats("namesake"))),
        "true_over_stranger": stranger,
        "true_over_stranger_by_item": share(by_item(rows, _beats("stranger"))),
        "confusion_gap": None if stranger is None or namesake is None else stranger - namesake,
        "picks": picks,
        "errors_of_namesakes": (picks["namesake"] or 0.0) / errors if errors else None,
        "by_slot": {
            slot: share(by_item([r for r in rows if r[0].item.extra.get("slot") == slot], is_right))
            for slot in sorted(slots)
        },
        "by_position": {
            place: share(by_item([r for r in rows if r[0].position == place], is_right))
            for place in positions
        },
        "controls": {
            "random": chance,
            **{name: _mean(rows, value) for name, value in controls.items()},
        },
    }


def _mean(rows: Sequence[Judged], value: Value) -> float | None:
    return mean(number for number, _ in by_item(rows, value).values())


def _beats(kind: str) -> Value:
    def value(reading: Scored, verdict: ItemVerdict | None) -> float | None:
        of_kind = [i for i, c in enumerate(reading.item.contradictions) if c.kind == kind]
        return mean(float(verdict is not None and verdict.beaten[i]) for i in of_kind)

    return value


def _pair_mean(rows: Sequence[Judged], kind: str) -> float | None:
    return mean(
        float(verdict is not None and verdict.beaten[i])
        for reading, verdict in rows
        for i, c in enumerate(reading.item.contradictions)
        if c.kind == kind
    )


def _picks(kind: str) -> Value:
    def value(reading: Scored, verdict: ItemVerdict | None) -> float | None:
        if verdict is None:
            return 0.0
        if verdict.right:
            return float(kind == "true")
        # A tie counts as wrong, so the first false completion is picked.
        return float(reading.item.contradictions[max(verdict.picked, 1) - 1].kind == kind)

    return value


def _baseline(name: str) -> Value:
    def value(reading: Scored, verdict: ItemVerdict | None) -> float | None:
        baseline = judge([BASELINES[name](text.strip()) for text in reading.item.completions])
        return None if baseline is None else baseline.credit

    return value


def _overlap(fronts: Mapping[int, str]) -> Value:
    """A control that picks the completion sharing most words with the context; ties are split."""

    def value(reading: Scored, verdict: ItemVerdict | None) -> float | None:
        words = content_words(fronts[id(reading)] or reading.item.prefix)
        context_words = [content_words(text) for text in reading.item.completions]
        overlap = judge([len(o & words) / len(o) if o else 0.0 for o in context_words])
        return 0.0 if overlap is None else overlap.credit

    return value


def _without_prior(priors: Mapping[str, Sequence[float]], by: Normalization) -> Value:
    """A control that subtracts the completion's score after just the name from each score."""

    def value(reading: Scored, verdict: ItemVerdict | None) -> float | None:
        if reading.item.id not in priors:
            return None
        pairs = zip(reading.scores(by), priors[reading.item.id], strict=True)
        return is_right(reading, judge([score - prior for score, prior in pairs]))

    return value
