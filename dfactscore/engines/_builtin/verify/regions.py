"""The region of the pages, in entries, where each fact's units are to be placed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines._builtin.verify.positions import Positions, positions_of
from dfactscore.engines._builtin.verify.premise import Premise

Scalar = TypeVar("Scalar", bound=np.generic)
_END = 10**9  # after all sentences


@dataclass(frozen=True, eq=False, slots=True)
class Regions:
    """The entries in each fact's windows; consecutive facts with the same region share a row."""

    at: Positions
    offsets: NDArray[np.intp]  # shape `(pages,)`, index of each page's first entry
    row: NDArray[np.intp]  # shape `(facts,)`, the row of each fact
    index: NDArray[np.intp]  # shape `(rows, n)`, indexes of entries in `at`
    # Shape `(rows, n)`, false for the padding of regions with fewer than `n` entries.
    real: NDArray[np.bool_]

    def read(self, table: NDArray[Scalar], facts: NDArray[np.intp]) -> NDArray[Scalar]:
        """Returns the values of a field of `at` in the facts' regions, ``(…, facts, n)``."""
        return table[..., self.index].take(self.row[facts], axis=-2)

    def entry(self, facts: NDArray[np.intp], places: NDArray[np.intp]) -> NDArray[np.intp]:
        """Converts places in the facts' regions to entries of `at`."""
        return self.index[self.row[facts], places]


def regions(
    premises: Sequence[Premise], windows: NDArray[np.intp], page_of: NDArray[np.intp]
) -> Regions:
    """Finds the region of each fact, which is the whole page if the page is short."""
    at = premises[0].positions if len(premises) == 1 else None
    at = at or positions_of([premise.entries for premise in premises])
    sizes = np.array([premise.entries.shape[1] for premise in premises])
    offsets = sizes.cumsum() - sizes
    begins = np.repeat(offsets[page_of, None], windows.shape[1], axis=1)
    ends = begins + sizes[page_of, None]
    for page, premise in enumerate(premises):
        if len(premise.blocks) > 2 * windows.shape[1]:
            of_page = page_of == page
            edges = np.searchsorted(
                at.column[offsets[page] : offsets[page] + sizes[page]],
                np.append(premise.blocks, _END),
            )
            places = np.sort(windows[of_page], axis=1)
            begins[of_page] = offsets[page] + edges[places]
            ends[of_page] = offsets[page] + edges[places + 2]
    begins[:, 1:] = np.maximum(begins[:, 1:], ends[:, :-1])  # windows may share blocks
    fresh = np.ones(len(begins), dtype=np.bool_)
    parts = np.hstack([begins, ends])
    fresh[1:] = (parts[1:] != parts[:-1]).any(axis=1)
    return Regions(at, offsets, fresh.cumsum() - 1, *_filled(begins[fresh], ends[fresh]))


def _filled(
    begins: NDArray[np.intp], ends: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Returns the entries of each row's parts side by side and a mask that excludes the padding.

    The padding repeats the last entry.
    """
    filled = np.maximum(ends - begins, 0).cumsum(axis=1)
    total = filled[:, -1:]
    real = np.arange(total.max()) < total
    index = np.minimum(np.arange(real.shape[1]), np.maximum(total - 1, 0))
    steps = index + begins[:, :1]
    for part in range(1, begins.shape[1]):
        shift = begins[:, [part]] - filled[:, [part - 1]]
        steps = np.where(index >= filled[:, [part - 1]], index + shift, steps)
    return steps, real
