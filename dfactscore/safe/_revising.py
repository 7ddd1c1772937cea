"""Steps by a language model: revising facts, judging relevance, and writing search queries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from dfactscore._asking.budget import estimate_tokens
from dfactscore._asking.messages import Answer, AnswerError, CallError, Request
from dfactscore._asking.search import SearchResult
from dfactscore._asking.session import estimated_requests
from dfactscore._asking.structured import object_schema, parse_numbered, parse_object
from dfactscore._records import Biography, Fact
from dfactscore.engines._llm.roles.base import PromptedRole, fence, flat, numbered
from dfactscore.engines._llm.roles.facts_step import FactsStep, RelevanceLabeler
from dfactscore.work import Asked

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_LONGEST = 12_000  # maximum number of characters of a response in a prompt


def question_of(biography: Biography) -> str:
    """The question that a text answers: its prompt or question or, if it has neither, its name."""
    for key in ("prompt", "question"):
        value = biography.extra.get(key)
        if isinstance(value, str) and value.strip():
            return value
    return biography.name


def same_claims(old: str, new: str, response: str) -> bool:
    """Whether a rewritten fact keeps all numbers and adds only numbers found in the response.

    New capitalized words, which may be names, must be in the response or the old fact.

    Example:
        >>> text = "Ann Lee sang in Leeds. She left in 1920."
        >>> same_claims("She left in 1920.", "Ann Lee left in 1920.", text)
        True
        >>> same_claims("She left in 1920.", "Ann Lee left in 1921.", text)
        False
        >>> same_claims("She left in 1920.", "Ann Lee left York in 1920.", text)
        False
    """
    new_numbers, old_numbers = set(_NUMBER.findall(new)), set(_NUMBER.findall(old))
    if not old_numbers <= new_numbers or not new_numbers <= old_numbers | set(
        _NUMBER.findall(response)
    ):
        return False
    known = {word.casefold() for word in _WORD.findall(f"{old} {response}")}
    bases = {word.removesuffix("'s").removesuffix("’s") for word in known} | known
    words = _WORD.findall(new)
    capitalized = [w for i, w in enumerate(words) if w[0].isupper() and (i or len(w) > 1)]
    return all(
        w.casefold() in bases or w.casefold().removesuffix("'s").removesuffix("’s") in bases
        for w in capitalized
    )


class Reviser(FactsStep):
    """A decomposer whose facts are made self-contained by a model (SAFE, section 3).

    All facts in a text, including those given in the input, are revised in one call. If revision
    changes the numbers or names in a fact, the fact keeps its text and is marked ``"refused"``.
    """

    name = "llm-revision"
    prompt_name = "revise"

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that can change an answer."""
        return {name: value for name, value in super().settings.items() if name != "sample"}

    def request(self, biography: Biography, facts: Sequence[Fact]) -> Request:
        """The request for revising a text's facts."""
        texts = [flat(fact.text) for fact in facts]
        keys = [str(i) for i in range(1, len(texts) + 1)]
        return self.question(
            "revise",
            128 + 2 * sum(estimate_tokens(text) + 12 for text in texts),
            _shown(biography, texts),
            schema=object_schema({key: {"type": "string"} for key in keys}),
        )

    def changing(self, biography: Biography, facts: Sequence[Fact]) -> Iterator[Asked]:
        """The requests that `changed` would send."""
        if facts:
            answer = sum(estimate_tokens(fact.text) + 6 for fact in facts)
            yield from estimated_requests(self.client, self.request(biography, facts), answer)

    async def changed(self, biography: Biography, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Returns self-contained facts."""
        if not facts:
            return ()

        def read(answer: Answer) -> list[str]:
            values = parse_numbered(answer, range(1, len(facts) + 1), "statement").values()
            texts = [flat(value) if isinstance(value, str) else "" for value in values]
            if not all(any(c.isalnum() for c in text) for text in texts):
                raise AnswerError("a statement is empty or not a text")
            return texts

        with self.failing_as("revision"):
            texts = await self.client.ask(self.request(biography, facts), read)
        return tuple(
            _revise(fact, text, biography.text) for fact, text in zip(facts, texts, strict=True)
        )


def _revise(fact: Fact, text: str, response: str) -> Fact:
    if text == flat(fact.text):
        return fact
    if not same_claims(fact.text, text, response):
        return replace(fact, revision="refused")
    return replace(fact, text=text, revision="revised")


class QuestionRelevance(RelevanceLabeler):
    """Labels facts according to whether they are relevant to the question."""

    prompt_name = "relevance_question"

    label_facts = FactsStep.label_facts

    def _request(self, biography: Biography, facts: Sequence[Fact]) -> Request:
        return self.true_or_false(facts, _shown(biography, [fact.text for fact in facts]))


def _shown(biography: Biography, facts: list[str]) -> dict[str, str]:
    """The variables shared by both prompts: question, response and facts."""
    response, question = flat(biography.text)[:_LONGEST], flat(question_of(biography))
    listed = numbered(facts)
    mark = fence(response, question, listed)
    return {"question": question, "text": response, "facts": listed, "fence": mark}


_LONGEST_QUERY = 400  # maximum number of characters in a query

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
        listed = numbered([_result_text(result) for result in results]) or "(nothing was found)"
        variables = {
            "fact": text,
            "queries": numbered(list(queries)),
            "results": listed,
            "fence": fence(listed, text, *queries),
        }
        return self.question("search", 160, variables, schema=_SCHEMA)


def _result_text(result: SearchResult) -> str:
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
    return query[:_LONGEST_QUERY]
