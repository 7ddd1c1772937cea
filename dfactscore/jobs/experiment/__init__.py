"""Experiments: names to a comparison of several generators, in one resumable folder."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dfactscore.jobs.experiment.config import Experiment, load_experiment
    from dfactscore.jobs.experiment.running import ExperimentResult, run_experiment

__all__ = ["Experiment", "ExperimentResult", "load_experiment", "run_experiment"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from importlib import import_module

        home = "config" if name in ("Experiment", "load_experiment") else "running"
        return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
