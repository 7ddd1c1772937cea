"""Plots (extra ``[plot]``)."""

from dfactscore.plots.comparison import plot_comparison, save_comparison_plots
from dfactscore.plots.mixing import plot_mixing

__all__ = ["plot_comparison", "plot_mixing", "save_comparison_plots"]
