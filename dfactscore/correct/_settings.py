"""Settings of `dfactscore correct`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dfactscore._util.settings import Settings, panels

if TYPE_CHECKING:
    from dfactscore._readers.record_fields import Columns


_input, _scoring, _output = panels("Input Scoring Output")


class CorrectSettings(Settings):
    """Settings of `dfactscore correct`."""

    keyed = "--field: Columns of the labels"

    first = "plan confidence out plot population"

    id_column: str | None = _input(None, "Id of the text.", named="id", flags=("--field id",))
    name_column: str | None = _input(
        None,
        "Target name.",
        named="name, topic ...",
        flags=("--field name",),
    )
    text_column: str | None = _input(
        None,
        "Text.",
        named="text, output ...",
        flags=("--field text",),
    )
    column: tuple[str, ...] = _input(
        (),
        "Column with a judge's scores, or SCORE=LABEL if the labels' column differs; may be "
        "repeated.",
        flags=("--column",),
        named="the columns of scores.csv",
    )
    percent: bool = _input(False, "The labels' shares range from 0 to 100.", flags=("--percent",))
    population: Literal["other", "these"] = _scoring(
        "other", "Compute intervals for other names of the same kind, or for exactly these."
    )
    confidence: float = _scoring(0.95, "Confidence level of the intervals.", gt=0, lt=1)
    rows: Literal["auto", "model", "run"] = _scoring(
        "auto", "One row per model or per run; auto splits runs that have several models."
    )
    seed: int = _scoring(0, "Random seed for sampling and resampling.", ge=0)
    plan: bool = _scoring(
        False, "Only compute how many labels an interval requires.", flags=("--plan",)
    )
    width: float = _scoring(
        3.0, "With --plan: half-width of the interval, in points (3 for ±3).", gt=0
    )
    out: Path | None = _output(
        None,
        "File to write (.md, .tex, .csv ...).",
        flags=("-o",),
        named="standard output",
    )
    form: Literal["table", "markdown", "latex", "csv", "json"] | None = _output(
        None,
        "Format of the results.",
        flags=("--format", "-f"),
        named="by the suffix of --out, else table",
    )
    plot: Path | None = _output(
        None, "Plot the judge's, the labels' and the corrected means (.png, .svg, .pdf)."
    )

    @property
    def scores(self) -> dict[str, str]:
        """The column of the labels of each column of scores."""
        pairs = (column.partition("=") for column in self.column)
        return {score: label or score for score, _, label in pairs}

    @property
    def columns(self) -> Columns:
        """The columns that contain the labels."""
        from dfactscore._readers.record_fields import Columns

        return Columns(text=self.text_column, name=self.name_column, id=self.id_column)
