"""Right, tied, wrong; means over items against their definitions; the released baselines."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from uniform_model import UniformModel

from dfactscore.factor import FactorOptions, evaluate_factor, read_factor
from dfactscore.factor._description import baselines, describe, edit_distance
from dfactscore.factor._factor_results import judge, normalized
from dfactscore.likelihood import Continuation

GRID = st.lists(st.integers(-4, -1).map(float), min_size=2, max_size=8)


@given(GRID)
def test_a_verdict_is_its_definition(scores):
    found = judge(scores)
    top = [i for i, s in enumerate(scores) if s == max(scores)]
    assert found is not None
    assert found.right == (top == [0])
    assert found.tie == (0 in top and len(top) > 1)
    assert found.credit == (1 / len(top) if 0 in top else 0)
    assert found.margin == scores[0] - max(scores[1:])
    assert found.picked == top[0]
    assert found.beaten == tuple(scores[0] > s for s in scores[1:])


def test_the_last_digit_makes_no_winner():
    third = math.fsum([-0.1] * 3) / 3
    assert judge([third, -0.1 - 1e-15]).tie
    assert judge([math.nan, -1.0]) is None
    assert judge([-1.0, -math.inf]) is None


def test_four_normalizations():
    one = Continuation(("a", "b"), (-1.0, -2.0), -3.0, 6, 12)
    assert [normalized(one, by) for by in ("token", "sum", "character", "byte")] == [
        -1.5, -3.0, -0.5, -0.25,
    ]  # fmt: skip


class Faulty(UniformModel):
    """Fails on one item, as a server does that leaves numbers out."""

    async def score(self, context, continuations):
        found = list(await super().score(context, continuations))
        if "Person 3 " in context:
            found[1] = Continuation((), (), math.nan, 0, 0, error="no number")
        return found


class Longest(UniformModel):
    """Likes long texts: one token each, likelier by the character."""

    async def score(self, context, continuations):
        return [Continuation((c,), (-1 / len(c),), -1 / len(c), len(c), len(c))
                for c in continuations]  # fmt: skip


def test_a_model_that_knows_nothing_is_never_right(items):
    found = evaluate_factor(items, UniformModel())
    assert found.accuracy == 0
    chance = sum(1 / len(i.completions) for i in items) / len(items)
    assert found.summary["accuracy_tie_credit"] == pytest.approx(chance)
    assert found.summary["ties"] == len(items)
    assert found.summary["perplexity_token"] == pytest.approx(50_000)


def test_an_item_without_a_number_is_wrong_or_left_out(items):
    strict = evaluate_factor(items, Faulty()).summary
    assert (strict["scored"], strict["coverage"]) == (11, 11 / 12)
    out = evaluate_factor(items, Faulty(), options=FactorOptions(policy="exclude")).summary
    assert out["coverage"] == strict["coverage"]
    assert out["accuracy_tie_credit"] * 11 == pytest.approx(strict["accuracy_tie_credit"] * 12)


def test_types_and_pairs(items):
    found = evaluate_factor(items, Longest()).summary
    pairs = [len(item.completion) > len(one.text) for item in items for one in item.contradictions]
    assert found["pairwise_accuracy"] == pytest.approx(sum(pairs) / len(pairs))
    assert found["by_type"] == {
        "circumstance": {"contradictions": len(pairs), "accuracy": sum(pairs) / len(pairs)}
    }
    low, high = found["interval"]
    assert low <= found["accuracy"] <= high


def test_documents_are_drawn_whole(items):
    """With two items a document the interval is wider than over single items."""
    from dataclasses import replace

    half = [i for n, i in enumerate(items) if n // 2 % 2]
    twice = [replace(i, id=f"{i.id}-{k}", document=i.id) for i in items for k in range(6)]
    alone = [replace(i, document="") for i in twice]

    def width(chosen):
        low, high = evaluate_factor(chosen, Longest()).summary["interval"]
        return high - low

    assert half
    assert width(twice) > 1.5 * width(alone)


def test_results_print_and_become_a_frame(items):
    found = evaluate_factor(items, UniformModel())
    assert "accuracy %" in str(found)
    frame = found.to_frame()
    assert list(frame.id) == [i.id for i in items]
    assert frame.credit.mean() == pytest.approx(found.summary["accuracy_tie_credit"])


def test_words_to_change():
    assert edit_distance("a b c", "a c") == 1
    assert edit_distance("", "a b") == 2
    assert edit_distance("He swam.", "He sang") == 1


def test_baselines_on_the_released_file(expert):
    """Trivial models; where ties go to the first index, the true completion would win them."""
    found = read_factor(expert)
    fewest = baselines(found.items)["fewest words"]
    assert fewest["accuracy_tie_credit"] == pytest.approx(0.0738, abs=5e-5)
    assert fewest["first_index"] == pytest.approx(0.2119, abs=5e-5)
    about = describe(found)
    assert about["baselines"]["shortest"]["accuracy_tie_credit"] == pytest.approx(0.1222, abs=5e-5)
    assert about["baselines"]["longest"]["accuracy_tie_credit"] == pytest.approx(0.2458, abs=5e-5)
    assert about["edit_distance"]["mean"] == pytest.approx(2.62, abs=0.005)
    uniform = evaluate_factor(found.items, UniformModel())
    assert uniform.accuracy == 0
    assert uniform.summary["ties"] == 236
    assert uniform.summary["accuracy_tie_credit"] == 0.25
