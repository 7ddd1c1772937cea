"""Decomposes a text into atomic facts with a language model."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dfactscore._asking.budget import estimate_tokens
from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, AnswerError, Request
from dfactscore._asking.probe import Capabilities
from dfactscore._asking.session import estimated_requests
from dfactscore._asking.structured import object_schema, parse_numbered
from dfactscore._records import Biography, Fact
from dfactscore._text.sentences import Sentence, split_sentences
from dfactscore._util.tasks import together
from dfactscore.engines._llm.roles.base import PromptedRole, flat
from dfactscore.engines._llm.roles.coverage import ListedFact, TextWords
from dfactscore.engines._roles import Decomposer
from dfactscore.work import Asked

Form = Literal["auto", "paragraph", "sentence"]

_LOG = logging.getLogger(__name__)

_MAX_FACTS = 100  # More facts for one sentence are the result of an endless answer.
_MAX_WORDS = 120


@dataclass(frozen=True, slots=True)
class _Piece:
    request: Request
    sentences: tuple[int, ...]


class LLMDecomposer(PromptedRole, Decomposer):
    """Splits sentences into facts with a few-shot prompt (FActScore, section 3.1)."""

    name = "llm-decomposer"
    prompt_name = "decompose"

    def __init__(
        self,
        client: ChatClient,
        *,
        # `"paragraph"` makes one call per paragraph; `"sentence"` makes one call per sentence and
        # includes the preceding sentences, as FActScore does. `"auto"` makes one call per
        # paragraph, or per sentence if an answer about the first text cannot be read.
        form: Form = "auto",
        prompts: Path | str | None = None,
        max_sentences: int = 40,
        max_chars: int = 8000,
        check_facts: bool = True,
        sample: int = 0,
    ) -> None:
        super().__init__(client, prompts=prompts, sample=sample)
        self.form: Form = form
        self.check_facts = check_facts
        self._breaks: bool | None = None if form == "auto" else form == "sentence"
        self._lock: tuple[asyncio.AbstractEventLoop, asyncio.Lock] | None = None
        self.max_sentences = max_sentences
        self.max_chars = max_chars

    @property
    def by_sentence(self) -> bool:
        """Whether each call is about one sentence."""
        return bool(self._breaks)

    def recall(self, usage: Callable[[], Mapping[str, Any] | None]) -> None:
        """Restores the form that ``"auto"`` chose, based on the usage for a run's first text."""
        if self.form == "auto":
            first = usage()
            counts = (first or {}).get("decompose", {}).get(self.client.model.model, {})
            self._breaks = None if first is None else bool(counts.get("by_sentence"))

    @asynccontextmanager
    async def _finding_out(self) -> AsyncIterator[None]:
        """Makes other texts wait for the first one until the form is known."""
        if self._breaks is None:
            loop = asyncio.get_running_loop()
            if self._lock is None or self._lock[0] is not loop:
                self._lock = loop, asyncio.Lock()
            waited = self._lock[1].locked()
            async with self._lock[1]:
                if waited:
                    await self.client.raise_fatal()  # that of the first text stops all others
                if self._breaks is None:
                    yield
                    return
        yield

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that can change an answer."""
        return {
            **super().settings,
            "per_sentence": self.form == "sentence",
            **({"form": "paragraph"} if self.form == "paragraph" else {}),
            **({} if self.check_facts else {"check_facts": False}),
            "max_sentences": self.max_sentences,
            "max_chars": self.max_chars,
        }

    async def decompose(self, biography: Biography, *, again: bool = True) -> Sequence[Fact]:
        """Returns the facts in reading order.

        Each fact in an answer is checked against the words of the text: it is moved to its source
        sentence, or dropped if the text does not contain it. For sentences that state something but
        have no facts, the model is asked once more, one sentence per call. Sentences that still
        have no facts are counted (see `Tally`).
        """
        sentences = split_sentences(biography.text)
        async with self._finding_out():
            listed = await self._listed(biography, sentences, again=again)
        return tuple(
            Fact(fact.text, sentence=number, span=(sentences[number].start, sentences[number].end))
            for number in sorted(listed)
            for fact in listed[number]
        )

    async def _listed(
        self, biography: Biography, sentences: Sequence[Sentence], *, again: bool
    ) -> dict[int, list[ListedFact]]:
        """Returns the checked facts for each sentence and counts the errors."""
        text = self._words(biography, sentences)
        with self.failing_as("decomposition"):
            by_paragraph = not self.by_sentence
            answers, broken = await self._first(biography, sentences)
            by_sentence = self._keep_form(by_paragraph, broken)
            checked = text.check(answers)
            faults = checked.faults
            unread = set(broken)
            if again and by_paragraph:
                repeated = sorted(unread | set(text.open(checked.facts)))
                second_answers, broken = await self._ask_all(
                    self._alone(biography, sentences, repeated)
                )
                unread = set(broken)
                second = text.check(second_answers)
                faults = faults + second.faults + text.add(second.facts, checked.facts)
            if broken and not any(checked.facts.values()):
                raise next(iter(broken.values()))
        open_sentences = unread | set(text.open(checked.facts))
        self.client.note(
            "decompose",
            lost_sentences=len(open_sentences),
            **faults,
            by_sentence=int(by_sentence),
        )
        return checked.facts

    def _words(self, biography: Biography, sentences: Sequence[Sentence]) -> TextWords:
        """Returns the words of a text, to check facts against."""
        texts = [sentence.text for sentence in sentences]
        return TextWords(texts, biography.name, checks=self.check_facts)

    def _keep_form(self, by_paragraph: bool, broken: Mapping[int, AnswerError]) -> bool:
        """Sets the form after the first text; returns whether this text required another one."""
        if self._breaks is None:
            self._breaks = bool(broken)
            if broken:
                _LOG.info(
                    f"{self.client.model.model}: its answers about a paragraph cannot be read "
                    f"({next(iter(broken.values())).reason}); each sentence is asked about by "
                    "itself from now on, as with form: sentence"
                )
        return self.form != "sentence" and (bool(broken) or not by_paragraph)

    async def _first(
        self, biography: Biography, sentences: Sequence[Sentence]
    ) -> tuple[dict[int, tuple[ListedFact, ...]], dict[int, AnswerError]]:
        """Makes the first requests; returns the facts and the errors, by sentence."""
        return await self._ask_all(self._pieces(biography, sentences))

    async def _ask_all(
        self, pieces: Iterable[_Piece]
    ) -> tuple[dict[int, tuple[ListedFact, ...]], dict[int, AnswerError]]:
        """Returns facts by sentence, and errors by sentence if the answer could not be read."""
        broken: dict[int, AnswerError] = {}

        async def ask_piece(piece: _Piece) -> dict[int, tuple[ListedFact, ...]]:
            try:
                return await self._ask(piece)
            except AnswerError as error:
                if error.kind == "refused":
                    raise
                broken.update(dict.fromkeys(piece.sentences, error))
                return {}

        parts = await together(ask_piece(piece) for piece in pieces)
        return {number: facts for part in parts for number, facts in part.items()}, broken

    def requests(self, biography: Biography) -> list[Request]:
        """Returns the requests that `decompose` makes, excluding repeated ones."""
        return [p.request for p in self._pieces(biography, split_sentences(biography.text))]

    def asks(self, biography: Biography, facts: Sequence[Fact]) -> Iterator[Asked]:
        """Yields the requests that `decompose` makes, estimating answer lengths from the facts."""
        requests = [] if biography.facts is not None else self.requests(biography)
        answer = sum(estimate_tokens(fact.text) + 3 for fact in facts)
        for request in requests:
            yield from estimated_requests(self.client, request, answer // len(requests) + 8)

    async def known_facts(self, biography: Biography) -> Sequence[Fact] | None:
        """Returns the facts if the cache contains all answers; otherwise returns None."""
        able = self.client.known_capabilities() or Capabilities()
        if all(self.client.cached(request, able) for request in self.requests(biography)):
            return await self.decompose(biography, again=False)
        return None

    def _pieces(self, biography: Biography, sentences: Sequence[Sentence]) -> Iterator[_Piece]:
        texts = [flat(sentence.text)[: self.max_chars] for sentence in sentences]
        if self.by_sentence:
            yield from self._alone(biography, sentences, range(len(texts)))
            return
        chunk: list[int] = []
        size = 0
        for number, text in enumerate(texts):
            if chunk and (len(chunk) >= self.max_sentences or size + len(text) > self.max_chars):
                yield self._piece(biography, texts, chunk, tuple(chunk))
                chunk, size = [], 0
            chunk.append(number)
            size += len(text)
        if chunk:
            yield self._piece(biography, texts, chunk, tuple(chunk))

    def _alone(
        self, biography: Biography, sentences: Sequence[Sentence], numbers: Iterable[int]
    ) -> Iterator[_Piece]:
        """Creates one request per sentence, each of which includes the preceding sentences."""
        texts = [flat(sentence.text)[: self.max_chars] for sentence in sentences]
        for number in numbers:
            first = max(0, number - self.max_sentences + 1)
            yield self._piece(biography, texts, range(first, number + 1), (number,))

    def _piece(
        self,
        biography: Biography,
        texts: Sequence[str],
        context: Sequence[int],
        numbers_asked: tuple[int, ...],
    ) -> _Piece:
        numbers = [number + 1 for number in numbers_asked]
        span = f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
        variables = {
            "name": flat(biography.name),
            "text": "\n".join(f"{number + 1}. {texts[number]}" for number in context),
            "wanted": span,
        }
        facts = {"type": "array", "items": {"type": "string"}}
        request = self.question(
            "decompose",
            # Every fact repeats the subject, so the answer is longer than the text.
            200 + 3 * sum(estimate_tokens(texts[number]) for number in numbers_asked),
            variables,
            schema=object_schema({str(number): facts for number in numbers}),
        )
        return _Piece(request, numbers_asked)

    async def _ask(self, piece: _Piece) -> dict[int, tuple[ListedFact, ...]]:
        numbers = [number + 1 for number in piece.sentences]

        def read(answer: Answer) -> dict[int, tuple[ListedFact, ...]]:
            parsed = parse_numbered(answer, numbers, "sentence")
            return {
                int(key) - 1: tuple(ListedFact(fact) for fact in read_facts(value, key))
                for key, value in parsed.items()
            }

        return await self.client.ask(piece.request, read)


def read_facts(value: Any, key: str) -> tuple[str, ...]:
    """Reads the facts for one sentence: a list, a text with one fact per line, or null for none."""
    listed = value.splitlines() if isinstance(value, str) else [] if value is None else value
    if isinstance(listed, dict) and len(listed) == 1:  # {"facts": […]}
        (listed,) = listed.values()
    if not isinstance(listed, list):
        raise AnswerError(f"{key} has no list of sentences")
    if len(listed) > _MAX_FACTS:
        raise AnswerError(f"{key} has {len(listed)} facts, more than one sentence can contain")
    facts = []
    for item in listed:
        if isinstance(item, dict) and len(item) == 1:  # {"fact": "…"}
            (item,) = item.values()
        if not isinstance(item, str):
            raise AnswerError(f"{key} has no list of sentences")
        text = flat(item)
        if not any(c.isalnum() for c in text):
            raise AnswerError(f"{key} has an empty fact")
        if len(text.split()) > _MAX_WORDS:
            raise AnswerError(f"{key} has a fact of more than {_MAX_WORDS} words")
        facts.append(text)
    return tuple(facts)
