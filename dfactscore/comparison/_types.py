"""The data in a comparison."""

from __future__ import annotations

from dataclasses import dataclass

from dfactscore._results.signature import signature_lines
from dfactscore._scoring.biography_scores import thinly_covered
from dfactscore.comparison._ranks import RankStability
from dfactscore.comparison._scores import RunScores
from dfactscore.measures._resampling import Interval, Tested
from dfactscore.measures._table import EVERY

TESTED = ("fs", "dfs", "gap")


@dataclass(frozen=True, slots=True)
class Level:
    """A mean over the names of one run.

    Attributes:
        mean: A share in [0, 1] or a count.
        interval: The confidence interval of the mean; None if only the mean is known.
        n: The number of biographies with a value.
    """

    mean: float
    interval: Interval | None
    n: int


@dataclass(frozen=True, slots=True)
class ModelLevels:
    """The levels of one run.

    Attributes:
        label: The label of the run.
        letter: The letter (``"a"``) that denotes the run in significance marks.
        n: The number of biographies.
        answered: The number of biographies that are not abstentions; some of them may lack scores
            (because of their language, for instance).
        evidence: The type of evidence; empty if unknown.
        levels: The levels by measure, excluding measures that the run does not have.
        judge: The name of the judge; empty if unknown.
    """

    label: str
    letter: str
    n: int
    answered: int
    evidence: str
    levels: dict[str, Level]
    judge: str = ""

    @property
    def scored(self) -> int:
        """The number of biographies included in the mean FS; shown as n in tables."""
        fs = self.levels.get("fs")
        if fs is None and "dfs" not in self.levels:
            return 0
        return fs.n if fs and fs.n else self.answered

    @property
    def thin(self) -> bool:
        """Whether FS or D-FS is based on too few readable verdicts."""
        shares = {name: level.mean for name, level in self.levels.items()}
        return bool(thinly_covered({k: shares.get(k) for k in ("coverage", "coverage_fs")}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference(Tested):
    """The tested difference, first run minus second, over the names that both runs answered.

    Attributes:
        first, second: The labels of the runs.
        measure: ``"fs"``, ``"dfs"`` or ``"gap"``; ``"dfs_corrected"`` and the like if corrected
            with labels.
        judge: The judge's difference before correction with labels; this difference is not tested.
    """

    first: str
    second: str
    measure: str
    judge: float | None = None


@dataclass(frozen=True)
class ComparisonData:
    """The fields of a `dfactscore.Comparison`, where they are documented."""

    models: tuple[ModelLevels, ...]
    differences: tuple[Difference, ...]
    ranks: RankStability | None
    confidence: float
    resamples: int
    seed: int
    notes: tuple[str, ...]
    scores: tuple[RunScores, ...]
    details: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notes and, if all columns are shown, the settings that differ."""
        return (*self.notes, *self.details) if EVERY in self.shown else self.notes

    @property
    def judge(self) -> str:
        """The judge of all runs; empty if runs have different judges or one is unknown."""
        judges = {model.judge for model in self.models}
        return judges.pop() if len(judges) == 1 else ""

    @property
    def signatures(self) -> list[str]:
        """One line per distinct signature among the runs."""
        return signature_lines({run.label: run.signature for run in self.scores})

    def marks(self, label: str, measure: str) -> str:
        """Returns the letters of the runs that a run significantly exceeds in a measure."""
        letters = {m.label: m.letter for m in self.models}
        below = [
            d.second if d.difference > 0 else d.first
            for d in self.differences
            if d.significant
            and d.measure == measure
            and label == (d.first if d.difference > 0 else d.second)
        ]
        return "".join(sorted(letters[b] for b in below))
