"""Plots by the place that they had in 0.2.0, for one release."""

import warnings

from dfactscore.comparison.plots import plot_comparison, save_comparison_plots
from dfactscore.mixing.plots import plot_mixing

__all__ = ["plot_comparison", "plot_mixing", "save_comparison_plots"]

warnings.warn(
    "plot_comparison and save_comparison_plots are in dfactscore.comparison now, plot_mixing in "
    "dfactscore.mixing; dfactscore.plots works for one release",
    DeprecationWarning,
    stacklevel=2,
)
