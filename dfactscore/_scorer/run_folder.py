"""The one path to a run folder: a job's records are judged, scored and written."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dfactscore._evidence.snapshots import describe_snapshots, snapshots_differ
from dfactscore._jobs.job import Job, settings_of
from dfactscore._readers import BadRecord
from dfactscore._report.page import ReportBuilder
from dfactscore._report.write import write_page
from dfactscore._runs import Outcome, describe_input, finish_run
from dfactscore._runs.outcome import MAX_HELD
from dfactscore._runs.run import JOURNALS
from dfactscore._runs.scoring_work import record_work
from dfactscore._runs.worker_judges import CheckedJudges
from dfactscore._scorer.notes import run_notes
from dfactscore._scoring import Record
from dfactscore._util.callbacks import Progress
from dfactscore._util.files import dump_json
from dfactscore._util.logs import log_lines
from dfactscore._util.usage import Usage
from dfactscore.work import Elsewhere, Finished, in_folder, run
from dfactscore.work._executors import SERIAL, Executor

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Scoring:
    """A finished run.

    Attributes:
        folder: The run folder.
        manifest: Its manifest.
        outcome: Rows, means and failures.
        report: The HTML report, or why there is none.
    """

    folder: Path
    manifest: Mapping[str, Any]
    outcome: Outcome
    report: str


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
    """Judges the remaining records, scores, and writes the run folder with its report.

    Args:
        job: The scoring job.
        records: Input to score; a record that is filled already is only written.
        out: The folder; by default one under ``runs/`` of its own for each input and settings.
        name: Name of the input.
        bad: Records of the input that could not be read.
        drawn: The draw of the records, if they are a random sample.
        progress: Called with how many are done and how many there are.

    Raises:
        RunError: If the folder holds another run or cannot be written.
    """
    job = replace(job.settled(records), asked_before=_so_far(job))
    job.check_evidence(record.biography for record in records if record.status is None)
    settings = settings_of(job, records, drawn)
    if snapshots_differ(settings["snapshots"]):
        _LOG.warning(f"snapshot dates differ: {describe_snapshots(settings['snapshots'])}")
    about = describe_input(name, records, len(bad))
    folder = out or _default_out(name, about, settings)
    block = None
    if job.judges is not None:
        same = CheckedJudges(job.judges, settings)
        block = Elsewhere(same.open_work, JOURNALS, job.concurrency)
    with job.open_workers(len(records)) as executor:
        work = record_work(
            records,
            job.engine,
            job.source,
            lambda found: _finish(job, records, bad, executor, found),
            name=job.command,
            settings=settings,
            about=about,
        )
        return run(
            work,
            in_folder(folder),
            concurrency=min(job.concurrency, max(1, len(records))),
            executor=executor,
            elsewhere=block,
            progress=progress,
            session=lambda: {**_over(job, executor), **_asked(job)},
        )


def _finish(
    job: Job,
    records: Sequence[Record],
    bad: Sequence[BadRecord],
    executor: Executor,
    found: Finished[Record],
) -> Scoring:
    assert found.files is not None
    folder, manifest = found.files.place.folder, found.files.manifest
    builder = ReportBuilder() if len(records) <= MAX_HELD else None
    each = None if builder is None else builder.add
    more = {**_of_models(job), **_of_pages(job)}
    outcome = finish_run(found.files, records, bad, each=each, more=more, executor=executor)
    found.more["status"] = outcome.status
    log_lines(_LOG, run_notes(job, records, bad, folder, outcome))
    report = f"not written for more than {MAX_HELD} (dfactscore report {folder})"
    if builder is not None:
        place = folder / "report.html"
        report = str(write_page(builder, outcome.rows, outcome.summary, manifest, place))
    if (share := manifest.get("cascade_share")) is not None:
        _LOG.info(f"cascade: {100 * share:.1f} % of the pairs went to the model")
    return Scoring(folder, manifest, outcome, report)


def _default_out(name: str, about: Mapping[str, Any], settings: Mapping[str, Any]) -> Path:
    """A folder of its own for each input and settings, so that the same command resumes."""
    content = dump_json([about, settings])
    digest = hashlib.sha256(content.encode("utf-8")).hexdigest()[:8]
    return Path("runs") / f"{Path(name).stem}-{digest}"


def _of_models(job: Job) -> dict[str, Any]:
    """Entries about the models in the manifest, besides their settings."""
    return {} if job.session is None else {"llm": job.session.report(job.models)}


def _of_pages(job: Job) -> dict[str, Any]:
    """Entries in the manifest about pages read from a live wiki."""
    revisions = getattr(job.source, "revisions", None)
    return {"page_revisions": revisions()} if callable(revisions) else {}


def _so_far(job: Job) -> Usage | None:
    """A copy of the books, if they are not those of this job already."""
    return job.asked_before or deepcopy(job.books)


def _asked(job: Job) -> dict[str, Any]:
    """Returns the part of ``timing.json`` about this call's requests."""
    usage = job.books
    if usage is None:
        return {}
    usage = usage.since(job.asked_before or Usage())
    problems = dict(usage.problems.most_common(20))
    more = {"problems": problems, "found": usage.found}
    return {"asked": usage.to_dict(), **{name: said for name, said in more.items() if said}}


def _over(job: Job, executor: Executor) -> dict[str, Any]:
    """Returns the part of ``timing.json`` about the processes of this call."""
    if executor is SERIAL:
        return {}
    return {"workers": executor.workers, "executor": job.on or "processes"}
