"""The result of a comparison; it prints as tables."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._util.csv_text import csv_text
from dfactscore.comparison._cells import checked_columns, columns
from dfactscore.comparison._markup import render_latex, render_markdown
from dfactscore.comparison._plots import plot_comparison
from dfactscore.comparison._tables import records
from dfactscore.comparison._text import render_text
from dfactscore.comparison._types import ComparisonData
from dfactscore.measures._measure import EVERY
from dfactscore.measures._table import json_text

if TYPE_CHECKING:
    import pandas as pd


Part = Literal["levels", "differences"]


@dataclass(frozen=True)
class Comparison(ComparisonData):
    """Levels, differences and rank stability of runs; printing it prints the tables.

    Attributes:
        models: One row a run, in the order given.
        differences: One entry per pair and measure.
        ranks: Rank stability; None with one run or no common names.
        confidence: Of the intervals; tests are at the level ``1 - confidence``.
        resamples: Bootstrap samples and random permutations.
        seed: Seed of both.
        notes: Notes for the reader.
        scores: The scores that it was made of.
        details: Every setting that differs between runs, hashes too.
        shown: Keys of the columns to show; by default what a paper prints.
    """

    def with_f1(self, *, usual: bool = False) -> Comparison:
        """The same comparison, F1@K shown beside the other columns.

        Args:
            usual: Beside those that are shown if nothing is asked for, not beside all.
        """
        keys = [column.name for column in columns(self if usual else self.select(EVERY))]
        more = dict.fromkeys(m for model in self.models for m in model.levels if "f1_at_" in m)
        return self.select(*keys, *more)

    def select(self, *columns: str) -> Comparison:
        """The same comparison with the columns that are named, in that order.

        Args:
            *columns: Keys such as ``"fs"``, ``"dfs"``, ``"gap"``; ``"all"`` for every column with
                values, none for the usual ones.

        Raises:
            InputError: If a key is unknown.
        """
        return replace(self, shown=checked_columns(columns))

    def __str__(self) -> str:
        return self.to_text()

    def _repr_markdown_(self) -> str:
        return self.to_markdown()

    def to_text(self, *, width: int = 100, color: bool = False) -> str:
        """The tables for a terminal of that many columns."""
        return render_text(self, width=width, color=color)

    def to_markdown(self, *, caption: str | None = None) -> str:
        """The tables in Markdown, with notes that explain each column.

        Args:
            caption: Stands above; made of the settings by default, none if it is empty.
        """
        return render_markdown(self, caption)

    def to_latex(self, *, caption: str | None = None) -> str:
        """The levels as a LaTeX ``table`` with caption and notes (packages: booktabs).

        Args:
            caption: Stands above; made of the settings by default. If it is empty, the
                ``tabular`` comes alone.
        """
        return render_latex(self, caption)

    def to_csv(self, part: Part = "levels") -> str:
        """One part as CSV, unrounded; shares are fractions."""
        return csv_text(records(self, part))

    def to_json(self) -> str:
        """Everything but the single scores, as JSON; shares are fractions."""
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
        """One part as a data frame; shares are fractions."""
        import pandas as pd

        return pd.DataFrame(records(self, part))

    def plot(self, kind: str = "intervals", path: str | Path | None = None) -> Any:
        """Draws the comparison (extra ``[plot]``).

        Args:
            kind: ``"intervals"``, ``"fs_dfs"`` or ``"gap"``.
            path: The path to save it to (PNG, SVG or PDF by suffix); not saved by default.

        Returns:
            The matplotlib figure.
        """
        return plot_comparison(self, kind, path)
