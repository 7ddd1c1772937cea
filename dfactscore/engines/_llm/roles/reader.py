"""Asks for a paragraph's facts and groups in one call."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from dfactscore._asking.budget import estimate_tokens
from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, AnswerError, CallError, Request
from dfactscore._asking.structured import check_end, numbered_values, object_schema, parse_object
from dfactscore._records import Biography, Fact, FactGroup
from dfactscore._text.sentences import Sentence, split_sentences
from dfactscore._util.usage import collect_usage
from dfactscore.engines._llm.roles.base import PromptedRole, flat, numbered
from dfactscore.engines._llm.roles.coverage import ListedFact
from dfactscore.engines._llm.roles.decomposer import Form, LLMDecomposer, read_facts
from dfactscore.engines._llm.roles.grouper import (
    PERSON,
    LLMGrouper,
    check_person,
    known_labels,
    make_groups,
    nearest_persons,
    persons_and_facts,
)
from dfactscore.engines._roles import Grouper

_OF_PERSON = re.compile(r"\[(\d{1,4})\]\s*")


class _ReadAnswer(NamedTuple):
    """Persons and facts read from an answer, which may have been repaired."""

    persons: Sequence[Any]
    facts: dict[int, tuple[ListedFact, ...]]
    repaired: bool

    def groups(self, listed: Mapping[int, Sequence[ListedFact]]) -> _Grouped | None:
        """Groups the facts that passed the check; returns None if some have no person."""
        facts = [fact for number in sorted(listed) for fact in listed[number]]
        persons = [fact.person for fact in facts if fact.person is not None]
        if len(persons) < len(facts):
            return None
        groups = make_groups(self.persons, persons, unknown_targets=True)
        return _Grouped(tuple(fact.text for fact in facts), groups, self.repaired)


class _Grouped(NamedTuple):
    texts: tuple[str, ...]
    groups: tuple[FactGroup, ...]
    repaired: bool


class _ReadingRole(PromptedRole):
    """The role that asks for facts and persons."""

    name = "llm-read"
    prompt_name = "read"

    def request(self, biography: Biography, sentences: Sequence[Sentence]) -> Request:
        """Returns the request about a text."""
        lines = numbered([sentence.text for sentence in sentences])
        persons = {"type": "array", "items": object_schema(PERSON)}
        listed = {"type": "array", "items": {"type": "string"}}
        facts = {str(number): listed for number in range(1, len(sentences) + 1)}
        return self.question(
            "read",
            # as when decomposing, plus a number before each fact
            300 + 4 * estimate_tokens(lines),
            {"name": flat(biography.name), "text": lines},
            schema=object_schema({"persons": persons, "facts": object_schema(facts)}),
        )

    async def ask(self, request: Request, count: int) -> _ReadAnswer:
        """Requests the facts of `count` sentences; repairs the grouping if it is invalid twice."""
        strict, mild = (
            partial(_read_answer, count=count),
            partial(_read_answer, count=count, mild=True),
        )
        return await self.client.ask(request, strict, again=mild)


class LLMReader(LLMDecomposer):
    """Decomposes and groups in a single call, or in separate calls if that fails."""

    name = "llm-reader"

    def __init__(
        self,
        client: ChatClient,
        grouper: LLMGrouper,
        *,
        form: Form = "auto",
        check_facts: bool = True,
        prompts: Path | str | None = None,
    ) -> None:
        super().__init__(client, form=form, check_facts=check_facts, prompts=prompts)
        self.grouper = grouper
        self._reading_role = _ReadingRole(client, prompts=prompts)
        self._readings: dict[tuple[str, ...], _ReadAnswer] = {}
        self._grouped: dict[tuple[str, ...], _Grouped] = {}

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that can change an answer."""
        prompts = {"both": self._reading_role.prompt.version, "group": self.grouper.prompt.version}
        return {**super().settings, **prompts}

    def requests(self, biography: Biography) -> list[Request]:
        """Returns the requests that `decompose` makes, excluding repeated ones."""
        request = self._request(biography, split_sentences(biography.text))
        return super().requests(biography) if request is None else [request]

    def _request(self, biography: Biography, sentences: Sequence[Sentence]) -> Request | None:
        """Returns the single request for a text, or None if it would be too long."""
        if self.by_sentence or len(list(self._pieces(biography, sentences))) != 1:
            return None
        request = self._reading_role.request(biography, sentences)
        return request if self._reading_role.fits(request) else None

    async def _first(
        self, biography: Biography, sentences: Sequence[Sentence]
    ) -> tuple[dict[int, tuple[ListedFact, ...]], dict[int, AnswerError]]:
        request = self._request(biography, sentences)
        if request is not None:
            try:
                reading = await self._reading_role.ask(request, len(sentences))
            except AnswerError:
                pass
            except CallError as error:
                if error.passing:
                    raise
            else:
                self._readings[_key(biography)] = reading
                return dict(reading.facts), {}
        if sentences and not self.by_sentence:
            self.client.note("decompose", apart=1)
        return await super()._first(biography, sentences)

    async def _listed(
        self, biography: Biography, sentences: Sequence[Sentence], *, again: bool
    ) -> dict[int, list[ListedFact]]:
        try:
            listed = await super()._listed(biography, sentences, again=again)
        finally:
            reading = self._readings.pop(_key(biography), None)
        if reading is not None and (grouped := reading.groups(listed)) is not None:
            self._grouped[_key(biography)] = grouped
        return listed

    async def grouped(self, biography: Biography) -> _Grouped | None:
        """Returns the groups from the answer with a text's facts, or None if there are none."""
        return self._grouped.pop(_key(biography), None) or await self._stored(biography)

    async def _stored(self, biography: Biography) -> _Grouped | None:
        """Reads the groups from the cache, in case a run was stopped after storing the facts."""
        sentences = split_sentences(biography.text)
        request, able = self._request(biography, sentences), self.client.known_capabilities()
        if request is None or able is None or not self.client.cached(request, able):
            return None
        with collect_usage():  # This request is already in the usage of the facts.
            reading = await self._reading_role.ask(request, len(sentences))
        return reading.groups(self._words(biography, sentences).check(reading.facts).facts)


class ReadGroups(Grouper):
    """A grouper that takes the groups from a reader's answers."""

    def __init__(self, reader: LLMReader) -> None:
        self._reader = reader

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings of the reader."""
        return self._reader.settings

    async def group(self, biography: Biography, facts: Sequence[Fact]) -> Sequence[FactGroup]:
        """Partitions the facts into groups, ordered by their first facts."""
        grouped, grouper = await self._reader.grouped(biography), self._reader.grouper
        if grouped is None or grouped.texts != tuple(fact.text for fact in facts):
            return await grouper.group(biography, facts)
        grouper.note(grouped.groups, repaired=grouped.repaired)
        return known_labels(grouped.groups, biography)


def _key(biography: Biography) -> tuple[str, ...]:
    return biography.id, biography.name, biography.text


def _read_answer(answer: Answer, count: int, *, mild: bool = False) -> _ReadAnswer:
    """Reads the persons, and the facts of each sentence."""
    check_end(answer)
    persons, listed = persons_and_facts(parse_object(answer))
    by_sentence = numbered_values(listed, range(1, count + 1), "sentence")
    rows: list[tuple[int, str, Any]] = []
    for number, (key, value) in enumerate(by_sentence.items()):
        for text in read_facts(value, key):
            head = _OF_PERSON.match(text)
            statement = text[head.end() :] if head else text
            if not statement:
                raise AnswerError(f"{key} has an empty fact")
            rows.append((number, statement, head and int(head[1])))
    assigned = [person for _, _, person in rows]
    repaired, entries = False, list(persons)
    try:
        numbers = [check_person(p, persons, f"fact {i}") for i, p in enumerate(assigned, 1)]
        make_groups(entries, numbers, unknown_targets=mild)
    except AnswerError as fault:
        if not mild:
            raise
        repaired = True
        entries, numbers = nearest_persons(persons, assigned, fault)
    facts: dict[int, tuple[ListedFact, ...]] = dict.fromkeys(range(count), ())
    for (number, text, _), person in zip(rows, numbers, strict=True):
        facts[number] += (ListedFact(text, person),)
    return _ReadAnswer(entries, facts, repaired)
