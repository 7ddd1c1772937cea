"""FACTOR: which of several completions a model finds likelier."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dfactscore.factor.evaluate import FactorOptions, evaluate_factor
    from dfactscore.factor.items import Contradiction, FactorItem
    from dfactscore.factor.reading import read_factor
    from dfactscore.factor.results import FactorResults

# Imported on first use, so that the settings alone cost little.
_HOMES = {
    "Contradiction": "items",
    "FactorItem": "items",
    "FactorOptions": "evaluate",
    "FactorResults": "results",
    "evaluate_factor": "evaluate",
    "read_factor": "reading",
}

__all__ = [
    "Contradiction",
    "FactorItem",
    "FactorOptions",
    "FactorResults",
    "evaluate_factor",
    "read_factor",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
