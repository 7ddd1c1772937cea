"""Blocks of biographies judged and scored without a run folder."""

from __future__ import annotations

from collections.abc import Sequence

from dfactscore._util.tasks import map_concurrently, run_sync
from dfactscore.jobs.job import Job
from dfactscore.records import Biography
from dfactscore.runs.describe import describe_settings
from dfactscore.runs.judging import SameJudges
from dfactscore.scoring.record import Record

__all__ = ["FillBlock"]


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
