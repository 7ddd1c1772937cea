"""Compares runs: levels with intervals, paired tests, rank stability."""

from dfactscore.comparison.compare import compare
from dfactscore.comparison.plots import plot_comparison, save_comparison_plots
from dfactscore.comparison.ranks import RankStability, rank_stability
from dfactscore.comparison.result import Comparison
from dfactscore.comparison.scores import RunScores
from dfactscore.comparison.types import Difference, Level, ModelLevels
from dfactscore.measures.bootstrap import Interval
from dfactscore.measures.holm import holm
from dfactscore.measures.permutation import paired_permutation_pvalues

__all__ = [
    "Comparison",
    "Difference",
    "Interval",
    "Level",
    "ModelLevels",
    "RankStability",
    "RunScores",
    "compare",
    "holm",
    "paired_permutation_pvalues",
    "plot_comparison",
    "rank_stability",
    "save_comparison_plots",
]
