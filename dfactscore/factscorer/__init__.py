"""A drop-in replacement for the ``factscore`` package, with the same calls, files and keys."""

from typing import TYPE_CHECKING

from dfactscore._util.imports import names_on_use

if TYPE_CHECKING:
    from dfactscore.factscorer._fact_scorer import FactScorer

__getattr__ = names_on_use(__name__, {"_fact_scorer": ("FactScorer",)})

__all__ = ["FactScorer"]
