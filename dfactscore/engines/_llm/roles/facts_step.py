"""A decomposer followed by a step that changes or labels the facts, such as by relevance."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, Request
from dfactscore._asking.session import estimated_requests
from dfactscore._records import Biography, Fact
from dfactscore._util.tasks import resolve, together
from dfactscore.engines._answers import checked_facts, label_facts
from dfactscore.engines._llm.roles.base import PromptedRole, PromptName, flat, numbered
from dfactscore.engines._llm.roles.verifier import FactsRole, read_verdicts
from dfactscore.engines._roles import Decomposer
from dfactscore.work import Asked
from dfactscore.work._work import all_asked


class FactsStep(PromptedRole, Decomposer):
    """A decomposer followed by a step, `changed`, which is also applied to facts in the input."""

    def __init__(
        self, decomposer: Decomposer, client: ChatClient, *, prompts: Path | str | None = None
    ) -> None:
        super().__init__(client, prompts=prompts)
        self.decomposer = decomposer

    @property
    def settings(self) -> Mapping[str, Any]:
        """All settings that can change an answer."""
        return {**super().settings, "decomposer": dict(self.decomposer.settings)}

    async def decompose(self, biography: Biography) -> Sequence[Fact]:
        """Returns the facts after the step."""
        answer = await resolve(self.decomposer.decompose(biography))
        return await self.changed(biography, checked_facts(answer, self.decomposer))

    async def label_facts(self, biography: Biography, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Returns the facts from the input after applying the decomposer's steps and this step."""
        labeled = await label_facts(self.decomposer, biography, tuple(facts))
        return await self.changed(biography, labeled)

    async def changed(self, biography: Biography, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Returns the facts after the step."""
        raise NotImplementedError

    def changing(self, biography: Biography, facts: Sequence[Fact]) -> Iterator[Asked]:
        """Yields the requests that the step makes."""
        raise NotImplementedError

    async def asks(self, biography: Biography, facts: Sequence[Fact]) -> AsyncIterator[Asked]:
        """Yields the decomposer's requests, then those of the step."""
        for request in await all_asked(self.decomposer.asks(biography, facts)):
            yield request
        for request in self.changing(biography, facts):
            yield request

    async def known_facts(self, biography: Biography) -> Sequence[Fact] | None:
        """Returns the facts that the decomposer knows, before the step."""
        return await resolve(self.decomposer.known_facts(biography))

    def recall(self, usage: Callable[[], Mapping[str, Any] | None]) -> None:
        """Passes the usage on to the decomposer."""
        self.decomposer.recall(usage)


class RelevanceLabeler(FactsStep, FactsRole):
    """A decomposer followed by a step that labels irrelevant facts.

    The label corresponds to "irrelevant" in FActScore's human labels. Labeled facts count in the
    denominator unless a score excludes them.
    """

    name = "llm-relevance"
    prompt_name: ClassVar[PromptName] = "relevance"
    stage = "relevance"

    def changing(self, biography: Biography, facts: Sequence[Fact]) -> Iterator[Asked]:
        """Yields the requests needed to label facts."""
        unlabeled = [fact for fact in facts if fact.label is None]
        for part in self.parts(unlabeled):
            request = self._request(biography, part)
            yield from estimated_requests(
                self.client, request, 6 * min(len(unlabeled), self.facts_per_call)
            )

    def _request(self, biography: Biography, facts: Sequence[Fact]) -> Request:
        lines = numbered([fact.text for fact in facts])
        variables = {"name": flat(biography.name), "facts": lines}
        return self.true_or_false(facts, variables, logprobs=True)

    async def label_facts(self, biography: Biography, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Labels facts from the input, except those that already have a label."""
        return await self.changed(biography, facts)

    async def changed(self, biography: Biography, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Returns the facts, labeled ``"irrelevant"`` where that applies."""
        unlabeled = [fact for fact in facts if fact.label is None]
        with self.failing_as("relevance"):
            rows = await together(
                self.client.ask(
                    self._request(biography, part), partial(_read_relevance, count=len(part))
                )
                for part in self.parts(unlabeled)
            )
        relevant = iter([is_relevant for row in rows for is_relevant in row])
        return tuple(
            fact if fact.label is not None or next(relevant) else replace(fact, label="irrelevant")
            for fact in facts
        )


def _read_relevance(answer: Answer, count: int) -> list[bool]:
    return [verdict.status == "supported" for verdict in read_verdicts(answer, count)]
