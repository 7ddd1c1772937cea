"""κ and α against scikit-learn, released values and their definitions."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.measures._agreement import (
    cohen_kappa,
    kappa_of_table,
    krippendorff_alpha,
    unanimous,
)

CANONICAL = ("1 2 3 3 2 1 4 1 2 - - -", "1 2 3 3 2 2 4 1 2 5 - 3",
             "- 3 3 3 2 3 4 2 2 5 1 -", "1 2 3 3 2 4 4 1 2 5 1 -")  # fmt: skip
GAPS = ("0 0 1 - 0 1 2", "0 1 1 0 - 1 2", "- 0 1 0 0 - 1")


def units(rows):
    return [[v for v in unit if v != "-"] for unit in zip(*(r.split() for r in rows), strict=True)]


@pytest.mark.parametrize(("rows", "alpha"), [(CANONICAL, 0.743421), (GAPS, 0.627907)])
def test_published_alphas(rows, alpha):
    assert krippendorff_alpha(units(rows)) == pytest.approx(alpha, abs=1e-6)


def test_agreement_by_a_label_that_nearly_all_share_is_chance():
    first, second = ["a"] * 18 + ["a", "b"], ["a"] * 18 + ["b", "a"]
    assert cohen_kappa(first, second) == pytest.approx(-0.052632, abs=1e-6)


@given(st.integers(0, 10**6))
def test_kappa_is_scikit_learns(seed):
    metrics = pytest.importorskip("sklearn.metrics")
    rng = random.Random(seed)
    pairs = [(rng.choice("abc"), rng.choice("abc")) for _ in range(rng.randint(1, 30))]
    first, second = zip(*pairs, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = metrics.cohen_kappa_score(first, second)
    found = cohen_kappa(first, second)
    assert (found is None) == bool(np.isnan(expected))
    assert found is None or found == pytest.approx(expected, abs=1e-12)


def test_undefined_is_none():
    assert kappa_of_table(np.zeros((2, 2))) is None
    assert cohen_kappa("aaa", "aaa") is None
    assert krippendorff_alpha(["aa", "aa"]) is None
    assert krippendorff_alpha(["a", "b"]) is None
    assert unanimous(["a"]) is None


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="shorter"):
        cohen_kappa("ab", "a")
