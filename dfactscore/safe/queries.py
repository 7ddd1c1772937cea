"""The next query for a fact, written by a language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from dfactscore.asking.client import ChatClient
from dfactscore.asking.errors import AnswerError, CallError
from dfactscore.asking.messages import Answer, Request
from dfactscore.asking.search import SearchResult
from dfactscore.asking.structured import parse_object
from dfactscore.engines.llm.roles.prompts import fence, flat, load_prompt, numbered
from dfactscore.records import Fact

__all__ = ["LLMQueryWriter"]

_LONGEST = 400  # characters of a query
_SHOWN = 600  # characters of a result
_SCHEMA = {
    "type": "object",
    "properties": {"enough": {"type": "boolean"}, "query": {"type": "string"}},
    "required": ["enough", "query"],
    "additionalProperties": False,
}


class LLMQueryWriter:
    """Asks for the next query, or whether the results are enough (SAFE, section 3).

    Args:
        client: The model.
        prompts: The user's folder of templates, or None.
        sample: Index of the repetition.
    """

    def __init__(
        self, client: ChatClient, *, prompts: Path | str | None = None, sample: int = 0
    ) -> None:
        self.client = client
        self.prompt = load_prompt("search_query", prompts)
        self.sample = sample

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer."""
        return {
            "name": "llm-queries",
            **self.client.settings,
            "prompt": self.prompt.version,
            "sample": self.sample,
        }

    async def next_query(
        self, fact: Fact, queries: Sequence[str], found: Sequence[SearchResult]
    ) -> str | Literal[False] | None:
        """Returns a query, False where the results are enough, or None for no readable answer."""
        try:
            return await self.client.ask(self.request(fact, queries, found), _read)
        except (AnswerError, CallError):
            return None

    def request(self, fact: Fact, queries: Sequence[str], found: Sequence[SearchResult]) -> Request:
        """The call that `next_query` makes."""
        text = flat(fact.text)
        results = numbered([_shown(result) for result in found]) or "(nothing was found)"
        return Request(
            stage="search",
            messages=self.prompt.render(
                fact=text,
                queries=numbered(list(queries)),
                results=results,
                fence=fence(results, text, *queries),
            ),
            version=self.prompt.version,
            max_tokens=160,
            schema=_SCHEMA,
            sample=self.sample,
        )


def _shown(result: SearchResult) -> str:
    about = " | ".join(filter(None, (result.title, result.address, result.date)))
    return f"{about}: {result.text[:_SHOWN]}"


def _read(answer: Answer) -> str | Literal[False]:
    found = parse_object(answer)
    enough, query = found.get("enough"), found.get("query")
    if enough is True:
        return False
    if enough is not False or not isinstance(query, str):
        raise AnswerError('expected "enough" with true or false and "query" with a text')
    query = flat(query)
    if not any(c.isalnum() for c in query):
        raise AnswerError('"enough" is false, and "query" is empty')
    return query[:_LONGEST]
