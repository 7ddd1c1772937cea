"""From settings to a run folder: what `score`, `run` and `demo` call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from dfactscore._util.callbacks import Log, Progress, no_log
from dfactscore._util.files import dump_json, write_text
from dfactscore.errors import InputError
from dfactscore.evidence.pages import open_dataset, open_pages
from dfactscore.jobs.job import Job, Scoring, run_job
from dfactscore.jobs.settings import Config
from dfactscore.jobs.workers import JudgesOfSettings, check_workers
from dfactscore.readers import Reading, read_biographies
from dfactscore.runs import begin_records
from dfactscore.runs.spool import BiographySpool

if TYPE_CHECKING:
    from dfactscore.engines.llm.client.session import LLMSession

__all__ = ["open_job", "repeat", "score", "using_session"]


@contextmanager
def using_session(settings: Config, log: Log | None = None) -> Iterator[LLMSession | None]:
    """Opens what the models of a command share, where any role asks one, and closes it.

    Args:
        settings: The settings.
        log: Called with lines that a person may want to read (batch jobs).

    Raises:
        DFactScoreError: If the cache or the price list cannot be used.
    """
    if not settings.uses_llm:
        yield None
        return
    from dfactscore.jobs.engines import open_session

    session = open_session(settings, log)
    try:
        yield session
    finally:
        session.close()


def open_job(
    settings: Config,
    session: LLMSession | None = None,
    *,
    sample: int = 0,
    log: Log = no_log,
) -> Job:
    """Opens pages, dataset and engine.

    Args:
        settings: The settings.
        session: What the models share; needed where a role asks one.
        sample: Index of the repetition.
        log: Called with what a person has to know, one line at a time.

    Raises:
        InputError: If something named by the settings does not exist or does not fit.
    """
    from dfactscore.engines.corpus import open_corpus
    from dfactscore.jobs.engines import build_engine, engine_models

    check_workers(settings.workers, settings.on, settings.uses_llm)
    titles, names_date = open_dataset(settings.dataset, settings.candidates)
    source = (
        None
        if settings.pages is None
        else open_pages(settings.pages, settings.redirects, contact=settings.contact)
    )
    engine = build_engine(settings, session, sample=sample, log=log)
    verifier = open_corpus(settings.fs_scope, settings.index, engine.verifier)
    places = settings.concurrency or 16
    return Job(
        engine=replace(engine, verifier=verifier),
        source=source,
        options=settings.score_options(),
        candidates=settings.candidates,
        dataset=titles,
        names_date=names_date,
        limit=settings.limit,
        session=session if settings.uses_llm else None,
        models=engine_models(settings),
        # Enough biographies to keep every place of the models taken; a batch takes them all.
        concurrency=10**9 if settings.batch else places + places // 2,
        pages="" if settings.pages is None else str(settings.pages),
        workers=settings.workers,
        on=settings.on,
        judges=None if settings.uses_llm else JudgesOfSettings.of(settings),
    )


def score(
    settings: Config,
    *,
    reading: Reading | None = None,
    out: Path | None = None,
    session: LLMSession | None = None,
    sample: int = 0,
    progress: Progress | None = None,
    log: Log = no_log,
) -> Scoring:
    """Scores biographies into a run folder, or resumes the one that is there.

    Args:
        settings: What is scored and how.
        reading: The biographies, where they are read already.
        out: The run folder, instead of the one that the settings name.
        session: What the models share; opened for this call where it is missing and needed.
        sample: Index of the repetition.
        progress: Called with how many are done and how many there are.
        log: Called with what a person has to know, one line at a time.

    Raises:
        InputError: If the settings do not go together.
        RunError: If the folder holds another run or cannot be written.
    """
    if settings.input is None:
        raise InputError("no input: name a file of biographies, or give 'input' in --config")
    if session is None and settings.uses_llm:
        with using_session(settings, log) as opened:
            return score(
                settings, reading=reading, out=out, session=opened, sample=sample,
                progress=progress, log=log,
            )  # fmt: skip
    reading = reading or read_biographies(
        settings.input,
        limit=settings.limit,
        columns=settings.columns,
        into=BiographySpool(),
    )
    return run_job(
        open_job(settings, session, sample=sample, log=log),
        begin_records(reading.biographies),
        out or settings.out,
        name=settings.input.name,
        bad=reading.bad,
        progress=progress,
        log=log,
    )


def repeat(
    settings: Config,
    session: LLMSession,
    *,
    reading: Reading,
    progress: Progress | None = None,
    log: Log = no_log,
) -> tuple[list[Scoring], str]:
    """Judges several times, each into a folder of its own; writes and returns the spread as JSON.

    Raises:
        InputError: If no folder is named.
    """
    from dfactscore.runs import load_run
    from dfactscore.scoring.repeats import spread

    if settings.out is None:
        raise InputError("--repeats needs --out FOLDER")
    done = [
        score(
            settings, reading=reading, out=settings.out / f"repeat-{number + 1}", session=session,
            sample=number, progress=progress, log=log,
        )
        for number in range(settings.repeats)
    ]  # fmt: skip
    runs = [list(load_run(one.folder).records(texts=False)) for one in done]
    text = dump_json(spread(runs), indent=2) + "\n"
    write_text(settings.out / "repeats.json", text)
    return done, text
