"""The entries and sentences of several pages, and which of them each fact is bound in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines.builtin.verify.features import Aligned
from dfactscore.engines.builtin.verify.premise import Premise

__all__ = ["hits_of", "joined", "offsets", "regions"]

Scalar = TypeVar("Scalar", bound=np.generic)


def joined(tables: Sequence[NDArray[Scalar]]) -> NDArray[Scalar]:
    """The tables side by side."""
    return tables[0] if len(tables) == 1 else np.concatenate(tables, axis=-1)


def offsets(pages: Sequence[tuple[Premise, Aligned]]) -> NDArray[np.intp]:
    """Where the entries of each page begin among those of all."""
    sizes = np.array([len(premise.positions.place) for premise, _ in pages])
    return np.asarray(sizes.cumsum() - sizes, dtype=np.intp)


def hits_of(
    pages: Sequence[tuple[Premise, Aligned]], words: NDArray[np.intp], many: int
) -> NDArray[np.float32]:
    """The sentences of each word; the words of a page are `many`."""
    if len(pages) == 1:
        return pages[0][1].hits[words]
    found = np.zeros((len(words), max(aligned.hits.shape[1] for _, aligned in pages)), np.float32)
    bounds = np.searchsorted(words, np.arange(len(pages) + 1) * many).tolist()
    for number, (_, aligned) in enumerate(pages):
        part = slice(bounds[number], bounds[number + 1])
        found[part, : aligned.hits.shape[1]] = aligned.hits[words[part] - number * many]
    return found


def regions(
    pages: Sequence[tuple[Premise, Aligned]], page_of: NDArray[np.intp], facts: NDArray[np.intp]
) -> tuple[NDArray[np.intp] | None, NDArray[np.bool_] | None]:
    """Entries of the blocks of each fact's windows, shape ``(facts, n)``, and which are real.

    None where there is one page, which is every fact's region.
    """
    if len(pages) == 1 and _is_short(*pages[0]):
        return None, None
    spans: list[list[tuple[int, int]]] = []
    for number, (offset, (premise, aligned)) in enumerate(
        zip(offsets(pages).tolist(), pages, strict=True)
    ):
        own = facts[page_of == number]
        size = len(premise.positions.place)
        if _is_short(premise, aligned):
            spans += [[(offset, offset + size)]] * len(own)
            continue
        edges = np.searchsorted(premise.positions.column, np.append(premise.blocks, 10**9))
        bounds = (edges + offset).tolist()
        for windows in np.sort(aligned.windows[own], axis=1).tolist():
            part, end = [], 0
            for window in windows:
                start, end = max(bounds[window], end), bounds[window + 2]  # they may share blocks
                if end > start:
                    part.append((start, end))
            spans.append(part or [(offset, offset)])
    lengths = np.array([sum(end - start for start, end in part) for part in spans])
    steps = np.arange(sum(len(premise.positions.place) for premise, _ in pages))
    index = np.empty((len(spans), lengths.max()), dtype=np.intp)
    for row, part in zip(index, spans, strict=True):
        filled = 0
        for start, end in part:
            row[filled : filled + end - start] = steps[start:end]
            filled += end - start
        row[filled:] = max(end - 1, start)  # any of them: what is not real counts nowhere
    return index, np.arange(index.shape[1]) < lengths[:, None]


def _is_short(premise: Premise, aligned: Aligned) -> bool:
    """Whether a fact's windows together are the whole page."""
    return len(premise.blocks) <= 2 * int(aligned.windows.shape[1])
