"""The data in a correction."""

from __future__ import annotations

from dataclasses import dataclass

from dfactscore.correct._estimator import Population
from dfactscore.measures._bootstrap import Interval


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
    """The ranking of the runs by D-FS.

    Attributes:
        judge: The ranking by the judge's means.
        corrected: The ranking by the corrected means.
        sure: The share of draws from the joint distribution of the corrected means in which the
            corrected ranking holds.
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
