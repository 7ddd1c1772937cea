"""Groups facts by the individual that a reader perceives, with a language model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from dfactscore._asking.errors import AnswerError
from dfactscore._asking.estimated_requests import estimated_requests
from dfactscore._asking.messages import Answer, Request
from dfactscore._asking.structured import expect_keys, object_schema, parse_object
from dfactscore._records import Biography, Fact, FactGroup
from dfactscore.engines._llm.roles.base import PromptedRole
from dfactscore.engines._llm.roles.prompts import fence, flat, numbered
from dfactscore.engines._roles import Grouper, GroupingError
from dfactscore.work import Asked

PERSON = object_schema({"label": {"type": "string"}, "target": {"type": "boolean"}})


class LLMGrouper(PromptedRole, Grouper):
    """Asks for a person's number under each fact's number, so that no fact can be lost (4.1).

    Args:
        client: The model.
        prompts: The user's folder of templates, or None.
        sample: Index of the repetition.
    """

    name = "llm-grouper"
    prompt_name = "group"

    def request(self, biography: Biography, facts: Sequence[Fact]) -> Request:
        """The call that `group` makes."""
        text, shown = flat(biography.text), numbered([fact.text for fact in facts])
        numbers = {str(i): {"type": "integer"} for i in range(1, len(facts) + 1)}
        persons = {"type": "array", "items": PERSON}
        variables = {
            "name": flat(biography.name),
            "text": text,
            "facts": shown,
            "fence": fence(text, shown),
        }
        return self.question(
            "group",
            200 + 8 * len(facts) + len(text) // 10,
            variables,
            schema=object_schema({"persons": persons, "facts": object_schema(numbers)}),
        )

    def asks(self, biography: Biography, facts: Sequence[Fact]) -> Iterator[Asked]:
        """Requests of `group`."""
        return estimated_requests(self.client, self.request(biography, facts), 60 + 7 * len(facts))

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

        with self.failing_as("grouping", GroupingError):
            groups = await self.client.ask(
                self.request(biography, facts),
                partial(read_groups, count=len(facts)),
                again=again,
            )
        self.note(groups, repaired=repaired)
        return groups

    def note(self, groups: Sequence[FactGroup], *, repaired: bool) -> None:
        """Counts the fault of an answer."""
        self.client.note("group", repaired=int(repaired))
        if unknown := sum(group.bears_name is None for group in groups):
            problem = 'group: a person\'s "target" is not true or false'
            self.client.usage.problems[problem] += unknown


def read_groups(
    answer: Answer, count: int, *, unknown_targets: bool = False
) -> tuple[FactGroup, ...]:
    """Reads an assignment of facts to persons; a person without a fact makes no group.

    Args:
        answer: The model's output.
        count: The number of facts.
        unknown_targets: Take a ``target`` that is neither true nor false for unknown.

    Raises:
        AnswerError: If it is not a partition of the facts, or a target cannot be read.
    """
    found = parse_object(answer)
    persons, assigned = persons_and_facts(found)
    keys = [str(i) for i in range(1, count + 1)]
    expect_keys(assigned, keys, "fact")
    numbers = [check_person(assigned[key], persons, f"fact {key}") for key in keys]
    return make_groups(persons, numbers, unknown_targets=unknown_targets)


def persons_and_facts(found: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """The two parts of an answer about persons.

    Raises:
        AnswerError: If one is missing, or of another kind.
    """
    persons, facts = found.get("persons"), found.get("facts")
    if not isinstance(persons, list) or not isinstance(facts, dict):
        raise AnswerError('it needs a list under "persons" and an object under "facts"')
    return persons, facts


def check_person(person: Any, persons: Sequence[Any], what: str) -> int:
    """The number of a person who is listed.

    Raises:
        AnswerError: If it is none.
    """
    if isinstance(person, bool) or not isinstance(person, int):
        raise AnswerError(f"{what} has no person's number")
    if not 1 <= person <= len(persons):
        raise AnswerError(f"{what} goes to person {person}, but there are {len(persons)} persons")
    return person


def repair_groups(answer: Answer, count: int, fault: AnswerError) -> tuple[FactGroup, ...]:
    """The partition that is nearest to an answer which is none.

    Doubt merges, as in the question: a fact without a person of the list goes to the person of
    the fact before it, and makes a group of its own only if there is none before. A fact that
    is given twice stays with the first person; numbers that no fact has are passed over.

    Args:
        answer: The model's output.
        count: The number of facts.
        fault: The reason why it does not partition the facts.

    Raises:
        AnswerError: The fault again, if no fact has a person of the list.
    """
    try:
        persons, assigned = persons_and_facts(parse_object(answer, repeated="first"))
    except AnswerError:
        raise fault from None
    given = [assigned.get(str(i)) for i in range(1, count + 1)]
    return make_groups(*nearest_persons(persons, given, fault), unknown_targets=True)


def nearest_persons(
    persons: Sequence[Any], given: Sequence[Any], fault: AnswerError
) -> tuple[list[Any], list[int]]:
    """Persons and the number of each fact's, where some numbers are none of a person.

    Raises:
        AnswerError: The fault, where all are.
    """
    entries: list[Any] = [one if isinstance(one, dict) else {} for one in persons]
    numbers = []
    last = nameless = len(entries) + 1  # a person that the answer does not name
    for person in given:
        if isinstance(person, int) and not isinstance(person, bool) and 0 < person < nameless:
            last = person
        numbers.append(last)
    if set(numbers) <= {nameless}:
        raise fault
    return [*entries, {}], numbers


def make_groups(
    persons: Sequence[Any], numbers: Sequence[int], *, unknown_targets: bool
) -> tuple[FactGroup, ...]:
    """One group for each person that has a fact, given the number of each fact's.

    Raises:
        AnswerError: If a person cannot be read.
    """
    members: dict[int, list[int]] = {}
    for index, person in enumerate(numbers):
        members.setdefault(person, []).append(index)
    groups = []
    for person, indices in members.items():
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
