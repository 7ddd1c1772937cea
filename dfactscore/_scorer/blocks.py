"""Blocks of biographies judged and scored without a run folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dfactscore._jobs.job import Job
from dfactscore._records import Biography
from dfactscore._runs.run_description import describe_settings
from dfactscore._runs.worker_judges import CheckedJudges
from dfactscore._scoring.record import Record
from dfactscore._util.tasks import map_in_order, run_sync
from dfactscore.work._blocks import BLOCK, blocks_of


class FillBlock:
    """Judges and scores blocks of biographies without a run folder.

    Args:
        job: The scoring job; without parts that cannot be sent, which are opened in the worker.
    """

    def __init__(self, job: Job) -> None:
        assert job.judges is not None
        settings = describe_settings(job.engine, job.source, job.options, job.candidates)
        self._judges = CheckedJudges(job.judges, settings)
        self._how = (job.options, job.candidates, job.listed, job.concurrency)
        self._job: Job | None = None

    def __call__(self, block: Sequence[Biography]) -> list[Record]:
        """The records of a block, filled."""
        job = self._opened()
        return run_sync(map_in_order(job.attempt, block, concurrency=job.concurrency))

    def _opened(self) -> Job:
        if self._job is None:
            engine, source = self._judges.open()
            options, candidates, listed, concurrency = self._how
            self._job = Job(engine, source, options, candidates, listed, concurrency=concurrency)
        return self._job


def fill_over_workers(
    job: Job, biographies: Sequence[Biography], advance: Callable[[int], object] | None
) -> list[Record]:
    """Judges and scores biographies in the processes that the job asks for.

    Args:
        job: The scoring job and its workers.
        biographies: The biographies to judge.
        advance: Is called with how many are done, after each block.
    """
    found: list[Record] = []
    with job.open_workers(len(biographies)) as executor:
        for records in executor.map_blocks(FillBlock(job), blocks_of(biographies, BLOCK)):
            found += records
            if advance is not None:
                advance(len(found))
    return found
