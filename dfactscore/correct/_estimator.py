"""A mean corrected by a few labels: prediction-powered inference with a tuned power.

With a cheap score of every text and labels of a random sample, the estimate is

    mean(labels) + power * (mean(scores of all) - mean(scores of the labeled))

which is unbiased whatever the scores get wrong (Angelopoulos et al. 2023, arXiv 2301.09633); the
power is tuned to the smallest variance (PPI++, arXiv 2311.01453), which makes it the slope of the
labels on the scores, as in the regression estimator of survey sampling (Cochran 1977, chapter 7).
Samples of a few dozen skewed scores need more care than a normal interval: variances are those of
the jackknife, quantiles those of Student's t, and the skewness is taken out by Hall's
transformation (1992, "On the removal of skewness by transformation").
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dfactscore.measures._bootstrap import Interval

Population = Literal["other", "these"]
"""Whether an interval is for other names of the same kind, or for exactly these."""

Array = NDArray[np.float64]
_FLAT = 1e-12  # spreads below this share of the values' squares are rounding
_ALONE = 0.1  # 1 - leverage of a text that decides the slope alone: its residual says nothing


@dataclass(frozen=True)
class Linear:
    """An estimate with each text's part in its error.

    Attributes:
        value: The estimate.
        parts: Shape ``(texts,)``: their squares add up to the variance. A text adds by being
            labeled and, if other texts could be there, by being among the texts.
        freedom: Degrees of freedom of the variance.
    """

    value: float
    parts: Array
    freedom: float

    @cached_property
    def variance(self) -> float:
        """Of the estimate."""
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
        """The interval of the estimate; NaN if the sample is too small."""
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
        """Two-sided, of the hypothesis that the estimated value is 0; agrees with `interval`."""
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
        """The difference of two estimates.

        Args:
            other: The subtrahend.
            paired: Whether both are over the same texts in the same order; what one text adds to
                both then cancels. Otherwise they are independent.
        """
        if paired:
            parts = self.parts - other.parts
            freedom = min(self.freedom, other.freedom)
        else:
            parts = np.concatenate([self.parts, -other.parts])
            # Welch and Satterthwaite
            below = sum(x.variance**2 / max(x.freedom, 1) for x in (self, other))
            total = self.variance + other.variance
            freedom = total**2 / below if below > 0 else self.freedom + other.freedom
        return Linear(self.value - other.value, parts, freedom)

    def by_cluster(self, clusters: NDArray[np.intp]) -> Linear:
        """The same, if texts of one cluster (one name) are drawn together."""
        count = int(clusters.max()) + 1 if len(clusters) else 0
        if count == len(clusters):
            return self
        parts: Array = np.bincount(clusters, self.parts, minlength=count).astype(np.float64)
        return Linear(self.value, parts, self.freedom)


@dataclass(frozen=True, slots=True)
class Tuned:
    """A mean corrected by labels.

    Attributes:
        mean: The corrected mean.
        bias: Mean of the judge's scores minus the corrected mean.
        power: λ: how much the judge's scores count, from 0 (labels alone) on; 1 adds to their mean
            the mean of what the labels correct.
    """

    mean: Linear
    bias: Linear
    power: float


def whole_mean(values: Array, *, population: Population = "other") -> Linear:
    """The mean of all texts' values, none of which is missing."""
    return Linear(float(values.mean()), _drawn(values, population), len(values) - 1)


def labels_alone(labels: Array, *, population: Population = "other") -> Linear:
    """The mean of the labels.

    Args:
        labels: Shape ``(texts,)``, NaN if a text has no label.
        population: Population of the interval.
    """
    return tuned(np.zeros(len(labels)), labels, population=population, power=0.0).mean


def tuned(
    judge: Array,
    labels: Array,
    *,
    population: Population = "other",
    power: float | None = None,
) -> Tuned:
    """The mean of labels over all texts, from the judge's scores of all and a sample's labels.

    Args:
        judge: Shape ``(texts,)``, the judge's scores, none of them NaN.
        labels: Shape ``(texts,)``, NaN if a text has no label; one or more have.
        population: Population of the interval.
        power: λ; tuned to the labels by default. A negative slope is taken as 0: that a judge is
            right when it says the opposite is chance in a small sample. Above, it is not clipped:
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
    # The jackknife's variance: each residual as it is without its own text.
    residuals = (y - power * x) / np.maximum(1 - leverage, _ALONE) * math.sqrt(1 - 1 / max(n, 2))
    sample = np.zeros(total)
    sample[labeled] = residuals / n
    if population == "these":
        sample *= math.sqrt(1 - n / total)
    value = float(labels[labeled].mean() + power * (judge.mean() - scores.mean()))
    freedom = n - 1 - (power > 0)
    drawn = _drawn(judge, population)
    return Tuned(
        mean=Linear(value, power * drawn + sample, freedom),
        bias=Linear(float(judge.mean()) - value, (1 - power) * drawn - sample, freedom),
        power=power,
    )


def _drawn(values: Array, population: Population) -> Array:
    """Returns each text's part in the error of the mean of all, if other texts were drawn."""
    n = len(values)
    if population == "these" or n < 2:
        return np.zeros(n)
    found: Array = (values - values.mean()) / math.sqrt(n * (n - 1))
    return found
