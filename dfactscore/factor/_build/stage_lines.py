"""The line formats of the four stages' journals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from dfactscore._util.validated import Count, Form, Pair, Text
from dfactscore.factor._settings import Type


class _Selection(Form):
    sentences: list[Annotated[tuple[Count, Count, Count], Field(strict=False)]]


class _Edit(Form):
    span: Pair
    old: Text = Field(alias="from")
    to: Text


class _Candidate(Form):
    type: Type
    text: Text
    edits: list[_Edit]
    maker: Text


class _Contradictions(Form):
    candidates: list[_Candidate]
    statuses: dict[str, Count]


class _Judgment(_Candidate):
    failed: Text
    margin: float
    values: dict[str, Any]


class _Filters(Form):
    judged: list[_Judgment]


class _Choice(Form):
    chosen: list[Text]


FORMS: Mapping[str, type[Form]] = {
    "selection": _Selection,
    "contradictions": _Contradictions,
    "filters": _Filters,
    "choice": _Choice,
}
