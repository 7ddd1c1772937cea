"""Models with bad answers of every kind: losses are counted, and no fact becomes supported."""

from __future__ import annotations

import asyncio
import json
import re

import pytest

from dfactscore._asking.client import ChatClient
from dfactscore._asking.settings import OpenAIModel
from dfactscore._asking.transport import Transport
from dfactscore._records import Biography, Document, Entity
from dfactscore._scoring import Record, judge
from dfactscore._text.sentences import split_sentences
from dfactscore.engines._llm.roles.decomposer import LLMDecomposer
from dfactscore.engines._llm.roles.grouper import LLMGrouper
from dfactscore.engines._llm.roles.joint_verifier import TogetherVerifier
from dfactscore.engines._llm.roles.reader import LLMReader, ReadGroups
from dfactscore.engines._llm.roles.verifier import LLMVerifier
from dfactscore.engines._roles import Engine
from dfactscore.linking import STATUSES

stub_server = pytest.importorskip("stub_server", reason="the stub server needs aiohttp")

TEXT = (
    "Anna Berg (born 4 May 1950 in Malmo) is a Swedish sculptor. She studied chemistry at Uppsala. "
    "In 1981 she won the Lund Medal. Another Anna Berg is a rower who settled in Bergen. "
    "The rower won bronze in 1996."
)
PAGES = {
    "Anna Berg (sculptor)": "Anna Berg is a Swedish sculptor, born in Malmo on 4 May 1950. She "
    "studied chemistry at Uppsala and won the Lund Medal in 1981.",
    "Anna Berg (rower)": "Anna Berg is a rower of Bergen. She won bronze in 1996.",
    "Lund": "Lund is a town.",
}
ENTITIES = tuple(Entity(t, t, (Document(t, x),), i) for i, (t, x) in enumerate(PAGES.items()))
BIOGRAPHY = Biography("1", "Anna Berg", TEXT)
COUNT = len(split_sentences(TEXT))


class Model(Transport):
    """The stub's answers, changed by a function of stage and text."""

    def __init__(self, spoil):
        self.spoil = spoil
        self.asked = []

    @property
    def endpoint(self):
        return "http://x/v1"

    async def send(self, body):
        user, system = stub_server.base_prompt(body["messages"])
        stage = stub_server.stage_of(user, system)
        self.asked.append(stage)
        pairs, _ = stub_server.answer_pairs(stage, user, "m", {})
        said = stub_server.dump(pairs)
        if stage != "probe":
            said = self.spoil(said)
        text, finish = said if isinstance(said, tuple) else (said, "stop")
        return {"choices": [{"message": {"content": text}, "finish_reason": finish}]}


def fill(spoil, calls):
    client = ChatClient(OpenAIModel("m", base_url="http://x/v1"), transport=Model(spoil))
    grouper = LLMGrouper(client)
    few = LLMReader(client, grouper)
    roles = (few, ReadGroups(few), TogetherVerifier(client))
    roles = roles if calls == "few" else (LLMDecomposer(client), grouper, LLMVerifier(client))
    record = asyncio.run(judge(Record(BIOGRAPHY, entities=ENTITIES), Engine(*roles)))
    return record, client.transport.asked


def supported(record):
    cells = record.matrix.status.tolist()
    return {
        (fact.text, entity.id)
        for fact, row in zip(record.facts, cells, strict=True)
        for entity, status in zip(ENTITIES, row, strict=True)
        if STATUSES[status] == "supported"
    }


def by_fact(found):
    """Gives each fact its person, as templates of users may ask, for each person its facts."""
    if "persons" not in found or "facts" in found:
        return found
    persons = [{k: v for k, v in person.items() if k != "facts"} for person in found["persons"]]
    pairs = [(f, i) for i, person in enumerate(found["persons"], 1) for f in person["facts"]]
    return {"persons": persons, "facts": {str(fact): i for fact, i in sorted(pairs)}}


def listed(change):
    """Changes the facts listed under a person, given the person's index, in every answer."""

    def spoil(said):
        found = json.loads(said)
        for index, person in enumerate(found.get("persons", ())):
            if "facts" in person:
                person["facts"] = change(index, person["facts"])
        return json.dumps(found)

    return spoil


def keyed(change):
    """Changes the object with numbers as keys in every answer."""

    def spoil(said):
        found = by_fact(json.loads(said))
        inner = found["facts"] if "persons" in found else found
        changed = change(dict(inner))
        return json.dumps({**found, "facts": changed} if "persons" in found else changed)

    return spoil


def persons(change):
    """Changes the numbers of persons in every answer that has some."""

    def spoil(said):
        found = by_fact(json.loads(said))
        if "persons" not in found:
            return said
        facts = found["facts"]
        for key, value in facts.items():
            if isinstance(value, list):
                facts[key] = [
                    re.sub(r"(?<=^\[)\d", lambda m: str(change(int(m[0]))), f) for f in value
                ]
            else:
                facts[key] = change(value)
        return json.dumps(found)

    return spoil


def all_under_one(found):
    if not all(isinstance(value, list) for value in found.values()):
        return found
    every = [item for value in found.values() for item in value]
    return {key: every if key == "1" else [] for key in found}


LISTS = {
    "all under one": keyed(all_under_one),
    "nine of ten empty": keyed(
        lambda f: {k: v if k == "1" or not isinstance(v, list) else [] for k, v in f.items()}
    ),
    "all empty": keyed(lambda f: {k: [] if isinstance(v, list) else v for k, v in f.items()}),
    "doubled": keyed(lambda f: {k: v * 2 if isinstance(v, list) else v for k, v in f.items()}),
}
KINDS = {
    **LISTS,
    "prose around": lambda said: f"Sure! Here it is:\n{said}\nI hope this helps.",
    "fence": lambda said: f"```json\n{said}\n```",
    "thought": lambda said: f"<think>Is it A? {{}} or B?</think>{said}",
    "half": lambda said: said[: len(said) // 2],
    "cut": lambda said: (said[: len(said) * 2 // 3], "length"),
    "empty": lambda said: "",
    "blank": lambda said: " \n ",
    "refusal": lambda said: "I'm sorry, but I can't help with that.",
    "prose": lambda said: "Anna Berg is supported by document A, and B is not.",
    "another language": lambda said: "Das Dokument A belegt die Aussagen 1 und 2.",
    "endless": lambda said: ('{"1": ["' + "and so on " * 400, "length"),
    "endless object": lambda said: (said[:-1] + ', "99": ["x"]' * 200, "length"),
    "twice": lambda said: f"{said}\n{said}",
    "trailing comma": lambda said: said[:-1] + ",}",
    "single quotes": lambda said: said.replace('"', "'"),
    "list": lambda said: json.dumps(list(json.loads(said).values())),
    "wrapped": lambda said: json.dumps({"answer": json.loads(said)}),
    "a string": json.dumps,
    "null": keyed(lambda f: dict.fromkeys(f)),
    "words": keyed(lambda f: dict.fromkeys(f, "perhaps")),
    "numbers": keyed(lambda f: dict.fromkeys(f, 7)),
    "objects": keyed(lambda f: {k: {"value": v} for k, v in f.items()}),
    "missing": keyed(lambda f: dict(list(f.items())[:-1])),
    "one more": keyed(lambda f: {**f, "77": next(iter(f.values()))}),
    "named keys": keyed(lambda f: {f"fact {k}": v for k, v in f.items()}),
    "from zero": keyed(lambda f: {str(int(k) - 1): v for k, v in f.items()}),
    "repeated key": lambda said: re.sub(r'"1": ([^{]+?), "2"', r'"1": \1, "1": \1, "2"', said),
    "persons beyond": persons(lambda number: number + 5),
    "persons from zero": persons(lambda number: number - 1),
    "persons in words": persons(lambda number: f"person {number}"),
    "all facts under the first person too": listed(
        lambda index, facts: facts if index else list(range(1, 12))
    ),
    "listed facts missing": listed(lambda index, facts: facts[:-1]),
    "listed facts beyond": listed(lambda index, facts: [*facts, 99]),
    "listed facts in words": listed(lambda index, facts: [f"fact {fact}" for fact in facts]),
    "listed facts themselves": listed(lambda index, facts: ["Anna Berg ran." for _ in facts]),
    "no listed facts": listed(lambda index, facts: []),
    "numbers alone": keyed(
        lambda f: {k: ["[1]"] if isinstance(v, list) else v for k, v in f.items()}
    ),
    "no numbers of persons": lambda said: re.sub(r"\[\d\] ", "", said),
    "no persons": lambda said: re.sub(r'"persons": \[.*?\]', '"persons": []', said),
    "unknown letter": lambda said: re.sub(r'"([A-C])"', r'"X"', said),
    "small letters": lambda said: re.sub(r'\["([A-C])"', lambda m: m[0].lower(), said),
    "titles": lambda said: re.sub(r'"A"', '"Anna Berg (sculptor)"', said),
    "marked letters": lambda said: re.sub(r'"([A-C])"', r'"\g<1>3"', said),
    "html": lambda said: "<html><body>Bad gateway</body></html>",
}


@pytest.fixture(scope="module")
def clean():
    found = {calls: fill(lambda said: said, calls) for calls in ("entity", "few")}
    for record, _ in found.values():
        assert record.status == "scored"
        assert not record.faults
    assert supported(found["few"][0]) == supported(found["entity"][0])
    assert found["entity"][0].groups == found["few"][0].groups
    assert len(supported(found["few"][0])) > 5
    assert [len(asked) - 1 for _, asked in found.values()] == [2 + len(ENTITIES), 2]
    return found["entity"][0]


@pytest.mark.parametrize("calls", ["entity", "few"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_a_bad_model_loses_is_said_and_nothing_is_supported_by_it(clean, kind, calls):
    record, asked = fill(KINDS[kind], calls)
    assert record.status in ("scored", "grouping_failed", "error", "no_facts")
    assert len(asked) <= 2 + 2 * (3 + 2 * COUNT + len(ENTITIES))
    if record.status == "error":
        assert record.reason
        return
    said = {fact.sentence for fact in record.facts}
    assert record.faults.get("lost_sentences", 0) == COUNT - len(said)
    if record.matrix is not None:
        assert supported(record) <= supported(clean)
    if record.status == "scored":
        assert sorted(i for g in record.groups for i in g.facts) == list(range(len(record.facts)))


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - LISTS.keys()))
def test_cells_of_one_call_for_all_are_right_or_unread(clean, kind):
    """With a good reader and a judge that always answers badly."""
    first = True

    def spoil(said):
        nonlocal first
        first, was = False, first
        return said if was else KINDS[kind](said)

    record, _ = fill(spoil, "few")
    assert [fact.text for fact in record.facts] == [fact.text for fact in clean.facts]
    assert record.groups == clean.groups
    for row, right in zip(record.matrix.status.tolist(), clean.matrix.status.tolist(), strict=True):
        for status, known in zip(row, right, strict=True):
            assert STATUSES[status] in (STATUSES[known], "unparsed", "refused")


def paragraphs_broken(said):
    found = json.loads(said)
    listed = all(isinstance(value, list) for value in found.values())
    return "no JSON" if listed and len(found) > 1 else said


@pytest.fixture
def decomposed(caplog):
    """Returns the requests about several concurrent texts, the log and the counts."""
    caplog.set_level("INFO", "dfactscore")

    def counts(spoil, **more):
        caplog.clear()
        asked, by_sentence = _decomposed(spoil, **more)
        return asked, len(caplog.messages), by_sentence

    return counts


def _decomposed(spoil, *, usage=None, texts=3, **settings):
    model = OpenAIModel("m", base_url="http://x/v1")
    client = ChatClient(model, transport=Model(spoil))
    decomposer = LLMDecomposer(client, **settings)
    if usage is not None:
        decomposer.recall(lambda: usage)

    async def run():
        biographies = [Biography(str(i), "Anna Berg", f"{TEXT} She is {i}0.") for i in range(texts)]
        return await asyncio.gather(*map(decomposer.decompose, biographies))

    found = asyncio.run(run())
    assert all({fact.sentence for fact in facts} == set(range(COUNT + 1)) for facts in found)
    return client.transport.asked.count("decompose"), client.usage.total().by_sentence


def test_a_model_that_breaks_the_form_of_paragraphs_is_asked_by_sentence_from_then_on(decomposed):
    alone = COUNT + 1
    assert decomposed(lambda said: said) == (3, 0, 0)
    assert decomposed(paragraphs_broken) == (2 + 3 * alone, 1, 3)
    assert decomposed(paragraphs_broken, form="paragraph") == (3 * (2 + alone), 0, 3)
    assert decomposed(lambda said: said, form="sentence") == (3 * alone, 0, 0)


def test_the_form_is_that_of_the_first_text_of_a_run_also_where_it_goes_on(decomposed):
    alone = COUNT + 1
    broke = {"decompose": {"m": {"calls": 9, "by_sentence": 1}}}
    assert decomposed(paragraphs_broken, usage=broke) == (3 * alone, 0, 3)
    assert decomposed(lambda said: said, usage={"decompose": {"m": {}}}) == (3, 0, 0)
    assert decomposed(lambda said: said, usage=broke, form="paragraph") == (3, 0, 0)
