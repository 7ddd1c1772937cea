"""Reads and validates the JSON columns of a study."""

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
    """A value by its question; None takes an answer back where that can be done."""

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
    """A value that a study holds as JSON; within `Study.read` a damaged one is a `RunError`.

    Raises:
        JSONError: If it is not one.
    """
    if not isinstance(cell, str):
        raise JSONError(f"expected a text, found {short_repr(cell)}", 1)
    return parse_json(cell, strict=False)


def stored_answer(question: str, cell: object) -> Any:
    """The answer that a person gave to a question.

    Raises:
        JSONError: If it is not JSON, or not an answer to that question.
    """
    value = stored(cell)
    _hold(_Answer, {question: value})
    return value


def stored_texts(sentences: object, automatic: object, known: object) -> dict[str, Any]:
    """The sentences of a paragraph, the run's answers about it, and the gold answer.

    Raises:
        JSONError: If one of them is not JSON, or not of its form.
    """
    found = {
        "sentences": stored(sentences),
        "automatic": stored(automatic),
        "known": None if known is None else stored(known),
    }
    _hold(_Texts, found)
    return {**found, "sentences": tuple((a, b) for a, b in found["sentences"])}


def _hold(form: type[Form], value: dict[str, Any]) -> None:
    if problem := misfit(form, value):
        raise JSONError(str(problem), 1)
