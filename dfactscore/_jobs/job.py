"""One scoring job: everything that decides the scores, and the one path to a run folder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError
from dfactscore._evidence.entities import GatheredEntities, gather_entities, unused_titles
from dfactscore._evidence.pages import ListedNames
from dfactscore._evidence.snapshots import describe_snapshots, gather_snapshots, snapshots_differ
from dfactscore._jobs.workers import open_workers
from dfactscore._readers import BadRecord
from dfactscore._records import Biography
from dfactscore._report.page import ReportBuilder
from dfactscore._report.write import write_page
from dfactscore._runs import (
    Outcome,
    begin_records,
    describe_input,
    describe_settings,
    finish,
)
from dfactscore._runs.execute import record_work
from dfactscore._runs.finishing import HELD
from dfactscore._runs.judges import JudgeBlock, OpenJudges, SameJudges
from dfactscore._runs.records import bring_verdicts, snapshot_dates
from dfactscore._runs.tally import Missing
from dfactscore._scoring import Record, ScoreOptions, judge, score_record
from dfactscore._scoring.biography import NOTHING_READ
from dfactscore._text.abstention import is_abstention
from dfactscore._util.callbacks import Log, Progress, no_log
from dfactscore._util.files import dump_json
from dfactscore._util.numbers import counted, percent
from dfactscore._util.raised import is_of_all, where_raised
from dfactscore._util.usage import Usage
from dfactscore.engines._answers import calibrated, tells_entities_apart
from dfactscore.engines._protocols import Engine, FindsEvidence
from dfactscore.linking import CandidateMode
from dfactscore.work import Finished, in_folder, run
from dfactscore.work._blocks import BLOCK
from dfactscore.work._executors import SERIAL, Executor

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession
    from dfactscore._asking.settings import ChatModel
    from dfactscore.retrieval import KnowledgeSource


_NAMED = 5  # titles that a message lists


@dataclass(frozen=True)
class Job:
    """Everything that decides how a biography is scored.

    Attributes:
        engine: The three roles.
        source: Pages by title, or None to judge against the passages.
        options: How scores are made.
        candidates: Which entities a group may be linked to.
        listed: What a dataset lists under each name; its titles are what candidates ``"dataset"``
            are taken from.
        limit: How many records of the input are read; None for all.
        session: What the language models share, or None where no role asks one.
        usage: What was asked, where that is not what the session's books say.
        models: The models of the roles; all of the session by default.
        concurrency: Biographies at a time, where the engine takes time.
        pages: What the user calls the source, for messages.
        workers: Processes that judge and score; 0 for one a core.
        on: Where they are; None for this machine.
        judges: Opens engine and source in another process; without it there is only this one.
        command: What the manifest calls it.
        by_judge: Whether the judge decides what scores count (see `settled`).
        asked_before: What was asked before and is not booked for this job.
    """

    engine: Engine
    source: KnowledgeSource | None = None
    options: ScoreOptions = field(default_factory=ScoreOptions)
    candidates: CandidateMode = "retrieved"
    listed: ListedNames = field(default_factory=ListedNames)
    limit: int | None = None
    session: LLMSession | None = None
    usage: Usage | None = None
    models: Sequence[ChatModel] | None = None
    concurrency: int = 16
    pages: str = ""
    workers: int = 1
    on: str | None = None
    judges: OpenJudges | None = None
    command: str = "score"
    by_judge: bool = False
    asked_before: Usage | None = None

    def open_workers(self, count: int) -> Executor:
        """Opens the processes for so many texts; see `dfactscore._jobs.workers.open_workers`."""
        return open_workers(
            self.judges,
            -(-count // BLOCK),
            source=self.source,
            workers=self.workers,
            on=self.on,
            pages=self.pages,
        )

    def settled(self, of: Sequence[Record] | Sequence[Biography] = ()) -> Job:
        """The job with what its scores count, where the judge decides that.

        Probabilities are counted where they are calibrated; verdicts, where any came with the
        input, so that no mean is of both.

        Args:
            of: What is scored.
        """
        if not self.by_judge:
            return self
        expected = calibrated(self.engine.verifier) and not bring_verdicts(of)
        options = self.options.changed(counts="expected" if expected else "verdicts")
        return replace(self, options=options, by_judge=False)

    def check_evidence(self, biographies: Iterable[Biography]) -> None:
        """Stops before anything is judged where no text has anything to be judged against.

        Raises:
            InputError: With the ways to get pages.
        """
        verifier = self.engine.verifier
        if (
            self.source is not None
            or not tells_entities_apart(verifier)
            or isinstance(verifier, FindsEvidence)
        ):
            return
        without = 0
        for biography in biographies:
            if biography.verdicts is not None or any(p.text.strip() for p in biography.passages):
                return
            without += biography.facts is not None or not is_abstention(biography.text)
        if without:
            raise InputError(
                f"nothing to judge {'the text' if without == 1 else f'{without} texts'} against: "
                "give a file of pages (--pages FILE, pages=FILE), or let them be read "
                "(--pages wikipedia), or texts that bring passages (field 'passages')"
            )

    async def fill(self, biography: Biography, gathered: GatheredEntities | None = None) -> Record:
        """Judges and scores one biography, without a run folder."""
        gathered = gathered or gather_entities(biography, self.source)
        (record,) = begin_records([biography])
        return score_record(
            await judge(record.with_entities(gathered), self.engine),
            options=self.options,
            candidates=self.candidates,
            dataset=(self.listed.titles or {}).get(biography.name, ()),
            outside=self.listed.outside.get(biography.name, ()),
        )

    async def attempt(self, biography: Biography) -> Record:
        """As `fill`, one of many: what no one foresaw makes this record an error, no other."""
        try:
            return await self.fill(biography)
        except Exception as error:
            if is_of_all(error):
                raise
            (record,) = begin_records([biography])
            return replace(record, status="error", reason=where_raised(error))


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
    log: Log = no_log,
) -> Scoring:
    """Judges what is not judged yet, scores, and writes the run folder with its report.

    Args:
        job: How to score.
        records: What to score; a record that is filled already is only written.
        out: The folder; by default one under ``runs/`` of its own for each input and settings.
        name: What the input is called.
        bad: Records of the input that could not be read.
        drawn: How the records were drawn, where they are a random sample.
        progress: Called with how many are done and how many there are.
        log: Called with what a person has to know, one line at a time.

    Raises:
        RunError: If the folder holds another run or cannot be written.
    """
    job = replace(job.settled(records), asked_before=_so_far(job))
    job.check_evidence(record.biography for record in records if record.status is None)
    settings = settings_of(job, records, drawn)
    if snapshots_differ(settings["snapshots"]):
        log(f"warning: snapshot dates differ: {describe_snapshots(settings['snapshots'])}")
    about = describe_input(name, records, len(bad))
    folder = out or _default_out(name, about, settings)
    block = None
    if job.judges is not None:
        block = JudgeBlock(SameJudges(job.judges, settings), job.concurrency)
    with job.open_workers(len(records)) as executor:
        work = record_work(
            records,
            job.engine,
            job.source,
            lambda found: _finish(job, records, bad, executor, found, log),
            name=job.command,
            settings=settings,
            about=about,
            elsewhere=block,
        )
        return run(
            work,
            in_folder(folder),
            concurrency=min(job.concurrency, max(1, len(records))),
            executor=executor,
            progress=progress,
            log=log,
            session=lambda: {**_over(job, executor), **_asked(job)},
        )


def settings_of(
    job: Job, records: Sequence[Record], drawn: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """All that decides the scores, as the manifest has it; see `run_job`."""
    return describe_settings(
        job.engine,
        job.source,
        job.options,
        job.candidates,
        **job.listed.recorded(),
        snapshots=gather_snapshots(snapshot_dates(records), job.source, names=job.listed.snapshot),
        limit=job.limit,
        **({"sample": dict(drawn)} if drawn else {}),
    )


def _finish(
    job: Job,
    records: Sequence[Record],
    bad: Sequence[BadRecord],
    executor: Executor,
    found: Finished[Record],
    log: Log,
) -> Scoring:
    assert found.files is not None
    folder, manifest = found.files.place.folder, found.files.manifest
    builder = ReportBuilder() if len(records) <= HELD else None
    each = None if builder is None else builder.add
    more = {**_of_models(job), **_of_pages(job)}
    outcome = finish(found.files, records, bad, each=each, more=more, executor=executor)
    found.more["status"] = outcome.status
    for line in _notes(job, records, bad, folder, outcome):
        log(line)
    report = f"not written for more than {HELD} (dfactscore report {folder})"
    if builder is not None:
        place = folder / "report.html"
        report = str(write_page(builder, outcome.rows, outcome.summary, manifest, place))
    if (share := manifest.get("cascade_share")) is not None:
        log(f"cascade: {100 * share:.1f} % of the pairs went to the model")
    return Scoring(folder, manifest, outcome, report)


def _default_out(name: str, about: Mapping[str, Any], settings: Mapping[str, Any]) -> Path:
    """A folder of its own for each input and settings, so that the same command resumes."""
    content = dump_json([about, settings])
    digest = hashlib.sha256(content.encode("utf-8")).hexdigest()[:8]
    return Path("runs") / f"{Path(name).stem}-{digest}"


def _of_models(job: Job) -> dict[str, Any]:
    """What the manifest says about the models, beyond their settings."""
    return {} if job.session is None else {"llm": job.session.report(job.models)}


def _of_pages(job: Job) -> dict[str, Any]:
    """What the manifest says about pages that were read from a live wiki."""
    revisions = getattr(job.source, "revisions", None)
    return {"page_revisions": revisions()} if callable(revisions) else {}


def _so_far(job: Job) -> Usage | None:
    """A copy of the books, where they are not those of this job already."""
    return job.asked_before or deepcopy(_books(job))


def _books(job: Job) -> Usage | None:
    return job.session.usage if job.usage is None and job.session else job.usage


def _asked(job: Job) -> dict[str, Any]:
    """What ``timing.json`` says about this call's requests."""
    usage = _books(job)
    if usage is None:
        return {}
    usage = usage.since(job.asked_before or Usage())
    problems = dict(usage.problems.most_common(20))
    more = {"problems": problems, "found": usage.found}
    return {"asked": usage.to_dict(), **{name: said for name, said in more.items() if said}}


def _over(job: Job, executor: Executor) -> dict[str, Any]:
    """What ``timing.json`` says about the processes of this call."""
    if executor is SERIAL:
        return {}
    return {"workers": executor.workers, "executor": job.on or "processes"}


def _notes(
    job: Job, records: Sequence[Record], bad: Sequence[BadRecord], folder: Path, outcome: Outcome
) -> Iterator[str]:
    n_records = len(records)
    if thoughts := outcome.summary.statuses.get("no_answer"):
        yield (
            f"warning: {thoughts} of {n_records} texts are a model's thought without an answer "
            "(status no_answer): they have no score and count as no response"
        )
    if without := outcome.summary.statuses.get("no_candidates"):
        why = _no_evidence(job)
        yield f"{without} of {n_records} texts have nothing to be judged against: {why}"
    if others := outcome.not_english:
        found = "; ".join(f"{n}: {reason}" for reason, n in others.most_common(3))
        yield (
            f"warning: {others.total()} of {n_records} texts are not scored ({found}); --language "
            "any scores them all the same, --engine llm reads other languages"
        )
    for one in bad:
        yield f"skipped record: {one}"
    missing = outcome.missing
    if missing.titles and job.source is not None:
        yield (
            f"warning: {job.pages or 'the pages'} lacks {missing.titles} of the titles (in "
            f"{missing.texts} of {n_records} texts); {_instead(missing)}"
            f"'missing' in {folder / 'biographies.jsonl'} has them; the first: {missing.first}"
        )
    if n_records <= HELD:
        yield from _unused(job, records)
    yield from _faults(job, n_records, folder, outcome)


def _faults(job: Job, n_records: int, folder: Path, outcome: Outcome) -> Iterator[str]:
    """What roles and models did not do."""
    unjudged = outcome.summary.statuses.get("not_judged", 0)
    if unjudged:
        yield (
            f"warning: {unjudged} of {n_records} biographies have no score (status 'not_judged'): "
            f"{NOTHING_READ}"
        )
    if outcome.failed > unjudged:
        yield (
            f"warning: {outcome.failed - unjudged} of {n_records} biographies failed; the first: "
            f"{outcome.first_failure} (all in {folder / 'errors.jsonl'}); run the same command "
            "again to try them again"
        )
    faults = outcome.summary.faults
    if lost := faults.get("lost_sentences"):
        yield (
            f"warning: {counted(lost, 'sentence')} with something to say got no fact: the scores "
            "are those of "
            f"the rest ({percent(outcome.summary.text_coverage)} % of the sentences); a larger "
            "model loses fewer"
        )
    if dropped := faults.get("not_in_text"):
        yield (
            f"warning: dropped {counted(dropped, 'fact')} of the model: the texts say nothing "
            "of them, or have no such name, number or nationality"
        )
    if repeated := faults.get("repeated"):
        yield f"dropped {counted(repeated, 'fact')} that the model gave more than once"
    if outcome.unanswered:
        yield (
            f"{counted(outcome.unanswered, 'verdict')} got no answer (status 'error'); "
            "run the same command again to retry them"
        )
    if outcome.unparsed:
        yield (
            f"{counted(outcome.unparsed, 'verdict')} could not be read (status 'unparsed'), or "
            "their facts "
            "are longer than the model reads; --unreadable says how they count"
        )
    books = _books(job)
    if books is not None and (problems := books.problems):
        reason, count = problems.most_common(1)[0]
        yield (
            f"{counted(problems.total(), 'question')} without a usable answer, {count} of them: "
            f"{reason} "
            f"(more in {folder / 'timing.json'})"
        )


def _instead(missing: Missing) -> str:
    if not missing.replaced:
        return ""
    where = "" if missing.replaced == missing.texts else f"in {missing.replaced} of them "
    return f"{where}passages of the texts were used instead; "


def _unused(job: Job, records: Sequence[Record]) -> Iterator[str]:
    """The pages that were handed over and are candidates of no text."""
    total, unused = unused_titles((record.biography for record in records), job.source)
    if unused:
        more = f" and {len(unused) - _NAMED} more" if len(unused) > _NAMED else ""
        yield (
            f"not used: {', '.join(unused[:_NAMED])}{more} "
            f"({len(unused)} of {total} pages; no text bears these names)"
        )


def _no_evidence(job: Job) -> str:
    if job.source is None:
        return "they have no passages; give pages with --pages"
    held = job.pages or "the source"
    return f"{held} has no page of their names, and they have no passages"
