"""A mean corrected by a few labels (prediction-powered inference), and the data in a correction."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dfactscore.measures._resampling import Interval

Population = Literal["other", "these"]
"""Whether an interval is for other names of the same kind, or for exactly these."""
Array = NDArray[np.float64]
_FLAT = 1e-12  # spreads below this share of the sum of squares are due to rounding errors
_ALONE = 0.1  # minimum of 1 - leverage; the residual of a text that determines the slope is useless


@dataclass(frozen=True)
class Linear:
    """An estimate, together with each text's contribution to its error.

    Attributes:
        value: The estimate.
        parts: The contributions of the texts, of shape ``(texts,)``; the sum of their squares is
            the variance. A text contributes if it is labeled and, if the population has other
            texts, also because it was drawn.
        freedom: The degrees of freedom of the variance.
    """

    value: float
    parts: Array
    freedom: float

    @cached_property
    def variance(self) -> float:
        """The variance of the estimate."""
        return float(self.parts @ self.parts)

    @property
    def error(self) -> float:
        """The standard error."""
        return math.sqrt(self.variance)

    @cached_property
    def _skewness(self) -> float:
        third = float((self.parts**3).sum())
        return third / self.variance**1.5 if self.variance > 0 else 0.0

    def interval(self, confidence: float = 0.95) -> Interval:
        """Returns the interval of the estimate; NaN if the sample is too small."""
        from scipy.stats import t

        if self.freedom < 1:
            return Interval(math.nan, math.nan)
        quantile = float(t.ppf((1 + confidence) / 2, self.freedom))
        skewness = self._skewness

        def end(z: float) -> float:
            if abs(skewness) < 1e-9:
                return z
            return 3 / skewness * (math.cbrt(1 + skewness * (z - skewness / 6)) - 1)

        error = self.error
        return Interval(self.value - error * end(quantile), self.value - error * end(-quantile))

    def p_value(self) -> float:
        """Returns the two-sided p-value for a true value of 0, computed like `interval`."""
        from scipy.stats import t

        if self.freedom < 1:
            return math.nan
        if self.variance <= 0:
            return 1.0 if self.value == 0 else 0.0
        ratio, a = self.value / self.error, self._skewness
        if abs(a) >= 1e-9:
            ratio = ((1 + a * ratio / 3) ** 3 - 1) / a + a / 6
        return float(2 * t.sf(abs(ratio), self.freedom))

    def minus(self, other: Linear, *, paired: bool) -> Linear:
        """Returns the difference of two estimates.

        Args:
            other: The estimate to subtract.
            paired: Whether both estimates are computed from the same texts in the same order, so
                that each text's contributions can cancel out. If not, the estimates are treated as
                independent.
        """
        if paired:
            parts = self.parts - other.parts
            freedom = min(self.freedom, other.freedom)
        else:
            parts = np.concatenate([self.parts, -other.parts])
            # Welch and Satterthwaite
            denominator = sum(x.variance**2 / max(x.freedom, 1) for x in (self, other))
            total = self.variance + other.variance
            freedom = total**2 / denominator if denominator > 0 else self.freedom + other.freedom
        return Linear(self.value - other.value, parts, freedom)

    def by_cluster(self, clusters: NDArray[np.intp]) -> Linear:
        """Returns the estimate for texts that are drawn together in clusters (one per name)."""
        count = int(clusters.max()) + 1 if len(clusters) else 0
        if count == len(clusters):
            return self
        parts: Array = np.bincount(clusters, self.parts, minlength=count).astype(np.float64)
        return Linear(self.value, parts, self.freedom)


@dataclass(frozen=True, slots=True)
class Tuned:
    """A mean corrected with labels.

    Attributes:
        mean: The corrected mean.
        bias: The mean of the judge's scores minus the corrected mean.
        power: λ, the weight of the judge's scores: 0 yields the labels' mean, and 1 yields the
            judge's mean plus the mean difference between label and score in the labeled texts.
    """

    mean: Linear
    bias: Linear
    power: float


def whole_mean(values: Array, *, population: Population = "other") -> Linear:
    """Returns the mean of all texts' values; no value may be missing."""
    return Linear(float(values.mean()), _parts_of_draw(values, population), len(values) - 1)


def labels_alone(labels: Array, *, population: Population = "other") -> Linear:
    """Returns the mean of the labels.

    Args:
        labels: The labels, of shape ``(texts,)``, with NaN for a text without a label.
        population: The population of the interval.
    """
    return tuned(np.zeros(len(labels)), labels, population=population, power=0.0).mean


def tuned(
    judge: Array,
    labels: Array,
    *,
    population: Population = "other",
    power: float | None = None,
) -> Tuned:
    """Estimates the mean label of all texts from the judge's scores and labels for a sample.

    Args:
        judge: The judge's scores, of shape ``(texts,)``; must not contain NaN.
        labels: The labels, of shape ``(texts,)``, with NaN for a text without a label. At least one
            text must have a label.
        population: The population of the interval.
        power: λ; by default, the slope of the labels on the scores. A negative slope is replaced by
            0, because it is due to chance in a small sample. Large slopes are not clipped, because
            the estimate is unbiased for any λ.

    Example:
        >>> import numpy as np
        >>> judge = np.array([.6, .9, .7, 1, .8, .5, .9, .7])
        >>> labels = np.array([.8, 1, .9, 1, np.nan, np.nan, np.nan, np.nan])
        >>> found = tuned(judge, labels)
        >>> print(f"{found.mean.value:.4f} {found.power:.2f}")
        0.9063 0.50
    """
    total, labeled = len(judge), ~np.isnan(labels)
    n = int(labeled.sum())
    scores = judge[labeled]
    x, y = scores - scores.mean(), labels[labeled] - labels[labeled].mean()
    spread = float(x @ x)
    flat = spread <= _FLAT * float(scores @ scores)
    if power is None:
        power = 0.0 if flat else max(0.0, float(x @ y) / spread)
    leverage = 1 / n + (x * x / spread if power and not flat else 0 * x)
    # Jackknife variance: each residual comes from a fit without its text.
    residuals = (y - power * x) / np.maximum(1 - leverage, _ALONE) * math.sqrt(1 - 1 / max(n, 2))
    sample = np.zeros(total)
    sample[labeled] = residuals / n
    if population == "these":
        sample *= math.sqrt(1 - n / total)
    value = float(labels[labeled].mean() + power * (judge.mean() - scores.mean()))
    freedom = n - 1 - (power > 0)
    parts_of_draw = _parts_of_draw(judge, population)
    return Tuned(
        mean=Linear(value, power * parts_of_draw + sample, freedom),
        bias=Linear(float(judge.mean()) - value, (1 - power) * parts_of_draw - sample, freedom),
        power=power,
    )


def _parts_of_draw(values: Array, population: Population) -> Array:
    """Returns each text's contribution to the error of the mean that is due to drawing texts."""
    n = len(values)
    if population == "these" or n < 2:
        return np.zeros(n)
    parts: Array = (values - values.mean()) / math.sqrt(n * (n - 1))
    return parts


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean or difference of means, with its interval.

    Attributes:
        value: A share in [0, 1] or a count.
        interval: The confidence interval, clipped to the range of the measure; NaN if unknown.
    """

    value: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Corrected:
    """The corrected mean of one measure for one run.

    Attributes:
        measure: The measure: ``"fs"``, ``"dfs"`` …
        texts: The number of texts scored by the judge.
        labels: The number of texts with a label.
        judge: The judge's mean.
        labeled: The labels' mean.
        corrected: The judge's mean, corrected with the labels.
        bias: The judge's mean minus the corrected mean.
        power: λ, the weight of the judge's scores.
        r: The correlation between the judge's scores and the labels; None if either does not vary.
        worth: The number of labels that would yield an equally narrow interval without the judge;
            None if unknown.
        graded: Whether the scores are grades, not shares from 0 to 1.
    """

    measure: str
    texts: int
    labels: int
    judge: Estimate
    labeled: Estimate
    corrected: Estimate
    bias: Estimate
    power: float
    r: float | None
    worth: int | None
    graded: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """Evidence on whether the labeled texts are a random sample."""

    recorded: str  # description of the recorded draw; empty unless the draw was random
    # The judge's mean for labeled texts minus that for other texts, in standard deviations of the
    # judge's scores; None if there are no other texts.
    difference: float | None
    # The p-value of Welch's test of the difference; None if the judge's scores for either labeled
    # or other texts are all equal.
    p: float | None


@dataclass(frozen=True, slots=True)
class RunCorrection:
    """The corrected measures of one run, or of one of its models.

    Attributes:
        label: The label in tables.
        measures: The corrected means by measure, in the order of tables.
        drawn: Evidence on whether the labeled texts are a random sample.
        run: The label of the corrected run.
        model: The model that wrote the texts; None if all texts of the run are included.
    """

    label: str
    measures: dict[str, Corrected]
    drawn: Drawn
    run: str = ""
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Shift:
    """The corrected difference, first run minus second.

    Attributes:
        first, second: The labels of the runs.
        measure: The measure.
        names: The number of names that both runs have; 0 if their names are not paired.
        labels: The number of labeled texts in the first run and in the second.
        judge: The judge's difference.
        corrected: The corrected difference.
        p: The p-value of the two-sided test of the corrected difference.
        p_holm: The p-value corrected for all tests in the table.
        significant: Whether ``p_holm`` does not exceed the significance level.
    """

    first: str
    second: str
    measure: str
    names: int
    labels: tuple[int, int]
    judge: Estimate
    corrected: Estimate
    p: float
    p_holm: float
    significant: bool


@dataclass(frozen=True, slots=True)
class Order:
    """The ranking of the runs by one measure.

    Attributes:
        judge: The ranking by the judge's means.
        corrected: The ranking by the corrected means.
        sure: The share of draws from the joint distribution of the corrected means in which the
            corrected ranking holds.
        measure: The measure.
    """

    judge: tuple[str, ...]
    corrected: tuple[str, ...]
    sure: float
    measure: str = "dfs"


@dataclass(frozen=True)
class CorrectionData:
    """The fields of a `dfactscore.correct.Correction`, where they are documented."""

    runs: tuple[RunCorrection, ...]
    differences: tuple[Shift, ...]
    order: Order | None
    population: Population
    confidence: float
    by: str
    notes: tuple[str, ...]
    signatures: tuple[str, ...] = ()
