"""Settings of `dfactscore unmix`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Literal

from dfactscore._asking.options import DRY_RUN, BudgetSettings, ModelSettings
from dfactscore._jobs.settings import WorkerSettings
from dfactscore._util.settings import in_panels, panels

_input, _engine, _output = panels("Input Engine Output")


class UnmixSettings(ModelSettings, BudgetSettings, WorkerSettings):
    """The settings of one `dfactscore unmix` command."""

    first = "limit engine unsupported person out dry_run"

    only_for: ClassVar[tuple[str, Mapping[str, frozenset[str]]]] = (
        "engine",
        {
            "builtin": frozenset({"workers", "on"}),
            "llm": in_panels(ModelSettings, "Model") | in_panels(BudgetSettings, "Limits"),
        },
    )

    limit: int | None = _input(None, "Use only the first N; increasing N later adds more.", ge=1)
    engine: Literal["builtin", "llm"] = _engine(
        "builtin", "Rewrite by rules, or with a language model if its text scores better."
    )
    unsupported: Literal["drop", "keep", "mark"] = _engine(
        "drop",
        "Leave out facts that no page supports, keep them in place, or list them as not found.",
    )
    person: str | None = _engine(
        None,
        'Keep only this person ("Ann Lee (rower)") in the texts about them, or with "question" the '
        "person that the text's question describes.",
        flags=("--for",),
    )
    dry_run: bool = DRY_RUN
    out: Path | None = _output(
        None,
        "File to write texts with the people told apart to (.jsonl; score reads it), with a "
        "report next to it.",
        flags=("-o",),
    )
