"""Resumable tasks: items are done one by one and journaled."""

from dfactscore._util.validated import Form
from dfactscore.work.asks import Asked, Asks, AsksModel, WouldAsk, count_asked
from dfactscore.work.blocks import Elsewhere
from dfactscore.work.failures import Failure, Later
from dfactscore.work.finished import Finished
from dfactscore.work.journal import Journal
from dfactscore.work.lines import Journals
from dfactscore.work.place import Place, beside, in_folder
from dfactscore.work.running import run, run_async, would_ask
from dfactscore.work.work import Work

__all__ = [
    "Asked",
    "Asks",
    "AsksModel",
    "Elsewhere",
    "Failure",
    "Finished",
    "Form",
    "Journal",
    "Journals",
    "Later",
    "Place",
    "Work",
    "WouldAsk",
    "beside",
    "count_asked",
    "in_folder",
    "run",
    "run_async",
    "would_ask",
]
