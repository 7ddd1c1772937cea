"""What judges, opened again in other processes; refused where that cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._util.executors import SERIAL, Executor, cores, open_executor
from dfactscore._util.tasks import map_concurrently, run_sync
from dfactscore.engines.protocols import Decomposer, Engine, Grouper, Verifier
from dfactscore.errors import InputError
from dfactscore.evidence.pages import open_pages
from dfactscore.jobs.settings import Config
from dfactscore.records import Biography
from dfactscore.runs.describe import describe_settings
from dfactscore.runs.judging import Judges, SameJudges
from dfactscore.scoring.record import Record

if TYPE_CHECKING:
    from dfactscore.jobs.job import Job

__all__ = ["FillBlock", "JudgesOfRoles", "JudgesOfSettings", "check_workers", "open_workers"]

_PATHS = ("pages", "redirects", "index")
# What is the writer's business alone.
_ELSEWHERE = {"input", "out", "workers", "on", "dataset", "candidates", "limit"}


@dataclass(frozen=True)
class JudgesOfSettings:
    """Opens what settings name.

    Attributes:
        settings: The settings that are not the defaults, as JSON has them.
    """

    settings: Mapping[str, Any]

    @classmethod
    def of(cls, config: Config) -> JudgesOfSettings:
        """What opens the judges of a configuration, wherever the process stands."""
        given = config.model_dump(mode="json", exclude_defaults=True, exclude=_ELSEWHERE)
        paths = {name: Path(given[name]).absolute() for name in _PATHS if name in given}
        return cls({**given, **{name: str(p) for name, p in paths.items() if p.exists()}})

    @property
    def files(self) -> Sequence[Path]:
        """The pages, their redirects, the index."""
        return _there(self.settings.get(name) for name in _PATHS)

    def __call__(self) -> Judges:
        """Opens engine and pages.

        Raises:
            InputError: If something named by the settings is not there.
        """
        from dfactscore.jobs.score import open_job

        job = open_job(Config.model_validate(self.settings))
        return Judges(job.engine, job.source)


@dataclass(frozen=True)
class JudgesOfRoles:
    """Takes roles and pages along.

    Attributes:
        decomposer: Splits text into facts.
        grouper: Groups facts.
        verifier: Judges facts.
        any_language: Whether texts of any language are read.
        pages: What the facts are judged against, as `open_pages` takes it; None for the passages.
    """

    decomposer: Decomposer
    grouper: Grouper
    verifier: Verifier
    any_language: bool
    pages: Any

    @property
    def files(self) -> Sequence[Path]:
        """The pages, where they are a file or folder."""
        return _there([self.pages] if isinstance(self.pages, (str, Path)) else [])

    def __call__(self) -> Judges:
        """Opens the pages.

        Raises:
            InputError: If they are not there.
        """
        engine = Engine(self.decomposer, self.grouper, self.verifier, None, self.any_language)
        return Judges(engine, None if self.pages is None else open_pages(self.pages))

    def check(self) -> None:
        """Refuses what cannot be sent to another process.

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


class FillBlock:
    """Judges and scores blocks of biographies without a run folder.

    Args:
        job: How; without what cannot be sent, which is opened where the block is judged.
    """

    def __init__(self, job: Job) -> None:
        assert job.judges is not None
        settings = describe_settings(job.engine, job.source, job.options, job.candidates)
        self._judges = SameJudges(job.judges, settings)
        self._how = (job.options, job.candidates, job.dataset, job.concurrency)
        self._job: Job | None = None

    def __call__(self, block: Sequence[Biography]) -> list[Record]:
        """The records of a block, filled."""
        return run_sync(self._fill(block, self._opened()))

    def _opened(self) -> Job:
        if self._job is None:
            from dfactscore.jobs.job import Job

            engine, source = self._judges.opened()
            options, candidates, dataset, concurrency = self._how
            self._job = Job(engine, source, options, candidates, dataset, concurrency=concurrency)
        return self._job

    async def _fill(self, block: Sequence[Biography], job: Job) -> list[Record]:
        found: dict[int, Record] = {}

        async def one(item: tuple[int, Biography]) -> Record:
            return await job.fill(item[1])

        async for (number, _), record in map_concurrently(
            one, enumerate(block), concurrency=job.concurrency
        ):
            found[number] = record
        return [found[number] for number in range(len(block))]


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


def open_workers(job: Job, blocks: int) -> Executor:
    """Opens the workers of a job; on this machine never more than there are blocks.

    Args:
        job: How many, and where.
        blocks: How many blocks there are.

    Raises:
        InputError: If there can be none.
        WorkerError: If a machine of a cluster lacks the pages or another version is there.
    """
    if job.judges is None or (job.workers == 1 and job.on is None):
        return SERIAL
    if callable(getattr(job.source, "revisions", None)):
        raise InputError(
            f"{job.pages or 'the pages'}: pages of a wiki are read by one process; leave out "
            "--workers, or store the pages first (dfactscore index pages)"
        )
    if job.on is None:
        return open_executor(max(1, min(job.workers or cores(), blocks)))
    executor = open_executor(job.workers, job.on)
    try:
        executor.check_files(job.judges.files)
    except BaseException:
        executor.close()
        raise
    return executor


def _there(paths: Iterable[Any]) -> list[Path]:
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
