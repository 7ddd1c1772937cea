"""The shipped example as a job."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from dfactscore.examples import example as find
from dfactscore.jobs.job import Say, Scoring
from dfactscore.jobs.score import score
from dfactscore.jobs.settings import Config

__all__ = ["score_example"]


def score_example(
    example: Literal["people", "ships"], out: Path, *, say: Say = lambda line: None
) -> Scoring:
    """Scores a shipped example with the built-in engine.

    Args:
        example: Its name.
        out: The run folder.
        say: Called with what a person has to know, one line at a time.

    Raises:
        RunError: If the folder holds another run or cannot be written.
    """
    shipped = find(example)
    return score(Config(input=shipped.biographies, pages=shipped.pages, out=out), say=say)
