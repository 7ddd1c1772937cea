"""Judges and scores biographies in worker processes without a run folder."""

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
    """A function that judges and scores blocks of biographies in a worker.

    The engine and pages are opened in the worker because they cannot be sent to it.
    """

    def __init__(self, job: Job) -> None:
        assert job.judges is not None
        settings = describe_settings(job.engine, job.source, job.options, job.candidates)
        self._judges = CheckedJudges(job.judges, settings)
        self._options = (job.options, job.candidates, job.listed, job.concurrency)
        self._job: Job | None = None

    def __call__(self, block: Sequence[Biography]) -> list[Record]:
        """Judges and scores a block."""
        job = self._open()
        return run_sync(map_in_order(job.attempt, block, concurrency=job.concurrency))

    def _open(self) -> Job:
        if self._job is None:
            engine, source = self._judges.open()
            options, candidates, listed, concurrency = self._options
            self._job = Job(engine, source, options, candidates, listed, concurrency=concurrency)
        return self._job


def fill_over_workers(
    job: Job, biographies: Sequence[Biography], advance: Callable[[int], object] | None
) -> list[Record]:
    """Judges and scores biographies in the worker processes of a job."""
    filled: list[Record] = []
    with job.open_workers(len(biographies)) as executor:
        for records in executor.map_blocks(FillBlock(job), blocks_of(biographies, BLOCK)):
            filled += records
            if advance is not None:
                advance(len(filled))
    return filled
