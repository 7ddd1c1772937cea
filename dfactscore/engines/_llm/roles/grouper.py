"""Uses a language model to group facts by the individuals that a reader perceives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from dfactscore._asking.messages import Answer, AnswerError, Request
from dfactscore._asking.session import estimated_requests
from dfactscore._asking.structured import expect_keys, item_number, object_schema, parse_object
from dfactscore._records import Biography, Fact, FactGroup
from dfactscore.engines._llm.roles.base import PromptedRole, fence, flat, numbered
from dfactscore.engines._llm.roles.coverage import TextWords
from dfactscore.engines._roles import Grouper, GroupingError
from dfactscore.work import Asked

PERSON: Mapping[str, Any] = {"label": {"type": "string"}, "target": {"type": "boolean"}}


class LLMGrouper(PromptedRole, Grouper):
    """Asks for the persons of a text with the numbers of their facts (section 4.1).

    An answer must place every fact, so that none can be lost.
    """

    name = "llm-grouper"
    prompt_name = "group"

    def request(self, biography: Biography, facts: Sequence[Fact]) -> Request:
        """Returns the request that `group` makes."""
        text, fact_lines = flat(biography.text), numbered([fact.text for fact in facts])
        numbers = {"type": "array", "items": {"type": "integer"}}
        persons = {"type": "array", "items": object_schema({**PERSON, "facts": numbers})}
        variables = {
            "name": flat(biography.name),
            "text": text,
            "facts": fact_lines,
            "fence": fence(text, fact_lines),
        }
        return self.question(
            "group",
            200 + 8 * len(facts) + len(text) // 10,
            variables,
            schema=object_schema({"persons": persons}),
        )

    def asks(self, biography: Biography, facts: Sequence[Fact]) -> Iterator[Asked]:
        """Yields the requests that `group` makes."""
        return estimated_requests(self.client, self.request(biography, facts), 50 + 4 * len(facts))

    async def group(self, biography: Biography, facts: Sequence[Fact]) -> Sequence[FactGroup]:
        """Partitions the facts into groups, ordered by their first facts.

        If an answer does not partition the facts, the model is asked again and shown the error. If
        the second answer does not either, the closest partition is used and counted (as
        ``repaired`` in the usage).
        """
        if not facts:
            return ()
        repaired = False

        def read_second(answer: Answer) -> tuple[FactGroup, ...]:
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
                again=read_second,
            )
        self.note(groups, repaired=repaired)
        return known_labels(groups, biography)

    def note(self, groups: Sequence[FactGroup], *, repaired: bool) -> None:
        """Counts an answer that was repaired, and the persons whose target is unknown."""
        self.client.note("group", repaired=int(repaired))
        if unknown := sum(group.bears_name is None for group in groups):
            problem = 'group: a person\'s "target" is not true or false'
            self.client.usage.problems[problem] += unknown


def read_groups(
    answer: Answer, count: int, *, unknown_targets: bool = False
) -> tuple[FactGroup, ...]:
    """Reads an assignment of facts to persons; persons without facts are omitted."""
    # `unknown_targets`: whether to treat a `target` that is neither true nor false as unknown.
    persons, assigned = placed_facts(parse_object(answer))
    keys = [str(i) for i in range(1, count + 1)]
    expect_keys(assigned, keys, "fact")
    numbers = [check_person(assigned[key], persons, f"fact {key}") for key in keys]
    return make_groups(persons, numbers, unknown_targets=unknown_targets)


def placed_facts(parsed: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Returns the persons in an answer, and the number of each fact's person.

    A fact that several persons list is the last one's: a model that lists all facts under the first
    person then lists the facts of the others. A template of the user may instead ask for the person
    of each fact, under "facts".
    """
    persons = parsed.get("persons")
    if "facts" in parsed:
        return persons_and_facts(parsed)
    if not isinstance(persons, list) or not persons:
        raise AnswerError('it needs a list under "persons"')
    assigned: dict[str, Any] = {}
    for number, person in enumerate(persons, 1):
        listed = person.get("facts") if isinstance(person, dict) else None
        if not isinstance(listed, list):
            raise AnswerError(f'person {number} has no list under "facts"')
        for item in listed:
            if (fact := item_number(item)) is None:
                raise AnswerError(f"person {number} lists something other than numbers of facts")
            assigned[fact] = number
    return persons, assigned


def persons_and_facts(parsed: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Returns the persons and facts in an answer."""
    persons, facts = parsed.get("persons"), parsed.get("facts")
    if not isinstance(persons, list) or not isinstance(facts, dict):
        raise AnswerError('it needs a list under "persons" and an object under "facts"')
    return persons, facts


def check_person(person: Any, persons: Sequence[Any], subject: str) -> int:
    """Returns a person's number after checking that the person is listed."""
    if isinstance(person, bool) or not isinstance(person, int):
        raise AnswerError(f"{subject} has no person's number")
    if not 1 <= person <= len(persons):
        raise AnswerError(
            f"{subject} goes to person {person}, but there are {len(persons)} persons"
        )
    return person


def repair_groups(answer: Answer, count: int, fault: AnswerError) -> tuple[FactGroup, ...]:
    """Returns the partition closest to an answer that does not partition the facts.

    Doubtful facts are merged, as the prompt requires: a fact without a listed person is assigned to
    the person of the previous fact, or of the next one if it is the first. A repeated fact keeps
    the first person it is assigned to; unknown fact numbers are ignored.
    """
    try:
        persons, assigned = placed_facts(parse_object(answer, repeated="first"))
    except AnswerError:
        raise fault from None
    numbers = [assigned.get(str(i)) for i in range(1, count + 1)]
    return make_groups(*nearest_persons(persons, numbers, fault), unknown_targets=True)


def nearest_persons(
    persons: Sequence[Any], assigned: Sequence[Any], fault: AnswerError
) -> tuple[list[Any], list[int]]:
    """Replaces an invalid person number with that of the previous fact, or else of the next."""
    entries: list[Any] = [entry if isinstance(entry, dict) else {} for entry in persons]
    known = [int(item_number(person) or 0) for person in assigned]
    valid = [number for number in known if 0 < number <= len(entries)]
    if 2 * len(valid) < len(assigned) or not valid:
        raise fault
    numbers, last = [], valid[0]
    for number in known:
        last = number if 0 < number <= len(entries) else last
        numbers.append(last)
    return entries, numbers


def known_labels(groups: Sequence[FactGroup], biography: Biography) -> tuple[FactGroup, ...]:
    """Removes from labels what the text lacks, such as an example's name, years or words."""
    words = TextWords([biography.text], biography.name)
    return tuple(replace(group, label=words.known_label(group.label)) for group in groups)


def make_groups(
    persons: Sequence[Any], numbers: Sequence[int], *, unknown_targets: bool
) -> tuple[FactGroup, ...]:
    """Creates a group for each person that has facts, given the number of each fact's person."""
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
