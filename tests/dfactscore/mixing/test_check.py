from __future__ import annotations

import asyncio

import pytest

from dfactscore import check
from dfactscore._errors import InputError

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
    found = check(MIXED, contexts, name)
    assert found.mixed
    assert found.probability > 0.5
    assert [p.description for p in found.people] == ["judge", "chess player"]
    assert [len(p.passages) for p in found.people] == [1, 1]
    assert found.unmixed.startswith("Bo Ford (judge):\nBo Ford is an American judge.\n\nBo Ford")
    again = check(found.unmixed, contexts, "Bo Ford")
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
    found = check(answer, PAGES, "Bo Ford")
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
        (("It rained.", PAGES), "names no person"),
        ((3, PAGES), "expected a text"),
        ((MIXED, [{"title": "Bo Ford"}]), "check: field 'contexts[0]"),
        ((MIXED, 7), "check: field 'contexts'"),
    ],
)
def test_mistakes(arguments, said):
    with pytest.raises(InputError) as error:
        check(*arguments)
    assert said in str(error.value)
