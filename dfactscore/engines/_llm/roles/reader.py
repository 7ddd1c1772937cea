"""Facts and groups of a paragraph in one call."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from dfactscore._asking.client import ChatClient
from dfactscore._asking.errors import AnswerError, CallError
from dfactscore._asking.messages import Answer, Request
from dfactscore._asking.structured import check_end, expect_keys, object_schema, parse_object
from dfactscore._asking.tokens import estimate_tokens
from dfactscore._records import Biography, Fact, FactGroup
from dfactscore._text.sentences import Sentence, split_sentences
from dfactscore._util.usage import collect_usage
from dfactscore.engines._llm.roles.base import PromptedRole
from dfactscore.engines._llm.roles.coverage import TextWords, Told
from dfactscore.engines._llm.roles.decomposer import Form, LLMDecomposer, read_facts
from dfactscore.engines._llm.roles.grouper import (
    PERSON,
    LLMGrouper,
    check_person,
    make_groups,
    nearest_persons,
    persons_and_facts,
)
from dfactscore.engines._llm.roles.prompts import flat, numbered
from dfactscore.engines._roles import Grouper

_OF_PERSON = re.compile(r"\[(\d{1,4})\]\s*")


class _Said(NamedTuple):
    """The reading of an answer, as it was or repaired."""

    persons: Sequence[Any]
    facts: dict[int, tuple[Told, ...]]
    repaired: bool

    def groups(self, listed: Mapping[int, Sequence[Told]]) -> _Grouped | None:
        """Groups of what was kept of the facts; None if some have no person."""
        told = [one for number in sorted(listed) for one in listed[number]]
        persons = [one.person for one in told if one.person is not None]
        if len(persons) < len(told):
            return None
        groups = make_groups(self.persons, persons, unknown_targets=True)
        return _Grouped(tuple(one.text for one in told), groups, self.repaired)


class _Grouped(NamedTuple):
    texts: tuple[str, ...]
    groups: tuple[FactGroup, ...]
    repaired: bool


class _Both(PromptedRole):
    """The question for facts and persons."""

    name = "llm-read"
    prompt_name = "read"

    def request(self, biography: Biography, sentences: Sequence[Sentence]) -> Request:
        """The call about a text."""
        shown = numbered([sentence.text for sentence in sentences])
        persons = {"type": "array", "items": PERSON}
        listed = {"type": "array", "items": {"type": "string"}}
        facts = {str(number): listed for number in range(1, len(sentences) + 1)}
        return self.question(
            "read",
            # As of a decomposition, with a number before each fact.
            300 + 4 * estimate_tokens(shown),
            {"name": flat(biography.name), "text": shown},
            schema=object_schema({"persons": persons, "facts": object_schema(facts)}),
        )

    async def ask(self, request: Request, count: int) -> _Said:
        """Asks for the facts of so many sentences; a grouping that stays invalid is repaired."""
        strict, mild = partial(_read, count=count), partial(_read, count=count, mild=True)
        return await self.client.ask(request, strict, again=mild)


class LLMReader(LLMDecomposer):
    """Decomposes and groups by one call, or by one each where that does not do.

    Args:
        client: The model.
        grouper: Groups where sentences were asked for apart.
        form: As for `LLMDecomposer`, where the one call does not do.
        prompts: The user's folder of templates, or None.
    """

    name = "llm-reader"

    def __init__(
        self,
        client: ChatClient,
        grouper: LLMGrouper,
        *,
        form: Form = "auto",
        prompts: Path | str | None = None,
    ) -> None:
        super().__init__(client, form=form, prompts=prompts)
        self.grouper = grouper
        self._both = _Both(client, prompts=prompts)
        self._said: dict[tuple[str, ...], _Said] = {}
        self._grouped: dict[tuple[str, ...], _Grouped] = {}

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer."""
        prompts = {"both": self._both.prompt.version, "group": self.grouper.prompt.version}
        return {**super().settings, **prompts}

    def requests(self, biography: Biography) -> list[Request]:
        """The calls that `decompose` makes."""
        both = self._request(biography, split_sentences(biography.text))
        return super().requests(biography) if both is None else [both]

    def _request(self, biography: Biography, sentences: Sequence[Sentence]) -> Request | None:
        """The one call; None if it would be too long."""
        if self.by_sentence or len(list(self._pieces(biography, sentences))) != 1:
            return None
        request = self._both.request(biography, sentences)
        return request if self._both.fits(request) else None

    async def _first(
        self, biography: Biography, sentences: Sequence[Sentence]
    ) -> tuple[dict[int, tuple[Told, ...]], dict[int, AnswerError]]:
        request = self._request(biography, sentences)
        if request is not None:
            try:
                said = await self._both.ask(request, len(sentences))
            except AnswerError:
                pass
            except CallError as error:
                if error.passing:
                    raise
            else:
                self._said[_key(biography)] = said
                return dict(said.facts), {}
        if sentences and not self.by_sentence:
            self.client.note("decompose", apart=1)
        return await super()._first(biography, sentences)

    async def _listed(
        self, biography: Biography, sentences: Sequence[Sentence], *, again: bool
    ) -> dict[int, list[Told]]:
        try:
            listed = await super()._listed(biography, sentences, again=again)
        finally:
            said = self._said.pop(_key(biography), None)
        if said is not None and (grouped := said.groups(listed)) is not None:
            self._grouped[_key(biography)] = grouped
        return listed

    async def grouped(self, biography: Biography) -> _Grouped | None:
        """The groups that came with the facts of a text; None if they were asked for apart."""
        return self._grouped.pop(_key(biography), None) or await self._stored(biography)

    async def _stored(self, biography: Biography) -> _Grouped | None:
        """The groups that were kept with the facts, if a run was stopped between the two."""
        sentences = split_sentences(biography.text)
        request, able = self._request(biography, sentences), self.client.known_capabilities()
        if request is None or able is None or not self.client.cached(request, able):
            return None
        with collect_usage():  # It was booked with the facts.
            said = await self._both.ask(request, len(sentences))
        text = TextWords([sentence.text for sentence in sentences], biography.name)
        return said.groups(text.check(said.facts).facts)


class ReadGroups(Grouper):
    """The grouper to a reader: its answers contain the groups.

    Args:
        reader: Makes the facts.
    """

    def __init__(self, reader: LLMReader) -> None:
        self._reader = reader

    @property
    def settings(self) -> Mapping[str, Any]:
        """The reader's."""
        return self._reader.settings

    async def group(self, biography: Biography, facts: Sequence[Fact]) -> Sequence[FactGroup]:
        """Returns groups that partition the facts, ordered by first fact.

        Raises:
            GroupingError: If the facts could not be partitioned.
        """
        known, grouper = await self._reader.grouped(biography), self._reader.grouper
        if known is None or known.texts != tuple(fact.text for fact in facts):
            return await grouper.group(biography, facts)
        grouper.note(known.groups, repaired=known.repaired)
        return known.groups


def _key(biography: Biography) -> tuple[str, ...]:
    return biography.id, biography.name, biography.text


def _read(answer: Answer, count: int, *, mild: bool = False) -> _Said:
    """Reads persons, and facts by sentence.

    Args:
        answer: The model's output.
        count: The number of sentences.
        mild: Take the nearest partition for one that is none, unknown for an unreadable target.

    Raises:
        AnswerError: If it has no facts under each sentence, or they are not partitioned.
    """
    check_end(answer)
    persons, listed = persons_and_facts(parse_object(answer))
    keys = [str(number) for number in range(1, count + 1)]
    expect_keys(listed, keys, "sentence")
    told: list[tuple[int, str, Any]] = []
    for number, key in enumerate(keys):
        for text in read_facts(listed[key], key):
            head = _OF_PERSON.match(text)
            rest = text[head.end() :] if head else text
            if not rest:
                raise AnswerError(f"{key} has an empty fact")
            told.append((number, rest, head and int(head[1])))
    given = [person for _, _, person in told]
    repaired, entries = False, list(persons)
    try:
        numbers = [check_person(p, persons, f"fact {i}") for i, p in enumerate(given, 1)]
        make_groups(entries, numbers, unknown_targets=mild)
    except AnswerError as fault:
        if not mild:
            raise
        repaired = True
        entries, numbers = nearest_persons(persons, given, fault)
    facts: dict[int, tuple[Told, ...]] = dict.fromkeys(range(count), ())
    for (number, text, _), person in zip(told, numbers, strict=True):
        facts[number] += (Told(text, person),)
    return _Said(entries, facts, repaired)
