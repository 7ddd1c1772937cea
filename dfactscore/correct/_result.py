"""The result of a correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dfactscore.correct import _tables as tables
from dfactscore.correct._types import CorrectionData


@dataclass(frozen=True)
class Correction(CorrectionData):
    """Runs corrected by labels; printing it prints the tables.

    Attributes:
        runs: One entry a run.
        differences: One entry per pair of runs and measure.
        order: Order of the runs; None with one run.
        population: Population of the intervals.
        confidence: Of the intervals.
        by: The source of the labels.
        notes: Notes for the reader.
        signatures: One line per signature of the runs, and of labels that a run made.
    """

    def __str__(self) -> str:
        return self.to_text()

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def to_text(self, *, width: int = 100, columns: Sequence[str] = ()) -> str:
        """The tables for a terminal.

        Args:
            width: Columns of the terminal.
            columns: Measures to show (``"fs"``, ``"dfs"`` …); ``"all"`` for every one, with λ and
                the correlation r.

        Raises:
            InputError: If a measure is unknown.
        """
        return tables.render(self, "table", width=width, columns=columns)

    def to_markdown(self, *, columns: Sequence[str] = ()) -> str:
        """The tables in Markdown, with the columns of `to_text`."""
        return tables.render(self, "markdown", columns=columns)

    def to_csv(self) -> str:
        """One row a run and measure, unrounded; shares are fractions."""
        return tables.render(self, "csv")

    def to_json(self) -> str:
        """Everything, as JSON; shares are fractions."""
        return tables.render(self, "json")

    def rows(self) -> list[dict[str, Any]]:
        """One flat mapping a run and measure."""
        return tables.rows(self)
