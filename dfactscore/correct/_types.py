"""Data of a correction, without tables."""

from __future__ import annotations

from dataclasses import dataclass

from dfactscore.correct._estimator import Population
from dfactscore.measures._bootstrap import Interval


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, or a difference of means, with its interval.

    Attributes:
        value: As stored: a share in [0, 1] or a count.
        interval: Of it, within what the measure can be; NaN if it is unknown.
    """

    value: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Corrected:
    """One measure of one run.

    Attributes:
        measure: ``"fs"``, ``"dfs"`` …
        texts: Texts with a score by the judge.
        labels: The number with a label.
        judge: The judge's mean, alone.
        labeled: The labels' mean, alone.
        corrected: The judge's mean, corrected by the labels.
        bias: The judge's mean minus the corrected one.
        power: λ, how much the judge's scores count.
        r: Correlation of judge and labels; None if one of them does not vary.
        worth: The number of labels that alone would give the corrected interval; None if unknown.
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
    """Whether the labeled texts may pass for a random sample.

    Attributes:
        recorded: The recorded draw, in words; empty unless it was random.
        difference: Judge's mean of the labeled minus that of the other texts, in standard
            deviations of the judge's scores; None if there are no others.
        p: Welch's test of it; None if the judge's scores of one side are all the same.
    """

    recorded: str
    difference: float | None
    p: float | None


@dataclass(frozen=True, slots=True)
class RunCorrection:
    """The rows of one run, or of one of its models.

    Attributes:
        label: Its name in tables.
        measures: By measure, in the order of the tables.
        drawn: The choice of the labeled texts.
        run: The run that was corrected.
        model: The model whose texts these are; None for all texts of the run.
    """

    label: str
    measures: dict[str, Corrected]
    drawn: Drawn
    run: str = ""
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Shift:
    """First minus second run, corrected.

    Attributes:
        first, second: The runs.
        measure: The measure.
        names: Names that both have; 0 if each run is over its own.
        labels: Texts with labels, in the first and the second run.
        judge: The judge's difference.
        corrected: The corrected difference.
        p: Two-sided test of it.
        p_holm: Corrected for all tests of the table.
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
        judge: By the judge alone.
        corrected: By the corrected means.
        sure: Share of draws from their joint distribution in which this order holds.
    """

    judge: tuple[str, ...]
    corrected: tuple[str, ...]
    sure: float


@dataclass(frozen=True)
class CorrectionData:
    """The fields of a `dfactscore.correct.Correction`, which documents them."""

    runs: tuple[RunCorrection, ...]
    differences: tuple[Shift, ...]
    order: Order | None
    population: Population
    confidence: float
    by: str
    notes: tuple[str, ...]
    signatures: tuple[str, ...] = ()
