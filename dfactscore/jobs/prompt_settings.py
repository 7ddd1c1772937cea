"""Settings of the commands that draw prompts."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Literal

from dfactscore._util.settings import Settings, setting

__all__ = ["DrawSettings", "TopicSettings"]

_input = partial(setting, panel="Input")


class TopicSettings(Settings):
    """Which prompts of LongFact are meant."""

    task: Literal["objects", "concepts"] | None = _input(None, "Only these prompts.", named="both")
    topics: tuple[str, ...] = _input((), "Only this topic; may be repeated.", named="all")


class DrawSettings(TopicSettings):
    """One `dfactscore longfact sample` command."""

    out: Path = setting(..., "The drawn prompts (.jsonl).", panel="Output", flags=("--out", "-o"))
    n: int = _input(250, "How many prompts.", ge=1)
    seed: int = _input(1, "Random seed of the draw.")
    who_is: bool = _input(
        False, "Only prompts that ask who a person is or was.", flags=("--who-is",)
    )
    detail: bool = _input(
        False, "Ask for names, numbers, dates and places, too.", flags=("--detail",)
    )
