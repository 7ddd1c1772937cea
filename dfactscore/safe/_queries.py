"""Uses a language model to write search queries for facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from dfactscore._asking.errors import AnswerError, CallError
from dfactscore._asking.messages import Answer, Request
from dfactscore._asking.search import SearchResult
from dfactscore._asking.structured import object_schema, parse_object
from dfactscore._records import Fact
from dfactscore.engines._llm.roles.base import PromptedRole
from dfactscore.engines._llm.roles.prompts import fence, flat, numbered

_LONGEST = 400  # maximum number of characters in a query
_SHOWN = 600  # maximum number of characters shown per result
_SCHEMA = object_schema({"enough": {"type": "boolean"}, "query": {"type": "string"}})


class LLMQueryWriter(PromptedRole):
    """Asks a model for the next query, or whether the results suffice (SAFE, section 3)."""

    name = "llm-queries"
    prompt_name = "search_query"

    async def next_query(
        self, fact: Fact, queries: Sequence[str], results: Sequence[SearchResult]
    ) -> str | Literal[False] | None:
        """Returns a query, False if the results suffice, or None if the answer is unreadable."""
        try:
            return await self.client.ask(self.request(fact, queries, results), _read)
        except (AnswerError, CallError):
            return None

    def request(
        self, fact: Fact, queries: Sequence[str], results: Sequence[SearchResult]
    ) -> Request:
        """The request that `next_query` sends."""
        text = flat(fact.text)
        listed = numbered([_shown(result) for result in results]) or "(nothing was found)"
        variables = {
            "fact": text,
            "queries": numbered(list(queries)),
            "results": listed,
            "fence": fence(listed, text, *queries),
        }
        return self.question("search", 160, variables, schema=_SCHEMA)


def _shown(result: SearchResult) -> str:
    about = " | ".join(filter(None, (result.title, result.address, result.date)))
    return f"{about}: {result.text[:_SHOWN]}"


def _read(answer: Answer) -> str | Literal[False]:
    values = parse_object(answer)
    enough, query = values.get("enough"), values.get("query")
    if enough is True:
        return False
    if enough is not False or not isinstance(query, str):
        raise AnswerError('expected "enough" with true or false and "query" with a text')
    query = flat(query)
    if not any(c.isalnum() for c in query):
        raise AnswerError('"enough" is false, and "query" is empty')
    return query[:_LONGEST]
