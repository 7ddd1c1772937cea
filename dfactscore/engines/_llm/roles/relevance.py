"""Labels facts that do not belong in a biography: an optional step."""

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
