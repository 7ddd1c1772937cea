"""Judges all facts against all entities in one call, or by the majority of several judges."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from string import ascii_uppercase
from typing import Any, NamedTuple

from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, AnswerError, CallError, Request
from dfactscore._asking.session import estimated_requests
from dfactscore._asking.structured import object_schema, parse_numbered
from dfactscore._records import Biography, Entity, Fact, Verdict
from dfactscore._util.tasks import together
from dfactscore.engines._answers import checked_settings, verify_together
from dfactscore.engines._llm.roles.base import fence, flat, load_prompt, numbered, quotable
from dfactscore.engines._llm.roles.verifier import FactsAndEntity, LLMVerifier
from dfactscore.engines._roles import Verifier
from dfactscore.linking import Evidence
from dfactscore.work import Asked
from dfactscore.work._work import all_asked


class _Lettered(NamedTuple):
    """Documents in a prompt."""

    text: str
    fence: str
    places: Mapping[str, Sequence[Evidence]]


class TogetherVerifier(LLMVerifier):
    """Makes one call for all facts and entities, or one per entity if it is too long or fails.

    Only verdicts from per-entity calls have probabilities; those verdicts are marked
    (`Verdict.sent`).
    """

    name = "llm-verifier-together"

    def __init__(
        self,
        client: ChatClient,
        *,
        evidence: bool = False,
        prompts: Path | str | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(client, prompts=prompts, **settings)
        self.all_prompt = load_prompt("verify_all", prompts)
        self.evidence = evidence

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that can change an answer."""
        fields = {"together": self.all_prompt.version, "evidence": self.evidence}
        return {**super().settings, **fields}

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact, in order."""
        return (await self.verify_together(biography, [(facts, entity)]))[0]

    async def verify_together(
        self, biography: Biography, pairs: Sequence[FactsAndEntity]
    ) -> list[tuple[Verdict, ...]]:
        """Returns one row per pair, with one verdict per fact."""
        cells_of: list[dict[Fact, Verdict]] = [{} for _ in pairs]
        await together(self._judge(biography, part, pairs, cells_of) for part in self._parts(pairs))
        return [
            tuple(cells[fact] for fact in facts)
            for cells, (facts, _) in zip(cells_of, pairs, strict=True)
        ]

    def _parts(self, pairs: Sequence[FactsAndEntity]) -> Iterator[Sequence[Fact]]:
        """Yields the facts to include in each call."""
        return self.parts(list(dict.fromkeys(fact for facts, _ in pairs for fact in facts)))

    def together_requests(
        self, biography: Biography, pairs: Sequence[FactsAndEntity]
    ) -> list[Request]:
        """Returns the requests that `verify_together` makes if all answers can be used."""
        requests, entities = [], [entity for _, entity in pairs]
        for part in self._parts(pairs):
            request = self._all(part, self._show(part, entities), len(entities))
            by_entity = (self._request(biography, part, entity) for entity in entities)
            requests += [request] if self.fits(request) else list(by_entity)
        return requests

    def asks(self, biography: Biography, pairs: Sequence[FactsAndEntity]) -> Iterator[Asked]:
        """Yields the requests needed to judge facts against entities."""
        facts = {fact for each, _ in pairs for fact in each}
        tokens = 4 + 7 * min(len(facts), self.facts_per_call)  # seven per fact, as measured
        for request in self.together_requests(biography, pairs):
            yield from estimated_requests(self.client, request, tokens)

    async def _judge(
        self,
        biography: Biography,
        part: Sequence[Fact],
        pairs: Sequence[FactsAndEntity],
        cells_of: Sequence[dict[Fact, Verdict]],
    ) -> None:
        """Adds the verdicts on some of the facts to each entity's cells."""
        entities = [entity for _, entity in pairs]
        documents = self._show(part, entities)
        request = self._all(part, documents, len(entities))
        try:
            if self.fits(request):
                read = partial(
                    _read_letters, count=len(part), places=documents.places, quoted=self.evidence
                )
                columns = await self.client.ask(request, read)
                for cells, column in zip(cells_of, columns, strict=True):
                    cells.update(zip(part, column, strict=True))
                return
        except (AnswerError, CallError):
            pass  # one page may be the cause, and the others can still be judged
        self.client.note("verify", apart=1)
        facts_of = [[fact for fact in part if fact in set(facts)] for facts, _ in pairs]
        judge = super().verify
        rows = await together(
            [judge(biography, facts, page) for facts, page in zip(facts_of, entities, strict=True)]
        )
        for cells, facts, row in zip(cells_of, facts_of, rows, strict=True):
            marked = [replace(verdict, sent=True) for verdict in row]
            cells.update(zip(facts, marked, strict=True))

    def _show(self, facts: Sequence[Fact], entities: Sequence[Entity]) -> _Lettered:
        """Shows each entity's documents under a letter, after a separator that occurs in none."""
        places: dict[str, Sequence[Evidence]] = {}
        parts = []
        for number, entity in enumerate(entities):
            letter, lines = _letter(number), self.passages(facts, entity)
            places[letter] = ()
            if self.evidence:
                sentences = quotable(entity, lines)
                places[letter] = [place for place, _ in sentences]
                lines = [f"[{letter}{i}] {text}" for i, (_, text) in enumerate(sentences, 1)]
            parts.append((f"{letter}: {flat(entity.label)}", "\n".join(lines)))
        mark = fence(*(text for part in parts for text in part))
        return _Lettered("\n".join(f"{mark} {head}\n{text}" for head, text in parts), mark, places)

    def _all(self, facts: Sequence[Fact], documents: _Lettered, width: int) -> Request:
        answers = (
            'the sentences that support it, as they are marked ("A1"), one or two a document'
            if self.evidence
            else 'the letters of the documents that support it ("A")'
        )
        sentence = "1" if self.evidence else ""
        shown = {"1": [f"A{sentence}"], "2": [], "3": [f"A{sentence}", f"B{sentence}"]}
        variables = {
            # the demonstration's answer, and the marks of its sentences
            "shown": json.dumps(shown),
            "first": "[A1] " if self.evidence else "",
            "second": "[B1] " if self.evidence else "",
            "documents": documents.text,
            "answers": answers,
            "facts": numbered([fact.text for fact in facts]),
            "fence": documents.fence,
        }
        item: dict[str, Any] = {"type": "string"}
        if not self.evidence:
            item["enum"] = list(documents.places)
        row = {"type": "array", "items": item}
        return Request(
            stage="verify",
            messages=self.all_prompt.render(**variables),
            version=self.all_prompt.version,
            max_tokens=64 + len(facts) * (10 + (10 if self.evidence else 4) * width),
            schema=object_schema({str(number): row for number in range(1, len(facts) + 1)}),
            sample=self.sample,
        )


def _letter(number: int) -> str:
    """Returns the letters that denote an entity: A, B ... Z, AA, AB ..."""
    high, low = divmod(number, len(ascii_uppercase))
    return (_letter(high - 1) if high else "") + ascii_uppercase[low]


def _read_letters(
    answer: Answer, count: int, places: Mapping[str, Sequence[Evidence]], *, quoted: bool
) -> list[tuple[Verdict, ...]]:
    """Reads, for each fact, a list of letters or numbered sentences."""
    lists = parse_numbered(answer, range(1, count + 1), "fact")
    columns: dict[str, list[Verdict]] = {letter: [] for letter in places}
    for key, listed in lists.items():
        named: dict[str, int] = {}
        for item in _items(listed, key):
            match = re.fullmatch(r"\[?([A-Z]+)(\d{0,5})\]?", item)
            if match is None or match[1] not in places or bool(match[2]) != quoted:
                raise AnswerError(f"fact {key}: there is no {item[:20]!r} among the documents")
            number = int(match[2] or 1)
            if quoted and not 1 <= number <= len(places[match[1]]):
                raise AnswerError(f"fact {key}: there is no sentence {item[:20]!r}")
            named.setdefault(match[1], number)
        for letter, column in columns.items():
            if letter not in named:
                column.append(Verdict("not_supported"))
                continue
            place = places[letter][named[letter] - 1] if quoted else None
            column.append(Verdict("supported", evidence=place))
    return [tuple(column) for column in columns.values()]


def _items(value: Any, key: str) -> list[str]:
    if isinstance(value, dict) and len(value) == 1:  # {"supported_by": ["A"]}
        (value,) = value.values()
    if isinstance(value, str):
        value = [] if value.strip().lower() in ("", "none", "-") else re.split(r"[\s,;]+", value)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise AnswerError(f"fact {key} has no list of letters")
    return [item.strip() for item in value]


_READ = ("supported", "not_supported")


class MajorityVerifier(Verifier):
    """Gives each fact the verdict of most judges, with the share that supports it."""

    def __init__(self, judges: Sequence[Verifier]) -> None:
        self.judges = judges

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings of all judges."""
        each = [checked_settings(judge) for judge in self.judges]
        models = ", ".join(str(settings.get("model")) for settings in each)
        return {"name": f"majority of {models}", "judges": each}

    @property
    def tells_entities_apart(self) -> bool:
        """Whether all judges tell entities apart."""
        return all(judge.tells_entities_apart for judge in self.judges)

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact, in order."""
        return (await self.verify_together(biography, [(facts, entity)]))[0]

    async def verify_together(
        self, biography: Biography, pairs: Sequence[FactsAndEntity]
    ) -> list[tuple[Verdict, ...]]:
        """Returns one row per pair, with one verdict per fact."""
        votes = await together(verify_together(judge, biography, pairs) for judge in self.judges)
        return [
            tuple(_majority(cell) for cell in zip(*rows, strict=True))
            for rows in zip(*votes, strict=True)
        ]

    async def asks(
        self, biography: Biography, pairs: Sequence[FactsAndEntity]
    ) -> AsyncIterator[Asked]:
        """Yields the requests of all judges."""
        for judge in self.judges:
            for request in await all_asked(judge.asks(biography, pairs)):
                yield request


def _majority(verdicts: Sequence[Verdict]) -> Verdict:
    """Returns the verdict of most judges; unread if half of them or more could not be read."""
    read = [verdict for verdict in verdicts if verdict.status in _READ]
    if 2 * len(read) <= len(verdicts):
        return next(verdict for verdict in verdicts if verdict.status not in _READ)
    support = [verdict for verdict in read if verdict.status == "supported"]
    chosen = support if 2 * len(support) > len(read) else [v for v in read if v not in support]
    return replace(chosen[0], probability=round(len(support) / len(read), 6))
