"""Assigns each supported fact to one entity."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def credited_entities(
    support: NDArray[np.bool_], ranks: Sequence[int] | None = None
) -> tuple[int | None, ...]:
    """Assigns each supported fact to the entity that supports the most facts in the paragraph.

    The number of distinct entities is ``#ent`` (paper section 2.4 and appendix B.2). Ties go to the
    entity with the better retrieval rank.

    Example:
        >>> import numpy as np
        >>> credited_entities(np.array([[1, 1], [0, 1], [0, 0]], dtype=bool))
        (1, 1, None)
    """
    width = support.shape[1]
    order = np.arange(width) if ranks is None else np.asarray(ranks)
    totals = support.sum(axis=0)
    best = sorted(range(width), key=lambda e: (-int(totals[e]), int(order[e])))
    credit: list[int | None] = [None] * support.shape[0]
    for entity in reversed(best):
        for fact in np.flatnonzero(support[:, entity]):
            credit[fact] = entity
    return tuple(credit)
