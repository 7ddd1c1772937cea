"""Run folders: written while scoring, resumed, read again."""

from dfactscore.runs.execute import Outcome, describe_input, describe_settings, execute, finish
from dfactscore.runs.folder import Run
from dfactscore.runs.load import LoadedRun, load_run
from dfactscore.runs.manifest import new_manifest

__all__ = [
    "LoadedRun",
    "Outcome",
    "Run",
    "describe_input",
    "describe_settings",
    "execute",
    "finish",
    "load_run",
    "new_manifest",
]
