"""Corrects the means of runs using labels for some of their texts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError
from dfactscore._readers.record_fields import Columns
from dfactscore._results.signature import signature_lines
from dfactscore._scoring.biography_scores import MEASURES
from dfactscore._util.numbers import counted, with_sign
from dfactscore.comparison._comparison_tables import is_share, title_of
from dfactscore.comparison._loading import By
from dfactscore.comparison._types import TESTED
from dfactscore.correct._correction import Correction
from dfactscore.correct._estimator import (
    Corrected,
    Drawn,
    Estimate,
    Linear,
    Order,
    Population,
    RunCorrection,
    Shift,
    labels_alone,
    tuned,
    whole_mean,
)
from dfactscore.correct._labeled_runs import (
    Array,
    Labels,
    Part,
    RunColumns,
    no_match,
    parts_in_memory,
    read_parts,
    unmatched,
)
from dfactscore.correct._planning import LEAST
from dfactscore.correct._texts import Scores
from dfactscore.measures._resampling import Interval, holm

_DRAWS = 10_000
_UNLIKE = 0.05  # p-value below which the judge's scores for labeled and for other texts differ
_FEW = 5  # differing labels of 0 and 1; with 1.6 expected, a 95 % interval held in 90 % of draws
_SAME = 1e-9  # smaller spreads are due to rounding errors
_BIASED = "its means are the judge's, with the judge's bias"


class TooFewLabels(InputError):
    """Raised if a run has too few labels for a correction."""


def correct(
    runs: Any,
    labels: Any = None,
    *,
    by: Labels = (),
    scores: Mapping[str, str] | None = None,
    population: Population = "other",
    confidence: float = 0.95,
    seed: int = 0,
    columns: Columns | None = None,
    percent: bool = False,
    rows: By = "auto",
) -> Correction:
    """Corrects the means of runs using labels for a random sample of their texts.

    A judge's systematic errors bias its means, and the bias may differ between models. Labels for
    some texts remove the bias, whatever its cause, and the judge's scores for all texts make the
    interval narrower than labels alone would (prediction-powered inference, Angelopoulos et al.
    2023, arXiv 2301.09633, tuned as in arXiv 2311.01453).

    Args:
        runs: Run folders or files of scores; the keys of a mapping are their labels. With
            `labels`, the scores themselves: a mapping of ids to numbers, a list, a series or an
            array, or a data frame or mapping with one of these per judge.
        labels: Labels for some of the scores, in the same form, with None or NaN for the others: 0
            and 1, or grades. One column serves all judges.
        by: The source of the labels: a study (``.db``), a run in which another judge scored the
            same texts, JSON lines or CSV with ``id`` or ``name`` and scores, or released verdicts
            with names. If there are several runs and the labels have only names, use a mapping of
            runs to sources.
        scores: The columns of files that contain scores, each with the column of its labels, if
            they are not those of ``scores.csv``: ``{"judge_score": "human"}``.
        population: Whether intervals apply to ``"other"`` names of the same kind or to exactly
            ``"these"``.
        confidence: The confidence level of the intervals; tests use the level ``1 - confidence``.
        seed: Random seed for the draws used to estimate how certain the ranking of the runs is.
        columns: The columns of the labels that contain the id, the name and the text.
        percent: Whether the labels' shares range from 0 to 100.
        rows: One row per ``"run"`` or per ``"model"``; ``"auto"`` splits runs with several models,
            as `compare` does.

    Raises:
        InputError: If a source cannot be read, the labels do not match a run's texts, or no run has
            ten labels.

    Example:
        >>> judge = [i % 10 / 10 for i in range(200)]
        >>> labels = [score > 0.5 for score in judge[:40]] + [None] * 160
        >>> round(correct(judge, labels).rows()[0]["corrected"], 3)
        0.4
    """
    if population not in get_args(Population):
        raise InputError(f"population={population!r} is unknown; choose other, these")
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence}; it must lie between 0 and 1")
    if labels is None:
        parts, sources = read_parts(runs, by, columns, percent, rows, scores)
    else:
        parts, sources = parts_in_memory(runs, labels)
    if not sources:
        raise InputError("correct: give labels, or their files as by=")
    tested: tuple[str, ...] = TESTED
    if scores or labels is not None:
        tested = tuple(dict.fromkeys(m for part in parts for t in part.run.texts for m in t.values))
    label_sources = ", ".join(dict.fromkeys(source.title for source in sources))
    if not any(part.labels for part in parts):
        raise InputError(no_match(parts, sources))
    notes = list(
        dict.fromkeys(n for source in [*(p.run for p in parts), *sources] for n in source.notes)
    )
    notes += unmatched(sources, parts)
    columns_of = {part.label: RunColumns(part.run, part.labels) for part in parts}
    draws = "; ".join(source.drawn for source in sources if source.drawn)
    corrections, too_few = [], []
    for part in parts:
        if not part.labels:
            notes.append(f"{part.label}: no label; {_BIASED}")
            continue
        try:
            part_columns = columns_of[part.label]
            corrections.append(_run(part, part_columns, draws, population, confidence, notes))
        except TooFewLabels as error:
            too_few.append(error)
            notes.append(f"{error}; {_BIASED}")
    if not corrections:
        raise too_few[0]
    return Correction(
        runs=tuple(corrections),
        differences=_differences(columns_of, population, confidence, notes, tested),
        order=_order(columns_of, population, seed, "dfs" if "dfs" in tested else tested[0]),
        population=population,
        confidence=confidence,
        by=label_sources,
        notes=tuple(dict.fromkeys(notes)),
        signatures=_signatures(parts, sources),
    )


def _signatures(parts: Sequence[Part], labels: Sequence[Scores]) -> tuple[str, ...]:
    """Returns lines with the signatures of the runs and of any runs used as sources of labels."""
    runs = {part.label: part.run.signature for part in parts}
    of_labels = {
        f"the labels ({source.label})": source.signature for source in labels if source.signature
    }
    return tuple(signature_lines(runs | of_labels))


def _clusters(
    columns: RunColumns, selected: NDArray[np.bool_], places: dict[str, int]
) -> list[int]:
    """Returns the cluster of each selected text: that of its name, or its own if it has no name."""
    return [
        places.setdefault(name or f"\0{columns.label}{i}", len(places))
        for i, name in enumerate(columns.names)
        if selected[i]
    ]


def _estimate(linear: Linear, confidence: float, ends: tuple[float, float]) -> Estimate:
    """Creates an estimate and clips its interval to possible values."""
    low, high = np.clip(linear.interval(confidence), *ends)
    return Estimate(linear.value, Interval(float(low), float(high)))


def _range(measure: str) -> tuple[float, float]:
    """Returns the minimum and maximum possible mean of a measure."""
    declared = MEASURES.get(measure)
    if declared is not None and declared.count:
        return 0.0, math.inf
    if not is_share(measure):  # a column of another tool
        return -math.inf, math.inf
    return -1.0 if measure == "gap" else 0.0, 1.0


def _range_of_difference(measure: str) -> tuple[float, float]:
    least, most = _range(measure)
    return least - most, most - least


def _run(
    part: Part,
    columns: RunColumns,
    recorded: str,
    population: Population,
    confidence: float,
    notes: list[str],
) -> RunCorrection:
    measures: dict[str, Corrected] = {}
    counts, label = {}, part.label
    for measure in columns.measures():
        judge, labels = columns.of(measure)
        scored = ~np.isnan(judge)
        judge, labels = judge[scored], labels[scored]
        counts[measure] = int((~np.isnan(labels)).sum())
        if counts[measure] < LEAST:
            continue
        pairs = np.column_stack([judge, labels])[~np.isnan(labels)]
        unlike = int((pairs[:, 0] != pairs[:, 1]).sum())
        if unlike < _FEW and np.isin(pairs, (0, 1)).all() and counts[measure] < len(judge):
            notes.append(
                f"{label}, {title_of(measure)}: the judge differs from {counted(unlike, 'label')} "
                f"of {len(pairs)}; the interval is too short, label more texts"
            )
        measures[measure] = _corrected(
            measure, judge, labels, np.array(_clusters(columns, scored, {})), population, confidence
        )
    if not measures:
        raise TooFewLabels(
            f"{label}: {counted(max(counts.values(), default=0), 'label')} of its texts with a "
            "score; a "
            f"corrected interval needs {LEAST} (30 are usual: 'correct RUN --plan --width 3' "
            "computes the number)"
        )
    drawn = _drawn(columns, measures, recorded)
    uncorrected = [measure for measure in counts if measure not in measures]
    notes += (f"{label}: {note}" for note in _label_notes(measures, uncorrected, drawn))
    return RunCorrection(label, measures, drawn, part.source, part.model)


def _is_main(measure: str) -> bool:
    """Whether a measure is one of the paper or a column of another tool."""
    return measure in TESTED or measure not in MEASURES


def _label_notes(
    measures: Mapping[str, Corrected], uncorrected: Sequence[str], drawn: Drawn
) -> Iterator[str]:
    """Yields notes on a run's labels."""
    fully_labeled = [
        corrected for corrected in measures.values() if corrected.labels == corrected.texts
    ]
    if fully_labeled:
        yield f"all {fully_labeled[0].labels} texts have labels: the result is their mean"
    if uncorrected:
        titles = ", ".join(map(title_of, uncorrected))
        yield f"fewer than {LEAST} labels for {titles}: not corrected"
    for measure, corrected in measures.items():
        if _is_main(measure) and corrected.r is None and corrected.labels < corrected.texts:
            yield (
                f"{title_of(measure)}: the judge's scores or the labels do not vary in the sample, "
                "so that the result is the labels' mean (λ = 0)"
            )
    if not drawn.recorded and len(fully_labeled) < len(measures):
        yield (
            "the source does not record how the labeled texts were chosen; the correction is valid "
            "if they are a random sample"
        )
    if drawn.p is not None and drawn.p < _UNLIKE:
        yield (
            "warning: the judge scores the labeled texts "
            f"{with_sign(drawn.difference or 0.0, digits=2)} standard deviations from the others "
            f"(p {drawn.p:.3f}), unlike a random sample"
        )


def _corrected(
    measure: str,
    judge: Array,
    labels: Array,
    clusters: NDArray[np.intp],
    population: Population,
    confidence: float,
) -> Corrected:
    labeled = ~np.isnan(labels)
    fit = tuned(judge, labels, population=population)
    mean, bias = fit.mean.by_cluster(clusters), fit.bias.by_cluster(clusters)
    labels_mean = labels_alone(labels, population=population).by_cluster(clusters)
    x, y = judge[labeled], labels[labeled]
    if labeled.all():
        mean = labels_mean  # every text has a label, so the judge is not needed
    varies = np.ptp(x) > 0 and np.ptp(y) > 0
    judge_mean = whole_mean(judge, population=population).by_cluster(clusters)
    ends = _range(measure)
    graded = not is_share(measure) and measure not in MEASURES
    if graded and min(judge.min(), y.min()) >= 0 and max(judge.max(), y.max()) <= 1:
        ends, graded = (0.0, 1.0), False
    return Corrected(
        measure=measure,
        texts=len(judge),
        labels=int(labeled.sum()),
        judge=_estimate(judge_mean, confidence, ends),
        labeled=_estimate(labels_mean, confidence, ends),
        corrected=_estimate(mean, confidence, ends),
        bias=_estimate(bias, confidence, _range_of_difference(measure)),
        power=fit.power,
        r=float(np.corrcoef(x, y)[0, 1]) if varies else None,
        worth=_worth(mean.variance, labels_mean.variance, len(x), len(judge), population),
        graded=graded,
    )


def _worth(
    corrected: float, alone: float, labels: int, texts: int, population: Population
) -> int | None:
    """Returns the number of labels that would yield the corrected variance without a judge."""
    if min(alone, corrected) <= _SAME**2:
        return None
    # The variance with n labels of N texts is proportional to 1 / n - 1 / N for these names, and to
    # 1 / n for other names.
    offset = 1 / texts if population == "these" else 0.0
    return min(texts, round(1 / (offset + (1 / labels - offset) * corrected / alone)))


def _drawn(columns: RunColumns, measures: Mapping[str, Corrected], recorded: str) -> Drawn:
    from scipy.stats import ttest_ind

    measure = "dfs" if "dfs" in measures else next(iter(measures))
    judge, labels = columns.of(measure)
    scored = ~np.isnan(judge)
    inside, outside = judge[scored & ~np.isnan(labels)], judge[scored & np.isnan(labels)]
    if not len(outside):
        return Drawn(recorded, None, None)
    spread = float(judge[scored].std(ddof=1))
    if spread <= _SAME:
        return Drawn(recorded, 0.0, None)
    constant = min(np.ptp(inside), np.ptp(outside)) <= _SAME
    return Drawn(
        recorded,
        float(inside.mean() - outside.mean()) / spread,
        None if constant else float(ttest_ind(inside, outside, equal_var=False).pvalue),
    )


def _linear(
    columns: RunColumns, measure: str, selected: Sequence[int] | None, population: Population
) -> tuple[Linear, Linear, int] | None:
    """Returns the corrected mean, the judge's mean and the number of labels for given texts.

    If there are too few labels, the corrected mean is the judge's mean.
    """
    judge, labels = columns.of(measure)
    if selected is not None:
        judge, labels = judge[list(selected)], labels[list(selected)]
    else:
        scored = ~np.isnan(judge)
        judge, labels = judge[scored], labels[scored]
    if len(judge) < 2:
        return None
    n = int((~np.isnan(labels)).sum())
    judge_mean = whole_mean(judge, population=population)
    return (
        (tuned(judge, labels, population=population).mean if n >= LEAST else judge_mean),
        judge_mean,
        n,
    )


def _common(
    first: RunColumns, second: RunColumns, measure: str
) -> tuple[list[int], list[int]] | None:
    """Returns the indexes of texts with common names; None if names repeat or too few match."""
    places = []
    for columns in (first, second):
        judge, _ = columns.of(measure)
        if len(set(columns.names)) < len(columns.names) or not all(columns.names):
            return None
        places.append({n: i for i, n in enumerate(columns.names) if not math.isnan(judge[i])})
    common = sorted(set(places[0]) & set(places[1]))
    if len(common) < 2:
        return None
    return [places[0][n] for n in common], [places[1][n] for n in common]


def _differences(
    columns: Mapping[str, RunColumns],
    population: Population,
    confidence: float,
    notes: list[str],
    tested: Sequence[str],
) -> tuple[Shift, ...]:
    estimates: list[tuple[str, str, str, int, tuple[int, int], Linear, Linear]] = []
    for one, two in combinations(columns, 2):
        first, second = columns[one], columns[two]
        if not first.labels and not second.labels:
            continue
        for measure in tested:
            common = _common(first, second, measure)
            a = _linear(first, measure, common[0] if common else None, population)
            b = _linear(second, measure, common[1] if common else None, population)
            if a is None or b is None or max(a[2], b[2]) < LEAST:
                continue
            paired = common is not None
            estimates.append(
                (
                    one,
                    two,
                    measure,
                    len(common[0]) if common else 0,
                    (a[2], b[2]),
                    a[1].minus(b[1], paired=paired),
                    a[0].minus(b[0], paired=paired),
                )
            )
            for label, n in ((one, a[2]), (two, b[2])):
                if n < LEAST:
                    notes.append(
                        f"{one} − {two}: {label} has {counted(n, 'label')}, too few for a "
                        "correction: its part of the difference has the judge's bias"
                    )
        if _common(first, second, tested[0]) is None:
            notes.append(f"{one} and {two}: not paired by name; each mean is over all its texts")
    pvalues = [row[-1].p_value() for row in estimates]
    adjusted = holm(pvalues) if pvalues else []
    return tuple(
        Shift(
            one,
            two,
            measure,
            names,
            labels,
            _estimate(judge, confidence, _range_of_difference(measure)),
            _estimate(corrected, confidence, _range_of_difference(measure)),
            p,
            q,
            q <= 1 - confidence,
        )
        for (one, two, measure, names, labels, judge, corrected), p, q in zip(
            estimates, pvalues, adjusted, strict=True
        )
    )


def _order(
    columns: Mapping[str, RunColumns], population: Population, seed: int, measure: str
) -> Order | None:
    """Returns the ranking and the share of normally distributed draws that produce it."""
    if len(columns) < 2:
        return None
    linear = {
        label: _linear(run_columns, measure, None, population)
        for label, run_columns in columns.items()
    }
    available = {label: estimates for label, estimates in linear.items() if estimates is not None}
    if len(available) < len(columns):
        return None
    names = list(available)
    clusters: dict[str, int] = {}
    rows = [
        _clusters(run_columns, ~np.isnan(run_columns.of(measure)[0]), clusters)
        for run_columns in columns.values()
    ]
    parts = np.zeros((len(clusters), len(names)))
    for column, label in enumerate(names):
        np.add.at(parts[:, column], rows[column], available[label][0].parts)
    covariance = parts.T @ parts
    means = np.array([available[label][0].value for label in names])
    draws = np.random.default_rng(seed).multivariate_normal(
        means, covariance, size=_DRAWS, method="eigh"
    )
    order = np.argsort(-means, kind="stable")
    by_judge = np.argsort([-available[label][1].value for label in names], kind="stable")
    share = (np.argsort(-draws, axis=1, kind="stable") == order).all(axis=1).mean()
    judge, corrected = (tuple(names[i] for i in places) for places in (by_judge, order))
    return Order(judge, corrected, float(share), measure)
