"""F1@K of compared runs; K is a number or the same order statistic for all."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from dfactscore._errors import InputError
from dfactscore._metrics import PAPER_KS, f1_at_k, f1_key
from dfactscore.comparison._scores import Counted, RunScores


def parse_ks(given: Iterable[str]) -> tuple[float | str, ...]:
    """Returns the values of ``--f1-at``: numbers above 0, ``"median"`` or ``"max"``.

    Raises:
        InputError: If one is neither.
    """
    found: list[float | str] = []
    for text in given:
        if text in ("median", "max"):
            found.append(text)
            continue
        try:
            k = float(text)
        except ValueError:
            k = 0.0
        if not 0 < k < float("inf"):
            raise InputError(f"--f1-at {text!r}: expected a number of facts, median or max")
        found.append(k)
    return tuple(dict.fromkeys(found))


def with_f1(
    scores: Sequence[RunScores], ks: Sequence[float | str] = PAPER_KS
) -> tuple[RunScores, ...]:
    """Adds F1@K to the measures of each run that counts its facts.

    An abstention, and a text without facts, has 0: recall is part of it. Failed texts have none.

    Args:
        scores: The runs.
        ks: Numbers, ``"median"`` or ``"max"``: of the facts a text, over all runs together.
    """
    sizes = [c.n_facts for run in scores for c in run.counted if c.n_facts]
    numbers = []
    for k in ks:
        if isinstance(k, str) and not sizes:
            continue
        numbers.append(
            float(statistics.median(sizes) if k == "median" else max(sizes))
            if isinstance(k, str)
            else k
        )
    return tuple(_with(run, list(dict.fromkeys(numbers))) for run in scores)


def _with(run: RunScores, ks: Sequence[float]) -> RunScores:
    if not any(c.supported is not None for c in run.counted):
        return run
    values, weights = dict(run.values), dict(run.weights)
    places = {name: i for i, name in enumerate(run.names)}
    for k in ks:
        total, count = np.zeros(len(places)), np.zeros(len(places))
        for one in run.counted:
            value = _value(one, k)
            if value is not None:
                total[places[one.name]] += value
                count[places[one.name]] += 1
        with np.errstate(invalid="ignore"):
            values[f1_key(k)] = total / count  # 0 / 0 is NaN: no text of the name has a value
        weights[f1_key(k)] = count
    return replace(run, values=values, weights=weights)


def _value(one: Counted, k: float) -> float | None:
    if one.silent:
        return 0.0
    if one.supported is None or one.unsupported is None:
        return None
    return f1_at_k(one.supported, one.unsupported, k)
