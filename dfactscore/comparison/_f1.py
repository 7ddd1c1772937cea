"""F1@K for compared runs, where K is a number, or the median or maximum over all runs."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from dfactscore._errors import InputError
from dfactscore._metrics import PAPER_KS, f1_at_k, f1_key
from dfactscore.comparison._scores import Counted, RunScores


def parse_ks(texts: Iterable[str]) -> tuple[float | str, ...]:
    """Parses the values of ``--f1-at``: numbers above 0, ``"median"`` or ``"max"``."""
    ks: list[float | str] = []
    for text in texts:
        if text in ("median", "max"):
            ks.append(text)
            continue
        try:
            k = float(text)
        except ValueError:
            k = 0.0
        if not 0 < k < float("inf"):
            raise InputError(f"--f1-at {text!r}: expected a number of facts, median or max")
        ks.append(k)
    return tuple(dict.fromkeys(ks))


def with_f1(
    scores: Sequence[RunScores], ks: Sequence[float | str] = PAPER_KS
) -> tuple[RunScores, ...]:
    """Adds F1@K to the measures of each run that has fact counts.

    The F1@K of an abstention or a text without facts is 0, because its recall is 0. Failed texts
    have no F1@K.
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
    return tuple(_with_values(run, list(dict.fromkeys(numbers))) for run in scores)


def _with_values(run: RunScores, ks: Sequence[float]) -> RunScores:
    if not any(c.supported is not None for c in run.counted):
        return run
    values, weights = dict(run.values), dict(run.weights)
    places = {name: i for i, name in enumerate(run.names)}
    for k in ks:
        total, count = np.zeros(len(places)), np.zeros(len(places))
        for counts in run.counted:
            value = _value(counts, k)
            if value is not None:
                total[places[counts.name]] += value
                count[places[counts.name]] += 1
        with np.errstate(invalid="ignore"):
            values[f1_key(k)] = total / count  # 0 / 0 is NaN: no text for the name has a value
        weights[f1_key(k)] = count
    return replace(run, values=values, weights=weights)


def _value(counts: Counted, k: float) -> float | None:
    if counts.silent:
        return 0.0
    if counts.supported is None or counts.unsupported is None:
        return None
    return f1_at_k(counts.supported, counts.unsupported, k)
