"""Computes the number of labels needed for an interval of a given width, and plans for runs."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from dfactscore._errors import InputError
from dfactscore._readers.record_fields import Columns
from dfactscore._util.numbers import counted
from dfactscore.comparison._loading import By
from dfactscore.correct._estimator import Population
from dfactscore.correct._labeled_runs import Labels, matched_columns

LEAST = 10
"""The least number of labels for an interval."""
_WIDTHS = (0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.5)

#: The correlations assumed in a plan without a pilot.
USUAL = (0.3, 0.5, 0.7)


@dataclass(frozen=True, slots=True)
class Plan:
    """The number of labels needed for an interval.

    Attributes:
        r: The assumed correlation between judge and labels.
        labels: The number of labels; None if even labels for all texts are too few.
        alone: The number of labels needed without the judge's scores; None if even labels for all
            texts are too few.
        texts: The number of texts.
        width: Half the width of the interval, as a share.
        wider: If `width` is impossible, the next usual width that is possible, and its number of
            labels; otherwise None.
    """

    r: float
    labels: int | None
    alone: int | None
    texts: int = 0
    width: float = 0.0
    wider: tuple[float, int] | None = None


def half_width(
    n: int, *, texts: int, spread: float, r: float, population: Population, confidence: float = 0.95
) -> float:
    """Returns half the expected width of the interval with n labels."""
    from scipy.stats import t

    variance = spread**2 * (1 - r * r) / n * (1 - n / texts)
    if population == "other":
        variance += spread**2 / texts
    freedom = n - 1 - (r > 0)
    return float(t.ppf((1 + confidence) / 2, freedom)) * math.sqrt(variance)


def labels_needed(
    width: float,
    *,
    texts: int,
    spread: float,
    r: float,
    population: Population = "other",
    confidence: float = 0.95,
) -> int | None:
    """Returns the minimum number of labels (at least 10) for an interval of at most ± `width`.

    Example:
        >>> labels_needed(.04, texts=500, spread=.15, r=.6), labels_needed(.04, texts=500,
        ...     spread=.15, r=0)
        (39, 57)
    """
    counts = range(LEAST, texts + 1)

    def is_enough(n: int) -> bool:
        return width >= half_width(
            n, texts=texts, spread=spread, r=r, population=population, confidence=confidence
        )

    # More labels never make the interval wider.
    at = bisect_left(counts, True, key=is_enough)
    return counts[at] if at < len(counts) else None


def plan(
    width: float,
    *,
    texts: int,
    spread: float,
    rs: Sequence[float] = USUAL,
    population: Population = "other",
    confidence: float = 0.95,
) -> tuple[Plan, ...]:
    """Returns the number of labels needed for an interval of ± `width`, for each correlation.

    Raises:
        InputError: If the width is not a positive number or there are too few texts.
    """
    if not 0 < width < math.inf:
        raise InputError(f"--width {100 * width:g}: expected points above 0, such as 3 for ±3")
    if texts < LEAST:
        raise InputError(f"{texts} texts are too few to plan for; {LEAST} is the least")
    options = {
        "texts": texts,
        "spread": spread,
        "population": population,
        "confidence": confidence,
    }
    alone = labels_needed(width, r=0.0, **options)  # type: ignore[arg-type]
    plans = []
    for r in rs:
        labels = labels_needed(width, r=r, **options)  # type: ignore[arg-type]
        wider = next(
            (
                (other_width, needed)
                for other_width in _WIDTHS
                if labels is None and other_width > width
                if (needed := labels_needed(other_width, r=r, **options)) is not None  # type: ignore[arg-type]
            ),
            None,
        )
        plans.append(Plan(r, labels, alone, texts, width, wider))
    return tuple(plans)


_MEASURE = "dfs"


def plan_runs(
    runs: Mapping[str, str | Path],
    *,
    # The labels from a pilot, from which standard deviation and correlation are computed. Without a
    # pilot, the standard deviation of the judge's scores and usual correlations are assumed.
    by: Labels = (),
    width: float,
    population: Population = "other",
    confidence: float = 0.95,
    columns: Columns | None = None,
    percent: bool = False,
    rows: By = "auto",  # one plan per `"run"` or per `"model"`; see `correct`
    scores: Mapping[str, str] | None = None,  # columns of other tools; see `correct`
) -> dict[str, tuple[Plan, ...]]:
    """Plans how many labels each run and difference needs for a mean within ± `width`."""
    run_columns = matched_columns(
        runs, by, columns=columns, percent=percent, rows=rows, scores=scores
    )
    if scores and len(scores) > 1:
        raise InputError(f"--plan: plans for one --column, found {', '.join(scores)}")
    measure = next(iter(scores or ()), _MEASURE)
    values = {label: columns_of_run.of(measure) for label, columns_of_run in run_columns.items()}
    options = {"width": width, "population": population, "confidence": confidence}
    plans: dict[str, tuple[Plan, ...]] = {}
    for label, (judge, labels) in values.items():
        scored = ~np.isnan(judge)
        plans[label] = _plan(label, judge[scored], labels[scored], bool(by), options)
    for one, two in combinations(run_columns, 2):
        places = [{n: i for i, n in enumerate(run_columns[x].names) if n} for x in (one, two)]
        common = [n for n in places[0] if n in places[1]]
        pair = [
            [column[[columns_of_run[n] for n in common]] for column in values[label]]
            for label, columns_of_run in zip((one, two), places, strict=True)
        ]
        judge, labels = pair[0][0] - pair[1][0], pair[0][1] - pair[1][1]
        scored = ~np.isnan(judge)
        if scored.sum() >= LEAST:
            label = f"{one} − {two} (both labeled)"
            plans[label] = _plan(label, judge[scored], labels[scored], bool(by), options)
    return plans


def _plan(
    label: str,
    judge: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    labels: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    pilot: bool,
    options: Mapping[str, object],
) -> tuple[Plan, ...]:
    labeled = ~np.isnan(labels)
    n = int(labeled.sum())
    if len(judge) < LEAST:
        raise InputError(
            f"{label}: too few to plan for: {counted(len(judge), 'text')} with a score "
            f"(least {LEAST})"
        )
    if not pilot or n < LEAST:
        if pilot and "−" not in label:
            raise InputError(
                f"{label}: too few for a pilot: {counted(n, 'label')}; {LEAST} is the least"
            )
        return plan(texts=len(judge), spread=float(judge.std(ddof=1)), rs=USUAL, **options)  # type: ignore[arg-type]
    x, y = judge[labeled], labels[labeled]
    r = float(np.corrcoef(x, y)[0, 1]) if np.ptp(x) > 0 and np.ptp(y) > 0 else 0.0
    r = 0.0 if math.isnan(r) else max(0.0, r)
    return plan(texts=len(judge), spread=float(y.std(ddof=1)), rs=(r,), **options)  # type: ignore[arg-type]
