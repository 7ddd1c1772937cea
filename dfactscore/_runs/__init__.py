"""Run folders: written while scoring, resumed, read again."""

from dfactscore._runs.finishing import Outcome, finish
from dfactscore._runs.records import begin_records
from dfactscore._runs.run import Run, load_run
from dfactscore._runs.run_description import describe_input, describe_settings
from dfactscore._runs.scoring_work import record_work

__all__ = [
    "Outcome",
    "Run",
    "begin_records",
    "describe_input",
    "describe_settings",
    "finish",
    "load_run",
    "record_work",
]
