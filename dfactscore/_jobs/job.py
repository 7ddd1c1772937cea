"""A scoring job: engine, pages and options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from dfactscore._errors import InputError
from dfactscore._evidence.entities import GatheredEntities, gather_entities
from dfactscore._evidence.owners import read_by_content
from dfactscore._evidence.pages import ListedNames
from dfactscore._evidence.relations import VERSION
from dfactscore._evidence.snapshots import gather_snapshots
from dfactscore._jobs.workers import open_workers
from dfactscore._readers.shown_text import no_text
from dfactscore._records import Biography
from dfactscore._results.signature import signature_of
from dfactscore._runs import begin_records, describe_settings
from dfactscore._runs.input_records import bring_verdicts, snapshot_dates
from dfactscore._runs.worker_judges import OpenJudges
from dfactscore._scoring import Record, ScoreOptions, judge, score_record
from dfactscore._scoring.record import failed_record
from dfactscore._util.usage import Usage
from dfactscore.engines._roles import Engine
from dfactscore.linking import CandidateMode
from dfactscore.work._blocks import BLOCK
from dfactscore.work._executors import Executor
from dfactscore.work._work_folder import versions

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession
    from dfactscore._asking.settings import ChatModel
    from dfactscore.retrieval import KnowledgeSource


@dataclass(frozen=True)
class Job:
    """Everything that determines how a biography is scored."""

    engine: Engine
    source: KnowledgeSource | None = None  # pages by title, or None to judge against the passages
    options: ScoreOptions = field(default_factory=ScoreOptions)
    candidates: CandidateMode = "retrieved"
    # The dataset's entries for each name, used if candidates is `"dataset"`.
    listed: ListedNames = field(default_factory=ListedNames)
    limit: int | None = None  # maximum number of input records to read; None for all
    # The state that language models share; None if no role needs a model.
    session: LLMSession | None = None
    usage: Usage | None = None  # request counts, if the session does not keep them
    models: Sequence[ChatModel] | None = None
    concurrency: int = 16
    pages: str = ""
    workers: int = 1  # number of processes that judge and score; 0 for one per core
    on: str | None = None  # where the processes run; None for this machine
    judges: OpenJudges | None = None
    command: str = "score"
    by_judge: bool = False
    asked_before: Usage | None = None

    def open_workers(self, count: int) -> Executor:
        """Opens the worker processes for a given number of texts (see `open_workers`)."""
        return open_workers(
            self.judges,
            -(-count // BLOCK),
            source=self.source,
            workers=self.workers,
            on=self.on,
            pages=self.pages,
        )

    def settled(self, texts: Sequence[Record] | Sequence[Biography] = ()) -> Job:
        """Returns the job with any score options that depend on the judge determined.

        Scores are based on probabilities if the verifier is calibrated and no verdicts came with
        the input; otherwise, they are based on verdicts. A mean therefore never mixes probabilities
        and verdicts.
        """
        if not self.by_judge:
            return self
        expected = self.engine.verifier.calibrated and not bring_verdicts(texts)
        options = self.options.changed(counts="expected" if expected else "verdicts")
        return replace(self, options=options, by_judge=False)

    def check_evidence(self, biographies: Iterable[Biography]) -> None:
        """Checks that at least one text has evidence."""
        verifier = self.engine.verifier
        if (
            self.source is not None
            or not verifier.tells_entities_apart
            or verifier.columns(())  # the verifier searches for evidence
        ):
            return
        without = 0
        for biography in biographies:
            if biography.verdicts is not None or any(p.text.strip() for p in biography.passages):
                return
            without += no_text(biography) is None
        if without:
            raise InputError(
                f"nothing to judge {'the text' if without == 1 else f'{without} texts'} against: "
                "give a file of pages (--pages FILE, pages=FILE), or let them be read "
                "(--pages wikipedia), or texts that bring passages (field 'passages')"
            )

    @property
    def books(self) -> Usage | None:
        """The counts of the requests made so far; None if no model is used."""
        return self.session.usage if self.usage is None and self.session else self.usage

    async def fill(self, biography: Biography, gathered: GatheredEntities | None = None) -> Record:
        """Judges and scores a biography, without a run folder."""
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
        """Judges and scores a biography; records an unexpected exception as its error."""
        try:
            return await self.fill(biography)
        except Exception as error:
            (record,) = begin_records([biography])
            return failed_record(record, error)


def settings_of(
    job: Job, records: Sequence[Record], drawn: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Returns all settings that affect the scores, for the manifest."""
    return describe_settings(
        job.engine,
        job.source,
        job.options,
        job.candidates,
        **job.listed.recorded(),
        snapshots=gather_snapshots(snapshot_dates(records), job.source, names=job.listed.snapshot),
        limit=job.limit,
        **(
            {"owners": VERSION} if any(read_by_content(r.biography.owners) for r in records) else {}
        ),
        **({"sample": dict(drawn)} if drawn else {}),
    )


def job_signature(job: Job, records: Sequence[Record]) -> str:
    """Returns the signature for scores from a job without a run folder."""
    return signature_of({"settings": settings_of(job, records), "versions": versions()})
