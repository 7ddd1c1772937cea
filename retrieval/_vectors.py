"""Validates vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dfactscore.retrieval._errors import EncoderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def check_vectors(vectors: NDArray[Any], dimension: int, label: str) -> NDArray[np.float32]:
    """Checks that vectors are suitable for search."""
    import numpy as np

    if vectors.ndim != 2 or vectors.dtype.kind != "f":
        raise EncoderError(
            f"{label}: expected a table of floats (rows × dimension), got shape "
            f"{vectors.shape} of {vectors.dtype}"
        )
    if dimension and vectors.shape[1] != dimension:
        raise EncoderError(f"{label}: {vectors.shape[1]} dimensions where {dimension} are expected")
    array: NDArray[np.float32] = np.ascontiguousarray(vectors, dtype=np.float32)
    finite = np.isfinite(array).all(axis=1)
    if not finite.all():
        bad = np.flatnonzero(~finite)
        raise EncoderError(
            f"{label}: row {bad[0]} contains NaN or infinity ({len(bad)} such rows of {len(array)})"
        )
    return array
