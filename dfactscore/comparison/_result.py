"""The result of a comparison, which is printed as tables."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._util.tables import csv_text
from dfactscore.comparison._comparison_tables import checked_columns, columns, records
from dfactscore.comparison._comparison_text import render_latex, render_markdown, render_text
from dfactscore.comparison._plots import plot_comparison
from dfactscore.comparison._types import ComparisonData
from dfactscore.measures._table import EVERY, json_text

if TYPE_CHECKING:
    import pandas as pd


Part = Literal["levels", "differences"]


@dataclass(frozen=True)
class Comparison(ComparisonData):
    """Levels, differences and rank stability of runs; ``print`` shows the tables.

    Attributes:
        models: One row per run, in the order of the input.
        differences: One entry per pair and measure.
        ranks: Rank stability; None if there is only one run or too few names are common to all
            runs.
        confidence: The confidence level of the intervals; tests use the level ``1 - confidence``.
        resamples: The number of bootstrap samples and of random permutations.
        seed: Random seed for both.
        notes: Notes shown to the reader.
        scores: The scores of the runs.
        details: All settings that differ between runs, including hashes.
        shown: The keys of the columns to show; by default, those that papers report.
    """

    def with_f1(self, *, usual: bool = False) -> Comparison:
        """Returns the comparison with F1@K columns added.

        Args:
            usual: Whether to add the F1@K columns to the default columns rather than to all
                columns.
        """
        keys = [column.name for column in columns(self if usual else self.select(EVERY))]
        more = dict.fromkeys(m for model in self.models for m in model.levels if "f1_at_" in m)
        return self.select(*keys, *more)

    def select(self, *columns: str) -> Comparison:
        """Returns the comparison with the given columns, in that order.

        Args:
            *columns: Keys such as ``"fs"``, ``"dfs"``, ``"gap"``; ``"all"`` for all columns that
                have values; no keys for the default columns.

        Raises:
            InputError: If a key is unknown.
        """
        return replace(self, shown=checked_columns(columns))

    def __str__(self) -> str:
        return self.to_text()

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """Returns the tables as text for a terminal of `width` columns."""
        return render_text(self, width=width, color=color)

    def to_markdown(self, *, caption: str | None = None) -> str:
        """Returns the tables in Markdown, with notes that explain each column.

        Args:
            caption: The caption above the table; by default, it describes the settings; ``""``
                omits the caption.
        """
        return render_markdown(self, caption)

    def to_latex(self, *, caption: str | None = None) -> str:
        """Returns the levels as a LaTeX ``table`` with a caption and notes (package booktabs).

        Args:
            caption: The caption above the table; by default, it describes the settings. With
                ``""``, only the ``tabular`` is returned.
        """
        return render_latex(self, caption)

    def to_csv(self, part: Part = "levels") -> str:
        """Returns one part of the comparison as unrounded CSV, with shares as fractions."""
        return csv_text(records(self, part))

    def to_json(self) -> str:
        """Returns everything except the per-text scores as JSON, with shares as fractions."""
        document = {
            "confidence": self.confidence,
            "resamples": self.resamples,
            "seed": self.seed,
            "levels": records(self, "levels"),
            "differences": records(self, "differences"),
            "ranks": asdict(self.ranks) if self.ranks else None,
            "notes": self.remarks,
            "signatures": {run.label: run.signature for run in self.scores if run.signature},
        }
        return json_text(document)

    def to_frame(self, part: Part = "levels") -> pd.DataFrame:
        """Returns one part of the comparison as a data frame, with shares as fractions."""
        import pandas as pd

        return pd.DataFrame(records(self, part))

    def plot(self, kind: str = "intervals", path: str | Path | None = None) -> Any:
        """Draws the comparison (extra ``[plot]``).

        Args:
            kind: ``"intervals"``, ``"fs_dfs"``, ``"gap"`` or ``"answers"``.
            path: Path to save the plot to (PNG, SVG or PDF, by extension); by default, it is not
                saved.

        Returns:
            The matplotlib figure.
        """
        return plot_comparison(self, kind, path)
