"""Compares metrics with scikit-learn, and intervals with scipy."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.measures._agreement import RATES, areas, calibration, rates
from dfactscore.measures._resampling import resample_counts

metrics = pytest.importorskip("sklearn.metrics")
labels = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40)


def counts(pairs):
    truth, said = np.array(pairs, dtype=bool).T
    return np.array([(truth & said).sum(), (~truth & said).sum(), (truth & ~said).sum(),
                     (~truth & ~said).sum()])  # fmt: skip


@given(labels)
def test_figures_are_scikit_learns(pairs):
    truth, said = np.array(pairs, dtype=bool).T
    found = {name: float(value) for name, value in rates(counts(pairs)).items()}
    assert set(found) == set(RATES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = {
            "precision": metrics.precision_score(truth, said, zero_division=np.nan),
            "recall": metrics.recall_score(truth, said, zero_division=np.nan),
            "f1": metrics.f1_score(truth, said, zero_division=np.nan),
            "kappa": metrics.cohen_kappa_score(truth, said),
            "mcc": metrics.matthews_corrcoef(truth, said),
            "accuracy": metrics.accuracy_score(truth, said),
        }
        if len(set(truth.tolist())) == 2:
            expected["balanced_accuracy"] = metrics.balanced_accuracy_score(truth, said)
        else:
            assert np.isnan(found["balanced_accuracy"])
    for name, value in expected.items():
        assert found[name] == pytest.approx(value, abs=1e-12, nan_ok=True), name


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans(), st.integers(0, 3)), min_size=1,
                max_size=40))  # fmt: skip
def test_areas_are_scikit_learns_with_weights(rows):
    p, error, weight = (np.array(column) for column in zip(*rows, strict=True))
    error = error.astype(bool)
    (found,) = areas(p / 6, error, iter([weight[None].astype(float)]))
    kept = weight > 0
    if len(set(error[kept].tolist())) < 2:
        assert np.isnan(found)
        return
    expected = metrics.roc_auc_score(error, -p / 6, sample_weight=weight)
    assert found == pytest.approx(expected, abs=1e-12)


def test_calibration_by_hand():
    found = calibration(np.array([0.95, 0.95, 0.15, 1.0]), np.array([False, True, True, False]))
    gaps = abs((0.95 - 1) + (0.95 - 0) + (1 - 1)) + 0.15
    assert found["ece"] == pytest.approx(gaps / 4)
    assert found["brier"] == pytest.approx((0.05**2 + 0.95**2 + 0.15**2) / 4)
    assert calibration(np.zeros(0), np.zeros(0, dtype=bool)) == {}


def test_undefined_figures_never_divide_by_zero():
    with np.errstate(all="raise"):
        for table in np.ndindex(2, 2, 2, 2):
            rates(np.array(table))
    none = rates(np.array([0, 0, 3, 7]))
    assert np.isnan(none["precision"])
    assert none["f1"] == 0


def test_intervals_are_scipys_on_a_ratio():
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(5)
    table = rng.integers(0, 5, (30, 4)).astype(float)
    draws = np.concatenate([block @ table for block in resample_counts(30, resamples=2000)])
    ours = np.percentile(rates(draws)["f1"], [2.5, 97.5])

    def f1(tp, fp, fn, axis):
        tp, fp, fn = (x.sum(axis=axis) for x in (tp, fp, fn))
        return 2 * tp / (2 * tp + fp + fn)

    scipys = stats.bootstrap(
        tuple(table.T[:3]), f1, paired=True, vectorized=True, n_resamples=2000,
        method="percentile", rng=np.random.default_rng(0),
    ).confidence_interval  # fmt: skip
    assert ours == pytest.approx([scipys.low, scipys.high], abs=1e-12)
