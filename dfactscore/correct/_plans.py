"""Plans the number of labels needed for each run and each difference."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import numpy as np

from dfactscore._errors import InputError
from dfactscore._readers.record_fields import Columns
from dfactscore._util.numbers import counted
from dfactscore.comparison._loading import By
from dfactscore.correct._estimator import Population
from dfactscore.correct._labeled_runs import Labels, matched_columns
from dfactscore.correct._planning import LEAST, USUAL, Plan, plan

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
) -> dict[str, tuple[Plan, ...]]:
    """Plans how many labels each run and difference needs to estimate D-FS within ± `width`."""
    run_columns = matched_columns(runs, by, columns=columns, percent=percent, rows=rows)
    scores = {label: columns_of_run.of(_MEASURE) for label, columns_of_run in run_columns.items()}
    options = {"width": width, "population": population, "confidence": confidence}
    plans: dict[str, tuple[Plan, ...]] = {}
    for label, (judge, labels) in scores.items():
        scored = ~np.isnan(judge)
        plans[label] = _plan(label, judge[scored], labels[scored], bool(by), options)
    for one, two in combinations(run_columns, 2):
        places = [{n: i for i, n in enumerate(run_columns[x].names) if n} for x in (one, two)]
        common = [n for n in places[0] if n in places[1]]
        pair = [
            [column[[columns_of_run[n] for n in common]] for column in scores[label]]
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
            f"{label}: too few to plan for: {counted(len(judge), 'text')} with D-FS (least {LEAST})"
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
