"""The result of a correction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dfactscore.correct import _tables as tables
from dfactscore.correct._types import CorrectionData


@dataclass(frozen=True)
class Correction(CorrectionData):
    """Runs corrected with labels; ``print`` shows the tables.

    Attributes:
        runs: One entry per run.
        differences: One entry per pair of runs and measure.
        order: The ranking of the runs; None if there is only one run.
        population: The population to which the intervals apply.
        confidence: The confidence level of the intervals.
        by: The source of the labels.
        notes: Notes for the reader.
        signatures: One line per signature of the runs and of any runs used as sources of labels.
    """

    def __str__(self) -> str:
        return self.to_text()

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def to_text(self, *, width: int = 100, columns: Sequence[str] = ()) -> str:
        """Returns the tables as text for a terminal.

        Args:
            width: The width of the terminal in columns.
            columns: The measures to show (``"fs"``, ``"dfs"`` …); ``"all"`` for all measures as
                well as λ and the correlation r.

        Raises:
            InputError: If a measure is unknown.
        """
        return tables.render(self, "table", width=width, columns=columns)

    def to_markdown(self, *, columns: Sequence[str] = ()) -> str:
        """Returns the tables in Markdown, with the columns of `to_text`."""
        return tables.render(self, "markdown", columns=columns)

    def to_csv(self) -> str:
        """Returns unrounded CSV with one row per run and measure; shares are fractions."""
        return tables.render(self, "csv")

    def to_json(self) -> str:
        """Returns all results as JSON, with shares as fractions."""
        return tables.render(self, "json")

    def rows(self) -> list[dict[str, Any]]:
        """Returns one flat mapping per run and measure."""
        return tables.rows(self)
