"""Labels facts that do not belong to a biography at all: an optional step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from dfactscore._util.answers import resolve
from dfactscore._util.tasks import together
from dfactscore.asking.client import ChatClient
from dfactscore.asking.errors import AnswerError, CallError
from dfactscore.asking.messages import Answer, Request
from dfactscore.engines.answers import checked_facts
from dfactscore.engines.llm.roles.prompts import PromptName, load_prompt
from dfactscore.engines.llm.roles.verifier import read_verdicts, yes_no_requests
from dfactscore.engines.protocols import Decomposer, RoleError
from dfactscore.records import Biography, Fact

__all__ = ["RelevanceLabeler"]


class RelevanceLabeler:
    """A decomposer followed by the question which of its facts belong to the biography.

    What humans call irrelevant in FActScore's labels; such facts keep their place in the
    denominator unless a score excludes them.

    Args:
        decomposer: Makes the facts.
        client: The model that labels them.
        prompts: The user's folder of templates, or None.
        facts_per_call: Maximum number of facts in a call.
        sample: Index of the repetition.
    """

    prompt_name: PromptName = "relevance"

    def __init__(
        self,
        decomposer: Decomposer,
        client: ChatClient,
        *,
        prompts: Path | str | None = None,
        facts_per_call: int = 50,
        sample: int = 0,
    ) -> None:
        self.decomposer = decomposer
        self.client = client
        self.prompt = load_prompt(self.prompt_name, prompts)
        self.facts_per_call = facts_per_call
        self.sample = sample

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer."""
        return {
            "name": "llm-relevance",
            **self.client.settings,
            "prompt": self.prompt.version,
            "facts_per_call": self.facts_per_call,
            "sample": self.sample,
            "decomposer": dict(self.decomposer.settings),
        }

    def relevance_requests(self, biography: Biography, facts: Sequence[Fact]) -> list[Request]:
        """The calls that label facts."""
        return list(yes_no_requests("relevance", self, biography, facts, self.facts_per_call))

    async def decompose(self, biography: Biography) -> Sequence[Fact]:
        """Returns the facts, some labeled ``"irrelevant"``.

        Raises:
            RoleError: If the decomposition or the labels cannot be obtained.
        """
        made = await resolve(self.decomposer.decompose(biography))
        facts = checked_facts(made, self.decomposer)
        return await self.label_facts(biography, facts)

    async def label_facts(self, biography: Biography, facts: Sequence[Fact]) -> tuple[Fact, ...]:
        """Labels facts that were made elsewhere; a label that they have already is kept.

        Raises:
            RoleError: If the labels cannot be obtained.
        """
        open_ = [fact for fact in facts if fact.label is None]
        requests = self.relevance_requests(biography, open_)
        try:
            rows = await together(
                (
                    self.client.ask(request, partial(_read, count=count))
                    for request, count in zip(
                        requests, _sizes(len(open_), self.facts_per_call), strict=True
                    )
                )
            )
        except AnswerError as error:
            raise RoleError(f"relevance {error.kind}: {error.reason}") from None
        except CallError as error:
            raise RoleError(f"relevance failed: {error.reason}") from None
        relevant = iter([said for row in rows for said in row])
        return tuple(
            fact if fact.label is not None or next(relevant) else replace(fact, label="irrelevant")
            for fact in facts
        )


def _read(answer: Answer, count: int) -> list[bool]:
    return [verdict.status == "supported" for verdict in read_verdicts(answer, count)]


def _sizes(total: int, size: int) -> list[int]:
    return [min(size, total - start) for start in range(0, total, size)]
