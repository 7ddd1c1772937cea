"""Workers of a job, and the roles they take along; refused where that cannot be."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._evidence.pages import open_pages
from dfactscore._runs.worker_judges import Judges, OpenJudges
from dfactscore.engines._roles import Decomposer, Engine, Grouper, Verifier
from dfactscore.work._executors import SERIAL, Executor, cores, open_executor


@dataclass(frozen=True)
class JudgesOfRoles:
    """Takes roles and pages along.

    Attributes:
        decomposer: Splits text into facts.
        grouper: Groups facts.
        verifier: Judges facts.
        any_language: Whether texts of any language are read.
        pages: Evidence, as `open_pages` takes it; None for the passages.
        dataset: Titles that a dataset lists for each name.
    """

    decomposer: Decomposer
    grouper: Grouper
    verifier: Verifier
    any_language: bool
    pages: Any
    dataset: Mapping[str, Collection[str]] | None = None

    @property
    def files(self) -> Sequence[Path]:
        """The pages, if they are a file or folder."""
        return files_there([self.pages] if isinstance(self.pages, (str, Path)) else [])

    def __call__(self) -> Judges:
        """Opens the pages.

        Raises:
            InputError: If they are not there.
        """
        engine = Engine(self.decomposer, self.grouper, self.verifier, None, self.any_language)
        pages = None if self.pages is None else open_pages(self.pages, listed=self.dataset)
        return Judges(engine, pages)

    def check(self) -> None:
        """Refuses roles that cannot be sent to another process.

        Raises:
            InputError: With its name.
        """
        for name in ("decomposer", "grouper", "verifier", "pages"):
            problem = _unsendable(getattr(self, name))
            if problem:
                raise InputError(
                    f"the {name} cannot be sent to another process: {problem}; define it in a "
                    "module that can be imported, without open files, or use workers=1"
                )


def check_workers(workers: int, on: str | None, uses_llm: bool) -> None:
    """Refuses workers where a language model is asked.

    Raises:
        InputError: If it is, or their number is below 0.
    """
    if workers < 0:
        raise InputError(f"workers={workers} is not a number of processes (0: one a core)")
    if uses_llm and (workers != 1 or on is not None):
        raise InputError(
            "workers are for engines that run in the process; a language model is asked by one "
            "process, which keeps the endpoint busy: raise --concurrency instead of --workers"
        )


def open_workers(
    judges: OpenJudges | None,
    blocks: int,
    *,
    source: object = None,
    workers: int = 1,
    on: str | None = None,
    pages: str = "",
) -> Executor:
    """Opens processes that judge; on this machine never more than there are blocks.

    Args:
        judges: Opened in each process; None for this process alone.
        blocks: The number of blocks.
        source: The pages that facts are judged against.
        workers: Processes; 0 for one per core.
        on: Their place; None for this machine.
        pages: Name of the source in messages.

    Raises:
        InputError: If there can be none.
        WorkerError: If a machine of a cluster lacks the pages or another version is there.
    """
    if judges is None or (workers == 1 and on is None):
        return SERIAL
    if callable(getattr(source, "revisions", None)):
        raise InputError(
            f"{pages or 'the pages'}: pages of a wiki are read by one process; leave out "
            "--workers, or store the pages first (dfactscore index pages)"
        )
    if on is None:
        return open_executor(max(1, min(workers or cores(), blocks)))
    executor = open_executor(workers, on)
    try:
        executor.check_files(judges.files)
    except BaseException:
        executor.close()
        raise
    return executor


def files_there(paths: Iterable[Any]) -> list[Path]:
    """Returns the existing paths; None is skipped."""
    return [Path(path) for path in paths if path is not None and Path(path).exists()]


def _unsendable(value: object) -> str:
    from multiprocessing.reduction import ForkingPickler

    kind = type(value)
    if kind.__module__ == "__main__":
        return f"its class {kind.__qualname__} is in the script that is run"
    try:
        ForkingPickler.dumps(value)
    except Exception as error:  # what pickle raises depends on what is in its way
        return f"{kind.__module__}.{kind.__qualname__} ({error})"
    return ""
