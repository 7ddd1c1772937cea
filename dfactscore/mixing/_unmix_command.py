"""The functions behind `dfactscore unmix`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any

from dfactscore._asking.session import LLMSession, closing
from dfactscore._errors import InputError
from dfactscore._evidence.entities import GatheredEntities
from dfactscore._evidence.pages import ListedNames
from dfactscore._jobs.engines import build_engine
from dfactscore._jobs.job import Job
from dfactscore._jobs.opening import JudgesOfSettings
from dfactscore._jobs.settings import Config
from dfactscore._records import Biography
from dfactscore._runs import Run, load_run
from dfactscore._runs.outcome import MAX_HELD
from dfactscore._scoring import Record, ScoreOptions
from dfactscore._util.callbacks import Progress
from dfactscore._util.files import make_folder
from dfactscore._util.jsonl import read_jsonl
from dfactscore._util.outputs import refuse_input
from dfactscore._util.tasks import run_sync
from dfactscore._util.usage import Usage
from dfactscore.engines._answers import checked_settings
from dfactscore.linking import CandidateMode
from dfactscore.mixing._rewriting import ModelRewriter
from dfactscore.mixing._unmix_settings import UnmixSettings
from dfactscore.mixing._unmix_work import JOURNAL, Judge, Retelling, UnmixedRun, of_text, unmix_work
from dfactscore.mixing._unmixed import Unsupported
from dfactscore.work import Elsewhere, Work, beside, run_async, would_ask

_ROLES = ("decomposer", "grouper", "verifier")


@dataclass(frozen=True)
class Unmixing:
    """One run of the command, which reads and judges each text only once."""

    settings: UnmixSettings
    run: Run
    out: Path

    @cached_property
    def records(self) -> Sequence[Record]:
        """The texts of the run, up to the limit."""
        return list(islice(self.run.records(), self.settings.limit))

    @property
    def has_report(self) -> bool:
        """Whether the texts are few enough to fit on a page in a browser."""
        return len(self.records) <= MAX_HELD

    @cached_property
    def judging(self) -> _Judging:
        """Opens the built-in judge in any process."""
        return _Judging.of(self.run)

    @cached_property
    def judge(self) -> Judge:
        """The judge in this process, which keeps its answers for the report."""
        judge = self.judging()
        return _with_memory(judge) if self.has_report else judge

    def estimate(self, session: LLMSession | None) -> Usage:
        """Estimates the remaining requests without sending any."""
        return would_ask(self._work(session), beside(self.out)).usage

    def write(self, session: LLMSession | None, *, progress: Progress | None = None) -> UnmixedRun:
        """Writes the texts that are not in the file yet."""
        settings = self.settings
        job = self.judging.job(workers=settings.workers, on=settings.on)
        retelling = partial(_retelling, self.judging, settings.unsupported)
        with job.open_workers(len(self.records)) as executor:
            work = run_async(
                self._work(session),
                beside(self.out),
                concurrency=settings.concurrency or (1 if settings.gguf is not None else 16),
                executor=executor,
                elsewhere=Elsewhere(retelling, [JOURNAL]),
                progress=progress,
            )
            return run_sync(closing(session, work))

    def before_and_after(self) -> tuple[list[Record], list[Record]]:
        """Returns the texts before and after; one judge scores both versions of a changed text."""
        lines = (line for _, line in read_jsonl(self.out, error=InputError))
        before, after = [], []
        for record, line in zip(self.records, lines, strict=True):
            changed = bool(line["unmixed"]["by"])
            text = of_text(record, line["output"])
            before.append(run_sync(self.judge(record.biography, record)) if changed else record)
            after.append(run_sync(self.judge(text, record)) if changed else record)
        return before, after

    def _work(self, session: LLMSession | None) -> Work[Record, UnmixedRun]:
        settings, rewriter = self.settings, None
        if settings.engine == "llm" and session is not None:
            rewriter = ModelRewriter(session.client(settings.model_for("writer")))
        return unmix_work(
            self.records,
            self.judge,
            unsupported=settings.unsupported,
            rewriter=rewriter,
            settings={
                "engine": settings.engine,
                "unsupported": settings.unsupported,
                **_roles(),
                **({} if rewriter is None else {"writer": dict(rewriter.settings)}),
            },
            source={"file": self.run.folder.name, "limit": settings.limit},
        )


def begin(settings: UnmixSettings, folder: Path) -> Unmixing:
    """Opens the run and checks that the file can be written."""
    out = settings.out
    if out is None or out.suffix.lower() != ".jsonl":
        extra = "" if out is None else f", not {out}"
        raise InputError(f"unmix: give --out FILE (.jsonl){extra}")
    if settings.engine == "llm":
        settings.model_for("writer", instead=", or --engine builtin")
    run = load_run(folder)
    make_folder(out.parent)
    refuse_input(out, [folder])
    return Unmixing(settings, run, out)


@dataclass(frozen=True)
class _Judging:
    """Opens the built-in judge with the options of a run; works in any process."""

    options: ScoreOptions
    candidates: CandidateMode
    dataset: Mapping[str, Collection[str]] | None
    same: bool

    @classmethod
    def of(cls, run: Run) -> _Judging:
        roles = _roles()
        same = all(run.settings[role] == roles[role] for role in _ROLES)
        return cls(run.options, run.candidates, run.settings.get("dataset") or None, same)

    def job(self, *, workers: int = 1, on: str | None = None) -> Job:
        return Job(
            engine=build_engine(Config()),
            options=self.options,
            candidates=self.candidates,
            listed=ListedNames(self.dataset),
            judges=JudgesOfSettings({}),
            workers=workers,
            on=on,
        )

    def __call__(self) -> Judge:
        job = self.job()

        async def judge(biography: Biography, record: Record) -> Record:
            if self.same and biography is record.biography:
                return record
            bare = replace(biography, facts=None, groups=None, links=None, verdicts=None)
            return await job.fill(bare, GatheredEntities(record.entities))

        return judge


def _retelling(judging: _Judging, unsupported: Unsupported) -> Retelling:
    return Retelling(judging(), unsupported)


def _roles() -> dict[str, Any]:
    """Returns the settings of the built-in roles."""
    engine = build_engine(Config())
    return {role: checked_settings(getattr(engine, role)) for role in _ROLES}


def _with_memory(judge: Judge) -> Judge:
    """Returns a judge that judges each text of a record only once."""
    judged: dict[tuple[str, str], Record] = {}

    async def remembered(biography: Biography, record: Record) -> Record:
        key = record.id, biography.text
        if key not in judged:
            judged[key] = await judge(biography, record)
        return judged[key]

    return remembered
