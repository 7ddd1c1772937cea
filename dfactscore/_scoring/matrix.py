"""The support matrix built from a verifier's verdicts, and the values of its cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dfactscore._records import Entity, Verdict
from dfactscore.linking import SupportMatrix

Counts = Literal["verdicts", "expected"]


def support_matrix(entities: Sequence[Entity], rows: Sequence[Sequence[Verdict]]) -> SupportMatrix:
    """Builds the support matrix, shape ``(facts, entities)``."""
    columns = [verdict_column(row) for row in rows]
    ranks = [entity.rank for entity in entities]
    return SupportMatrix.from_columns([entity.id for entity in entities], columns, ranks)


def matrix_values(matrix: SupportMatrix, *, counts: Counts = "verdicts") -> NDArray[np.float64]:
    """Returns the value of each cell, shape ``(facts, entities)``: 1 for support, otherwise 0."""
    verdicts = matrix.support.astype(float)
    if counts == "verdicts":
        return verdicts
    has_probability = matrix.readable & ~np.isnan(matrix.probability)
    return np.where(has_probability, matrix.probability, verdicts)


def verdict_column(verdicts: Sequence[Verdict]) -> dict[str, list[Any]]:
    """Returns an entity's verdicts as one list per field; empty optional fields are omitted."""
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
