"""Settings for the `dfactscore factor` commands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from dfactscore._asking.options import DRY_RUN, BudgetSettings, JudgeModelSettings
from dfactscore._errors import InputError
from dfactscore._util.message_text import near_miss
from dfactscore._util.settings import Settings, panels, setting
from dfactscore.likelihood import LikelihoodSettings

Type = Literal["entity", "predicate", "circumstance", "coreference", "link"]
_BY_RULES: tuple[Type, ...] = ("entity", "circumstance")  # the rules change values only
Slot = Literal[
    "birth_date",
    "birth_place",
    "death_date",
    "death_place",
    "occupation",
    "education",
    "affiliation",
    "award",
]
_T = TypeVar("_T", bound=str)

_input, _evidence, _scoring, _limit, _output = panels("Input Evidence Scoring Limits Output")


class FactorSettings(LikelihoodSettings):
    """Settings for a `dfactscore factor score` command."""

    first = "hf prefix limit pages normalize dry_run out"

    file: Path | None = _input(None, "FACTOR items: the released .csv, or .jsonl.", argument=True)
    before: tuple[str, ...] = _evidence(
        (),
        "Context before the prefix: none, gold, namesakes, all or retrieved; may be repeated.",
        named="none",
    )
    prefix: Literal["truncated", "full"] = _input("truncated", "Prefix column to read from a .csv.")
    limit: int | None = _input(None, "Use only the first N; increasing N later adds more.", ge=1)
    pages: Path | None = _evidence(
        None, "Whole pages, for --before gold, namesakes and all.", named="FILE.pages.jsonl"
    )
    retrieve: Path | None = _evidence(
        None, "Index folder; the best passage is put before each prefix."
    )
    doc_tokens: int = _evidence(
        256, "Maximum tokens per passage, including its title.", ge=1, in_file=True
    )
    query_tokens: int = _evidence(
        32, "Number of tokens at the end of the prefix to use as the query.", ge=1, in_file=True
    )
    exclude: Literal["document", "title", "none"] = _evidence(
        "document", "Exclude passages from an item's document or with its title, or none."
    )
    stride: int | None = _evidence(
        None, "Retrieve again every N tokens of a completion.", ge=1, named="once an item"
    )
    normalize: Literal["token", "sum", "character", "byte"] = _scoring(
        "token",
        "Divide log-probabilities by the number of these units.",
        flags=("--normalize", "--normalise"),
    )
    policy: Literal["unsupported", "exclude"] = _scoring(
        "unsupported", "Count an item without a score as wrong, or exclude it."
    )
    confidence: float = _scoring(
        0.95, "Confidence level of the intervals.", gt=0, lt=1, in_file=True
    )
    resamples: int = _scoring(
        10_000, "Number of bootstrap samples and permutations.", ge=100, le=1_000_000, in_file=True
    )
    seed: int | None = _scoring(0, "Random seed for sampling and resampling.", ge=0)
    dry_run: bool = DRY_RUN
    out: Path | None = _output(None, "Run folder; the same command resumes it.", flags=("-o",))
    brief: bool = _output(False, "Leave the tokens out of samples.jsonl.")

    @property
    def at_once(self) -> int:
        """The number of items scored at the same time."""
        inside = self.hf is not None or self.gguf is not None
        return 1 if inside else self.concurrency or 16

    def _fields_of(self, kind: Any) -> dict[str, Any]:
        # The seed is used for resampling; nothing is sampled from the model.
        return {**super()._fields_of(kind), "seed": None, "temperature": 0.0}


#: The fields offered as options. `context_tokens` replaces the context window.
OFFERED = tuple(
    name for name in FactorSettings.model_fields if name not in ("context", "temperature")
)


_engine = partial(setting, panel="Engine")


class FactorInfoSettings(Settings):
    """Settings for a `dfactscore factor info` command."""

    sample: int | None = _output(None, "Draw and print N false completions.", ge=1)
    for_people: bool = _output(
        False, "Print the sample as CSV with empty columns to fill in.", flags=("--for-people",)
    )
    seed: int = _output(0, "Random seed for sampling and resampling.")
    read: bool = _input(False, "Summarize a sample completed by people.", flags=("--read",))


class AmbigSettings(Settings):
    """Settings for a `dfactscore factor ambig` command."""

    pages: Path = _input(..., "Whole pages: .jsonl, a folder or a page store.")
    out: Path = _output(..., "File to write the items to (.jsonl).", flags=("--out", "-o"))
    dataset: Path | None = _input(None, "AmbigBio file that lists the people with each name.")
    slots: str | None = _engine(None, "Comma-separated slots to use.", named="all")
    seed: int = _engine(1, "Random seed for sampling and resampling.")

    @property
    def chosen(self) -> tuple[Slot, ...]:
        """The slots named in the settings; by default, all of them."""
        return _listed("--slots", self.slots, get_args(Slot))


class BuildSettings(JudgeModelSettings, BudgetSettings):
    """Settings for a `dfactscore factor build` command."""

    first = "per_document items engine types out"
    files = "nli fluency"

    pages: Path | None = _input(
        None,
        "Pages: .jsonl, DPR .tsv, .parquet, a folder of .txt, or a page store.",
        argument=True,
    )
    per_document: int = _input(1, "Maximum items per page.", ge=1)
    min_words: int = _input(10, "Minimum words per sentence.", ge=1)
    items: int | None = _input(
        None, "Maximum number of items; increasing it later keeps the first ones.", ge=1
    )
    engine: Literal["builtin", "llm"] = _engine("builtin", "Rules, or a language model.")
    types: str | None = _engine(
        None,
        "Comma-separated types of change.",
        named="all; entity and circumstance with builtin",
    )
    nli: str | None = _engine(
        None, "Entailment model that judges contradictions.", named="the built-in verifier"
    )
    fluency: str | None = _engine(
        None, "Language model (--hf) that judges fluency.", named="no such filter"
    )
    contradiction: float = _scoring(
        0.6, "Minimum probability of a contradiction, with --nli.", ge=0, le=1
    )
    coreference: float = _scoring(
        0.3,
        "Minimum probability of a contradiction for changed references, with --nli.",
        ge=0,
        le=1,
    )
    drop: float = _scoring(
        0.12, "Minimum decrease in a candidate's support, without --nli.", ge=0, le=1
    )
    fluency_drop: float = _scoring(
        0.12, "Maximum decrease in log-probability per token, with --fluency.", ge=0
    )
    edit_words: int = _scoring(12, "Maximum number of words to change.", ge=1)
    seed: int | None = _engine(0, "Random seed for sampling and resampling.", ge=0)
    out: Path | None = _output(
        None, "File to write the items to (.jsonl); the same command resumes.", flags=("-o",)
    )

    @property
    def kinds(self) -> tuple[Type, ...]:
        """The types of changes named in the settings; by default, all that the engine makes."""
        made = get_args(Type) if self.engine == "llm" else _BY_RULES
        kinds: tuple[Type, ...] = _listed("--types", self.types, get_args(Type), made)
        if other := [kind for kind in kinds if kind not in made]:
            raise InputError(f"--types {other[0]}: made by a model only; add --engine llm")
        return kinds

    @property
    def draws(self) -> int:
        """The random seed for all draws."""
        return self.seed or 0


def _listed(
    option: str, text: str | None, known: Sequence[_T], usual: Sequence[_T] = ()
) -> tuple[_T, ...]:
    """Parses comma-separated names and returns them in the order in which they are defined."""
    names = usual or known if text is None else [n.strip() for n in text.split(",") if n.strip()]
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None or not names:
        raise InputError(
            f"{option} {unknown or text!r}: choose among {', '.join(known)}"
            f"{near_miss(unknown or '', known)}"
        )
    return tuple(name for name in known if name in names)
