"""The data of a correction."""

from __future__ import annotations

from dataclasses import dataclass

from dfactscore.correct._estimator import Population
from dfactscore.measures._bootstrap import Interval


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, or a difference of means, with its interval.

    Attributes:
        value: A share in [0, 1] or a count.
        interval: The interval of the value, within the range of the measure; NaN if unknown.
    """

    value: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Corrected:
    """The corrected mean of one measure of one run.

    Attributes:
        measure: The measure: ``"fs"``, ``"dfs"`` …
        texts: The number of texts with a score by the judge.
        labels: The number of texts with a label.
        judge: The judge's mean.
        labeled: The labels' mean.
        corrected: The judge's mean, corrected by the labels.
        bias: The judge's mean minus the corrected mean.
        power: λ, the weight of the judge's scores.
        r: The correlation of judge and labels; None if one of them does not vary.
        worth: The number of labels that would give an interval as narrow without the judge; None
            if unknown.
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


@dataclass(frozen=True, slots=True)
class Drawn:
    """Evidence on whether the labeled texts are a random sample.

    Attributes:
        recorded: The recorded draw, in words; empty unless it was random.
        difference: The judge's mean of labeled texts minus that of other texts, in standard
            deviations of the judge's scores; None without other texts.
        p: The p-value of Welch's test of the difference; None if the judge's scores of labeled or
            of other texts are all equal.
    """

    recorded: str
    difference: float | None
    p: float | None


@dataclass(frozen=True, slots=True)
class RunCorrection:
    """The corrected measures of one run, or of one of its models.

    Attributes:
        label: The label in tables.
        measures: The corrected means by measure, in the order of tables.
        drawn: The draw of the labeled texts.
        run: The label of the corrected run.
        model: The model that wrote the texts; None for all texts of the run.
    """

    label: str
    measures: dict[str, Corrected]
    drawn: Drawn
    run: str = ""
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Shift:
    """The corrected difference, first minus second run.

    Attributes:
        first, second: The labels of the runs.
        measure: The measure.
        names: The number of common names; 0 if each run is over its own names.
        labels: The numbers of texts with labels in the first and the second run.
        judge: The judge's difference.
        corrected: The corrected difference.
        p: The p-value of the two-sided test of the corrected difference.
        p_holm: The p-value corrected for all tests of the table.
        significant: Whether ``p_holm`` is at most the level.
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
    """The order of the runs by D-FS.

    Attributes:
        judge: The order by the judge's means.
        corrected: The order by the corrected means.
        sure: The share of draws from the joint distribution of the corrected means in which their
            order holds.
    """

    judge: tuple[str, ...]
    corrected: tuple[str, ...]
    sure: float


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
