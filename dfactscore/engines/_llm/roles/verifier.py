"""Judges facts against one entity's documents with a language model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, AnswerError, Request
from dfactscore._asking.replies import probability_of_true, token_starts
from dfactscore._asking.session import estimated_requests
from dfactscore._asking.structured import (
    boolean_schema,
    check_finished,
    looks_refused,
    object_schema,
    parse_numbered,
    spoken,
    truth,
)
from dfactscore._records import Biography, Entity, Fact, Verdict
from dfactscore._util.tasks import together
from dfactscore.engines._llm.roles.base import (
    PromptedRole,
    fence,
    flat,
    load_prompt,
    numbered,
    select_passages,
)
from dfactscore.engines._roles import Verifier
from dfactscore.linking import Status
from dfactscore.work import Asked

_REASON = 40  # tokens for a reason

FactsAndEntity = tuple[Sequence[Fact], Entity]
"""Facts to judge together, and the entity to judge them against."""


class FactsRole(PromptedRole):
    """A role that answers true or false for numbered facts, several per call."""

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
        """All settings that can change an answer."""
        return {**super().settings, "facts_per_call": self.facts_per_call}

    def parts(self, facts: Sequence[Fact]) -> Iterator[Sequence[Fact]]:
        """Yields the facts to include in each call."""
        for start in range(0, len(facts), self.facts_per_call):
            yield facts[start : start + self.facts_per_call]

    def true_or_false(
        self, facts: Sequence[Fact], variables: Mapping[str, str], **fields: Any
    ) -> Request:
        """Creates the request about some facts; `fields` gives additional fields of `Request`."""
        keys = [str(i) for i in range(1, len(facts) + 1)]
        return self.question(
            self.stage, 64 + 10 * len(facts), variables, schema=boolean_schema(keys), **fields
        )


class _Verifier(FactsRole, Verifier):
    per_fact = 6  # tokens of an answer

    def requests(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> list[Request]:
        """Returns the requests that `verify` makes."""
        return [self._request(biography, part, entity) for part in self.parts(facts)]

    def asks(self, biography: Biography, pairs: Sequence[FactsAndEntity]) -> Iterator[Asked]:
        """Yields the requests needed to judge facts against entities."""
        for facts, entity in pairs:
            for request in self.requests(biography, facts, entity):
                tokens = 4 + self.per_fact * min(len(facts), self.facts_per_call)
                yield from estimated_requests(self.client, request, tokens)

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact, in order."""
        rows = await together(
            self.verdicts(
                self._request(biography, part, entity),
                len(part),
                partial(read_verdicts, count=len(part)),
                partial(read_verdicts, count=len(part), each=True),
            )
            for part in self.parts(facts)
        )
        return tuple(verdict for part in rows for verdict in part)

    def _request(self, biography: Biography, facts: Sequence[Fact], entity: Entity) -> Request:
        raise NotImplementedError


class LLMVerifier(_Verifier):
    """Judges all facts in one call per page, which includes the relevant passages."""

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
        reasons: bool = False,  # whether to ask for a reason for each verdict
        sample: int = 0,
    ) -> None:
        cap = client.model.max_answer_tokens
        if cap is not None:
            each = 8 + (_REASON if reasons else 0)
            facts_per_call = max(1, min(facts_per_call, (cap - 16) // each))
        super().__init__(client, prompts=prompts, facts_per_call=facts_per_call, sample=sample)
        self.passages_per_fact = passages_per_fact
        self.max_passages = max_passages
        self.reasons = reasons
        if reasons:
            self.prompt = load_prompt("verify_why", prompts)
            self.per_fact += 20

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that can change an answer."""
        return {
            **super().settings,
            **({"reasons": True} if self.reasons else {}),
            "passages_per_fact": self.passages_per_fact,
            "max_passages": self.max_passages,
        }

    def passages(self, facts: Sequence[Fact], entity: Entity) -> Sequence[str]:
        """Returns the passages from an entity's documents to include in the prompt."""
        texts = [fact.text for fact in facts]
        return select_passages(
            entity, texts, per_query=self.passages_per_fact, at_most=self.max_passages
        )

    def _request(self, biography: Biography, facts: Sequence[Fact], entity: Entity) -> Request:
        page, title = "\n".join(self.passages(facts, entity)), flat(entity.label)
        lines = numbered([fact.text for fact in facts])
        variables = {
            "name": flat(biography.name),
            "title": title,
            "page": page,
            "facts": lines,
            # independent of the facts, so that servers can cache the prefix of the prompt
            "fence": fence(page, title),
        }
        if not self.reasons:
            return self.true_or_false(facts, variables, logprobs=True)
        verdict = object_schema({"why": {"type": "string"}, "supported": {"type": "boolean"}})
        keys = [str(number) for number in range(1, len(facts) + 1)]
        return self.question(
            self.stage,
            64 + (10 + _REASON) * len(facts),
            variables,
            schema=object_schema(dict.fromkeys(keys, verdict)),
        )


class StrictVerifier(PromptedRole, Verifier):
    """Judges each pair of fact and page in its own call, answered in one word (section 4.2)."""

    name = "llm-verifier-strict"
    prompt_name = "strict"

    def __init__(
        self,
        client: ChatClient,
        *,
        prompts: Path | str | None = None,
        passages: int = 5,  # number of passages per call; the best ones by BM25 are used
        sample: int = 0,
    ) -> None:
        super().__init__(client, prompts=prompts, sample=sample)
        self.passages = passages

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that can change an answer."""
        return {**super().settings, "passages": self.passages}

    def requests(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> list[Request]:
        """Returns the requests that `verify` makes."""
        return [self._request(biography, fact, entity) for fact in facts]

    def asks(self, biography: Biography, pairs: Sequence[FactsAndEntity]) -> Iterator[Asked]:
        """Yields the requests needed to judge facts against entities."""
        for facts, entity in pairs:
            for request in self.requests(biography, facts, entity):
                yield from estimated_requests(self.client, request, 2)

    async def verify(
        self, biography: Biography, facts: Sequence[Fact], entity: Entity
    ) -> Sequence[Verdict]:
        """Returns one verdict per fact, in order."""
        rows = await together(
            self.verdicts(self._request(biography, fact, entity), 1, read_word) for fact in facts
        )
        return tuple(verdict for (verdict,) in rows)

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
    """Judges facts based on the model's own knowledge: FActScore's no-context LM.

    This verifier reads no documents, so its verdict is the same for every entity and only FS can be
    computed; `tells_entities_apart` declares this to the linking stage.
    """

    name = "llm-verifier-no-context"
    prompt_name = "no_context"
    tells_entities_apart = False

    def _request(self, biography: Biography, facts: Sequence[Fact], entity: Entity) -> Request:
        lines = numbered([fact.text for fact in facts])
        variables = {"name": flat(biography.name), "facts": lines}
        return self.true_or_false(facts, variables, logprobs=True)


def read_verdicts(answer: Answer, count: int, *, each: bool = False) -> tuple[Verdict, ...]:
    """Reads true or false for each of the numbers 1 to `count`."""
    parsed = parse_numbered(answer, range(1, count + 1), "fact")
    offsets = _value_offsets(answer) if answer.logprobs else {}
    starts = token_starts(answer.logprobs, answer.text)
    verdicts = []
    for key, item in parsed.items():
        value = truth(item)
        if value is None:
            if each:
                verdicts.append(Verdict("unparsed"))
                continue
            raise AnswerError(f"fact {key} has neither true nor false")
        probability = None
        if key in offsets:
            probability = probability_of_true(answer.logprobs, starts, offsets[key], value=value)
        status: Status = "supported" if value else "not_supported"
        verdicts.append(Verdict(status, probability, reason=_reason(item)))
    return tuple(verdicts)


def _reason(item: Any) -> str:
    """Returns the longest text beside a verdict."""
    texts = item.values() if isinstance(item, dict) else ()
    return max((flat(t)[:500] for t in texts if isinstance(t, str) and truth(t) is None),
               key=len, default="")  # fmt: skip


_VALUE = re.compile(r"""["'][^"'\n\d]{0,24}(\d+)["']\s*:\s*["']?(?=true|false)""", re.IGNORECASE)


def _value_offsets(answer: Answer) -> dict[str, int]:
    text = answer.text
    start = 0 if text.lstrip()[:1] == "{" else text.rfind(spoken(answer))
    return {match[1]: match.end() for match in _VALUE.finditer(text, start)} if start >= 0 else {}


_WORD = re.compile(r"\W*(true|false)\W*", re.IGNORECASE)


def read_word(answer: Answer) -> tuple[Verdict, ...]:
    """Reads an answer of one word, true or false."""
    check_finished(answer)
    text = spoken(answer)
    match = _WORD.fullmatch(text)
    if match is None:
        if looks_refused(text):
            raise AnswerError("it is a refusal, not one of the two words", "refused")
        raise AnswerError("it is not the one word True or False")
    is_true = match[1].lower() == "true"
    offset = answer.text.rfind(text) + match.start(1)
    starts = token_starts(answer.logprobs, answer.text)
    probability = probability_of_true(answer.logprobs, starts, offset, value=is_true)
    return (Verdict("supported" if is_true else "not_supported", probability),)
