"""A decomposer followed by a step of a language model that changes or labels its facts."""

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
    """A decomposer whose facts pass through `changed`, also those that come with the input.

    Args:
        decomposer: Makes the facts.
        client: The model of the step.
        prompts: The user's folder of templates, or None.
    """

    def __init__(
        self, decomposer: Decomposer, client: ChatClient, *, prompts: Path | str | None = None
    ) -> None:
        super().__init__(client, prompts=prompts)
        self.decomposer = decomposer

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer."""
        return {**super().settings, "decomposer": dict(self.decomposer.settings)}

    async def decompose(self, biography: Biography) -> Sequence[Fact]:
        """Returns the facts, changed by the step.

        Raises:
            RoleError: If the facts or the step's answer cannot be obtained.
        """
        made = await resolve(self.decomposer.decompose(biography))
        return await self.changed(biography, checked_facts(made, self.decomposer))

    async def label_facts(self, biography: Biography, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Changes facts that were made elsewhere, after the decomposer's own steps.

        Raises:
            RoleError: If the step's answer cannot be obtained.
        """
        labeled = await label_facts(self.decomposer, biography, tuple(facts))
        return await self.changed(biography, labeled)

    async def changed(self, biography: Biography, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """The step itself."""
        raise NotImplementedError

    def changing(self, biography: Biography, facts: Sequence[Fact]) -> Iterator[Asked]:
        """Requests of the step."""
        raise NotImplementedError

    async def asks(self, biography: Biography, facts: Sequence[Fact]) -> AsyncIterator[Asked]:
        """Requests of the decomposer, then of the step."""
        for one in await all_asked(self.decomposer.asks(biography, facts)):
            yield one
        for one in self.changing(biography, facts):
            yield one

    async def known_facts(self, biography: Biography) -> Sequence[Fact] | None:
        """The decomposer's, before the step."""
        return await resolve(self.decomposer.known_facts(biography))

    def recall(self, usage: Callable[[], Mapping[str, Any] | None]) -> None:
        """Lets the decomposer recall."""
        self.decomposer.recall(usage)
