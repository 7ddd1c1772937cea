"""People told apart in the texts of a run: what `dfactscore unmix` calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dfactscore._asking.session import LLMSession, closing
from dfactscore._errors import InputError
from dfactscore._evidence.entities import GatheredEntities
from dfactscore._evidence.pages import ListedNames
from dfactscore._jobs.engines import build_engine
from dfactscore._jobs.job import Job
from dfactscore._jobs.settings import Config
from dfactscore._records import Biography
from dfactscore._runs import Run, load_run
from dfactscore._scoring import Record
from dfactscore._util.callbacks import Progress
from dfactscore._util.files import make_folder
from dfactscore._util.outputs import refuse_input
from dfactscore._util.tasks import run_sync
from dfactscore._util.usage import Usage
from dfactscore.engines._answers import checked_settings
from dfactscore.mixing._rewriting import ModelRewriter
from dfactscore.mixing._unmix_settings import UnmixSettings
from dfactscore.mixing._unmix_work import UnmixedRun, unmix_work
from dfactscore.work import Work, beside, run_async, would_ask

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
    """What the rest would ask; nothing is asked."""
    return would_ask(_work(settings, run, session), beside(out)).usage


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
    work = run_async(
        _work(settings, run, session),
        beside(out),
        concurrency=settings.concurrency or (1 if settings.gguf is not None else 16),
        progress=progress,
    )
    return run_sync(closing(session, work))


def _work(
    settings: UnmixSettings, run: Run, session: LLMSession | None
) -> Work[Record, UnmixedRun]:
    rewriter = None
    if settings.engine == "llm" and session is not None:
        rewriter = ModelRewriter(session.client(settings.model_for("writer")))
    records: Sequence[Record] = list(run.records())[: settings.limit]
    engine = build_engine(Config())
    ours = {role: checked_settings(getattr(engine, role)) for role in _ROLES}
    job = Job(
        engine=engine,
        options=run.options,
        candidates=run.candidates,
        listed=ListedNames(run.settings.get("dataset") or None),
    )
    same = all(run.settings[role] == ours[role] for role in _ROLES)

    async def judge(biography: Biography, record: Record) -> Record:
        if same and biography is record.biography:
            return record  # the same judge said it already
        bare = replace(biography, facts=None, groups=None, links=None, verdicts=None)
        return await job.fill(bare, GatheredEntities(record.entities))

    return unmix_work(
        records,
        judge,
        unsupported=settings.unsupported,
        rewriter=rewriter,
        settings={
            "engine": settings.engine,
            "unsupported": settings.unsupported,
            **ours,
            **({} if rewriter is None else {"writer": dict(rewriter.settings)}),
        },
        source={"file": run.folder.name, "limit": settings.limit},
    )
