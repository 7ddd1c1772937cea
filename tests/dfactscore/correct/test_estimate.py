from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from published_ppi import ppi_mean
from scipy import stats

from dfactscore.correct import labels_alone, tuned
from dfactscore.correct._estimator import Linear, whole_mean

# Computed with ppi_py 0.2.3: ppi_mean_pointestimate and ppi_mean_ci(alpha=.05) of the labels, of
# the labeled texts' scores and of the others', with the power given or tuned (lam=None).
PPI_PY = json.loads(Path(__file__).with_name("ppi_py.json").read_text())
shares = st.floats(0, 1).map(lambda x: round(x, 3))


def sample(n=30, total=120, seed=0, slope=0.7, noise=0.08):
    rng = np.random.default_rng(seed)
    judge = rng.beta(5, 2, total)
    truth = np.clip(0.3 + slope * judge + rng.normal(0, noise, total), 0, 1)
    labels = np.full(total, np.nan)
    labels[:n] = truth[:n]
    return judge, labels, truth


@pytest.mark.parametrize("row", PPI_PY, ids=lambda row: str(row["seed"]))
def test_the_published_estimator_equals_ppi_py(row):
    judge = np.array(row["judge"])
    labels = np.full(len(judge), np.nan)
    labels[: row["n"]] = row["labels"]
    for case in row["cases"]:
        mean, interval, _ = ppi_mean(judge, labels, power=case["power"])
        assert (mean, *interval) == pytest.approx(
            (case["mean"], case["low"], case["high"]), abs=1e-9
        )


@pytest.mark.parametrize("power", [0.0, 0.3, 1.0])
def test_the_mean_is_the_published_one(power):
    """With all texts instead of unlabeled texts, λ differs by the share of unlabeled texts."""
    judge, labels, _ = sample()
    ours = tuned(judge, labels, power=power).mean.value
    assert ours == pytest.approx(ppi_mean(judge, labels, power=power * 90 / 120)[0], abs=1e-12)


def test_the_tuned_power_is_the_slope_of_a_regression():
    judge, labels, _ = sample()
    known = ~np.isnan(labels)
    line = stats.linregress(judge[known], labels[known])
    found = tuned(judge, labels)
    assert found.power == pytest.approx(line.slope)
    assert found.mean.value == pytest.approx(line.intercept + line.slope * judge.mean())


def test_labels_alone_have_the_interval_of_the_t_test_where_they_are_symmetric():
    labels = np.array([0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.3, np.nan, np.nan, np.nan])
    known = labels[~np.isnan(labels)]
    wanted = stats.ttest_1samp(known, 0).confidence_interval()
    assert labels_alone(labels).interval() == pytest.approx(tuple(wanted), abs=1e-9)
    exact = labels_alone(labels, population="these").interval()
    half = (wanted.high - wanted.low) / 2 * np.sqrt(1 - 7 / 10)
    assert exact == pytest.approx((0.6 - half, 0.6 + half), abs=1e-9)


def test_labels_of_all_texts_are_the_answer():
    judge, _, truth = sample()
    found = tuned(judge, truth, population="these", power=0.0).mean
    assert found.value == pytest.approx(truth.mean())
    assert found.variance == 0


def test_a_judge_that_says_the_opposite_is_not_used():
    judge, labels, _ = sample(slope=-0.7)
    assert tuned(judge, labels).power == 0
    assert tuned(judge, labels).mean.value == pytest.approx(np.nanmean(labels))


def test_a_judge_that_compresses_is_stretched():
    judge, labels, _ = sample()
    assert tuned(judge / 3, labels).power == pytest.approx(3 * tuned(judge, labels).power)
    assert tuned(judge / 3, labels).mean.value == pytest.approx(tuned(judge, labels).mean.value)


@pytest.mark.parametrize("side", ["judge", "labels"])
def test_constant_scores_leave_the_labels_alone(side):
    judge, labels, _ = sample()
    if side == "judge":
        judge = np.full_like(judge, 0.8)
    else:
        labels[~np.isnan(labels)] = 0.8
    found = tuned(judge, labels)
    assert found.power == pytest.approx(0)
    assert found.mean.value == pytest.approx(np.nanmean(labels))


def test_bias_and_mean_add_up():
    judge, labels, _ = sample()
    found = tuned(judge, labels)
    assert found.bias.value == pytest.approx(judge.mean() - found.mean.value)


@given(st.lists(shares, min_size=12, max_size=40), st.integers(0, 2**16))
def test_interval_and_test_agree(values, seed):
    """The interval of a difference contains 0 if and only if the p-value exceeds the level."""
    rng = np.random.default_rng(seed)
    judge = np.array(values)
    labels = np.where(np.arange(len(values)) < 11, rng.beta(3, 1, len(values)), np.nan)
    one = tuned(judge, labels).mean
    other = whole_mean(rng.random(len(values)))
    gap = one.minus(other, paired=True)
    low, high = gap.interval(0.9)
    if min(abs(low), abs(high)) > 1e-6:
        assert (low <= 0 <= high) == (gap.p_value() >= 0.1)


@given(st.lists(st.tuples(shares, shares), min_size=10, max_size=30), st.integers(0, 20))
def test_no_sample_breaks_it(pairs, more):
    judge = np.array([a for a, _ in pairs] + [0.5] * more)
    labels = np.array([b for _, b in pairs] + [np.nan] * more)
    for population in ("other", "these"):
        found = tuned(judge, labels, population=population)
        low, high = found.mean.interval()
        assert low <= found.mean.value + 1e-9
        assert found.mean.value <= high + 1e-9
        assert np.isfinite(found.power)


def test_clusters_stand_or_fall_together():
    """Duplicated texts do not reduce the error, which is that of the names."""
    judge, labels, _ = sample()
    once = tuned(judge, labels).mean
    twice = tuned(np.tile(judge, 2), np.tile(labels, 2)).mean
    clusters = np.tile(np.arange(len(judge)), 2)
    assert twice.variance < 0.6 * once.variance
    assert twice.by_cluster(clusters).variance == pytest.approx(once.variance, rel=0.1)


def test_independent_estimates_have_welchs_freedom():
    one = Linear(0.0, np.array([0.1, -0.1, 0.2]), 2)
    two = Linear(0.0, np.array([0.3, -0.3, 0.1, 0.1]), 3)
    a, b = one.variance, two.variance
    gap = one.minus(two, paired=False)
    assert gap.variance == pytest.approx(a + b)
    assert gap.freedom == pytest.approx((a + b) ** 2 / (a**2 / 2 + b**2 / 3))


@pytest.mark.parametrize("population", ["other", "these"])
def test_the_interval_covers(population):
    """Coverage with skewed residuals, and 30 labels of 120 texts."""
    rng = np.random.default_rng(5)
    judge, _, truth = sample(seed=7)
    truth = np.clip(truth - (rng.random(120) < 0.1) * 0.4, 0, 1)
    held, draws = 0, 600
    for _ in range(draws):
        texts = rng.integers(0, 120, 120) if population == "other" else np.arange(120)
        labels = np.full(120, np.nan)
        chosen = rng.permutation(120)[:30]
        labels[chosen] = truth[texts][chosen]
        low, high = tuned(judge[texts], labels, population=population).mean.interval()
        held += low <= truth.mean() <= high
    assert 0.92 <= held / draws <= 0.99
