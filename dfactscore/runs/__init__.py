"""Run folders: written while scoring, resumed, read again."""

from dfactscore.runs.describe import describe_input, describe_settings
from dfactscore.runs.execute import execute
from dfactscore.runs.finishing import Outcome, finish
from dfactscore.runs.records import begin_records
from dfactscore.runs.run import Run, load_run
from dfactscore.runs.writer import RunWriter
from dfactscore.work.manifest import new_manifest

__all__ = [
    "Outcome",
    "Run",
    "RunWriter",
    "begin_records",
    "describe_input",
    "describe_settings",
    "execute",
    "finish",
    "load_run",
    "new_manifest",
]
