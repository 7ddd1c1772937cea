"""FACTOR: which of several completions a model finds likelier."""

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
