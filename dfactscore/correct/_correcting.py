"""Corrects runs with labels of some of their texts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError
from dfactscore._readers.columns import Columns
from dfactscore._results.signature import signature_lines
from dfactscore._scoring.run_measures import MEASURES
from dfactscore._util.numbers import counted, with_sign
from dfactscore.comparison._cells import title_of
from dfactscore.comparison._loading import By
from dfactscore.comparison._types import TESTED
from dfactscore.correct._estimator import Linear, Population, labels_alone, tuned, whole_mean
from dfactscore.correct._labeled import (
    Array,
    Labels,
    Part,
    RunColumns,
    no_match,
    read_parts,
    unmatched,
)
from dfactscore.correct._planning import LEAST
from dfactscore.correct._result import Correction
from dfactscore.correct._texts import Scores
from dfactscore.correct._types import Corrected, Drawn, Estimate, Order, RunCorrection, Shift
from dfactscore.measures._bootstrap import Interval
from dfactscore.measures._holm import holm

_DRAWS = 10_000
_UNLIKE = 0.05  # p below which labeled and other texts differ
_SAME = 1e-9  # spreads below are rounding
_BIASED = "its means are the judge's, with the judge's bias"


class TooFewLabels(InputError):
    """A row has too few labels to be corrected."""


def correct(
    runs: Mapping[str, str | Path] | Sequence[str | Path] | str | Path,
    *,
    by: Labels,
    population: Population = "other",
    confidence: float = 0.95,
    seed: int = 0,
    columns: Columns | None = None,
    percent: bool = False,
    rows: By = "auto",
) -> Correction:
    """Corrects the means of runs by labels of a random sample of their texts.

    A judge that is wrong in some systematic way gives biased means, and differently so for each
    model. Labels of some texts remove the bias, whatever its reason, and the judge's scores of all
    texts make the interval narrower than the labels alone could (prediction-powered inference,
    Angelopoulos et al. 2023, arXiv 2301.09633, tuned as in arXiv 2311.01453).

    Args:
        runs: Run folders; a mapping gives them labels.
        by: The source of labels: a study (``.db``), a run of the same texts by another judge, JSON
            lines or CSV with ``id`` or ``name`` and scores, or released verdicts with names. With
            several runs and labels that have only names, a mapping says whose they are.
        population: Whether intervals are for ``"other"`` names of the same kind, or for exactly
            ``"these"``.
        confidence: Of the intervals; tests are at the level ``1 - confidence``.
        seed: Seed of the draws that say how sure the order of the runs is.
        columns: Columns of the labels that hold id, name and text.
        percent: Whether the labels' shares are from 0 to 100.
        rows: One row a ``"run"`` or one a ``"model"``; ``"auto"`` splits the runs that hold
            several, as `compare` does.

    Raises:
        InputError: If something cannot be read, labels do not go with a run's texts, or no run has
            ten.
    """
    if population not in get_args(Population):
        raise InputError(f"population={population!r} is unknown; choose other, these")
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence}; it must lie between 0 and 1")
    parts, labels = read_parts(runs, by, columns, percent, rows)
    said = ", ".join(dict.fromkeys(one.title for one in labels))
    if not any(part.labels for part in parts):
        raise InputError(no_match(parts, labels))
    notes = list(dict.fromkeys(n for one in [*(p.run for p in parts), *labels] for n in one.notes))
    notes += unmatched(labels, parts)
    columns_of = {part.label: RunColumns(part.run, part.labels) for part in parts}
    recorded = "; ".join(one.drawn for one in labels if one.drawn)
    found, few = [], []
    for part in parts:
        if not part.labels:
            notes.append(f"{part.label}: no label; {_BIASED}")
            continue
        try:
            own = columns_of[part.label]
            found.append(_run(part, own, recorded, population, confidence, notes))
        except TooFewLabels as error:
            few.append(error)
            notes.append(f"{error}; {_BIASED}")
    if not found:
        raise few[0]
    return Correction(
        runs=tuple(found),
        differences=_differences(columns_of, population, confidence, notes),
        order=_order(columns_of, population, seed),
        population=population,
        confidence=confidence,
        by=said,
        notes=tuple(dict.fromkeys(notes)),
        signatures=_signatures(parts, labels),
    )


def _signatures(parts: Sequence[Part], labels: Sequence[Scores]) -> tuple[str, ...]:
    """Of the runs; of the labels, if a run made them."""
    runs = {part.label: part.run.signature for part in parts}
    others = {f"the labels ({one.label})": one.signature for one in labels if one.signature}
    return tuple(signature_lines(runs | others))


def _clusters(columns: RunColumns, kept: NDArray[np.bool_], places: dict[str, int]) -> list[int]:
    """The number of each kept text's name in `places`, which grows; nameless texts are alone."""
    return [
        places.setdefault(name or f"\0{columns.label}{i}", len(places))
        for i, name in enumerate(columns.names)
        if kept[i]
    ]


def _estimate(linear: Linear, confidence: float, ends: tuple[float, float]) -> Estimate:
    """An estimate whose interval has only possible values."""
    low, high = np.clip(linear.interval(confidence), *ends)
    return Estimate(linear.value, Interval(float(low), float(high)))


def _range(measure: str) -> tuple[float, float]:
    """The least and the greatest mean that a measure can have."""
    declared = MEASURES.get(measure)  # none of F1@K, a share
    if declared is not None and declared.count:
        return 0.0, math.inf
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
    found: dict[str, Corrected] = {}
    counts, label = {}, part.label
    for measure in columns.measures():
        judge, said = columns.of(measure)
        kept = ~np.isnan(judge)
        judge, said = judge[kept], said[kept]
        counts[measure] = int((~np.isnan(said)).sum())
        if counts[measure] < LEAST:
            continue
        found[measure] = _corrected(
            measure, judge, said, np.array(_clusters(columns, kept, {})), population, confidence
        )
    if not found:
        raise TooFewLabels(
            f"{label}: {counted(max(counts.values(), default=0), 'label')} of its texts with a "
            "score; a "
            f"corrected interval needs {LEAST} (30 are usual: 'correct RUN --plan --width 3' says "
            "how many)"
        )
    drawn = _drawn(columns, found, recorded)
    lacking = [measure for measure in counts if measure not in found]
    notes += (f"{label}: {note}" for note in _to_know(found, lacking, drawn))
    return RunCorrection(label, found, drawn, part.source, part.model)


def _to_know(found: Mapping[str, Corrected], lacking: Sequence[str], drawn: Drawn) -> Iterator[str]:
    """Notes on a run's labels."""
    whole = [one for one in found.values() if one.labels == one.texts]
    if whole:
        yield f"all {whole[0].labels} texts have labels: their mean is the answer"
    if lacking:
        yield f"fewer than {LEAST} labels of {', '.join(map(title_of, lacking))}: left out"
    for measure, one in found.items():
        if measure in TESTED and one.r is None and one.labels < one.texts:
            yield (
                f"{title_of(measure)}: the judge's scores or the labels do not vary in the sample, "
                "so that the labels stand alone (λ = 0)"
            )
    if not drawn.recorded and len(whole) < len(found):
        yield (
            "nothing records how the labeled texts were chosen; the correction holds if it was at "
            "random"
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
    said: Array,
    clusters: NDArray[np.intp],
    population: Population,
    confidence: float,
) -> Corrected:
    labeled = ~np.isnan(said)
    fit = tuned(judge, said, population=population)
    mean, bias = fit.mean.by_cluster(clusters), fit.bias.by_cluster(clusters)
    labels = labels_alone(said, population=population).by_cluster(clusters)
    x, y = judge[labeled], said[labeled]
    if labeled.all():
        mean = labels  # there is nothing to correct
    varies = np.ptp(x) > 0 and np.ptp(y) > 0
    whole = whole_mean(judge, population=population).by_cluster(clusters)
    ends = _range(measure)
    return Corrected(
        measure=measure,
        texts=len(judge),
        labels=int(labeled.sum()),
        judge=_estimate(whole, confidence, ends),
        labeled=_estimate(labels, confidence, ends),
        corrected=_estimate(mean, confidence, ends),
        bias=_estimate(bias, confidence, _range_of_difference(measure)),
        power=fit.power,
        r=float(np.corrcoef(x, y)[0, 1]) if varies else None,
        worth=_worth(mean.variance, labels.variance, len(x), len(judge), population),
    )


def _worth(
    corrected: float, alone: float, labels: int, texts: int, population: Population
) -> int | None:
    """Returns the number of labels that alone give the corrected variance; theirs is `alone`."""
    if min(alone, corrected) <= _SAME**2:
        return None
    # n of N labels have a variance in proportion to 1 / n - 1 / N, for these; to 1 / n for others.
    left = 1 / texts if population == "these" else 0.0
    return min(texts, round(1 / (left + (1 / labels - left) * corrected / alone)))


def _drawn(columns: RunColumns, found: Mapping[str, Corrected], recorded: str) -> Drawn:
    from scipy.stats import ttest_ind

    measure = "dfs" if "dfs" in found else next(iter(found))
    judge, said = columns.of(measure)
    kept = ~np.isnan(judge)
    inside, outside = judge[kept & ~np.isnan(said)], judge[kept & np.isnan(said)]
    if not len(outside):
        return Drawn(recorded, None, None)
    spread = float(judge[kept].std(ddof=1))
    if spread <= _SAME:
        return Drawn(recorded, 0.0, None)
    constant = min(np.ptp(inside), np.ptp(outside)) <= _SAME
    return Drawn(
        recorded,
        float(inside.mean() - outside.mean()) / spread,
        None if constant else float(ttest_ind(inside, outside, equal_var=False).pvalue),
    )


def _linear(
    columns: RunColumns, measure: str, kept: Sequence[int] | None, population: Population
) -> tuple[Linear, Linear, int] | None:
    """The corrected mean and the judge's over some texts; the judge's twice without labels."""
    judge, said = columns.of(measure)
    if kept is not None:
        judge, said = judge[list(kept)], said[list(kept)]
    else:
        known = ~np.isnan(judge)
        judge, said = judge[known], said[known]
    if len(judge) < 2:
        return None
    n = int((~np.isnan(said)).sum())
    whole = whole_mean(judge, population=population)
    return (tuned(judge, said, population=population).mean if n >= LEAST else whole), whole, n


def _common(
    first: RunColumns, second: RunColumns, measure: str
) -> tuple[list[int], list[int]] | None:
    """Places of the texts of common names; None if names repeat or few are in common."""
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
) -> tuple[Shift, ...]:
    found: list[tuple[str, str, str, int, tuple[int, int], Linear, Linear]] = []
    for one, two in combinations(columns, 2):
        first, second = columns[one], columns[two]
        if not first.labels and not second.labels:
            continue
        for measure in TESTED:
            both = _common(first, second, measure)
            a = _linear(first, measure, both[0] if both else None, population)
            b = _linear(second, measure, both[1] if both else None, population)
            if a is None or b is None or max(a[2], b[2]) < LEAST:
                continue
            paired = both is not None
            found.append(
                (
                    one,
                    two,
                    measure,
                    len(both[0]) if both else 0,
                    (a[2], b[2]),
                    a[1].minus(b[1], paired=paired),
                    a[0].minus(b[0], paired=paired),
                )
            )
            for label, n in ((one, a[2]), (two, b[2])):
                if n < LEAST:
                    notes.append(
                        f"{one} − {two}: {label} has {counted(n, 'label')}, too few to correct "
                        "it: its part "
                        "of the difference keeps the judge's bias"
                    )
        if _common(first, second, "fs") is None:
            notes.append(f"{one} and {two}: not paired by name; each is over its own texts")
    pvalues = [row[-1].p_value() for row in found]
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
            found, pvalues, adjusted, strict=True
        )
    )


def _order(columns: Mapping[str, RunColumns], population: Population, seed: int) -> Order | None:
    """The order by D-FS, and in how many draws of the joint normal distribution it holds."""
    if len(columns) < 2:
        return None
    linear = {label: _linear(own, "dfs", None, population) for label, own in columns.items()}
    known = {label: found for label, found in linear.items() if found is not None}
    if len(known) < len(columns):
        return None
    names = list(known)
    union: dict[str, int] = {}
    rows = [_clusters(own, ~np.isnan(own.of("dfs")[0]), union) for own in columns.values()]
    parts = np.zeros((len(union), len(names)))
    for column, label in enumerate(names):
        np.add.at(parts[:, column], rows[column], known[label][0].parts)
    covariance = parts.T @ parts
    means = np.array([known[label][0].value for label in names])
    draws = np.random.default_rng(seed).multivariate_normal(
        means, covariance, size=_DRAWS, method="eigh"
    )
    order = np.argsort(-means, kind="stable")
    by_judge = np.argsort([-known[label][1].value for label in names], kind="stable")
    held = (np.argsort(-draws, axis=1, kind="stable") == order).all(axis=1).mean()
    return Order(tuple(names[i] for i in by_judge), tuple(names[i] for i in order), float(held))
