"""Settings of `dfactscore citations`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Literal

from dfactscore._asking.options import DRY_RUN, BudgetSettings, JudgeModelSettings
from dfactscore._jobs.settings import ColumnSettings, Config
from dfactscore._util.settings import in_panels, panels, setting
from dfactscore.engines._nli.forms import NLISettings

_input, _engine = panels("Input Engine")


class CitationSettings(ColumnSettings, JudgeModelSettings, NLISettings, BudgetSettings):
    """The settings of one `dfactscore citations` command."""

    first = "judged limit entailment nli_model dry_run out"

    files = "nli_model"

    only_for: ClassVar[tuple[str, Mapping[str, frozenset[str]]]] = (
        "entailment",
        {
            "builtin": frozenset({"threshold"}),
            "nli": frozenset({"nli_model", "threshold", *NLISettings.model_fields}),
            "llm": in_panels(JudgeModelSettings, "Model", "Limits")
            | in_panels(BudgetSettings, "Limits"),
        },
    )

    bios: Path | None = _input(
        None,
        "Biographies with citations and passages (ALCE JSON, JSONL, CSV).",
        argument=True,
    )
    judged: Path | None = _input(None, "Recompute the scores of judged sentences (JSONL).")
    n_passages: int = _input(
        5, "Number of passages that can be cited, if --judged does not say.", ge=1
    )
    paragraphs: int | None = _input(
        None, "Total number of paragraphs, if some are missing from --judged.", ge=1
    )
    limit: int | None = _input(None, "Use only the first N; increasing N later adds more.", ge=1)
    entailment: Literal["builtin", "nli", "llm"] = _engine(
        "builtin", "Judge that decides whether passages entail a sentence."
    )
    nli_model: str | None = _engine(
        None, "Entailment model for nli: a folder or a hub id.", named="TRUE's T5-11B"
    )
    threshold: float | None = setting(
        None,
        "Minimum probability of entailment, for builtin and nli.",
        panel="Scoring",
        ge=0,
        le=1,
        named="set on training names; 0.5 for nli",
    )
    recall_only: bool = setting(
        False,
        "Skip the questions needed only for precision.",
        panel="Scoring",
        flags=("--recall-only",),
    )
    dry_run: bool = DRY_RUN
    out: Path | None = setting(
        None,
        "File to write each sentence and its judgment to (JSONL).",
        panel="Output",
        flags=("-o",),
    )

    def judge(self) -> Config:
        """Returns the settings of the verifier for ``--entailment llm``."""
        names = self.only_for[1]["llm"]
        return Config(verifier="llm", **{name: getattr(self, name) for name in names})
