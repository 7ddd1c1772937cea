"""FACTOR: tests which of several completions a model finds likelier."""

from typing import TYPE_CHECKING

from dfactscore._util.on_use import names_on_use

if TYPE_CHECKING:
    from dfactscore.factor.factor_items import Contradiction, FactorItem
    from dfactscore.factor.factor_results import FactorResults
    from dfactscore.factor.items_file import read_factor
    from dfactscore.factor.scoring import FactorOptions, evaluate_factor

__all__ = [
    "Contradiction",
    "FactorItem",
    "FactorOptions",
    "FactorResults",
    "evaluate_factor",
    "read_factor",
]

__getattr__ = names_on_use(
    __name__,
    {
        "scoring": ("FactorOptions", "evaluate_factor"),
        "factor_items": ("Contradiction", "FactorItem"),
        "items_file": ("read_factor",),
        "factor_results": ("FactorResults",),
    },
)
