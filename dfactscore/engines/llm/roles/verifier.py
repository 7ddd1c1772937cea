"""Judges facts against one entity's documents with a language model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from dfactscore._util.tasks import together
from dfactscore.asking.client import ChatClient
from dfactscore.asking.errors import AnswerError, CallError
from dfactscore.asking.logprobs import probability_of_true, token_starts
from dfactscore.asking.messages import Answer, Request
from dfactscore.asking.structured import (
    boolean_schema,
    check_finished,
    expect_keys,
    looks_refused,
    parse_object,
    strip_thought,
)
from dfactscore.engines.llm.roles.passages import select_passages
from dfactscore.engines.llm.roles.prompts import RolePrompt, fence, flat, load_prompt, numbered
from dfactscore.records import Biography, Entity, Fact, Verdict

__all__ = ["LLMVerifier", "NoContextVerifier", "StrictVerifier"]


class _Base:
    def __init__(
        self, client: ChatClient, *, prompts: Path | str | None = None, sample: int = 0
    ) -> None:
        self.client = client
        self.prompt = self._prompt(prompts)
        self.sample = sample

    def _prompt(self, folder: Path | str | None) -> RolePrompt:
        raise NotImplementedError

    @property
    def threshold(self) -> float | None:
        """None: the model's own word decides, not a cut on its probability."""
        return None

    def _settings(self, role: str, **more: Any) -> dict[str, Any]:
        return {
            "name": role,
            **self.client.settings,
            "prompt": self.prompt.version,
            "sample": self.sample,
            **more,
        }

    async def _verdicts(
        self, request: Request, count: int, read: Callable[[Answer], tuple[Verdict, ...]]
    ) -> tuple[Verdict, ...]:
        try:
            return await self.client.ask(request, read)
        except AnswerError as error:
            return (Verdict(error.kind),) * count
        except CallError:
            return (Verdict("error"),) * count


class LLMVerifier(_Base):
    """One call per page for all facts, with the passages that matter for them.

    Args:
        client: The model.
        prompts: The user's folder of templates, or None.
        facts_per_call: Maximum number of facts in a call.
        passages_per_fact: Passages taken for each fact by BM25 within the page.
        max_passages: Maximum number of passages in a call.
        sample: Index of the repetition.
    """

    def __init__(
        self,
        client: ChatClient,
        *,
        prompts: Path | str | None = None,
        facts_per_call: int = 50,
        passages_per_fact: int = 3,
        max_passages: int = 20,
        sample: int = 0,
    ) -> None:
        super().__init__(client, prompts=prompts, sample=sample)
        cap = client.model.max_answer_tokens
        if cap is not None:
            facts_per_call = max(1, min(facts_per_call, (cap - 16) // 8))
        self.facts_per_call = facts_per_call
        self.passages_per_fact = passages_per_fact
        self.max_passages = max_passages

    def _prompt(self, folder: Path | str | None) -> RolePrompt:
        return load_prompt("verify", folder)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer."""
        return self._settings(
            "llm-verifier",
            facts_per_call=self.facts_per_call,
            passages_per_fact=self.passages_per_fact,
            max_passages=self.max_passages,
        )

    def requests(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> list[Request]:
        """The calls that `verify` makes."""
        return list(self._requests(biography, facts, entity))

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact, in order."""
        parts = await together(
            (
                self._verdicts(request, count, partial(read_verdicts, count=count))
                for request, count in zip(
                    self._requests(biography, facts, entity),
                    (len(part) for part in _chunks(facts, self.facts_per_call)),
                    strict=True,
                )
            )
        )
        return tuple(verdict for part in parts for verdict in part)

    def _requests(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Iterator[Request]:
        for part in _chunks(facts, self.facts_per_call):
            texts = [fact.text for fact in part]
            page = "\n".join(
                select_passages(
                    entity, texts, per_query=self.passages_per_fact, at_most=self.max_passages
                )
            )
            shown, title = numbered(texts), flat(entity.label)
            yield Request(
                stage="verify",
                messages=self.prompt.render(
                    name=flat(biography.name),
                    title=title,
                    page=page,
                    facts=shown,
                    fence=fence(page, shown, title),
                ),
                version=self.prompt.version,
                max_tokens=64 + 10 * len(part),
                schema=boolean_schema([str(i) for i in range(1, len(part) + 1)]),
                logprobs=True,
                sample=self.sample,
            )


class StrictVerifier(_Base):
    """One call per fact and page, answered by one word: the paper's form (section 4.2).

    Args:
        client: The model.
        prompts: The user's folder of templates, or None.
        passages: Passages of the page given to a call, best by BM25.
        sample: Index of the repetition.
    """

    def __init__(
        self,
        client: ChatClient,
        *,
        prompts: Path | str | None = None,
        passages: int = 5,
        sample: int = 0,
    ) -> None:
        super().__init__(client, prompts=prompts, sample=sample)
        self.passages = passages

    def _prompt(self, folder: Path | str | None) -> RolePrompt:
        return load_prompt("strict", folder)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer."""
        return self._settings("llm-verifier-strict", passages=self.passages)

    def requests(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> list[Request]:
        """The calls that `verify` makes."""
        return [self._request(biography, fact, entity) for fact in facts]

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact, in order."""
        found = await together(
            self._verdicts(self._request(biography, fact, entity), 1, read_word) for fact in facts
        )
        return tuple(verdict for (verdict,) in found)

    def _request(self, biography: Biography, fact: Fact, entity: Entity) -> Request:
        page = "\n".join(
            select_passages(entity, [fact.text], per_query=self.passages, at_most=self.passages)
        )
        text, title, name = flat(fact.text), flat(entity.label), flat(biography.name)
        return Request(
            stage="verify",
            messages=self.prompt.render(
                name=name, title=title, page=page, fact=text, fence=fence(page, text, title, name)
            ),
            version=self.prompt.version,
            max_tokens=16,
            logprobs=True,
            sample=self.sample,
        )


class NoContextVerifier(_Base):
    """Asks what the model knows by itself: FActScore's no-context LM.

    It reads no documents, so its verdict is the same for every entity: FS is all that it can
    give, and `tells_entities_apart` declares it to the linking stage.
    """

    tells_entities_apart = False

    def __init__(
        self,
        client: ChatClient,
        *,
        prompts: Path | str | None = None,
        facts_per_call: int = 50,
        sample: int = 0,
    ) -> None:
        super().__init__(client, prompts=prompts, sample=sample)
        self.facts_per_call = facts_per_call

    def _prompt(self, folder: Path | str | None) -> RolePrompt:
        return load_prompt("no_context", folder)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer."""
        return self._settings("llm-verifier-no-context", facts_per_call=self.facts_per_call)

    def requests(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> list[Request]:
        """The calls that `verify` makes; the same for every entity."""
        return list(yes_no_requests("verify", self, biography, facts, self.facts_per_call))

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact, in order."""
        parts = await together(
            (
                self._verdicts(request, n, partial(read_verdicts, count=n))
                for request, n in zip(
                    self.requests(biography, facts, entity),
                    (len(part) for part in _chunks(facts, self.facts_per_call)),
                    strict=True,
                )
            )
        )
        return tuple(verdict for part in parts for verdict in part)


def yes_no_requests(
    stage: str, role: Any, biography: Biography, facts: Sequence[Fact], size: int
) -> Iterator[Request]:
    """Calls that ask for true or false about facts alone, without a page."""
    for part in _chunks(facts, size):
        yield Request(
            stage=stage,
            messages=role.prompt.render(
                name=flat(biography.name), facts=numbered([fact.text for fact in part])
            ),
            version=role.prompt.version,
            max_tokens=64 + 10 * len(part),
            schema=boolean_schema([str(i) for i in range(1, len(part) + 1)]),
            logprobs=True,
            sample=role.sample,
        )


def _chunks(facts: Sequence[Fact], size: int) -> Iterator[Sequence[Fact]]:
    for start in range(0, len(facts), size):
        yield facts[start : start + size]


def read_verdicts(answer: Answer, count: int) -> tuple[Verdict, ...]:
    """Reads true or false under each of the numbers 1 to `count`.

    Raises:
        AnswerError: If a number is missing, unknown or repeated, or a value is neither.
    """
    found = parse_object(answer)
    keys = [str(i) for i in range(1, count + 1)]
    expect_keys(found, keys, "fact")
    offsets = _value_offsets(answer.text) if answer.logprobs else {}
    starts = token_starts(answer.logprobs, answer.text)
    verdicts = []
    for key in keys:
        value = found[key]
        if isinstance(value, str) and value.strip().lower() in ("true", "false"):
            value = value.strip().lower() == "true"
        if not isinstance(value, bool):
            raise AnswerError(f"fact {key} has neither true nor false")
        probability = None
        if key in offsets:
            probability = probability_of_true(answer.logprobs, starts, offsets[key], said=value)
        verdicts.append(Verdict("supported" if value else "not_supported", probability))
    return tuple(verdicts)


_VALUE = re.compile(r'"(\d+)"\s*:\s*"?(?=true|false)', re.IGNORECASE)


def _value_offsets(text: str) -> dict[str, int]:
    start = len(text) - len(strip_thought(text))
    return {match[1]: match.end() for match in _VALUE.finditer(text, start)}


_WORD = re.compile(r"\W*(true|false)\W*", re.IGNORECASE)


def read_word(answer: Answer) -> tuple[Verdict, ...]:
    """Reads one word, true or false, and nothing else.

    Raises:
        AnswerError: If there is more, or something else. (That a negation or an explanation
            counts as support is how the originals inflate their scores.)
    """
    check_finished(answer)
    text = strip_thought(answer.text)
    match = _WORD.fullmatch(text)
    if match is None:
        if looks_refused(text):
            raise AnswerError("it is a refusal, not one of the two words", "refused")
        raise AnswerError("it is not the one word True or False")
    said = match[1].lower() == "true"
    offset = len(answer.text) - len(text) + match.start(1)
    starts = token_starts(answer.logprobs, answer.text)
    probability = probability_of_true(answer.logprobs, starts, offset, said=said)
    return (Verdict("supported" if said else "not_supported", probability),)
