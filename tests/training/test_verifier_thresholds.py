"""Calibration of the verifier's log-odds."""

from __future__ import annotations

import numpy as np
from verifier_data import Pair
from verifier_thresholds import calibrate


def shares(odds: float, yes: int, no: int) -> tuple[list[float], list[int]]:
    return [odds] * (yes + no), [1] * yes + [0] * no


def test_log_odds_that_are_far_too_sure_are_calibrated_to_the_shares_of_the_labels() -> None:
    groups = [shares(-9.0, 300, 700), shares(-6.0, 500, 500), shares(-1.0, 800, 200)]
    odds = np.array([value for part, _ in groups for value in part])
    pairs = [Pair("A", "f", (), label, 0) for _, part in groups for label in part]
    second = np.zeros(len(odds), dtype=bool)
    second[:40] = True  # the second stage has some, too
    found, values = calibrate(pairs, odds, odds, second)
    assert all(np.isfinite(line).all() for line in found.values())
    assert 0 < found["first"][1] < 1
    for start, share in ((500, 0.3), (1500, 0.5), (2500, 0.8)):
        assert abs(values[start] - share) < 0.06
