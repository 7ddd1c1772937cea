"""Run folders: written while scoring, resumed, read again."""

from dfactscore.runs.describe import describe_input, describe_settings
from dfactscore.runs.execute import record_work
from dfactscore.runs.finishing import Outcome, finish
from dfactscore.runs.records import begin_records
from dfactscore.runs.run import Run, load_run

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
