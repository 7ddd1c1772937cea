"""Decomposes a paragraph into atomic facts with a language model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfactscore._util.tasks import together
from dfactscore.asking.client import ChatClient
from dfactscore.asking.errors import AnswerError, CallError
from dfactscore.asking.messages import Answer, Request
from dfactscore.asking.structured import expect_keys, parse_object
from dfactscore.asking.tokens import estimate_tokens
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

    async def decompose(self, biography: Biography) -> Sequence[Fact]:
        """Returns the facts in reading order.

        Raises:
            RoleError: If a part of the text cannot be decomposed: a paragraph with a hole in it
                would get a score that is not its own.
        """
        sentences = split_sentences(biography.text)
        pieces = list(self._pieces(biography, sentences))
        try:
            found = await together(self._ask(piece) for piece in pieces)
        except AnswerError as error:
            raise RoleError(f"decomposition {error.kind}: {error.reason}") from None
        except CallError as error:
            raise RoleError(f"decomposition failed: {error.reason}") from None
        texts = {number: facts for piece in found for number, facts in piece.items()}
        return tuple(
            Fact(text, sentence=number, span=(sentences[number].start, sentences[number].end))
            for number in sorted(texts)
            for text in texts[number]
        )

    def requests(self, biography: Biography) -> list[Request]:
        """The calls that `decompose` makes."""
        return [p.request for p in self._pieces(biography, split_sentences(biography.text))]

    def _pieces(self, biography: Biography, sentences: Sequence[Sentence]) -> Iterator[_Piece]:
        texts = [flat(sentence.text)[: self.max_chars] for sentence in sentences]
        if self.per_sentence:
            for number in range(len(texts)):
                first = max(0, number - self.max_sentences + 1)
                yield self._piece(biography, texts, range(first, number + 1), (number,))
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
            # Every fact repeats the subject, so the answer is several times as long as the text.
            max_tokens=256 + 5 * tokens,
            schema=schema,
            sample=self.sample,
        )
        return _Piece(request, wanted)

    async def _ask(self, piece: _Piece) -> dict[int, tuple[str, ...]]:
        keys = [str(number + 1) for number in piece.sentences]

        def read(answer: Answer) -> dict[int, tuple[str, ...]]:
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
