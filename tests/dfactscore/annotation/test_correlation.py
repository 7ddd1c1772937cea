from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfactscore.annotation import correlate
from dfactscore.annotation._automatic_scores import pearson

PEOPLE = (0.92, 0.71, 1, 0.55, 0.80, 0.63, 0.88, 0.95, 0.40, 0.77)
AUTOMATIC = (0.95, 0.80, 1, 0.70, 0.79, 0.66, 0.93, 0.90, 0.62, 0.85)


def test_ten_paragraphs():
    found = correlate(PEOPLE, AUTOMATIC)
    near = lambda value: pytest.approx(value, abs=1e-6)  # noqa: E731
    assert (found.pearson, found.spearman) == (near(0.948299), near(0.915152))
    assert list(found.fisher) == [near(0.790897), near(0.988010)]
    assert (found.mae, found.bias) == (near(0.071), near(0.059))
    assert found.bootstrap.low < found.pearson < found.bootstrap.high
    assert correlate(PEOPLE, AUTOMATIC) == found


def test_the_bootstrap_is_that_of_its_definition():
    from dfactscore.measures._resampling import resample_counts

    counts = next(iter(resample_counts(10, resamples=500)))
    drawn = [np.repeat(np.arange(10), row.astype(int)) for row in counts]
    a, b = np.array(PEOPLE), np.array(AUTOMATIC)
    r = [np.corrcoef(a[i], b[i])[0, 1] for i in drawn if len(set(i)) > 1]
    expected = np.percentile(r, [2.5, 97.5])
    assert list(correlate(PEOPLE, AUTOMATIC, resamples=500).bootstrap) == pytest.approx(expected)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=30))
def test_correlations_are_those_of_scipy(table):
    from scipy import stats

    first, second = ([v / 9 for v in side] for side in zip(*table, strict=True))
    found = correlate(first, second, resamples=50)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found.pearson is None
        assert found.spearman is None
        assert "all the same" in found.reason
        return
    assert found.pearson == pytest.approx(stats.pearsonr(first, second).statistic, abs=1e-9)
    assert found.spearman == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-9)
    if len(first) > 3 and abs(found.pearson) < 1 - 1e-9:
        expected = stats.pearsonr(first, second).confidence_interval()
        assert list(found.fisher) == pytest.approx([expected.low, expected.high], abs=1e-6)


def test_what_is_undefined_says_why():
    assert "no paragraph" in correlate([], []).reason
    assert "fewer than two" in correlate([1.0], [1.0]).reason
    assert correlate([1.0, 1.0], [0.5, 0.6]).reason == "people's scores are all the same"
    assert pearson([1.0], [1.0]) is None


def test_one_has_no_interval():
    found = correlate([float(i) for i in range(12)], [2.0 * i for i in range(12)], resamples=50)
    assert found.pearson == pytest.approx(1)
    assert (found.fisher, found.bootstrap) == (None, None)
