"""The grouper reads answers that are almost right."""

from __future__ import annotations

import asyncio
import json

import pytest

from dfactscore._asking.cache import AnswerCache
from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, AnswerError
from dfactscore._asking.probe import Capabilities
from dfactscore._asking.settings import OpenAIModel
from dfactscore._asking.transport import Transport
from dfactscore._records import Biography, Fact, FactGroup
from dfactscore.engines._llm.roles.grouper import LLMGrouper, known_labels, repair_groups

BIOGRAPHY = Biography("1", "Ann Lee", "Ann Lee sang. Ann Lee ran.")
FACTS = (Fact("Ann Lee sang."), Fact("Ann Lee ran."))


class Said(Transport):
    """Returns given answers, and counts them."""

    def __init__(self, *targets):
        self.targets = list(targets)
        self.asked = 0

    @property
    def endpoint(self):
        return "http://x/v1"

    async def send(self, body):
        target = self.targets[min(self.asked, len(self.targets) - 1)]
        self.asked += 1
        persons = [{"label": "Ann", "target": target}, {"label": "Other", "target": False}]
        content = json.dumps({"persons": persons, "facts": {"1": 1, "2": 2}})
        return {"choices": [{"message": {"content": content}}]}


def group(transport, cache=None):
    client = ChatClient(
        OpenAIModel("m", base_url="http://x/v1", structured="text"),
        transport=transport,
        cache=cache,
    )
    client._able = Capabilities()
    groups = asyncio.run(LLMGrouper(client).group(BIOGRAPHY, FACTS))
    return [g.bears_name for g in groups], sum(client.usage.problems.values())


def test_a_readable_target_is_asked_for_once():
    said = Said(True)
    assert group(said) == ([True, False], 0)
    assert said.asked == 1


@pytest.mark.parametrize("target", ["yes", 1, None, [], "true"])
def test_an_unreadable_target_is_repaired(target):
    said = Said(target, True)
    assert group(said) == ([True, False], 0)
    assert said.asked == 2


@pytest.mark.parametrize("target", ["yes", 1, None])
def test_what_stays_unreadable_is_unknown_and_counted(target, tmp_path):
    cache = AnswerCache(tmp_path / "c.sqlite")
    said = Said(target)
    assert group(said, cache) == ([None, False], 1)
    assert said.asked == 2
    assert group(said, cache) == ([None, False], 1)  # from the cache, but counted again
    assert said.asked == 2
    cache.close()


@pytest.mark.parametrize(
    ("facts", "groups"),
    [
        ('{"1": 1, "2": 3, "3": 2}', [(0, 1), (2,)]),  # there is no third person
        ('{"1": 2, "3": 1}', [(0, 1), (2,)]),
        ('{"2": 1, "3": 2}', [(0, 1), (2,)]),  # there is no fact before the first
        ('{"1": 1, "2": 2, "2": 1, "3": 2}', [(0,), (1, 2)]),
        ('{"1": 1, "2": true, "3": "2", "4": 1}', [(0, 1), (2,)]),
        ('{"1": 0, "2": 1, "3": "person 2"}', [(0, 1), (2,)]),
    ],
)
def test_the_nearest_partition_is_taken(facts, groups):
    persons = '[{"label": "Ann", "target": true}, {"label": "Bo", "target": false}]'
    answer = Answer(f'{{"persons": {persons}, "facts": {facts}}}')
    found = repair_groups(answer, 3, AnswerError("no partition"))
    assert [group.facts for group in found] == groups


@pytest.mark.parametrize(
    ("listed", "groups"),
    [
        ([[1, 2], [3]], [(0, 1), (2,)]),
        ([[1, 2, 3], [3]], [(0, 1), (2,)]),  # the first person was given all facts
        ([[1], [2]], [(0,), (1, 2)]),
        ([["1", "fact 2"], [3, 99]], [(0, 1), (2,)]),
    ],
)
def test_facts_listed_under_persons_are_partitioned(listed, groups):
    persons = [{"label": f"P{i}", "target": True, "facts": f} for i, f in enumerate(listed)]
    answer = Answer(json.dumps({"persons": persons}))
    found = repair_groups(answer, 3, AnswerError("no partition"))
    assert [group.facts for group in found] == groups


def test_what_the_text_lacks_is_left_out_of_labels():
    text = "Ann Lee (born 1950) is a painter. Another Ann Lee rows for Oxford."
    biography = Biography("1", "Ann Lee", text)
    known = ["Ann Lee (1950)", "Ann Lee (rower)", "Person 2"]
    labels = [*known, "Ann Lee (1870-1931)", "Ann Lee (botanist)", "Ann Lee, nun", "Owen Lane"]
    groups = known_labels([FactGroup((0,), label=label) for label in labels], biography)
    assert [group.label for group in groups] == [*known, *["Ann Lee"] * 3, ""]


@pytest.mark.parametrize(
    "facts", ["{}", "[]", '{"1": 7, "2": "x"}', '{"9": 1}', '{"1": 0, "2": 7, "3": 9}']
)
def test_an_answer_that_places_no_fact_is_not_repaired(facts):
    answer = Answer(f'{{"persons": [{{"label": "Ann"}}], "facts": {facts}}}')
    with pytest.raises(AnswerError, match="no partition"):
        repair_groups(answer, 2, AnswerError("no partition"))
