"""Judges facts against one entity's documents with a language model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from dfactscore._asking.client import ChatClient
from dfactscore._asking.errors import AnswerError
from dfactscore._asking.estimated_requests import estimated_requests
from dfactscore._asking.logprobs import probability_of_true, token_starts
from dfactscore._asking.messages import Answer, Request
from dfactscore._asking.structured import (
    boolean_schema,
    check_finished,
    expect_keys,
    looks_refused,
    parse_object,
    spoken,
)
from dfactscore._records import Biography, Entity, Fact, Verdict
from dfactscore._util.tasks import together
from dfactscore.engines._llm.roles.base import PromptedRole
from dfactscore.engines._llm.roles.passages import select_passages
from dfactscore.engines._llm.roles.prompts import fence, flat, numbered
from dfactscore.engines._roles import Verifier
from dfactscore.work import Asked

FactsAndEntity = tuple[Sequence[Fact], Entity]
"""Facts that are judged together, and what they are judged against."""


class FactsRole(PromptedRole):
    """A role that says true or false of numbered facts, so many in a call.

    Args:
        client: The model.
        prompts: The user's folder of templates, or None.
        facts_per_call: Maximum number of facts in a call.
        sample: Index of the repetition.
    """

    stage = "verify"

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

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer."""
        return {**super().settings, "facts_per_call": self.facts_per_call}

    def parts(self, facts: Sequence[Fact]) -> Iterator[Sequence[Fact]]:
        """The facts of each call."""
        for start in range(0, len(facts), self.facts_per_call):
            yield facts[start : start + self.facts_per_call]

    def true_or_false(
        self, facts: Sequence[Fact], variables: Mapping[str, str], **more: Any
    ) -> Request:
        """The call about some facts."""
        keys = [str(i) for i in range(1, len(facts) + 1)]
        return self.question(
            self.stage, 64 + 10 * len(facts), variables, schema=boolean_schema(keys), **more
        )


class _Verifier(FactsRole, Verifier):
    def requests(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> list[Request]:
        """The calls that `verify` makes."""
        return [self._request(biography, part, entity) for part in self.parts(facts)]

    def asks(self, biography: Biography, asked: Sequence[FactsAndEntity]) -> Iterator[Asked]:
        """Requests for judging facts against entities."""
        for facts, entity in asked:
            for request in self.requests(biography, facts, entity):
                tokens = 4 + 6 * min(len(facts), self.facts_per_call)
                yield from estimated_requests(self.client, request, tokens)

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact, in order."""
        found = await together(
            self.verdicts(
                self._request(biography, part, entity),
                len(part),
                partial(read_verdicts, count=len(part)),
                partial(read_verdicts, count=len(part), each=True),
            )
            for part in self.parts(facts)
        )
        return tuple(verdict for part in found for verdict in part)

    def _request(self, biography: Biography, facts: Sequence[Fact], entity: Entity) -> Request:
        raise NotImplementedError


class LLMVerifier(_Verifier):
    """One call per page for all facts, with the passages that matter for them.

    Args:
        client: The model.
        prompts: The user's folder of templates, or None.
        facts_per_call: Maximum number of facts in a call.
        passages_per_fact: Passages taken for each fact by BM25 within the page.
        max_passages: Maximum number of passages in a call.
        sample: Index of the repetition.
    """

    name = "llm-verifier"
    prompt_name = "verify"

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
        cap = client.model.max_answer_tokens
        if cap is not None:
            facts_per_call = max(1, min(facts_per_call, (cap - 16) // 8))
        super().__init__(client, prompts=prompts, facts_per_call=facts_per_call, sample=sample)
        self.passages_per_fact = passages_per_fact
        self.max_passages = max_passages

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer."""
        return {
            **super().settings,
            "passages_per_fact": self.passages_per_fact,
            "max_passages": self.max_passages,
        }

    def passages(self, facts: Sequence[Fact], entity: Entity) -> Sequence[str]:
        """Parts of an entity's documents in the prompt."""
        texts = [fact.text for fact in facts]
        return select_passages(
            entity, texts, per_query=self.passages_per_fact, at_most=self.max_passages
        )

    def _request(self, biography: Biography, facts: Sequence[Fact], entity: Entity) -> Request:
        page, title = "\n".join(self.passages(facts, entity)), flat(entity.label)
        shown = numbered([fact.text for fact in facts])
        variables = {
            "name": flat(biography.name),
            "title": title,
            "page": page,
            "facts": shown,
            "fence": fence(page, title),  # not of the facts: what repeats stays the same
        }
        return self.true_or_false(facts, variables, logprobs=True)


class StrictVerifier(PromptedRole, Verifier):
    """One call per fact and page, answered by one word: the paper's form (section 4.2).

    Args:
        client: The model.
        prompts: The user's folder of templates, or None.
        passages: Passages of the page given to a call, best by BM25.
        sample: Index of the repetition.
    """

    name = "llm-verifier-strict"
    prompt_name = "strict"

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

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer."""
        return {**super().settings, "passages": self.passages}

    def requests(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> list[Request]:
        """The calls that `verify` makes."""
        return [self._request(biography, fact, entity) for fact in facts]

    def asks(self, biography: Biography, asked: Sequence[FactsAndEntity]) -> Iterator[Asked]:
        """Requests for judging facts against entities."""
        for facts, entity in asked:
            for request in self.requests(biography, facts, entity):
                yield from estimated_requests(self.client, request, 2)

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact, in order."""
        found = await together(
            self.verdicts(self._request(biography, fact, entity), 1, read_word) for fact in facts
        )
        return tuple(verdict for (verdict,) in found)

    def _request(self, biography: Biography, fact: Fact, entity: Entity) -> Request:
        page = "\n".join(
            select_passages(entity, [fact.text], per_query=self.passages, at_most=self.passages)
        )
        text, title, name = flat(fact.text), flat(entity.label), flat(biography.name)
        variables = {
            "name": name,
            "title": title,
            "page": page,
            "fact": text,
            "fence": fence(page, title, name),
        }
        return self.question("verify", 16, variables, logprobs=True)


class NoContextVerifier(_Verifier):
    """Asks what the model knows by itself: FActScore's no-context LM.

    It reads no documents, so its verdict is the same for every entity: FS is all that it can
    give, and `tells_entities_apart` declares it to the linking stage.
    """

    name = "llm-verifier-no-context"
    prompt_name = "no_context"
    tells_entities_apart = False

    def _request(self, biography: Biography, facts: Sequence[Fact], entity: Entity) -> Request:
        shown = numbered([fact.text for fact in facts])
        variables = {"name": flat(biography.name), "facts": shown}
        return self.true_or_false(facts, variables, logprobs=True)


def read_verdicts(answer: Answer, count: int, *, each: bool = False) -> tuple[Verdict, ...]:
    """Reads true or false under each of the numbers 1 to `count`.

    Args:
        answer: The model's output.
        count: Number of facts.
        each: Whether a value that is neither costs its own fact only.

    Raises:
        AnswerError: If a number is missing, unknown or repeated, or a value is neither.
    """
    found = parse_object(answer)
    keys = [str(i) for i in range(1, count + 1)]
    expect_keys(found, keys, "fact")
    offsets = _value_offsets(answer) if answer.logprobs else {}
    starts = token_starts(answer.logprobs, answer.text)
    verdicts = []
    for key in keys:
        value = found[key]
        if isinstance(value, str) and value.strip().lower() in ("true", "false"):
            value = value.strip().lower() == "true"
        if not isinstance(value, bool):
            if each:
                verdicts.append(Verdict("unparsed"))
                continue
            raise AnswerError(f"fact {key} has neither true nor false")
        probability = None
        if key in offsets:
            probability = probability_of_true(answer.logprobs, starts, offsets[key], said=value)
        verdicts.append(Verdict("supported" if value else "not_supported", probability))
    return tuple(verdicts)


_VALUE = re.compile(r'"(\d+)"\s*:\s*"?(?=true|false)', re.IGNORECASE)


def _value_offsets(answer: Answer) -> dict[str, int]:
    text = answer.text
    start = 0 if text.lstrip()[:1] == "{" else text.rfind(spoken(answer))
    return {match[1]: match.end() for match in _VALUE.finditer(text, start)} if start >= 0 else {}


_WORD = re.compile(r"\W*(true|false)\W*", re.IGNORECASE)


def read_word(answer: Answer) -> tuple[Verdict, ...]:
    """Reads one word, true or false, and nothing else.

    Raises:
        AnswerError: If there is more, or something else. (That a negation or an explanation
            counts as support is how the originals inflate their scores.)
    """
    check_finished(answer)
    text = spoken(answer)
    match = _WORD.fullmatch(text)
    if match is None:
        if looks_refused(text):
            raise AnswerError("it is a refusal, not one of the two words", "refused")
        raise AnswerError("it is not the one word True or False")
    said = match[1].lower() == "true"
    offset = answer.text.rfind(text) + match.start(1)
    starts = token_starts(answer.logprobs, answer.text)
    probability = probability_of_true(answer.logprobs, starts, offset, said=said)
    return (Verdict("supported" if said else "not_supported", probability),)
