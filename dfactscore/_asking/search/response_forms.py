"""Formats of responses from search services."""

from __future__ import annotations

from typing import Any

from dfactscore._util.validated import Form, Undamaged

_Said = Undamaged | int | float | list[Undamaged | int | float | None] | None


class Failure(Form):
    """The fields in which services report that a search failed."""

    message: Any = None
    error: Any = None
    errors: Any = None
    detail: Any = None


class _SerperRow(Form):
    title: Undamaged | None = None
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
    """An entry of Google's knowledge graph."""

    title: _Said = None
    type: _Said = None
    description: _Said = None
    descriptionLink: Undamaged | None = None
    website: Undamaged | None = None
    attributes: dict[Undamaged, _Said] | None = None


class _Echo(Form):
    q: Any = None


class SerperResponse(Failure):
    """The response to ``POST /search``; results may be empty."""

    organic: list[_SerperRow]
    answerBox: _AnswerBox | None = None
    knowledgeGraph: KnowledgeGraph | None = None
    searchParameters: _Echo | None = None


class _SearXNGRow(Form):
    title: Undamaged | None = None
    content: Undamaged | None = None
    url: Undamaged | None = None
    publishedDate: Undamaged | None = None


class SearXNGResponse(Failure):
    """The response to ``GET /search?format=json``; results may be empty."""

    results: list[_SearXNGRow]
    query: Any = None
    number_of_results: Any = None
    unresponsive_engines: Any = None
