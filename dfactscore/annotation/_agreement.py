"""Agreement between annotators, with intervals obtained by resampling paragraphs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dfactscore.measures._agreement import cohen_kappa
from dfactscore.measures._agreement import krippendorff_alpha as alpha_of_units
from dfactscore.measures._resampling import (
    Interval,
    interval_of_draws,
    resample_counts,
    weighted_sums,
)


def percent_agreement(units: Iterable[Sequence[Hashable | None]]) -> float | None:
    """Share of equal pairs among all pairs of values for the same unit; None if there are no pairs.

    Args:
        units: The values of each unit, one per person; None for a missing value.
    """
    same = pairs = 0
    for unit in units:
        counts = Counter(value for value in unit if value is not None)
        n_values = counts.total()
        pairs += n_values * (n_values - 1) // 2
        same += sum(n * (n - 1) // 2 for n in counts.values())
    return same / pairs if pairs else None


def krippendorff_alpha(units: Iterable[Sequence[Hashable | None]]) -> float | None:
    """Krippendorff's alpha for nominal values, some of which may be missing (Krippendorff 2011).

    Args:
        units: The values of each unit, one per person; None for a missing value.

    Returns:
        Alpha, which is at most 1; None if all values are equal or no unit has two values.

    Example:
        >>> rows = ["0 0 1 - 0 1 2", "0 1 1 0 - 1 2", "- 0 1 0 0 - 1"]
        >>> table = [[None if v == "-" else v for v in row.split()] for row in rows]
        >>> print(f"{krippendorff_alpha(zip(*table)):.6f}")
        0.627907
    """
    return alpha_of_units([value for value in unit if value is not None] for unit in units)


def b_cubed_f1(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """B-cubed F1 of two groupings of the same facts (Bagga and Baldwin 1998); symmetric.

    Args:
        first: The group of each fact in one grouping.
        second: The group of each fact in the other grouping.

    Example:
        >>> b_cubed_f1([1, 1, 2, 2], [1, 1, 1, 1])
        0.6666666666666666
    """
    cells, rows, columns = _overlaps(first, second)
    n = len(first)
    if not n:
        return 1.0
    precision = sum(c * c / rows[a] for (a, _), c in cells.items()) / n
    recall = sum(c * c / columns[b] for (_, b), c in cells.items()) / n
    return 2 * precision * recall / (precision + recall)


def adjusted_rand(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """The adjusted Rand index of two groupings (Hubert and Arabie 1985); 1 if they are equal.

    Example:
        >>> adjusted_rand([1, 1, 1, 1], [1, 1, 2, 2])
        0.0
    """
    cells, rows, columns = _overlaps(first, second)
    together = sum(c * (c - 1) // 2 for c in cells.values())
    in_first = sum(c * (c - 1) // 2 for c in rows.values())
    in_second = sum(c * (c - 1) // 2 for c in columns.values())
    pairs = len(first) * (len(first) - 1) // 2
    if in_first == in_second == together:
        return 1.0
    # Integer arithmetic up to the division gives the same digits as scikit-learn.
    above = 2 * (together * pairs - in_first * in_second)
    return above / ((in_first + in_second) * pairs - 2 * in_first * in_second)


def _overlaps(
    first: Sequence[Hashable], second: Sequence[Hashable]
) -> tuple[Counter[tuple[Any, Any]], Counter[Any], Counter[Any]]:
    return Counter(zip(first, second, strict=True)), Counter(first), Counter(second)


Unit = Mapping[str, Hashable]
"""The answers about one paragraph or fact, by person."""

Sums = NDArray[np.float64]

_MOST = 5_000_000  # cached counts shared by all figures in a report (40 MB)


@dataclass(frozen=True, slots=True)
class Figured:
    """A figure with an interval from resampled paragraphs."""

    value: float | None
    interval: Interval | None = None  # 95 % percentile interval; None if undefined or not requested
    n: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PairKappa:
    """Cohen's kappa for two people."""

    first: str
    second: str
    kappa: Figured


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement on one question."""

    percent: Figured  # share of pairs of answers that are equal, in [0, 1]
    # Clopper-Pearson interval of `percent`, if each paragraph has one question and two answers;
    # otherwise None.
    exact: Interval | None
    kappas: tuple[PairKappa, ...]  # Cohen's kappa for each pair of people who share paragraphs
    alpha: Figured
    paragraphs: int


def drawn_interval(
    parts: Sums, value: Callable[[Sums], Sums], *, resamples: int, seed: int
) -> Interval | None:
    """The percentile interval of a figure computed from sums over paragraphs."""
    # `value`: computes figures, shape `(draws,)`, from sums, shape `(draws, k)`; draws that give
    # NaN are ignored.
    if len(parts) < 2 or not resamples:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        figures = [
            value(weighted_sums(counts, parts))
            for counts in _drawn_counts(len(parts), resamples, seed)
        ]
    return interval_of_draws(np.concatenate(figures))


def _drawn_counts(n: int, resamples: int, seed: int) -> Iterable[Sums]:
    """Yields blocks of bootstrap counts for n paragraphs; see `resample_counts`."""
    if n * resamples > _MOST:
        return resample_counts(n, resamples=resamples, seed=seed)
    return _kept_counts(n, resamples, seed)


@lru_cache(maxsize=3)
def _kept_counts(n: int, resamples: int, seed: int) -> tuple[Sums, ...]:
    return tuple(resample_counts(n, resamples=resamples, seed=seed))


def exact_interval(right: int, n: int) -> Interval | None:
    """The 95 % Clopper-Pearson interval of a share; None if `n` is 0.

    Example:
        >>> low, high = exact_interval(9, 10)
        >>> print(f"{low:.3f} to {high:.3f}")
        0.555 to 0.997
    """
    from scipy.stats import beta

    if not n:
        return None
    low = float(beta.ppf(0.025, right, n - right + 1)) if right else 0.0
    high = float(beta.ppf(0.975, right + 1, n - right)) if right < n else 1.0
    return Interval(low, high)


def mean_figure(values: Sequence[float], *, resamples: int = 10_000, seed: int = 0) -> Figured:
    """The mean over paragraphs, with an interval."""
    if not values:
        return Figured(None, reason="no paragraph")
    table = np.column_stack([np.asarray(values, dtype=float), np.ones(len(values))])
    interval = drawn_interval(table, lambda s: s[:, 0] / s[:, 1], resamples=resamples, seed=seed)
    return Figured(math.fsum(values) / len(values), interval, len(values))


def agree(
    paragraphs: Sequence[Sequence[Unit]], *, resamples: int = 10_000, seed: int = 0
) -> Agreement:
    """The agreement on one question."""
    paragraphs = [
        shared for units in paragraphs if (shared := [unit for unit in units if len(unit) > 1])
    ]
    units = [list(unit.values()) for paragraph in paragraphs for unit in paragraph]
    n = len(units)
    once = all(len(p) == 1 and len(p[0]) == 2 for p in paragraphs)
    share = percent_agreement(units)
    return Agreement(
        percent=Figured(
            share,
            _percent_interval(paragraphs, resamples, seed),
            n,
            "" if n else "no paragraph has two answers",
        ),
        exact=exact_interval(round((share or 0) * n), n) if once else None,
        kappas=_kappas(paragraphs, resamples, seed),
        alpha=_alpha(paragraphs, units, resamples, seed),
        paragraphs=len(paragraphs),
    )


def _percent_interval(
    paragraphs: Sequence[Sequence[Unit]], resamples: int, seed: int
) -> Interval | None:
    rows = []
    for units in paragraphs:
        pairs = [(a, b) for unit in units for a, b in combinations(unit.values(), 2)]
        rows.append((sum(a == b for a, b in pairs), len(pairs)))
    parts = np.array(rows, dtype=float).reshape(-1, 2)
    return drawn_interval(parts, lambda s: s[:, 0] / s[:, 1], resamples=resamples, seed=seed)


def _kappas(
    paragraphs: Sequence[Sequence[Unit]], resamples: int, seed: int
) -> tuple[PairKappa, ...]:
    people = sorted({name for units in paragraphs for unit in units for name in unit})
    kappas = []
    for first, second in combinations(people, 2):
        shared = [
            [(unit[first], unit[second]) for unit in units if first in unit and second in unit]
            for units in paragraphs
        ]
        shared = [pairs for pairs in shared if pairs]
        if shared:
            kappas.append(PairKappa(first, second, kappa_figure(shared, resamples, seed)))
    return tuple(kappas)


def kappa_figure(
    paragraphs: Sequence[Sequence[tuple[Hashable, Hashable]]],
    resamples: int = 10_000,
    seed: int = 0,
) -> Figured:
    """Cohen's kappa and its interval, over the pairs of values from all paragraphs."""
    pairs = [pair for pairs_of_paragraph in paragraphs for pair in pairs_of_paragraph]
    if not pairs:
        return Figured(None, reason="no common paragraph")
    value = cohen_kappa([a for a, _ in pairs], [b for _, b in pairs])
    if value is None:
        return Figured(None, n=len(pairs), reason="both always gave the same value")
    values = {v: i for i, v in enumerate(dict.fromkeys(v for pair in pairs for v in pair))}
    width = len(values)
    parts = np.zeros((len(paragraphs), 2 + 2 * width))
    for row, pairs_of_paragraph in zip(parts, paragraphs, strict=True):
        for a, b in pairs_of_paragraph:
            row[0] += 1
            row[1] += a == b
            row[2 + values[a]] += 1
            row[2 + width + values[b]] += 1

    def kappa(sums: Sums) -> Sums:
        n, same = sums[:, 0], sums[:, 1]
        chance = (sums[:, 2 : 2 + width] * sums[:, 2 + width :]).sum(axis=1)
        return np.where(chance < n * n, (same * n - chance) / (n * n - chance), np.nan)

    return Figured(value, drawn_interval(parts, kappa, resamples=resamples, seed=seed), len(pairs))


def _alpha(
    paragraphs: Sequence[Sequence[Unit]],
    units: Sequence[Sequence[Hashable]],
    resamples: int,
    seed: int,
) -> Figured:
    value = krippendorff_alpha(units)
    if value is None:
        reason = "everyone always gave the same value" if units else "no paragraph has two answers"
        return Figured(None, n=len(units), reason=reason)
    values = {v: i for i, v in enumerate(dict.fromkeys(v for unit in units for v in unit))}
    parts = np.zeros((len(paragraphs), 1 + len(values)))
    for row, paragraph in zip(parts, paragraphs, strict=True):
        for unit in paragraph:
            answers = list(unit.values())
            counts = [answers.count(v) for v in dict.fromkeys(answers)]
            row[0] += sum(c * (len(answers) - c) for c in counts) / (len(answers) - 1)
            for v in answers:
                row[1 + values[v]] += 1

    def alpha(sums: Sums) -> Sums:
        n = sums[:, 1:].sum(axis=1)
        chance = (sums[:, 1:] * (n[:, None] - sums[:, 1:])).sum(axis=1)
        return np.where(chance > 0, 1 - sums[:, 0] * (n - 1) / chance, np.nan)

    return Figured(value, drawn_interval(parts, alpha, resamples=resamples, seed=seed), len(units))
