"""What search services answer, as far as it is read: anything else is not an answer."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import model_validator

from dfactscore._util.validated import Form, Undamaged

__all__ = ["KnowledgeGraph", "SearXNGAnswer", "SerperAnswer"]

_Said = Undamaged | int | float | list[Undamaged | int | float | None] | None


class _SerperRow(Form):
    title: Undamaged
    snippet: Undamaged | None = None
    link: Undamaged | None = None
    date: Undamaged | None = None


class _AnswerBox(Form):
    title: _Said = None
    answer: _Said = None
    snippet: _Said = None
    snippetHighlighted: _Said = None
    link: Undamaged | None = None
    date: Undamaged | None = None


class KnowledgeGraph(Form):
    """What Google knows of one thing."""

    title: _Said = None
    type: _Said = None
    description: _Said = None
    descriptionLink: Undamaged | None = None
    website: Undamaged | None = None
    attributes: dict[Undamaged, _Said] | None = None


class SerperAnswer(Form):
    """Of ``POST /search``; an empty list where nothing is found."""

    organic: list[_SerperRow]
    answerBox: _AnswerBox | None = None
    knowledgeGraph: KnowledgeGraph | None = None

    @model_validator(mode="after")
    def _has_texts(self) -> SerperAnswer:
        _check([row.snippet for row in self.organic], "organic")
        return self


class _SearXNGRow(Form):
    title: Undamaged
    content: Undamaged | None = None
    url: Undamaged | None = None
    publishedDate: Undamaged | None = None


class SearXNGAnswer(Form):
    """Of ``GET /search?format=json``; an empty list where nothing is found."""

    results: list[_SearXNGRow]

    @model_validator(mode="after")
    def _has_texts(self) -> SearXNGAnswer:
        _check([row.content for row in self.results], "results")
        return self


def _check(texts: Sequence[str | None], name: str) -> None:
    """Rows of which not one has a text are of another form."""
    if texts and not any(texts):
        raise ValueError(f"{name}: not one of {len(texts)} results has a text")
