"""Resumable tasks, which process items one by one and write each result to a journal."""

from typing import TYPE_CHECKING

from dfactscore._util.imports import names_on_use

if TYPE_CHECKING:
    from dfactscore._util.validated import Form
    from dfactscore.work._blocks import Elsewhere, Failure, Later
    from dfactscore.work._journal import Journal, Journals, key_of
    from dfactscore.work._running import run, run_async, would_ask
    from dfactscore.work._work import Asked, Asks, AsksModel, Work, WouldAsk, count_asked
    from dfactscore.work._work_folder import Finished, Place, beside, in_folder

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
    "key_of",
    "run",
    "run_async",
    "would_ask",
]

__getattr__ = names_on_use(
    __name__,
    {
        "_blocks": ("Elsewhere", "Failure", "Later"),
        "_journal": ("Form", "Journal", "Journals", "key_of"),
        "_running": ("run", "run_async", "would_ask"),
        "_work": ("Asked", "Asks", "AsksModel", "Work", "WouldAsk", "count_asked"),
        "_work_folder": ("Finished", "Place", "beside", "in_folder"),
    },
)
