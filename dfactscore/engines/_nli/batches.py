"""Batches of questions for the model."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def make_batches(lengths: Sequence[int], limit: int) -> list[list[int]]:
    """Sorts questions by length and cuts the row where little is padded.

    Within a batch every question is padded to the longest. A batch has at most `limit` tokens,
    padding included, unless that would take more than ``ceil(sum(lengths) / limit) + 1`` batches
    (lengths of very different sizes) or one question alone is longer.

    Args:
        lengths: Tokens of each question.
        limit: Tokens of a batch.

    Returns:
        Indices of the questions, longest first; equal lengths in their order.

    >>> make_batches([9, 4, 9, 4, 4], limit=20)
    [[0, 2], [1, 3, 4]]
    """
    order = sorted(range(len(lengths)), key=lambda i: -lengths[i])
    sizes = [lengths[i] for i in order]
    most = -(-sum(sizes) // limit) + 1
    room = limit
    cuts = _fill(sizes, room)
    while len(cuts) - 1 > most:
        room += max(1, room // 16)
        cuts = _fill(sizes, room)
    while len(cuts) - 1 < most:
        gain, place = _best_cut(sizes, cuts)
        if gain <= limit // 64:  # another call costs more than so little padding
            break
        cuts = sorted((*cuts, place))
    return [order[start:end] for start, end in pairwise(cuts)]


def _fill(sizes: Sequence[int], room: int) -> list[int]:
    """Returns the starts and ends of batches, each as full as possible."""
    cuts = [0]
    for i, _ in enumerate(sizes):
        if i > cuts[-1] and (i - cuts[-1] + 1) * sizes[cuts[-1]] > room:
            cuts.append(i)
    return [*cuts, len(sizes)] if sizes else [0]


def _best_cut(sizes: Sequence[int], cuts: Sequence[int]) -> tuple[int, int]:
    """The cut that saves most padding, and how much."""
    best = (0, 0)
    for start, end in pairwise(cuts):
        for i in range(start + 1, end):
            if sizes[i] < sizes[i - 1]:
                best = max(best, ((end - i) * (sizes[start] - sizes[i]), i))
    return best
