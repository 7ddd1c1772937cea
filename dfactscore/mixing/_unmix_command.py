"""People told apart in the texts of a run: what `dfactscore unmix` calls."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
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


def begin(settings: UnmixSettings, folder: Path) -> tuple[Path, Run]:
    """The file to write, and the run.

    Raises:
        InputError: If settings do not go together, or the file cannot be written.
        RunError: If the folder is not a run.
    """
    out = settings.out
    if out is None or out.suffix.lower() != ".jsonl":
        given = "" if out is None else f", not {out}"
        raise InputError(f"unmix: give --out FILE (.jsonl){given}")
    if settings.engine == "llm":
        settings.model_for("writer", instead=", or --engine builtin")
    run = load_run(folder)
    make_folder(out.parent)
    refuse_input(out, [folder])
    return out, run


def estimate(settings: UnmixSettings, run: Run, out: Path, session: LLMSession | None) -> Usage:
    """Estimates the requests of the rest; none is sent."""
    work = _work(settings, run, session, _records(settings, run), _Judging.of(run))
    return would_ask(work, beside(out)).usage


def write(
    settings: UnmixSettings,
    run: Run,
    out: Path,
    session: LLMSession | None,
    *,
    progress: Progress | None = None,
) -> UnmixedRun:
    """Writes the texts that are not in the file yet.

    Raises:
        RunError: If the file holds texts of other settings.
    """
    records, judging = _records(settings, run), _Judging.of(run)
    job = judging.job(workers=settings.workers, on=settings.on)
    with job.open_workers(len(records)) as executor:
        work = run_async(
            _work(settings, run, session, records, judging),
            beside(out),
            concurrency=settings.concurrency or (1 if settings.gguf is not None else 16),
            executor=executor,
            elsewhere=Elsewhere(partial(_retelling, judging, settings.unsupported), [JOURNAL]),
            progress=progress,
        )
        return run_sync(closing(session, work))


def before_and_after(
    settings: UnmixSettings, run: Run, out: Path
) -> tuple[list[Record], list[Record]]:
    """The texts as they were and as the file has them, those that changed by the same judge."""
    records, judge = _records(settings, run), _Judging.of(run)()
    lines = (line for _, line in read_jsonl(out, error=InputError))
    before, after = [], []
    for record, line in zip(records, lines, strict=True):
        changed = bool(line["unmixed"]["by"])
        text = of_text(record, line["output"])
        before.append(run_sync(judge(record.biography, record)) if changed else record)
        after.append(run_sync(judge(text, record)) if changed else record)
    return before, after


def _records(settings: UnmixSettings, run: Run) -> Sequence[Record]:
    return list(islice(run.records(), settings.limit))


@dataclass(frozen=True)
class _Judging:
    """Opens the built-in judge with the options of a run, in whatever process.

    Attributes:
        options, candidates, dataset: Those of the run.
        same: Whether it is what judged the run.
    """

    options: ScoreOptions
    candidates: CandidateMode
    dataset: Mapping[str, Collection[str]] | None
    same: bool

    @classmethod
    def of(cls, run: Run) -> _Judging:
        ours = _roles()
        same = all(run.settings[role] == ours[role] for role in _ROLES)
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
                return record  # the same judge said it already
            bare = replace(biography, facts=None, groups=None, links=None, verdicts=None)
            return await job.fill(bare, GatheredEntities(record.entities))

        return judge


def _retelling(judging: _Judging, unsupported: Unsupported) -> Retelling:
    return Retelling(judging(), unsupported)


def _roles() -> dict[str, Any]:
    """The settings of the built-in roles."""
    engine = build_engine(Config())
    return {role: checked_settings(getattr(engine, role)) for role in _ROLES}


def _work(
    settings: UnmixSettings,
    run: Run,
    session: LLMSession | None,
    records: Sequence[Record],
    judging: _Judging,
) -> Work[Record, UnmixedRun]:
    rewriter = None
    if settings.engine == "llm" and session is not None:
        rewriter = ModelRewriter(session.client(settings.model_for("writer")))
    return unmix_work(
        records,
        judging(),
        unsupported=settings.unsupported,
        rewriter=rewriter,
        settings={
            "engine": settings.engine,
            "unsupported": settings.unsupported,
            **_roles(),
            **({} if rewriter is None else {"writer": dict(rewriter.settings)}),
        },
        source={"file": run.folder.name, "limit": settings.limit},
    )
