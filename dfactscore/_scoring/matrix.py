"""Builds the support matrix from a verifier's verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dfactscore._records import Entity, Verdict
from dfactscore.linking import SupportMatrix

Counts = Literal["verdicts", "expected"]


def support_matrix(entities: Sequence[Entity], rows: Sequence[Sequence[Verdict]]) -> SupportMatrix:
    """Packs verdicts into arrays of shape ``(facts, entities)``.

    Args:
        entities: The columns.
        rows: One row per entity, one verdict per fact.
    """
    columns = [verdict_column(row) for row in rows]
    ranks = [entity.rank for entity in entities]
    return SupportMatrix.from_columns([entity.id for entity in entities], columns, ranks)


def matrix_values(matrix: SupportMatrix, *, counts: Counts = "verdicts") -> NDArray[np.float64]:
    """Value of each cell, shape ``(facts, entities)``: 1 where it is supported, else 0.

    Args:
        matrix: The verdicts.
        counts: ``"expected"`` for the probability instead, if there is one; an unreadable cell
            is worth nothing.
    """
    verdicts = matrix.support.astype(float)
    if counts == "verdicts":
        return verdicts
    given = matrix.readable & ~np.isnan(matrix.probability)
    return np.where(given, matrix.probability, verdicts)


def verdict_column(verdicts: Sequence[Verdict]) -> dict[str, list[Any]]:
    """The verdicts against one entity, as lists; what none of them has is left out."""
    column: dict[str, list[Any]] = {
        "status": [v.status for v in verdicts],
        "probability": [v.probability for v in verdicts],
        "evidence": [v.evidence for v in verdicts],
    }
    if any(v.conflict is not None for v in verdicts):
        column["conflict"] = [v.conflict for v in verdicts]
    if any(v.sent for v in verdicts):
        column["sent"] = [v.sent for v in verdicts]
    return column
