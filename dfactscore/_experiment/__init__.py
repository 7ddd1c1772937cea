"""Experiments: compare several generators on the same names, in a resumable folder."""

from typing import TYPE_CHECKING

from dfactscore._util.imports import names_on_use

if TYPE_CHECKING:
    from dfactscore._experiment.experiment_file import Experiment, load_experiment
    from dfactscore._experiment.experiment_run import (
        ExperimentResult,
        estimate_experiment,
        run_experiment,
    )

__all__ = [
    "Experiment",
    "ExperimentResult",
    "estimate_experiment",
    "load_experiment",
    "run_experiment",
]

__getattr__ = names_on_use(
    __name__,
    {
        "experiment_file": ("Experiment", "load_experiment"),
        "experiment_run": ("ExperimentResult", "estimate_experiment", "run_experiment"),
    },
)
