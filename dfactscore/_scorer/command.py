"""Runs from settings, as called by `score`, `run` and `demo`."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from dfactscore._errors import InputError
from dfactscore._jobs.opening import open_job
from dfactscore._jobs.sampling import read_input
from dfactscore._jobs.settings import Config
from dfactscore._readers import Reading
from dfactscore._runs import begin_records, load_run
from dfactscore._scorer.run_folder import Scoring, run_job
from dfactscore._scoring.repeats import spread
from dfactscore._util.callbacks import Progress
from dfactscore._util.files import dump_json, write_text
from dfactscore._util.logs import log_lines

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
    """Scores biographies into a run folder, or resumes the one that is there.

    Args:
        settings: Input and options of the scoring.
        reading: The biographies, if they are read already.
        out: The run folder, instead of the one that the settings name.
        session: State shared by the models; opened for this call if it is missing and needed.
        sample: Index of the repetition.
        progress: Called with how many are done and how many there are.

    Raises:
        InputError: If the settings do not go together.
        RunError: If the folder holds another run or cannot be written.
    """
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
    return run_job(
        open_job(settings, session, sample=sample),
        begin_records(reading.biographies),
        out or settings.out,
        name=settings.input.name,
        bad=reading.bad,
        drawn=reading.drawn,
        progress=progress,
    )


def repeat(
    settings: Config,
    session: LLMSession,
    *,
    reading: Reading,
    progress: Progress | None = None,
) -> tuple[list[Scoring], str]:
    """Judges several times, each into a folder of its own; writes and returns the spread as JSON.

    Raises:
        InputError: If no folder is named.
    """
    folders = repeat_folders(settings)
    done = [
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
    runs = [list(load_run(one.folder).records(texts=False)) for one in done]
    text = dump_json(spread(runs), indent=2) + "\n"
    write_text(folders[0].parent / "repeats.json", text)
    return done, text


def repeat_folders(settings: Config) -> list[Path]:
    """The run folder of each repetition.

    Raises:
        InputError: If no folder is named.
    """
    if settings.out is None:
        raise InputError("--repeats needs --out FOLDER")
    return [settings.out / f"repeat-{number + 1}" for number in range(settings.repeats)]
