"""Judges and scores the records of a job into a run folder."""

from __future__ import annotations

import hashlib
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._evidence.snapshots import describe_snapshots, snapshots_differ
from dfactscore._jobs.job import Job, settings_of
from dfactscore._readers import BadRecord
from dfactscore._report.page import ReportBuilder, write_page
from dfactscore._results.result import Result
from dfactscore._runs import Outcome, describe_input, finish_run
from dfactscore._runs.outcome import MAX_HELD
from dfactscore._runs.run import JOURNALS
from dfactscore._runs.scoring_work import record_work
from dfactscore._runs.worker_judges import CheckedJudges
from dfactscore._scorer.notes import run_notes
from dfactscore._scoring import Record
from dfactscore._util.files import dump_json
from dfactscore._util.reporting import Progress, log_lines
from dfactscore._util.usage import Usage
from dfactscore.work import Elsewhere, Finished, in_folder, run
from dfactscore.work._executors import SERIAL, Executor

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Scoring:
    """A finished run."""

    folder: Path
    manifest: Mapping[str, Any]
    outcome: Outcome
    report: str  # path of the HTML report, or the reason why there is none


def run_job(
    job: Job,
    records: Sequence[Record],
    out: Path | None,
    *,
    name: str,
    bad: Sequence[BadRecord] = (),
    drawn: Mapping[str, int] | None = None,
    progress: Progress | None = None,
) -> Scoring:
    """Judges the remaining records, scores all, and writes the run folder and its report."""
    job = replace(job.settled(records), asked_before=_earlier_requests(job))
    job.check_evidence(record.biography for record in records if record.status is None)
    settings = settings_of(job, records, drawn)
    if snapshots_differ(settings["snapshots"]):
        _LOG.warning(f"snapshot dates differ: {describe_snapshots(settings['snapshots'])}")
    input_entry = describe_input(name, records, len(bad))
    folder = out or _default_out(name, input_entry, settings)
    elsewhere = None
    if job.judges is not None:
        judges = CheckedJudges(job.judges, settings)
        elsewhere = Elsewhere(judges.open_work, JOURNALS, job.concurrency)
    with job.open_workers(len(records)) as executor:
        work = record_work(
            records,
            job.engine,
            job.source,
            lambda finished: _finish(job, records, bad, executor, finished),
            name=job.command,
            settings=settings,
            input_entry=input_entry,
        )
        return run(
            work,
            in_folder(folder),
            concurrency=min(job.concurrency, max(1, len(records))),
            executor=executor,
            elsewhere=elsewhere,
            progress=progress,
            session=lambda: {**_workers_entry(job, executor), **_requests_entry(job)},
        )


def _finish(
    job: Job,
    records: Sequence[Record],
    bad: Sequence[BadRecord],
    executor: Executor,
    finished: Finished[Record],
) -> Scoring:
    assert finished.files is not None
    folder, manifest = finished.files.place.folder, finished.files.manifest
    builder = ReportBuilder() if len(records) <= MAX_HELD else None
    each = None if builder is None else builder.add
    entries = {**_models_entry(job), **_revisions_entry(job)}
    outcome = finish_run(
        finished.files, records, bad, each=each, entries=entries, executor=executor
    )
    finished.more["status"] = outcome.status
    log_lines(_LOG, run_notes(job, records, bad, folder, outcome))
    report = f"not written for more than {MAX_HELD} (dfactscore report {folder})"
    if builder is not None:
        path = folder / "report.html"
        report = str(
            write_page(builder, outcome.rows, outcome.summary, manifest, path, folder=folder)
        )
    if (share := manifest.get("cascade_share")) is not None:
        _LOG.info(f"cascade: {100 * share:.1f} % of the pairs went to the model")
    return Scoring(folder, manifest, outcome, report)


def _default_out(name: str, input_entry: Mapping[str, Any], settings: Mapping[str, Any]) -> Path:
    """Returns a folder named after input and settings, so that the same command resumes the run."""
    content = dump_json([input_entry, settings])
    digest = hashlib.sha256(content.encode("utf-8")).hexdigest()[:8]
    return Path("runs") / f"{Path(name).stem}-{digest}"


def _models_entry(job: Job) -> dict[str, Any]:
    """Returns the manifest entry that describes the models beyond their settings."""
    return {} if job.session is None else {"llm": job.session.report(job.models)}


def _revisions_entry(job: Job) -> dict[str, Any]:
    """Returns the manifest entry for pages read from a live wiki."""
    revisions = getattr(job.source, "revisions", None)
    return {"page_revisions": revisions()} if callable(revisions) else {}


def _earlier_requests(job: Job) -> Usage | None:
    """Returns a copy of the counts of requests made before this job."""
    return job.asked_before or deepcopy(job.books)


def _requests_entry(job: Job) -> dict[str, Any]:
    """Returns the entry in ``timing.json`` for the requests made in this call."""
    usage = job.books
    if usage is None:
        return {}
    usage = usage.since(job.asked_before or Usage())
    problems = dict(usage.problems.most_common(20))
    optional = {"problems": problems, "found": usage.found}
    return {"asked": usage.to_dict(), **{name: value for name, value in optional.items() if value}}


def _workers_entry(job: Job, executor: Executor) -> dict[str, Any]:
    """Returns the entry in ``timing.json`` for the worker processes used in this call."""
    if executor is SERIAL:
        return {}
    return {"workers": executor.workers, "executor": job.on or "processes"}


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
