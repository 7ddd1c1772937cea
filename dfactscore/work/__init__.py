"""Resumable tasks, which process items one by one and write each result to a journal."""

from typing import TYPE_CHECKING

from dfactscore._util.lazy_names import names_on_use

if TYPE_CHECKING:
    from dfactscore._util.validated import Form
    from dfactscore.work._asks import Asked, Asks, AsksModel, WouldAsk, count_asked
    from dfactscore.work._blocks import Elsewhere
    from dfactscore.work._failures import Failure, Later
    from dfactscore.work._finished import Finished
    from dfactscore.work._journal import Journal
    from dfactscore.work._keys import key_of
    from dfactscore.work._line_store import Journals
    from dfactscore.work._place import Place, beside, in_folder
    from dfactscore.work._running import run, run_async, would_ask
    from dfactscore.work._work import Work

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
        "_asks": ("Asked", "Asks", "AsksModel", "WouldAsk", "count_asked"),
        "_blocks": ("Elsewhere",),
        "_failures": ("Failure", "Later"),
        "_finished": ("Finished",),
        "_journal": ("Form", "Journal"),
        "_keys": ("key_of",),
        "_line_store": ("Journals",),
        "_place": ("Place", "beside", "in_folder"),
        "_running": ("run", "run_async", "would_ask"),
        "_work": ("Work",),
    },
)
