"""The options of `Scorer` and `score`, with the defaults of the command line."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, cast

from dfactscore._evidence.owners import OwnerChoice
from dfactscore._jobs.settings import JobSettings
from dfactscore._scoring.matrix import Counts
from dfactscore._scoring.score_options import Irrelevant, Unreadable
from dfactscore._util.settings import from_mapping, settle
from dfactscore.engines._roles import Decomposer, Grouper, Verifier
from dfactscore.linking import CandidateMode, LinkMethod

if TYPE_CHECKING:
    from dfactscore._asking.settings import ChatModel

Pages = Mapping[str, "str | Sequence[str]"]
"""Texts by title; a title may have several."""


class ScorerOptions(TypedDict, total=False):
    """The options shared by `score` and `Scorer`; they are documented in `Scorer`."""

    decomposer: Decomposer | str | None
    grouper: Grouper | str | None
    verifier: Verifier | str | None
    model: ChatModel | None
    llm: Mapping[str, Any] | None
    link: LinkMethod
    candidates: CandidateMode
    dataset: Mapping[str, Collection[str]] | str | Path | None
    unreadable: Unreadable
    irrelevant: Irrelevant
    threshold: float | None
    counts: Counts | None
    gamma: float | None
    min_foreign: int | None
    keep_repeats: bool
    language: Literal["english", "any"]
    text_as: Literal["answer", "raw"]
    entities: OwnerChoice
    concurrency: int


_NAMES = tuple(ScorerOptions.__annotations__)
_SETTING_NAMES = {"text_as": "text"}  # options whose settings have different names
_SCORE_OPTIONS = _NAMES[_NAMES.index("link") :]


def _defaults() -> ScorerOptions:
    """Returns the defaults; options that the command also has as settings use its defaults."""
    fields = JobSettings.model_fields
    by_option = {name: fields.get(_SETTING_NAMES.get(name, name)) for name in _NAMES}
    defaults = {name: field.default if field else None for name, field in by_option.items()}
    return cast("ScorerOptions", {**defaults, "concurrency": 16})


DEFAULTS = _defaults()


def settings_of(options: ScorerOptions) -> JobSettings:
    """Converts the options to job settings, excluding roles and dataset."""
    values = {_SETTING_NAMES.get(k, k): v for k, v in options.items() if k in _SCORE_OPTIONS}
    del values["dataset"]  # a file in the settings, but here titles or a file
    return settle(JobSettings, from_mapping(JobSettings, values, "Scorer"))
