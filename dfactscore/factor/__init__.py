"""FACTOR: which of several completions a model finds likelier."""

from typing import TYPE_CHECKING

from dfactscore._util.on_use import names_on_use

if TYPE_CHECKING:
    from dfactscore.factor.evaluate import FactorOptions, evaluate_factor
    from dfactscore.factor.items import Contradiction, FactorItem
    from dfactscore.factor.reading import read_factor
    from dfactscore.factor.results import FactorResults

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
        "evaluate": ("FactorOptions", "evaluate_factor"),
        "items": ("Contradiction", "FactorItem"),
        "reading": ("read_factor",),
        "results": ("FactorResults",),
    },
)
