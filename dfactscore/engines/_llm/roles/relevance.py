"""Labels facts that do not belong to a biography at all: an optional step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar

from dfactscore._asking.estimated_requests import estimated_requests
from dfactscore._asking.messages import Answer, Request
from dfactscore._records import Biography, Fact
from dfactscore._util.tasks import together
from dfactscore.engines._llm.roles.facts_step import FactsStep
from dfactscore.engines._llm.roles.prompts import PromptName, flat, numbered
from dfactscore.engines._llm.roles.verifier import FactsRole, read_verdicts
from dfactscore.work import Asked


class RelevanceLabeler(FactsStep, FactsRole):
    """A decomposer followed by the question which of its facts belong to the biography.

    Facts that people call irrelevant in FActScore's labels; they keep their place in the
    denominator unless a score excludes them.

    Args:
        decomposer: Makes the facts.
        client: The model that labels them.
        prompts: The user's folder of templates, or None.
    """

    name = "llm-relevance"
    prompt_name: ClassVar[PromptName] = "relevance"
    stage = "relevance"

    def changing(self, biography: Biography, facts: Sequence[Fact]) -> Iterator[Asked]:
        """Requests for labeling facts."""
        open_ = [fact for fact in facts if fact.label is None]
        for part in self.parts(open_):
            request = self._request(biography, part)
            yield from estimated_requests(
                self.client, request, 6 * min(len(open_), self.facts_per_call)
            )

    def _request(self, biography: Biography, facts: Sequence[Fact]) -> Request:
        shown = numbered([fact.text for fact in facts])
        variables = {"name": flat(biography.name), "facts": shown}
        return self.true_or_false(facts, variables, logprobs=True)

    async def label_facts(self, biography: Biography, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Labels facts that were made elsewhere; a label that they have already is kept.

        Raises:
            RoleError: If the labels cannot be obtained.
        """
        return await self.changed(biography, facts)

    async def changed(self, biography: Biography, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """The facts, some labeled ``"irrelevant"``."""
        open_ = [fact for fact in facts if fact.label is None]
        with self.failing_as("relevance"):
            rows = await together(
                self.client.ask(self._request(biography, part), partial(_read, count=len(part)))
                for part in self.parts(open_)
            )
        relevant = iter([said for row in rows for said in row])
        return tuple(
            fact if fact.label is not None or next(relevant) else replace(fact, label="irrelevant")
            for fact in facts
        )


def _read(answer: Answer, count: int) -> list[bool]:
    return [verdict.status == "supported" for verdict in read_verdicts(answer, count)]
