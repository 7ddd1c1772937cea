"""Automatic scores beside annotations: correlation, and comparison by paragraph and by fact."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dfactscore._errors import InputError
from dfactscore._runs import load_run
from dfactscore.annotation._agreement import Figured, Sums, drawn_interval, kappa_figure
from dfactscore.annotation._assigned_paragraphs import StudyParagraph
from dfactscore.annotation._paragraphs import automatic_of, public_text
from dfactscore.measures._agreement import areas, rates
from dfactscore.measures._resampling import Interval

_FLAT = 1e-12  # variances below this share of the squared values are rounding errors


@dataclass(frozen=True, slots=True)
class Correlation:
    """Comparison of human and automatic scores of the same paragraphs.

    Attributes:
        n: Number of paragraphs.
        pearson: Pearson's r; None if undefined.
        fisher: 95 % confidence interval of r, based on Fisher's transformation; None if there are
            fewer than four paragraphs or r = ±1.
        bootstrap: 95 % percentile interval of r from resampled paragraphs; None if undefined or r =
            ±1.
        spearman: Spearman's rank correlation; None if undefined.
        mae: Mean absolute error of the automatic scores.
        bias: Mean of the automatic scores minus the mean of the human scores.
        reason: Why a figure is undefined.
    """

    n: int
    pearson: float | None
    fisher: Interval | None
    bootstrap: Interval | None
    spearman: float | None
    mae: float | None
    bias: float | None
    reason: str = ""


def pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Pearson's correlation; None if there are fewer than two pairs or the values are constant."""
    if len(first) < 2:
        return None
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    a, b = a - a.mean(), b - b.mean()
    r = float(a @ b / math.sqrt(float(a @ a) * float(b @ b)))
    return max(-1.0, min(1.0, r))


def fisher_interval(r: float, n: int) -> Interval | None:
    """The 95 % interval of a correlation (Fisher); None for fewer than four values or r = ±1.

    Example:
        >>> low, high = fisher_interval(0.948299, 10)
        >>> print(f"{low:.4f} to {high:.4f}")
        0.7909 to 0.9880
    """
    from scipy.stats import norm

    if n < 4 or _perfect(r):
        return None
    wide = float(norm.ppf(0.975)) / math.sqrt(n - 3)
    return Interval(math.tanh(math.atanh(r) - wide), math.tanh(math.atanh(r) + wide))


def _perfect(r: float) -> bool:
    """Whether a correlation is ±1, in which case every resample has the same correlation."""
    return abs(r) > 1 - _FLAT


def correlate(
    people: Sequence[float],
    automatic: Sequence[float],
    *,
    resamples: int = 10_000,
    seed: int = 0,
) -> Correlation:
    """Compares human and automatic scores of paragraphs (Table 5 of the paper).

    Args:
        people: The human score of each paragraph.
        automatic: The automatic score of each paragraph.
        resamples: Number of bootstrap samples; 0 for no bootstrap interval.
        seed: Random seed.

    Example:
        >>> people = [.92, .71, 1, .55, .80, .63, .88, .95, .40, .77]
        >>> found = correlate(people, [.95, .80, 1, .70, .79, .66, .93, .90, .62, .85])
        >>> print(f"{found.pearson:.6f} {found.spearman:.6f} {found.mae:.3f} {found.bias:+.3f}")
        0.948299 0.915152 0.071 +0.059
    """
    from scipy.stats import rankdata

    n = len(people)
    a, b = np.asarray(people, dtype=float), np.asarray(automatic, dtype=float)
    if not n:
        return Correlation(0, None, None, None, None, None, None, "no paragraph has both scores")
    r = pearson(list(a), list(b))
    reason = ""
    if r is None:
        side = "people's" if n > 1 and np.ptp(a) == 0 else "automatic"
        reason = "fewer than two paragraphs" if n < 2 else f"{side} scores are all the same"
    return Correlation(
        n=n,
        pearson=r,
        fisher=None if r is None else fisher_interval(r, n),
        bootstrap=None if r is None or _perfect(r) else _bootstrap(a, b, resamples, seed),
        spearman=pearson(list(rankdata(a)), list(rankdata(b))),
        mae=float(np.abs(b - a).mean()),
        bias=float((b - a).mean()),
        reason=reason,
    )


def _bootstrap(a: Sums, b: Sums, resamples: int, seed: int) -> Interval | None:
    """Percentiles over resamples of paragraphs, ignoring resamples in which scores are constant."""
    a, b = a - a.mean(), b - b.mean()

    def correlation(sums: Sums) -> Sums:
        x, y, xx, yy, xy = (sums / len(a)).T
        flat = (xx - x * x <= _FLAT * xx) | (yy - y * y <= _FLAT * yy)
        r = (xy - x * y) / np.sqrt((xx - x * x) * (yy - y * y))
        return np.where(flat, np.nan, np.clip(r, -1, 1))

    parts = np.column_stack([a, b, a * a, b * b, a * b])
    return drawn_interval(parts, correlation, resamples=resamples, seed=seed)


@dataclass(frozen=True, slots=True)
class Matched:
    """A run's results for a paragraph."""

    scores: Mapping[str, float | None]  # `fs`, `dfs`, `n_bio` and `n_ent`; None if undefined
    facts: Sequence[Mapping[str, Any]] | None


def stored(item: StudyParagraph) -> Matched:
    """The results from the run that the paragraph comes from."""
    results = item.automatic
    scores = {key: results.get(key) for key in ("fs", "dfs", "n_bio", "n_ent")}
    return Matched(scores, results.get("facts"))


def match_runs(folders: Sequence[Path], items: Sequence[StudyParagraph]) -> dict[int, Matched]:
    """Finds a study's paragraphs in other runs, by name and text."""
    by_text: dict[tuple[str, str], list[StudyParagraph]] = {}
    for item in items:
        by_text.setdefault((item.name, item.text), []).append(item)
    matches: dict[int, Matched] = {}
    homes: dict[int, Path] = {}
    for folder in folders:
        for record in load_run(folder).records(texts=False):
            key = (public_text(record.name), public_text(record.biography.text))
            same = by_text.get(key, [])
            same_record = [item for item in same if item.record == public_text(record.id)]
            for item in same_record or same:
                if item.id in homes and homes[item.id] != folder:
                    raise InputError(
                        f"{folder}: has paragraph {record.id!r} of {homes[item.id]}, too; report "
                        "runs of the same paragraphs one at a time"
                    )
                homes[item.id] = folder
                results = automatic_of(record)
                equal = [public_text(f.text) for f in record.facts] == list(item.facts)
                matches[item.id] = Matched(results, results["facts"] if equal else None)
    if not matches:
        names = ", ".join(map(str, folders))
        raise InputError(f"{names}: contains no paragraph of the study")
    # The results, keyed by paragraph row, including verdicts if the run has the same facts.
    return matches


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact in the comparison between people and the run."""

    supported: bool
    verdict: bool
    probability: float
    same_link: bool = True


@dataclass(frozen=True, slots=True)
class FactScores:
    """Agreement between automatic verdicts and human labels on facts."""

    balanced_accuracy: Figured
    kappa: Figured
    auc: Figured  # area under the ROC curve of the probability
    table: tuple[tuple[int, int], tuple[int, int]]


def fact_scores(
    paragraphs: Sequence[Sequence[FactRow]], *, resamples: int = 10_000, seed: int = 0
) -> FactScores:
    """Compares verdicts with human labels, and resamples paragraphs to compute intervals."""
    rows = [row for facts in paragraphs for row in facts]
    counts = np.zeros((len(paragraphs), 4))
    for line, facts in zip(counts, paragraphs, strict=True):
        for row in facts:
            line[(not row.supported) + 2 * (not row.verdict)] += 1
    tp, fp, fn, tn = (int(n) for n in counts.sum(axis=0)) if len(counts) else (0, 0, 0, 0)
    reason = ""
    if not rows:
        reason = "no fact has label and verdict"
    elif not tp + fn or not fp + tn:
        reason = "people gave one label only"
    accuracy = Figured(None, n=len(rows), reason=reason)
    auc = accuracy
    if not reason:

        def balanced(sums: Sums) -> Sums:
            return rates(sums)["balanced_accuracy"]

        interval = drawn_interval(counts, balanced, resamples=resamples, seed=seed)
        accuracy = Figured(float(balanced(counts.sum(axis=0))), interval, len(rows))
        wrong = np.array([not row.supported for row in rows])
        (area,) = areas(np.array([row.probability for row in rows]), wrong)
        auc = Figured(float(area), None, len(rows))
    pairs = [[(row.supported, row.verdict) for row in facts] for facts in paragraphs if facts]
    return FactScores(accuracy, kappa_figure(pairs, resamples, seed), auc, ((tp, fn), (fp, tn)))
