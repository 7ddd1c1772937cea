"""Reads and validates the JSON columns of a study file."""

from __future__ import annotations

from typing import Any, Literal

from dfactscore._util.jsonl import JSONError, parse_json
from dfactscore._util.printable import short_repr
from dfactscore._util.validated import Form, Pair, Text, misfit
from dfactscore.annotation._answers import HumanLabel, Step


class _Place(Form):
    page: int
    start: int
    end: int


class _Answer(Form):
    """The value of the answer to each question; for some questions, None withdraws the answer."""

    step: Step = "A"
    status: Literal["open", "done", "skipped"] = "open"
    revised_after_pages: bool = False
    again: Text = ""
    flag: bool = False
    reason: Text = ""
    biography: int = 1
    page: int | Literal["open"] | None = None
    label: HumanLabel | None = None
    found_in: int | Literal["open"] | None = None
    evidence: _Place | None = None
    comment: Text = ""
    unsure: bool = False
    not_in_paragraph: bool = False


class _Texts(Form):
    sentences: list[Pair]
    automatic: dict[str, Any]
    known: dict[str, Any] | None


def stored(cell: object) -> Any:
    """Parses a JSON value from a study; `Study.read` turns the error into a `RunError`."""
    if not isinstance(cell, str):
        raise JSONError(f"expected a text, found {short_repr(cell)}", 1)
    return parse_json(cell, strict=False)


def stored_answer(question: str, cell: object) -> Any:
    """Parses the stored answer to a question."""
    value = stored(cell)
    _hold(_Answer, {question: value})
    return value


def stored_texts(sentences: object, automatic: object, known: object) -> dict[str, Any]:
    """Parses the sentences, automatic results and known answers of a paragraph."""
    values = {
        "sentences": stored(sentences),
        "automatic": stored(automatic),
        "known": None if known is None else stored(known),
    }
    _hold(_Texts, values)
    return {**values, "sentences": tuple((a, b) for a, b in values["sentences"])}


def _hold(form: type[Form], value: dict[str, Any]) -> None:
    if problem := misfit(form, value):
        raise JSONError(str(problem), 1)
