"""Runs compared: levels with intervals, paired tests, rank stability."""

from dfactscore.comparison.bootstrap import Interval, percentile_interval
from dfactscore.comparison.compare import compare
from dfactscore.comparison.holm import holm
from dfactscore.comparison.permutation import paired_permutation_pvalues
from dfactscore.comparison.plots import plot_comparison, save_comparison_plots
from dfactscore.comparison.ranks import RankStability, rank_stability
from dfactscore.comparison.result import Comparison, Difference, Level, ModelLevels
from dfactscore.comparison.scores import RunScores

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
    "percentile_interval",
    "plot_comparison",
    "rank_stability",
    "save_comparison_plots",
]
