"""A drop-in for the ``factscore`` package: the same calls and files, the same keys."""

from dfactscore.factscorer.scorer import FactScorer

__all__ = ["FactScorer"]
