"""How a comparison's numbers are written: shares in percent, one decimal, as in the paper."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dfactscore._util.near import near_miss
from dfactscore.errors import InputError
from dfactscore.scoring.category import CATEGORIES, CATEGORY_LABELS

if TYPE_CHECKING:
    from dfactscore.comparison.result import Comparison, Difference, ModelLevels

__all__ = [
    "COLUMNS",
    "TITLES",
    "Column",
    "caption_of",
    "cell",
    "checked_columns",
    "columns",
    "interval",
    "legend",
    "pvalue",
    "signed",
]

TITLES = {
    "fs": "FS",
    "dfs": "D-FS",
    "kept": "D-FS/FS",
    "gap": "gap",
    "dfs_one_group": "1 group",
    "dfs_adjusted": "D-FS adj.",
    "n_bio": "#bio",
    "n_ent": "#ent",
    "n_bio_named": "#bio named",
    "n_ent_named": "#ent named",
    "n_facts": "facts",
    "response_rate": "resp.",
    "coverage": "cov.",
    "mixed": "mixed",
    "categories": "1·1/1·n/n·n/else",
}


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table of levels.

    Attributes:
        key: The measure, or ``"categories"`` (four shares in one cell).
        legend: What it means, in a few words.
        intervals: Whether its interval is shown under it.
    """

    key: str
    legend: str
    intervals: bool = False

    @property
    def title(self) -> str:
        """What stands above it."""
        if self.key.endswith(_CORRECTED):
            return f"{TITLES[self.key.removesuffix(_CORRECTED)]} corr."
        return TITLES.get(self.key) or f"F1@{self.key.removeprefix(_F1)}"


COLUMNS = (
    Column("fs", "FActScore", True),
    Column("dfs", "D-FActScore", True),
    Column("kept", "what is left of FS: mean D-FS divided by mean FS", True),
    Column("gap", "FS − D-FS of the same biographies", True),
    Column("dfs_one_group", "D-FS with all facts in one group, a lower bound"),
    Column("dfs_adjusted", "D-FS with an abstention counted as 0"),
    Column("n_bio", "biographies a reader tells apart"),
    Column("n_ent", "entities the supported facts are credited to"),
    Column("mixed", "% of biographies that take people of one name for one", False),
    Column("categories", "% " + " / ".join(CATEGORY_LABELS.values())),
    Column("response_rate", "answered"),
    Column("coverage", "facts whose linked cell could be read"),
)  # fmt: skip


# Shown where they are asked for.
_MORE = (
    Column("n_bio_named", "biographies of individuals that bear the name"),
    Column("n_ent_named", "credited entities that bear the name"),
    Column("n_facts", "facts of a text"),
)
_BY_KEY = {column.key: column for column in (*COLUMNS, *_MORE)}
_F1 = "f1_at_"
_CORRECTED = "_corrected"


def _column(key: str) -> Column | None:
    """The column of a key; F1@K of any K is one, and so is a corrected score."""
    if key in ("fs_corrected", "dfs_corrected", "gap_corrected"):
        return Column(key, "corrected by labels of some texts", True)
    if re.fullmatch(r"f1_at_[0-9.]+", key):
        k = key.removeprefix(_F1)
        return Column(key, f"precision, and recall of {k} facts; an abstention counts 0", True)
    return _BY_KEY.get(key)


def checked_columns(keys: Iterable[str]) -> tuple[str, ...]:
    """Keys of columns, each once.

    Raises:
        InputError: If a key is unknown; the near miss is named.
    """
    for key in (found := tuple(dict.fromkeys(keys))):
        if _column(key) is None:
            raise InputError(
                f"unknown column {key!r}; choose {', '.join(_BY_KEY)}{near_miss(key, _BY_KEY)}"
            )
    return found


def legend(shown: Iterable[Column]) -> str:
    """What the columns mean, in words."""
    return "; ".join(f"{c.title}: {c.legend}" for c in shown) + "."


def caption_of(comparison: Comparison) -> str:
    """What stands above a table where nothing else was asked for."""
    runs = "1 run" if len(comparison.models) == 1 else f"{len(comparison.models)} runs"
    return (
        f"Scores of {runs}, in percent where they are shares, with "
        f"{100 * comparison.confidence:g} % bootstrap intervals over names"
    )


def columns(comparison: Comparison) -> list[Column]:
    """The columns that were chosen, or those that at least one run has a value for."""
    if comparison.shown:
        return [column for key in comparison.shown if (column := _column(key))]
    have = {m for model in comparison.models for m in model.levels}
    found = []
    for column in COLUMNS:
        if column.key in have or (column.key == "categories" and not have.isdisjoint(CATEGORIES)):
            found.append(column)
        if f"{column.key}{_CORRECTED}" in have and (more := _column(f"{column.key}{_CORRECTED}")):
            found.append(more)
    return found


def cell(model: ModelLevels, column: Column) -> str:
    """A run's value in a column, ``"–"`` where it has none."""
    if column.key == "categories":
        shares = [model.levels.get(c) for c in CATEGORIES]
        return "/".join("–" if s is None else f"{100 * s.mean:.0f}" for s in shares)
    level = model.levels.get(column.key)
    if level is None:
        return "–"
    return f"{level.mean:.1f}" if column.key.startswith("n_") else f"{100 * level.mean:.1f}"


def interval(model: ModelLevels, column: Column) -> str:
    """A run's interval in a column, or nothing."""
    level = model.levels.get(column.key)
    if not column.intervals or level is None or level.interval is None:
        return ""
    low, high = level.interval
    return "" if low != low else f"{100 * low:.1f}–{100 * high:.1f}"


def signed(difference: Difference) -> str:
    """A difference in percentage points, with its sign."""
    return f"{100 * difference.difference:+.1f}".replace("-", "−")


def pvalue(p: float) -> str:
    """A p-value with as many digits as matter.

    Example:
        >>> pvalue(0.0412), pvalue(0.00009)
        ('.041', '<.001')
    """
    if p != p:
        return "–"
    return "<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0")
