"""One scoring job: everything that decides the scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError
from dfactscore._evidence.entities import GatheredEntities, gather_entities
from dfactscore._evidence.pages import ListedNames
from dfactscore._evidence.snapshots import gather_snapshots
from dfactscore._jobs.workers import open_workers
from dfactscore._records import Biography
from dfactscore._results.signature import signature_of
from dfactscore._runs import begin_records, describe_settings
from dfactscore._runs.input_records import bring_verdicts, snapshot_dates
from dfactscore._runs.worker_judges import OpenJudges
from dfactscore._scoring import Record, ScoreOptions, judge, score_record
from dfactscore._scoring.record import failed_record
from dfactscore._text.abstention import is_abstention
from dfactscore._util.usage import Usage
from dfactscore.engines._roles import Engine
from dfactscore.linking import CandidateMode
from dfactscore.work._blocks import BLOCK
from dfactscore.work._executors import Executor
from dfactscore.work._manifest import versions

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession
    from dfactscore._asking.settings import ChatModel
    from dfactscore.retrieval import KnowledgeSource


@dataclass(frozen=True)
class Job:
    """Everything that decides how a biography is scored.

    Attributes:
        engine: The three roles.
        source: Pages by title, or None to judge against the passages.
        options: The score options.
        candidates: The entities that a group may be linked to.
        listed: Entries of a dataset under each name; its titles are what candidates ``"dataset"``
            are taken from.
        limit: The largest number of input records to read; None for all.
        session: Session of the language models; None if no role uses one.
        usage: Requests, if the session does not count them.
        models: The models of the roles; all of the session by default.
        concurrency: Biographies at a time, if the engine takes time.
        pages: Name of the source in messages.
        workers: Processes that judge and score; 0 for one per core.
        on: Their place; None for this machine.
        judges: Opens engine and source in another process; without it there is only this one.
        command: Its name in the manifest.
        by_judge: Whether the judge decides what scores count (see `settled`).
        asked_before: Earlier requests that do not count for this job.
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
        """The job with what its scores count, if the judge decides that.

        Probabilities are counted where they are calibrated; verdicts, where any came with the
        input, so that no mean is of both.

        Args:
            of: The input to score.
        """
        if not self.by_judge:
            return self
        expected = self.engine.verifier.calibrated and not bring_verdicts(of)
        options = self.options.changed(counts="expected" if expected else "verdicts")
        return replace(self, options=options, by_judge=False)

    def check_evidence(self, biographies: Iterable[Biography]) -> None:
        """Stops before anything is judged if no text has anything to be judged against.

        Raises:
            InputError: With the ways to get pages.
        """
        verifier = self.engine.verifier
        if (
            self.source is not None
            or not verifier.tells_entities_apart
            or verifier.columns(())  # it finds its evidence
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

    @property
    def books(self) -> Usage | None:
        """Requests so far; None if no model is asked."""
        return self.session.usage if self.usage is None and self.session else self.usage

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
        """As `fill`, one of many: an unexpected exception makes only this record an error."""
        try:
            return await self.fill(biography)
        except Exception as error:
            (record,) = begin_records([biography])
            return failed_record(record, error)


def settings_of(
    job: Job, records: Sequence[Record], drawn: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Returns all settings that affect the scores, for the manifest; see `run_job`."""
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


def job_signature(job: Job, records: Sequence[Record]) -> str:
    """The signature of scores that a job computed without a run folder."""
    return signature_of({"settings": settings_of(job, records), "versions": versions()})
