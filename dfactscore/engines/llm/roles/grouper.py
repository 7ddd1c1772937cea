"""Groups facts by the individual that a reader perceives, with a language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from dfactscore.asking.client import ChatClient
from dfactscore.asking.errors import AnswerError, CallError
from dfactscore.asking.messages import Answer, Request
from dfactscore.asking.structured import expect_keys, parse_object
from dfactscore.engines.llm.roles.prompts import fence, flat, load_prompt, numbered
from dfactscore.engines.protocols import GroupingError
from dfactscore.records import Biography, Fact, FactGroup

__all__ = ["LLMGrouper"]


class LLMGrouper:
    """Asks for a person's number under each fact's number, so that no fact can be lost (4.1).

    Args:
        client: The model.
        prompts: The user's folder of templates, or None.
        sample: Index of the repetition.
    """

    def __init__(
        self, client: ChatClient, *, prompts: Path | str | None = None, sample: int = 0
    ) -> None:
        self.client = client
        self.prompt = load_prompt("group", prompts)
        self.sample = sample

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change an answer."""
        return {
            "name": "llm-grouper",
            **self.client.settings,
            "prompt": self.prompt.version,
            "sample": self.sample,
        }

    def request(self, biography: Biography, facts: Sequence[Fact]) -> Request:
        """The call that `group` makes."""
        text, shown = flat(biography.text), numbered([fact.text for fact in facts])
        keys = [str(i) for i in range(1, len(facts) + 1)]
        person = {
            "type": "object",
            "properties": {"label": {"type": "string"}, "target": {"type": "boolean"}},
            "required": ["label", "target"],
            "additionalProperties": False,
        }
        assignment = {
            "type": "object",
            "properties": {key: {"type": "integer"} for key in keys},
            "required": keys,
            "additionalProperties": False,
        }
        return Request(
            stage="group",
            messages=self.prompt.render(
                name=flat(biography.name), text=text, facts=shown, fence=fence(text, shown)
            ),
            version=self.prompt.version,
            max_tokens=200 + 8 * len(facts) + len(text) // 10,
            schema={
                "type": "object",
                "properties": {
                    "persons": {"type": "array", "items": person},
                    "facts": assignment,
                },
                "required": ["persons", "facts"],
                "additionalProperties": False,
            },
            sample=self.sample,
        )

    async def group(self, biography: Biography, facts: Sequence[Fact]) -> Sequence[FactGroup]:
        """Returns groups that partition the facts, ordered by first fact.

        An answer that does not partition the facts is asked for again with what is wrong in it;
        where the second does not either, the nearest partition is taken and counted (``repaired``
        of `Tally`).

        Raises:
            GroupingError: If the facts could not be partitioned.
        """
        if not facts:
            return ()
        repaired = False

        def again(answer: Answer) -> tuple[FactGroup, ...]:
            nonlocal repaired
            try:
                repaired = False
                return read_groups(answer, len(facts), unknown_targets=True)
            except AnswerError as fault:
                repaired = True
                return repair_groups(answer, len(facts), fault)

        try:
            groups = await self.client.ask(
                self.request(biography, facts),
                partial(read_groups, count=len(facts)),
                again=again,
            )
        except AnswerError as error:
            raise GroupingError(f"grouping {error.kind}: {error.reason}") from None
        except CallError as error:
            raise GroupingError(f"grouping failed: {error.reason}") from None
        self.client.note("group", repaired=int(repaired))
        unknown = sum(group.bears_name is None for group in groups)
        if unknown:
            self.client.usage.problems['group: a person\'s "target" is not true or false'] += (
                unknown
            )
        return groups


def read_groups(
    answer: Answer, count: int, *, unknown_targets: bool = False
) -> tuple[FactGroup, ...]:
    """Reads an assignment of facts to persons; a person without a fact makes no group.

    Args:
        answer: What the model said.
        count: How many facts there are.
        unknown_targets: Take a ``target`` that is neither true nor false for unknown.

    Raises:
        AnswerError: If it is not a partition of the facts, or a target cannot be read.
    """
    found = parse_object(answer)
    persons, assigned = found.get("persons"), found.get("facts")
    if not isinstance(persons, list) or not isinstance(assigned, dict):
        raise AnswerError('it needs a list under "persons" and an object under "facts"')
    expect_keys(assigned, [str(i) for i in range(1, count + 1)], "fact")
    members: dict[int, list[int]] = {}
    for index in range(count):
        person = assigned[str(index + 1)]
        if isinstance(person, bool) or not isinstance(person, int):
            raise AnswerError(f"fact {index + 1} has no person's number")
        if not 1 <= person <= len(persons):
            raise AnswerError(
                f"fact {index + 1} goes to person {person}, but there are {len(persons)} persons"
            )
        members.setdefault(person, []).append(index)
    return _groups(persons, members, unknown_targets=unknown_targets)


def repair_groups(answer: Answer, count: int, fault: AnswerError) -> tuple[FactGroup, ...]:
    """The partition that is nearest to an answer which is none.

    Doubt merges, as in the question: a fact without a person of the list goes to the person of
    the fact before it, and makes a group of its own only where there is none before. A fact that
    is given twice stays with the first person; numbers that no fact has are passed over.

    Args:
        answer: What the model said.
        count: How many facts there are.
        fault: Why it does not partition the facts.

    Raises:
        AnswerError: The fault again, where no fact has a person of the list.
    """
    found = parse_object(answer, repeated="first")
    persons, assigned = found.get("persons"), found.get("facts")
    if not isinstance(persons, list) or not isinstance(assigned, dict):
        raise fault
    entries: list[Any] = [one if isinstance(one, dict) else {} for one in persons]
    members: dict[int, list[int]] = {}
    last = len(entries) + 1  # a person that the answer does not name
    for index in range(count):
        person = assigned.get(str(index + 1))
        if isinstance(person, int) and not isinstance(person, bool) and 1 <= person <= len(entries):
            last = person
        members.setdefault(last, []).append(index)
    if set(members) == {len(entries) + 1}:
        raise fault
    return _groups([*entries, {}], members, unknown_targets=True)


def _groups(
    persons: Sequence[Any], members: Mapping[int, list[int]], *, unknown_targets: bool
) -> tuple[FactGroup, ...]:
    groups = []
    for person, indices in sorted(members.items(), key=lambda item: item[1][0]):
        entry = persons[person - 1]
        if not isinstance(entry, dict):
            raise AnswerError(f"person {person} is not an object")
        label, target = entry.get("label"), entry.get("target")
        if not isinstance(target, bool) and not unknown_targets:
            raise AnswerError(f'the "target" of person {person} must be true or false')
        groups.append(
            FactGroup(
                tuple(indices),
                label=flat(label)[:200] if isinstance(label, str) else "",
                bears_name=target if isinstance(target, bool) else None,
            )
        )
    return tuple(groups)
