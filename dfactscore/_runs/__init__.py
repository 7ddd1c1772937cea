"""Run folders: writing, resuming and reading them."""

from dfactscore._runs.input_records import begin_records
from dfactscore._runs.outcome import Outcome, finish_run
from dfactscore._runs.run import Run, load_run
from dfactscore._runs.run_description import describe_input, describe_settings
from dfactscore._runs.scoring_work import record_work

__all__ = [
    "Outcome",
    "Run",
    "begin_records",
    "describe_input",
    "describe_settings",
    "finish_run",
    "load_run",
    "record_work",
]
