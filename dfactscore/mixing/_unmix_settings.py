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

    first = "limit engine unsupported out dry_run"

    only_for: ClassVar[tuple[str, Mapping[str, frozenset[str]]]] = (
        "engine",
        {
            "builtin": frozenset({"workers", "on"}),
            "llm": in_panels(ModelSettings, "Model") | in_panels(BudgetSettings, "Limits"),
        },
    )

    limit: int | None = _input(None, "Use only the first N; a larger N later adds more.", ge=1)
    engine: Literal["builtin", "llm"] = _engine(
        "builtin", "Rules, or a language model if its text scores better."
    )
    unsupported: Literal["drop", "keep", "mark"] = _engine(
        "drop", "Facts that no page supports: leave out, keep in place, or list as not found."
    )
    dry_run: bool = DRY_RUN
    out: Path | None = _output(
        None,
        "Texts with the people told apart (.jsonl), which score reads; a report is "
        "written beside it.",
        flags=("-o",),
    )
