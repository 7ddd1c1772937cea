"""A job's worker processes, and the roles that can be sent to them."""

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
    """Opens judges with the given roles and pages, which are sent to the workers."""

    decomposer: Decomposer
    grouper: Grouper
    verifier: Verifier
    any_language: bool
    pages: Any  # evidence, in any format that `open_pages` accepts; None to use the passages
    dataset: Mapping[str, Collection[str]] | None = None

    @property
    def files(self) -> Sequence[Path]:
        """The pages, if they are in a file or folder."""
        return existing_files([self.pages] if isinstance(self.pages, (str, Path)) else [])

    def __call__(self) -> Judges:
        """Opens the pages."""
        engine = Engine(self.decomposer, self.grouper, self.verifier, None, self.any_language)
        pages = None if self.pages is None else open_pages(self.pages, listed=self.dataset)
        return Judges(engine, pages)

    def check(self) -> None:
        """Checks that roles and pages can be sent to another process."""
        for name in ("decomposer", "grouper", "verifier", "pages"):
            problem = _unsendable(getattr(self, name))
            if problem:
                raise InputError(
                    f"the {name} cannot be sent to another process: {problem}; define it in a "
                    "module that can be imported, without open files, or use workers=1"
                )


def check_workers(workers: int, on: str | None, uses_llm: bool) -> None:
    """Checks the number of workers, which must be 1 if a language model is used."""
    if workers < 0:
        raise InputError(f"workers={workers} is not a number of processes (0: one per core)")
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
    """Opens worker processes; on this machine, at most one per block."""
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


def existing_files(paths: Iterable[Any]) -> list[Path]:
    """Returns the paths that exist, leaving out None."""
    return [Path(path) for path in paths if path is not None and Path(path).exists()]


def _unsendable(value: object) -> str:
    from multiprocessing.reduction import ForkingPickler

    kind = type(value)
    if kind.__module__ == "__main__":
        return f"its class {kind.__qualname__} is in the script that is run"
    try:
        ForkingPickler.dumps(value)
    except Exception as error:  # pickle raises various types of exceptions
        return f"{kind.__module__}.{kind.__qualname__} ({error})"
    return ""
