"""Groups questions for the model into batches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def make_batches(lengths: Sequence[int], limit: int) -> list[list[int]]:
    """Sorts questions by length and splits them into batches with little padding.

    Every question in a batch is padded to the length of the longest. A batch has at most `limit`
    tokens including padding, unless that would require more than ``ceil(sum(lengths) / limit) + 1``
    batches (if lengths vary greatly) or a single question is longer.

    >>> make_batches([9, 4, 9, 4, 4], limit=20)
    [[0, 2], [1, 3, 4]]
    """
    order = sorted(range(len(lengths)), key=lambda i: -lengths[i])
    sizes = [lengths[i] for i in order]
    max_batches = -(-sum(sizes) // limit) + 1
    batch_size = limit
    cuts = _fill(sizes, batch_size)
    while len(cuts) - 1 > max_batches:
        batch_size += max(1, batch_size // 16)
        cuts = _fill(sizes, batch_size)
    while len(cuts) - 1 < max_batches:
        gain, place = _best_cut(sizes, cuts)
        if gain <= limit // 64:  # another call would cost more than the padding does
            break
        cuts = sorted((*cuts, place))
    return [order[start:end] for start, end in pairwise(cuts)]


def _fill(sizes: Sequence[int], batch_size: int) -> list[int]:
    """Returns the boundaries of batches that are as full as possible."""
    cuts = [0]
    for i, _ in enumerate(sizes):
        if i > cuts[-1] and (i - cuts[-1] + 1) * sizes[cuts[-1]] > batch_size:
            cuts.append(i)
    return [*cuts, len(sizes)] if sizes else [0]


def _best_cut(sizes: Sequence[int], cuts: Sequence[int]) -> tuple[int, int]:
    """Returns the number of padding tokens saved by the best cut, and the index of that cut."""
    best = (0, 0)
    for start, end in pairwise(cuts):
        for i in range(start + 1, end):
            if sizes[i] < sizes[i - 1]:
                best = max(best, ((end - i) * (sizes[start] - sizes[i]), i))
    return best
