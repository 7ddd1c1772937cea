"""Scores the input of a settings object, for the commands `score`, `run` and `demo`."""

from __future__ import annotations

import logging
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from dfactscore._errors import InputError
from dfactscore._jobs.engines import settled_calls
from dfactscore._jobs.opening import open_job
from dfactscore._jobs.sampling import read_input
from dfactscore._jobs.settings import Config
from dfactscore._readers import Reading
from dfactscore._runs import begin_records, load_run
from dfactscore._scorer.run_folder import Scoring, run_job
from dfactscore._scoring.summary import spread
from dfactscore._util.files import dump_json, write_text
from dfactscore._util.reporting import Progress, log_lines
from dfactscore.engines._llm.roles.judge_check import write_check

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession

_LOG = logging.getLogger(__name__)


def score(
    settings: Config,
    *,
    reading: Reading | None = None,
    out: Path | None = None,
    session: LLMSession | None = None,
    sample: int = 0,
    progress: Progress | None = None,
) -> Scoring:
    """Scores biographies into a run folder, or resumes an existing one."""
    if settings.input is None:
        raise InputError("no input: name a file of biographies, or give 'input' in --config")
    if session is None and settings.uses_llm:
        with settings.open_session() as opened:
            return score(
                settings,
                reading=reading,
                out=out,
                session=opened,
                sample=sample,
                progress=progress,
            )
    reading = reading or read_input(settings)
    log_lines(_LOG, reading.notes)
    before = None if session is None else deepcopy(session.usage)
    folder, name = out or settings.out, settings.input.name
    settings, check = settled_calls(settings, session, len(reading.biographies), folder)
    job = open_job(settings, session, sample=sample)
    done = run_job(
        job if check is None else replace(job, asked_before=before),
        begin_records(reading.biographies),
        folder,
        name=name,
        bad=reading.bad,
        drawn=reading.drawn,
        progress=progress,
    )
    if check is not None:
        write_check(done.folder, job.engine.verifier.settings, check)
    return done


def repeat(
    settings: Config,
    session: LLMSession,
    *,
    reading: Reading,
    progress: Progress | None = None,
) -> tuple[list[Scoring], str]:
    """Scores the input several times, each time into a different folder, and writes the spread."""
    folders = repeat_folders(settings)
    runs = [
        score(
            settings,
            reading=reading,
            out=folder,
            session=session,
            sample=number,
            progress=progress,
        )
        for number, folder in enumerate(folders)
    ]
    records = [list(load_run(run.folder).records(texts=False)) for run in runs]
    text = dump_json(spread(records), indent=2) + "\n"
    write_text(folders[0].parent / "repeats.json", text)
    return runs, text


def repeat_folders(settings: Config) -> list[Path]:
    """Returns the run folder of each repetition."""
    if settings.out is None:
        raise InputError("--repeats needs --out FOLDER")
    return [settings.out / f"repeat-{number + 1}" for number in range(settings.repeats)]
