"""A decomposer followed by a step in which a language model changes or labels the facts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dfactscore._asking.client import ChatClient
from dfactscore._records import Biography, Fact
from dfactscore._util.role_answers import resolve
from dfactscore.engines._answers import checked_facts, label_facts
from dfactscore.engines._llm.roles.base import PromptedRole
from dfactscore.engines._roles import Decomposer
from dfactscore.work import Asked
from dfactscore.work._asks import all_asked


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
