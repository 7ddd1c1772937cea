from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dfactscore import Scorer, check
from dfactscore._errors import InputError
from dfactscore._report.report_data import taken_for_one
from dfactscore.mixing import unmix
from dfactscore.mixing._biography import biography_mixing
from dfactscore.testing._assertions import failure_of, score_text

PAGES = {
    "Bo Ford (judge)": "Bo Ford (born 1950) is an American judge. He sat in Boston from 1990.",
    "Bo Ford (chess player)": "Bo Ford is a chess player. He won the championship of Ohio in 1971.",
    "Boston": "Boston is a city in Massachusetts.",
}
MIXED = "Bo Ford is an American judge. He won the championship of Ohio in 1971."


@pytest.mark.parametrize(
    "contexts",
    [
        PAGES,
        list(PAGES.items()),
        [{"title": title, "text": text} for title, text in PAGES.items()],
        list(PAGES.values()),
        [({"page_content": t, "metadata": {"source": f"{n}.pdf"}}, 0.5)
         for n, t in enumerate(PAGES.values())],
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", [None, "Bo Ford"])
def test_a_mixed_answer_is_told_apart(contexts, name):
    found = check(MIXED, contexts, name=name)
    assert found.mixed
    assert found.probability > 0.5
    assert [p.description for p in found.people] == ["judge", "chess player"]
    assert [len(p.passages) for p in found.people] == [1, 1]
    assert found.unmixed.startswith("Bo Ford (judge):\nBo Ford is an American judge.\n\nBo Ford")
    again = check(found.unmixed, contexts, name="Bo Ford")
    assert not again.mixed
    assert again.dfs > found.dfs


@pytest.mark.parametrize(
    "answer",
    [
        "Bo Ford is an American judge. He sat in Boston from 1990.",
        "Bo Ford is a judge who was born in 1950 [1].",
        "Bo Ford (judge): Bo Ford sat in Boston.\n\nBo Ford (chess player): He won in 1971.",
        "I do not know Bo Ford.",
    ],
)
def test_other_answers_stay_as_they_are(answer):
    found = check(answer, PAGES, name="Bo Ford")
    assert not found.mixed
    assert found.unmixed == answer


def test_unsupported_facts_are_listed():
    found = check(MIXED + " He has eleven parrots.", PAGES)
    assert found.unsupported == ("Bo Ford has eleven parrots.",)
    assert "parrots" not in found.unmixed
    marked = check(MIXED + " He has eleven parrots.", PAGES, unsupported="mark").unmixed
    assert marked.endswith("Not found:\nBo Ford has eleven parrots.")


def test_it_can_be_called_where_an_event_loop_runs():
    async def handler():
        return check(MIXED, PAGES)

    assert asyncio.run(handler()).mixed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((3, PAGES), "expected a text"),
        ((MIXED, [{"title": "Bo Ford"}]), "check: field 'contexts[0]"),
        ((MIXED, 7), "check: field 'contexts'"),
    ],
)
def test_mistakes(arguments, said):
    with pytest.raises(InputError) as error:
        check(*arguments)
    assert said in str(error.value)


TWO = {
    "Ida Roe (chemist)": "Ida Roe is a chemist. She works in Turin.",
    "Ida Roe (diver)": "Ida Roe is a diver. She won silver in Rome in 1960.",
}


@pytest.mark.parametrize(
    ("answer", "contexts", "question", "said"),
    [
        ("", PAGES, None, "the answer is empty"),
        ("It rained.", PAGES, None, "the answer names no one"),
        ("I'm sorry, the documents do not say.", PAGES, None, "the answer declines to answer"),
        ("I do not know Bo Ford.", PAGES, "Who is Bo Ford?", "the answer declines to answer"),
        (MIXED, [], None, "there are no contexts"),
        (MIXED, ["", " "], None, "there are no contexts"),
        ("Which Bo Ford do you mean?", PAGES, "Who is Bo Ford?", ""),
        ("博·福特是一位美国法官，1990年起在波士顿任职。他赢得了冠军。", PAGES, "Bo Ford?", ""),
    ],
)
def test_there_is_nothing_to_check(answer, contexts, question, said):
    found = check(answer, contexts, question=question)
    assert (found.mixed, found.probability, found.outcome) == (None, None, "nothing to check")
    assert found.unmixed == answer
    assert found.reasons[0] == said or not said
    assert str(found) == f"nothing to check: {found.reasons[0]}"


@pytest.mark.parametrize(
    "question", [None, "", "Who sits in Boston?", "Who was champion of Ohio?", "Who is Bo Ford?"]
)
def test_a_question_may_name_no_one(question):
    assert check(MIXED, PAGES, question=question).mixed


def test_every_name_of_an_answer_is_checked():
    answer = "Bo Ford is an American judge. Ida Roe is a chemist. She won silver in Rome in 1960."
    for contexts in ({**PAGES, **TWO}, [*PAGES.values(), *TWO.values()]):
        found = check(answer, contexts, question="Who is Bo Ford?")
        assert found.mixed
        assert found.reasons[0] == (
            "told as one: Ida Roe (diver) (3 facts), Ida Roe (chemist) (1 fact)"
        )
        assert "Ida Roe (diver):\nIda Roe won silver" in found.unmixed
    both = check(f"{MIXED} Ida Roe is a chemist. She won silver in Rome in 1960.", {**PAGES, **TWO})
    assert len(both.reasons) == 2
    assert both.unmixed.count(":\n") == 4
    assert "Bo Ford won silver" not in both.unmixed
    assert both.needs_editor == ()
    apart = "Bo Ford is an American judge. Ida Roe is a chemist. She works in Turin."
    assert check(apart, {**PAGES, **TWO}).mixed is False


def test_the_evidence_is_in_the_contexts():
    contexts = ["The sea is wide. ", *PAGES.values()]
    found = check(MIXED, contexts)
    for fact in found.facts:
        start, end = fact.sentence_span
        assert contexts[fact.context][start:end] == fact.sentence
        assert MIXED[slice(*fact.span)]
    assert {fact.context for fact in found.facts} == {1, 2}
    assert 0 < sum(fact.foreign for fact in found.facts) < len(found.facts)
    people = {context.context: list(context.people) for context in found.contexts}
    assert all(people[fact.context] == [fact.person] for fact in found.facts)
    assert json.loads(json.dumps(found.to_dict()))["outcome"] == "mixed"
    assert str(found).startswith("mixed (p ")


WORDS = ("Bo Ford", "is a judge", "He", "sat in Boston", "won the championship of Ohio", ".", " ",
         "was born in 1950", "in 1971", "?", "I do not know", "Ann Bar", "(", "chess player", "-",
         "\n", "法官", "Which one?", "1.", "**")  # fmt: skip
GIVEN = (PAGES, list(PAGES.values()), [*PAGES.values(), "Ford sat in Ohio in 1971."])
ANSWERS = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(ANSWERS, st.sampled_from([None, "Who is Bo Ford?", "Who sat in Boston?", "?"]),
       st.sampled_from(GIVEN))  # fmt: skip
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_gate_says_the_same(answer, question, contexts):
    found = check(answer, contexts, question=question)
    record = {"text": answer, "contexts": contexts, **({"question": question} if question else {})}
    try:
        (scored,) = Scorer().score_many([record])
    except InputError:
        assert found.outcome == "nothing to check"
        return
    assert found.mixed is (None if scored.scores is None else scored.scores.mixed)
    asserted, bounds = score_text(answer, contexts, question=question, at_least=0, max_mixed=0)
    assert (asserted.dfs is not None and bool(failure_of(asserted, bounds))) is (
        found.mixed is True
    )
    if found.outcome != "nothing to check":
        assert unmix(scored).changed == (found.unmixed != answer)
        mixing = biography_mixing(scored.record)
        assert (mixing is not None and taken_for_one(mixing) is not None) is (found.mixed is True)
        assert found.probability is None or (found.probability < 0.5) >= (found.mixed is False)
