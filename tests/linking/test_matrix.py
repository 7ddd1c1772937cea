"""The support matrix rejects invalid values."""

from __future__ import annotations

import numpy as np
import pytest

from dfactscore.linking import STATUSES, LinkingError, SupportMatrix


def matrix(status, probability=None, entities=("a", "b"), ranks=()):
    status = np.array(status, dtype=np.int8)
    probability = np.full(status.shape, np.nan) if probability is None else np.array(probability)
    return SupportMatrix(entities, status, probability, ranks)


def test_only_supported_counts():
    m = matrix([[0, 1], [2, 3], [4, 0]])
    assert m.support.tolist() == [[True, False], [False, False], [False, True]]
    assert m.readable.tolist() == [[True, True], [False, False], [False, True]]
    assert STATUSES[0] == "supported"


def test_threshold_redoes_readable_cells_with_a_probability_only():
    m = matrix([[0, 1], [2, 0]], [[0.4, 0.6], [0.9, np.nan]])
    assert m.at_threshold(0.5).status.tolist() == [[1, 0], [2, 0]]
    assert m.at_threshold(0.4).support[0, 0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"entities": ("a", "a")}, "repeated"),
        ({"entities": ("a",)}, "shape"),
        ({"ranks": (0, 0)}, "ranks"),
        ({"status": [[0, 7]]}, "outside"),
        ({"probability": [[0.0, 1.0], [0.0, 1.0]]}, "shape"),
    ],
)
def test_refuses(change, message):
    with pytest.raises(LinkingError, match=message):
        matrix(**{"status": [[0, 1]], **change})
