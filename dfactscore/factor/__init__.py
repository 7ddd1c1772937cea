"""FACTOR: tests whether a model considers true completions likelier than false ones."""

from typing import TYPE_CHECKING

from dfactscore._util.imports import names_on_use

if TYPE_CHECKING:
    from dfactscore.factor._factor_items import Contradiction, FactorItem, read_factor
    from dfactscore.factor._factor_results import FactorResults
    from dfactscore.factor._scoring import FactorOptions, evaluate_factor

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
        "_factor_items": ("Contradiction", "FactorItem", "read_factor"),
        "_factor_results": ("FactorResults",),
        "_scoring": ("FactorOptions", "evaluate_factor"),
    },
)
