"""Experiments: names to a comparison of several generators, in one resumable folder."""

from dfactscore.experiment.config import Experiment, load_experiment
from dfactscore.experiment.running import ExperimentResult, run_experiment

__all__ = ["Experiment", "ExperimentResult", "load_experiment", "run_experiment"]
