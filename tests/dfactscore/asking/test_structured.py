from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore._asking.messages import Answer, AnswerError
from dfactscore._asking.structured import parse_object, response_format
from dfactscore.engines._llm.roles.grouper import read_groups
from dfactscore.engines._llm.roles.verifier import read_verdicts, read_word


@pytest.mark.parametrize(
    "text",
    [
        '{"1": true}',
        '  {"1": true}\n',
        '```json\n{"1": true}\n```',
        '```\n{"1": true}\n```',
        'Here it is: {"1": true} That is all.',
        '<think>{"1": false} or not?</think>{"1": true}',
        'It is {"1": false}, or not?</think>{"1": true}',
    ],
)
def test_one_object_is_found(text: str) -> None:
    assert parse_object(Answer(text)) == {"1": True}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("Everything is supported.", "no JSON object"),
        ('{"1": true', "broken"),
        ('{"1": true, "1": false}', "is repeated"),
        ('{"1": true} {"2": false}', "more than one"),
        ("[true, false]", "no JSON object"),
        ("{" * 100_000, "broken"),
        ('{"a":' * 100_000, "too deeply"),
        ('{"1": ' + "1" * 5000 + "}", "infinite number"),
        ('{"1": "</think>"} {"2": true}', "more than one"),
    ],
)
def test_anything_else_is_refused(text: str, said: str) -> None:
    with pytest.raises(AnswerError, match=said) as caught:
        parse_object(Answer(text))
    assert caught.value.kind == "unparsed"


@pytest.mark.parametrize(
    "answer",
    [
        Answer("I'm sorry, but I can't do that."),
        Answer("I cannot assist with this request."),
        Answer("Unfortunately, I am not able to."),
        Answer("", refusal="no"),
        Answer('{"1": true}', finish="content_filter"),
    ],
)
def test_refusals_are_told_apart(answer: Answer) -> None:
    with pytest.raises(AnswerError) as caught:
        parse_object(answer)
    assert caught.value.kind == "refused"


def test_a_cut_off_answer_is_not_read() -> None:
    with pytest.raises(AnswerError, match="cut off"):
        parse_object(Answer('{"1": true}', finish="length"))


@given(st.lists(st.booleans(), min_size=1, max_size=30))
def test_verdicts_come_back_by_their_numbers(values: list[bool]) -> None:
    pairs = [(str(i), v) for i, v in enumerate(values, 1)]
    found = read_verdicts(Answer(json.dumps(dict(reversed(pairs)))), len(values))
    assert [v.status == "supported" for v in found] == values


@pytest.mark.parametrize(
    "text",
    [
        '{"fact 1": true, "fact 2": false}',
        '{"Fact_1": true, "Fact_2": false}',
        '{"#1": true, "2.": false}',
        "{1: True, 2: False}",
        '{"facts": {"1": true, "2": false}}',
        '{"reasoning": "It says (1) so.", "verdicts": {"1": true, "2": false}}',
        '{"reasoning": "It says so.", "1": true, "2": false, "confidence": 0.9}',
        '{"1": "yes", "2": "No."}',
        '{"1": 1, "2": 0}',
        '{"1": "SUPPORTED", "2": "not supported"}',
        '{"1": [true], "2": [false]}',
        '{"1": {"value": true, "why": "It is stated."}, "2": {"value": false, "why": "no year"}}',
        '[{"id": 1, "answer": true}, {"id": 2, "answer": false}]',
        '{"results": [{"fact": 1, "supported": "yes"}, {"fact": 2, "supported": "no"}]}',
        '[{"fact": "Ann sang.", "supported": true}, {"fact": "Ann ran.", "supported": false}]',
        '{"id": 1, "answer": true}\n{"id": 2, "answer": false}',
        '{"1": true}\n{"2": false}',
        '{"1": true, "2": false,}',
        "{'1': True, '2': False}",
        '{"1": true, // it says so\n "2": false /* no */}',
        '{"1": true, # it says so\n "2": false}',
        "[true, false]",
        'Here [of 2 facts]: {"1": true, "2": false}',
        "1: true\n2: false",
        "**1**: True\n**2**: False",
    ],
)
def test_forms_that_leave_no_doubt_are_read(text: str) -> None:
    assert [v.status for v in read_verdicts(Answer(text), 2)] == ["supported", "not_supported"]


@pytest.mark.parametrize(
    "text",
    [
        '{"1": true}',
        '{"1": true, "2": true, "3": true}',
        '{"1": true, "3": true}',
        '{"1": true, "2": null}',
        '{"1": true, "2": 2}',
        '{"1": true, "2": "maybe"}',
        '{"1": true, "2": "true or false"}',
        '{"1": true, "2": {"yes": true, "no": false}}',
        '{"1": true, "02": true}',
        '{"0": true, "1": true}',
        '{"1": true, "fact 1": false, "2": true}',
        '{"1": true, "2": true}\n{"1": true, "2": false}',
        '{"a": {"1": true, "2": true}, "b": {"1": false, "2": true}}',
        "[true]",
        "[true, false, true]",
        "1: true",
        "1: true\n2: false\n2: true",
    ],
)
def test_verdicts_with_anything_amiss_are_not_read(text: str) -> None:
    with pytest.raises(AnswerError):
        read_verdicts(Answer(text), 2)


@pytest.mark.parametrize("text", ["True", "true.", ' "True"', "**True**", "<think>no</think>True"])
def test_one_word_is_read(text: str) -> None:
    assert read_word(Answer(text))[0].status == "supported"


@pytest.mark.parametrize(
    "text",
    # What the originals count as supported.
    ["", "No.", "Incorrect.", "N/A", "Unsupported by the context.", "That is untrue.", "Untrue",
     "True or False", "False. It is true that", "True False", "Not true"],
)  # fmt: skip
def test_what_is_not_one_word_is_never_support(text: str) -> None:
    with pytest.raises(AnswerError):
        read_word(Answer(text))


@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=40).map(
        lambda xs: [sorted(set(xs)).index(x) + 1 for x in xs]
    )
)
def test_groups_partition_the_facts(persons: list[int]) -> None:
    answer = {
        "persons": [{"label": f"P{i}", "target": True} for i in range(max(persons))],
        "facts": {str(i): p for i, p in enumerate(persons, 1)},
    }
    groups = read_groups(Answer(json.dumps(answer)), len(persons))
    assert sorted(f for g in groups for f in g.facts) == list(range(len(persons)))
    assert [g.facts[0] for g in groups] == sorted(g.facts[0] for g in groups)


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"1": 1}, "missing"),
        ({"1": 1, "2": 1, "3": 1}, 'fact "3" does not exist'),
        ({"1": 1, "2": 3}, "person 3"),
        ({"1": 1, "2": 0}, "person 0"),
        ({"1": 1, "2": True}, "no person"),
        ({"1": 1, "2": "1"}, "no person"),
    ],
)
def test_what_is_no_partition_is_not_read(facts: dict[str, object], said: str) -> None:
    persons = [{"label": "A", "target": True}, {"label": "B", "target": False}]
    with pytest.raises(AnswerError, match=said):
        read_groups(Answer(json.dumps({"persons": persons, "facts": facts})), 2)


@pytest.mark.parametrize(
    "text", ['{"persons": 3, "facts": {}}', '{"persons": ["A"], "facts": {"1": 1, "2": 1}}']
)
def test_persons_must_be_objects(text: str) -> None:
    with pytest.raises(AnswerError):
        read_groups(Answer(text), 2)


def test_a_person_without_facts_makes_no_group() -> None:
    persons = [{"label": "A", "target": True}, {"label": "B\nC", "target": False}]
    text = json.dumps({"persons": persons, "facts": {"1": 2, "2": 2}})
    (group,) = read_groups(Answer(text), 2)
    assert (group.facts, group.label, group.bears_name) == ((0, 1), "B C", False)


def test_response_formats() -> None:
    assert response_format("text", {}, "x") is None
    assert response_format("json_object", {}, "x") == {"type": "json_object"}
    form = response_format("json_schema", {"type": "object"}, "x")
    assert form is not None
    assert form["json_schema"]["strict"] is True
