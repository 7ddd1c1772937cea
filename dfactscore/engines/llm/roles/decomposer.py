"""Decomposes a paragraph into atomic facts with a language model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfactscore._util.tasks import together
from dfactscore.asking.client import ChatClient
from dfactscore.asking.errors import AnswerError, CallError, RunawayError
from dfactscore.asking.messages import Answer, Request
from dfactscore.asking.structured import expect_keys, parse_object, repeats_itself
from dfactscore.asking.tokens import estimate_tokens
from dfactscore.engines.llm.roles.coverage import TextWords
from dfactscore.engines.llm.roles.prompts import flat, load_prompt
from dfactscore.engines.protocols import RoleError
from dfactscore.records import Biography, Fact
from dfactscore.text.sentences import Sentence, split_sentences

__all__ = ["LLMDecomposer"]

_MAX_FACTS = 100  # A single sentence with more is an answer that ran away.
_MAX_WORDS = 120


@dataclass(frozen=True, slots=True)
class _Piece:
    request: Request
    sentences: tuple[int, ...]


class LLMDecomposer:
    """Splits sentences into facts: one call a paragraph, few-shot (FActScore, section 3.1).

    Args:
        client: The model.
        per_sentence: One call a sentence, each with the sentences before it, as FActScore does.
        prompts: The user's folder of templates, or None.
        max_sentences: Maximum number of sentences in a call; longer texts take several.
        max_chars: Maximum number of characters in a call.
        sample: Index of the repetition.
    """

    def __init__(
        self,
        client: ChatClient,
        *,
        per_sentence: bool = False,
        prompts: Path | str | None = None,
        max_sentences: int = 40,
        max_chars: int = 8000,
        sample: int = 0,
    ) -> None:
        self.client = client
        self.per_sentence = per_sentence
        self.prompt = load_prompt("decompose", prompts)
        self.max_sentences = max_sentences
        self.max_chars = max_chars
        self.sample = sample

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer."""
        return {
            "name": "llm-decomposer",
            **self.client.settings,
            "prompt": self.prompt.version,
            "per_sentence": self.per_sentence,
            "max_sentences": self.max_sentences,
            "max_chars": self.max_chars,
            "sample": self.sample,
        }

    async def decompose(self, biography: Biography, *, again: bool = True) -> Sequence[Fact]:
        """Returns the facts in reading order.

        What an answer lists is checked against the words of the text: facts are moved to the
        sentence they come from, those that the text does not hold are dropped, and sentences that
        state something and got none are asked again, once, each alone. What is lost all the same
        is counted (see `Tally`).

        Args:
            biography: The text.
            again: Ask again for what is missing.

        Raises:
            RoleError: If a call fails, the model refuses, or none of its answers can be read.
        """
        sentences = split_sentences(biography.text)
        texts = await self._listed(biography, sentences, again=again)
        return tuple(
            Fact(text, sentence=number, span=(sentences[number].start, sentences[number].end))
            for number in sorted(texts)
            for text in texts[number]
        )

    async def _listed(
        self, biography: Biography, sentences: Sequence[Sentence], *, again: bool
    ) -> dict[int, list[str]]:
        """The facts by sentence, as far as the text holds them; what is missing is counted."""
        found, broken = await self._ask_all(self._pieces(biography, sentences))
        text = TextWords([sentence.text for sentence in sentences], biography.name)
        checked = text.check(found)
        moved, dropped = checked.moved, checked.not_in_text
        unread = set(broken)
        if again and not self.per_sentence:
            alone = sorted(unread | set(text.open(checked.facts)))
            more, broken = await self._ask_all(self._alone(biography, sentences, alone))
            unread = set(broken)
            second = text.check(more)
            moved, dropped = moved + second.moved, dropped + second.not_in_text
            for number, facts in second.facts.items():
                known = checked.facts[number]
                known += [fact for fact in facts if fact not in known]
        if broken and not any(checked.facts.values()):
            raise RoleError(f"decomposition unparsed: {next(iter(broken.values())).reason}")
        lost = unread | set(text.open(checked.facts))
        self.client.note("decompose", lost_sentences=len(lost), not_in_text=dropped, moved=moved)
        return checked.facts

    async def _ask_all(
        self, pieces: Iterable[_Piece]
    ) -> tuple[dict[int, tuple[str, ...]], dict[int, AnswerError]]:
        """The facts by sentence, and the sentences whose answer could not be read."""
        broken: dict[int, AnswerError] = {}

        async def one(piece: _Piece) -> dict[int, tuple[str, ...]]:
            try:
                return await self._ask(piece)
            except AnswerError as error:
                if error.kind == "refused":
                    raise
                broken.update(dict.fromkeys(piece.sentences, error))
                return {}

        try:
            found = await together(one(piece) for piece in pieces)
        except AnswerError as error:
            raise RoleError(f"decomposition {error.kind}: {error.reason}") from None
        except CallError as error:
            raise RoleError(f"decomposition failed: {error.reason}") from None
        return {number: facts for part in found for number, facts in part.items()}, broken

    def requests(self, biography: Biography) -> list[Request]:
        """The calls that `decompose` makes."""
        return [p.request for p in self._pieces(biography, split_sentences(biography.text))]

    def _pieces(self, biography: Biography, sentences: Sequence[Sentence]) -> Iterator[_Piece]:
        texts = [flat(sentence.text)[: self.max_chars] for sentence in sentences]
        if self.per_sentence:
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
        self, biography: Biography, sentences: Sequence[Sentence], wanted: Iterable[int]
    ) -> Iterator[_Piece]:
        """A call for each of some sentences, with the sentences before it."""
        texts = [flat(sentence.text)[: self.max_chars] for sentence in sentences]
        for number in wanted:
            first = max(0, number - self.max_sentences + 1)
            yield self._piece(biography, texts, range(first, number + 1), (number,))

    def _piece(
        self,
        biography: Biography,
        texts: Sequence[str],
        shown: Sequence[int],
        wanted: tuple[int, ...],
    ) -> _Piece:
        numbers = [number + 1 for number in wanted]
        span = f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
        messages = self.prompt.render(
            name=flat(biography.name),
            text="\n".join(f"{number + 1}. {texts[number]}" for number in shown),
            wanted=span,
        )
        tokens = sum(estimate_tokens(texts[number]) for number in wanted)
        keys = [str(number) for number in numbers]
        schema = {
            "type": "object",
            "properties": {key: {"type": "array", "items": {"type": "string"}} for key in keys},
            "required": keys,
            "additionalProperties": False,
        }
        request = Request(
            stage="decompose",
            messages=messages,
            version=self.prompt.version,
            # Every fact repeats the subject: the answer is longer than the text, but has an end.
            max_tokens=200 + 3 * tokens,
            schema=schema,
            sample=self.sample,
        )
        return _Piece(request, wanted)

    async def _ask(self, piece: _Piece) -> dict[int, tuple[str, ...]]:
        keys = [str(number + 1) for number in piece.sentences]

        def read(answer: Answer) -> dict[int, tuple[str, ...]]:
            if answer.finish == "length" and repeats_itself(answer.text):
                raise RunawayError("it repeats itself without end")
            found = parse_object(answer)
            expect_keys(found, keys, "sentence")
            return {int(key) - 1: _facts(found[key], key) for key in keys}

        return await self.client.ask(piece.request, read)


def _facts(value: Any, key: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise AnswerError(f"{key} has no list of sentences")
    if len(value) > _MAX_FACTS:
        raise AnswerError(f"{key} has {len(value)} facts, more than one sentence can contain")
    facts = []
    for item in value:
        text = flat(item)
        if not any(c.isalnum() for c in text):
            raise AnswerError(f"{key} has an empty fact")
        if len(text.split()) > _MAX_WORDS:
            raise AnswerError(f"{key} has a fact of more than {_MAX_WORDS} words")
        facts.append(text)
    return tuple(facts)
