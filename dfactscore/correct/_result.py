"""The result of a correction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dfactscore.correct import _tables as tables
from dfactscore.correct._types import CorrectionData


@dataclass(frozen=True)
class Correction(CorrectionData):
    """Runs corrected by labels; printing it prints the tables.

    Attributes:
        runs: One entry a run.
        differences: One entry a pair of runs and measure.
        order: Order of the runs; None with one run.
        population: What the intervals are for.
        confidence: Of the intervals.
        by: Where the labels are from.
        notes: What a reader must know.
    """

    def __str__(self) -> str:
        return self.to_text()

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def to_text(self, *, width: int = 100) -> str:
        """The tables for a terminal of that many columns."""
        return tables.render(self, "table", width=width)

    def to_markdown(self) -> str:
        """The tables in Markdown."""
        return tables.render(self, "markdown")

    def to_csv(self) -> str:
        """One row a run and measure, unrounded; shares are fractions."""
        return tables.render(self, "csv")

    def to_json(self) -> str:
        """Everything, as JSON; shares are fractions."""
        return tables.render(self, "json")

    def rows(self) -> list[dict[str, Any]]:
        """One flat mapping a run and measure."""
        return tables.rows(self)
