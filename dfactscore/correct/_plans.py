"""Label plans per run and per difference."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path

import numpy as np

from dfactscore._errors import InputError
from dfactscore._readers.columns import Columns
from dfactscore._util.numbers import counted
from dfactscore.comparison._loading import By
from dfactscore.correct._estimator import Population
from dfactscore.correct._labeled import Labels, matched_columns
from dfactscore.correct._planning import LEAST, USUAL, Plan, plan

_MEASURE = "dfs"


def plan_runs(
    runs: Mapping[str, str | Path],
    *,
    by: Labels = (),
    width: float,
    population: Population = "other",
    confidence: float = 0.95,
    columns: Columns | None = None,
    percent: bool = False,
    rows: By = "auto",
) -> dict[str, tuple[Plan, ...]]:
    """The number of labels for a mean D-FS ± `width`, of each run and of differences.

    Args:
        runs: Run folders by label.
        by: Labels of a pilot, which say spread and correlation; without them the judge's own spread
            is taken, and usual correlations.
        width: Half the width of the interval, as a share.
        population: Population of the interval.
        confidence: Of the interval.
        columns: Columns of the labels.
        percent: Whether the labels' shares are from 0 to 100.
        rows: One plan a ``"run"`` or one a ``"model"``; see `correct`.

    Raises:
        InputError: If a run cannot be planned for.
    """
    found = matched_columns(runs, by, columns=columns, percent=percent, rows=rows)
    scores = {label: own.of(_MEASURE) for label, own in found.items()}
    about = {"width": width, "population": population, "confidence": confidence}
    plans: dict[str, tuple[Plan, ...]] = {}
    for label, (judge, said) in scores.items():
        known = ~np.isnan(judge)
        plans[label] = _plan(label, judge[known], said[known], bool(by), about)
    for one, two in combinations(found, 2):
        places = [{n: i for i, n in enumerate(found[x].names) if n} for x in (one, two)]
        common = [n for n in places[0] if n in places[1]]
        pair = [
            [column[[own[n] for n in common]] for column in scores[label]]
            for label, own in zip((one, two), places, strict=True)
        ]
        judge, said = pair[0][0] - pair[1][0], pair[0][1] - pair[1][1]
        known = ~np.isnan(judge)
        if known.sum() >= LEAST:
            label = f"{one} − {two} (both labeled)"
            plans[label] = _plan(label, judge[known], said[known], bool(by), about)
    return plans


def _plan(
    label: str,
    judge: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    said: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    pilot: bool,
    about: Mapping[str, object],
) -> tuple[Plan, ...]:
    labeled = ~np.isnan(said)
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
        return plan(texts=len(judge), spread=float(judge.std(ddof=1)), rs=USUAL, **about)  # type: ignore[arg-type]
    x, y = judge[labeled], said[labeled]
    r = float(np.corrcoef(x, y)[0, 1]) if np.ptp(x) > 0 and np.ptp(y) > 0 else 0.0
    r = 0.0 if math.isnan(r) else max(0.0, r)
    return plan(texts=len(judge), spread=float(y.std(ddof=1)), rs=(r,), **about)  # type: ignore[arg-type]
