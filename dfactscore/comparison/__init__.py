"""Comparison of runs: levels and intervals, paired tests, and rank stability."""

from dfactscore.comparison._compare import compare
from dfactscore.comparison._plots import plot_comparison, save_comparison_plots
from dfactscore.comparison._ranks import RankStability, rank_stability
from dfactscore.comparison._result import Comparison
from dfactscore.comparison._scores import RunScores
from dfactscore.comparison._types import Difference, Level, ModelLevels
from dfactscore.measures._resampling import Interval, holm, paired_permutation_pvalues

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
