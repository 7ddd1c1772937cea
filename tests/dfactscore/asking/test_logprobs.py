from __future__ import annotations

import math

import pytest

from dfactscore._asking.messages import Answer, TokenLogprob
from dfactscore._asking.replies import probability_of_true, read_logprobs, token_starts
from dfactscore._records import Verdict
from dfactscore.engines._llm.roles.verifier import read_verdicts, read_word

CHAT = {
    "logprobs": {
        "content": [
            {
                "token": "True",
                "logprob": math.log(0.7),
                "top_logprobs": [
                    {"token": "True", "logprob": math.log(0.7)},
                    {"token": "False", "logprob": math.log(0.1)},
                    {"token": " true", "logprob": math.log(0.1)},
                    {"token": "Maybe", "logprob": math.log(0.05)},
                ],
            }
        ]
    }
}
CLASSIC = {
    "logprobs": {
        "tokens": ["True"],
        "token_logprobs": [math.log(0.7)],
        "top_logprobs": [
            {"True": math.log(0.7), "False": math.log(0.1), " true": math.log(0.1)},
        ],
    }
}


@pytest.mark.parametrize("choice", [CHAT, CLASSIC])
def test_both_shapes_give_the_same_probability(choice: dict[str, object]) -> None:
    answer = Answer("True", logprobs=read_logprobs(choice))
    assert read_word(answer)[0].probability == pytest.approx(0.8 / 0.9, abs=1e-6)


@pytest.mark.parametrize(
    "choice",
    [
        {},
        {"logprobs": None},
        {"logprobs": {"content": None}},
        {"logprobs": {"tokens": None, "token_logprobs": None}},
        {"logprobs": {"tokens": ["True"], "token_logprobs": [None]}},
    ],
)
def test_none_means_no_probability(choice: dict[str, object]) -> None:
    assert read_logprobs(choice) == ()
    assert read_word(Answer("False", logprobs=read_logprobs(choice)))[0].probability is None


@pytest.mark.parametrize(
    "entry",
    [
        {"logprob": None},
        {"logprob": "-0.1"},
        {"logprob": float("nan")},
        {"logprob": True},
        {"logprob": None, "top_logprobs": [None, 3, {"token": "x"}]},
        {"logprob": None, "top_logprobs": "no list of any kind"},
    ],
)
def test_what_is_no_number_says_nothing(entry: dict[str, object]) -> None:
    choice = {"logprobs": {"content": [{"token": "True", **entry}, None, "x"]}}
    answer = Answer("True", logprobs=read_logprobs(choice))
    assert read_word(answer) == (Verdict("supported"),)


def test_alternatives_may_be_one_object_and_numbers_too_large() -> None:
    top = {"True": 9e9, "False": -float("inf")}
    choice = {"logprobs": {"content": [{"token": "True", "logprob": 1e9, "top_logprobs": top}]}}
    assert read_word(Answer("True", logprobs=read_logprobs(choice)))[0].probability == 1.0
    odd = {"tokens": ["Tr", "ue"], "token_logprobs": ["x", None], "top_logprobs": [{"a": None}, 3]}
    assert read_word(Answer("True", logprobs=read_logprobs({"logprobs": odd})))[0] == Verdict(
        "supported"
    )


def test_each_value_of_an_object_has_its_own_token() -> None:
    pieces = ['{"', "1", '":', " true", ", ", '"2', '": fa', "lse}"]
    top = {
        3: ((" true", math.log(0.6)), (" false", math.log(0.2))),
        6: (('": fa', math.log(0.9)), ('": tr', math.log(0.1))),
    }
    tokens = tuple(TokenLogprob(p, -0.1, top.get(i, ())) for i, p in enumerate(pieces))
    first, second = read_verdicts(Answer("".join(pieces), logprobs=tokens), 2)
    assert first.probability == pytest.approx(0.75)
    assert second.probability == pytest.approx(0.1)


def test_a_word_that_the_alternatives_lack_gets_what_is_left() -> None:
    token = TokenLogprob("false", math.log(0.97), (("false", math.log(0.97)),))
    starts = token_starts([token], "false")
    assert probability_of_true([token], starts, 0, value=False) == pytest.approx(0.03)


def test_tokens_that_are_not_the_text_say_nothing() -> None:
    token = TokenLogprob("tr\ufffdue", -0.1, ())
    assert token_starts([token], "true") == []
    assert read_word(Answer("true", logprobs=(token,)))[0].probability is None
    assert token_starts([], "true") == []


def test_a_fence_that_the_server_took_off_is_skipped() -> None:
    """As llama.cpp's server does: the fence is gone from the content, its tokens are not."""
    pieces = ["```", "json", "\n", '{"1":', " true", "}", "\n```"]
    top = {4: ((" true", math.log(0.6)), (" false", math.log(0.4)))}
    tokens = tuple(TokenLogprob(p, -0.1, top.get(i, ())) for i, p in enumerate(pieces))
    (found,) = read_verdicts(Answer('{"1": true}', logprobs=tokens), 1)
    assert found.probability == pytest.approx(0.6)


def test_tokens_survive_the_cache() -> None:
    answer = Answer("True", logprobs=read_logprobs(CHAT), model="m", fingerprint="f")
    assert Answer.from_json(answer.to_json()) == answer


def test_a_word_that_a_grammar_forced_has_no_probability() -> None:
    """As seen with a small model: it wanted a number, and the grammar allowed two words only."""
    top = (("1", math.log(0.4)), ("2", math.log(0.25)), ("5", math.log(0.06)))
    token = TokenLogprob("f", -14.2, top)
    assert probability_of_true([token], [0], 0, value=False) is None
