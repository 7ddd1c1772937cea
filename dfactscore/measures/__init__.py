"""Statistics, definitions of measures, and tables."""

from typing import TYPE_CHECKING

from dfactscore._util.imports import names_on_use

if TYPE_CHECKING:
    from dfactscore.measures._agreement import cohen_kappa, krippendorff_alpha
    from dfactscore.measures._rendering import to_html, to_latex, to_markdown
    from dfactscore.measures._resampling import (
        Interval,
        clustered_interval,
        paired_permutation_pvalues,
        percentile_intervals,
    )
    from dfactscore.measures._table import Cell, Column, Table, aligned, to_csv

__all__ = [
    "Cell",
    "Column",
    "Interval",
    "Table",
    "aligned",
    "clustered_interval",
    "cohen_kappa",
    "krippendorff_alpha",
    "paired_permutation_pvalues",
    "percentile_intervals",
    "to_csv",
    "to_html",
    "to_latex",
    "to_markdown",
]

__getattr__ = names_on_use(
    __name__,
    {
        "_agreement": ("cohen_kappa", "krippendorff_alpha"),
        "_rendering": ("to_html", "to_latex", "to_markdown"),
        "_resampling": (
            "Interval",
            "clustered_interval",
            "paired_permutation_pvalues",
            "percentile_intervals",
        ),
        "_table": ("Cell", "Column", "Table", "aligned", "to_csv"),
    },
)
