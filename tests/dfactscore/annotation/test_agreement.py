from __future__ import annotations

import itertools
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.annotation import adjusted_rand, b_cubed_f1, krippendorff_alpha, percent_agreement
from dfactscore.measures import cohen_kappa

CANONICAL = (
    "1 2 3 3 2 1 4 1 2 - - -",
    "1 2 3 3 2 2 4 1 2 5 - 3",
    "- 3 3 3 2 3 4 2 2 5 1 -",
    "1 2 3 3 2 4 4 1 2 5 1 -",
)
THREE = ("0 0 1 - 0 1 2", "0 1 1 0 - 1 2", "- 0 1 0 0 - 1")


def units(rows):
    return list(zip(*([None if v == "-" else v for v in r.split()] for r in rows), strict=True))


@pytest.mark.parametrize(("rows", "value"), [(CANONICAL, 0.743421), (THREE, 0.627907)])
def test_alpha_of_published_data(rows, value):
    assert krippendorff_alpha(units(rows)) == pytest.approx(value, abs=5e-7)


def test_high_percent_and_kappa_below_chance():
    first, second = "S" * 18 + "SN", "S" * 18 + "NS"
    assert percent_agreement(zip(first, second, strict=True)) == pytest.approx(0.9)
    assert cohen_kappa(first, second) == pytest.approx(-0.052632, abs=5e-7)


def test_undefined_is_none_not_one():
    assert cohen_kappa("SSS", "SSS") is None
    assert cohen_kappa("", "") is None
    assert krippendorff_alpha([("S", "S"), ("S", "S")]) is None
    assert krippendorff_alpha([("S", None), ("N",)]) is None
    assert percent_agreement([("S", None)]) is None


values = st.sampled_from("SNI")
pairs = st.lists(st.tuples(values, values), min_size=2, max_size=40)


@given(pairs)
def test_kappa_is_that_of_scikit_learn(table):
    from sklearn.metrics import cohen_kappa_score

    first, second = zip(*table, strict=True)
    found = cohen_kappa(first, second)
    if found is None:
        assert len({*first, *second}) == 1
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert found == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)


@given(st.lists(st.lists(st.none() | values, min_size=3, max_size=3), min_size=1, max_size=30))
def test_alpha_is_that_of_nltk(table):
    from nltk.metrics.agreement import AnnotationTask

    paired = [unit for unit in table if sum(v is not None for v in unit) > 1]
    found = krippendorff_alpha(table)
    seen = {v for unit in paired for v in unit if v is not None}
    if len(seen) < 2:
        assert found is None
        return
    data = [
        (f"c{who}", f"i{number}", value)
        for number, unit in enumerate(paired)
        for who, value in enumerate(unit)
        if value is not None
    ]
    assert found == pytest.approx(AnnotationTask(data).alpha(), abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40))
def test_groupings(table):
    from sklearn.metrics import adjusted_rand_score

    first, second = zip(*table, strict=True)
    assert adjusted_rand(first, second) == pytest.approx(
        adjusted_rand_score(first, second), abs=1e-12
    )
    assert b_cubed_f1(first, second) == pytest.approx(b_cubed_f1(second, first), abs=1e-12)
    assert b_cubed_f1(first, first) == pytest.approx(1)
    assert 0 < b_cubed_f1(first, second) <= 1 + 1e-12


@given(pairs)
def test_order_and_names_of_values_change_nothing(table):
    other = {"S": 7, "N": 8, "I": 9}
    turned = [(other[b], other[a]) for a, b in reversed(table)]
    assert krippendorff_alpha(turned) == pytest.approx(krippendorff_alpha(table), abs=1e-12)
    assert cohen_kappa(*zip(*turned, strict=True)) == pytest.approx(
        cohen_kappa(*zip(*table, strict=True)), abs=1e-12
    )


def test_worked_example(worked):
    facts = list(
        itertools.chain.from_iterable(
            zip(one.facts, two.facts, strict=True) for one, two in worked.values()
        )
    )
    label = [(a.label, b.label) for a, b in facts]
    found = [(a.found_in or "-", b.found_in or "-") for a, b in facts]
    supported = [(a == "supported", b == "supported") for a, b in label]
    near = lambda value: pytest.approx(value, abs=1e-6)  # noqa: E731
    assert len(facts) == 24
    assert percent_agreement(label) == near(20 / 24)
    assert cohen_kappa(*zip(*label, strict=True)) == near(0.653430)
    assert krippendorff_alpha(label) == near(0.658802)
    assert percent_agreement(supported) == near(0.833333)
    assert cohen_kappa(*zip(*supported, strict=True)) == near(0.627907)
    assert percent_agreement(found) == near(0.708333)
    assert cohen_kappa(*zip(*found, strict=True)) == near(0.542234)
    assert krippendorff_alpha(found) == near(0.542420)
    assert [adjusted_rand(a.biographies, b.biographies) for a, b in worked.values()] == [1, 1, 0]
