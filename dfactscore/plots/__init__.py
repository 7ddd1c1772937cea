"""Plots (extra ``[plot]``)."""

from dfactscore.plots.comparison import plot_comparison, save_comparison_plots

__all__ = ["plot_comparison", "save_comparison_plots"]
