"""Sums over runs of rows."""

from __future__ import annotations

import numpy as np
import pytest

from dfactscore.engines._builtin.verify.runs import Runs


@pytest.mark.parametrize("longest", [1, 2, 12])
def test_runs_are_summed_as_numpy_does_to_the_bit(longest: int) -> None:
    rng = np.random.default_rng(longest)
    sizes = rng.integers(1, longest + 1, size=40)
    starts = sizes.cumsum() - sizes
    values = rng.random((3, sizes.sum(), 7), dtype=np.float32)
    runs = Runs(starts, sizes)
    assert np.array_equal(runs.total(values), np.add.reduceat(values, starts, axis=1))
