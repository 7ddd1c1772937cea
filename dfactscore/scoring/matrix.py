"""From the verdicts of a verifier to the support matrix: the one place where it is built."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dfactscore.linking import STATUSES, Evidence, SupportMatrix
from dfactscore.records import Entity, Verdict

__all__ = ["support_matrix"]

_CODES = {status: code for code, status in enumerate(STATUSES)}
_NOWHERE = (-1, -1, -1)


def support_matrix(entities: Sequence[Entity], rows: Sequence[Sequence[Verdict]]) -> SupportMatrix:
    """Packs verdicts into arrays of shape ``(facts, entities)``.

    Args:
        entities: The columns.
        rows: One row per entity, one verdict per fact.

    Example:
        >>> rows = [[Verdict("supported", 0.9), Verdict("refused")]]
        >>> matrix = support_matrix([Entity("Ann Lee", "Ann Lee", ())], rows)
        >>> matrix.support.tolist(), matrix.readable.tolist()
        ([[True], [False]], [[True], [False]])
    """
    shape = (len(rows), len(rows[0]) if rows else 0)
    status = np.array([[_CODES[v.status] for v in row] for row in rows], dtype=np.int8)
    # None becomes NaN
    probability = np.array([[v.probability for v in row] for row in rows], dtype=np.float64)
    sent = np.array([[v.sent for v in row] for row in rows], dtype=bool)
    return SupportMatrix(
        tuple(e.id for e in entities),
        status.reshape(shape).T,
        probability.reshape(shape).T,
        tuple(e.rank for e in entities),
        _places([[v.evidence for v in row] for row in rows]),
        _places([[v.conflict for v in row] for row in rows]),
        sent.reshape(shape).T if sent.any() else None,
    )


def _places(rows: Sequence[Sequence[Evidence | None]]) -> NDArray[np.int32] | None:
    if not any(place is not None for row in rows for place in row):
        return None
    filled = [[_NOWHERE if place is None else place for place in row] for row in rows]
    return np.array(filled, dtype=np.int32).transpose(1, 0, 2)
