"""Saves results as a run folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dfactscore._errors import InputError
from dfactscore._jobs.job import Job
from dfactscore._readers import BadRecord
from dfactscore._results.result import Result
from dfactscore._scorer.run_folder import run_job
from dfactscore._util.usage import Usage


class RunSaver:
    """Writes results as the run folder that the command line would write."""

    def __init__(self, job: Job, bad: Sequence[BadRecord]) -> None:
        self._job = job
        self._bad = bad
        self._saved: set[Path] = set()

    def __call__(self, results: Sequence[Result], folder: Path) -> Path:
        """Writes results."""
        records = [result.record for result in results]
        repeated = [id for id, n in Counter(record.id for record in records).items() if n > 1]
        if repeated:
            raise InputError(
                f"the id {repeated[0]!r} stands for several records; a run needs one each"
            )
        path = folder.resolve()
        # A folder that was saved before already contains the requests.
        asked_before = self._job.usage if path in self._saved else Usage()
        job = replace(self._job, asked_before=asked_before)
        written = run_job(job, records, folder, name="records", bad=self._bad).folder
        self._saved.add(path)
        return written
