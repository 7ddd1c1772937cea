"""The support matrix: which entity's documents support which fact, judged once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
from dfactscore.linking.errors import LinkingError
from numpy.typing import NDArray

__all__ = ["STATUSES", "Status", "SupportMatrix"]

Status = Literal["supported", "not_supported", "unparsed", "refused", "error"]
STATUSES: tuple[Status, ...] = get_args(Status)
_READABLE = 2  # the first two statuses are verdicts; the others are cells that nobody could read


@dataclass(frozen=True, eq=False)
class SupportMatrix:
    """Verdicts of one biography's facts against its entities.

    Attributes:
        entities: Entity ids, one per column.
        status: Shape ``(facts, entities)``, int8 indices into `STATUSES`.
        probability: Shape ``(facts, entities)``, the verifier's probability of support, NaN where
            it gave none.
        ranks: Retrieval rank of each column (0 is best), which breaks ties; the column order
            where it is not given.

    Raises:
        LinkingError: If the shapes disagree, an id or a rank is repeated or a status is unknown.
    """

    entities: tuple[str, ...]
    status: NDArray[np.int8]
    probability: NDArray[np.float64]
    ranks: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        width = len(self.entities)
        if not self.ranks:
            object.__setattr__(self, "ranks", tuple(range(width)))
        for name, shape in (("status", self.status.shape), ("probability", self.probability.shape)):
            if len(shape) != 2 or shape[1] != width:
                raise LinkingError(f"{name} has shape {shape}; expected (facts, {width})")
        if self.status.shape != self.probability.shape:
            raise LinkingError(
                f"status has shape {self.status.shape}, probability {self.probability.shape}"
            )
        if len(set(self.entities)) != width:
            raise LinkingError(f"entity ids are repeated: {sorted(self.entities)}")
        if len(self.ranks) != width or len(set(self.ranks)) != width:
            raise LinkingError(f"ranks {self.ranks} must name each of {width} entities once")
        if self.status.size and not 0 <= self.status.min() <= self.status.max() < len(STATUSES):
            raise LinkingError(f"status holds a value outside 0..{len(STATUSES) - 1}")

    @classmethod
    def from_support(
        cls, support: Sequence[Sequence[bool]] | NDArray[np.bool_], entities: Sequence[str]
    ) -> SupportMatrix:
        """Builds a fully readable matrix from booleans, without probabilities.

        Args:
            support: Shape ``(facts, entities)``.
            entities: Entity ids in retrieval order.
        """
        array = np.asarray(support, dtype=bool).reshape(-1, len(entities))
        status = np.where(array, 0, 1).astype(np.int8)
        return cls(tuple(entities), status, np.full(array.shape, np.nan))

    @cached_property
    def support(self) -> NDArray[np.bool_]:
        """Shape ``(facts, entities)``: true where the status is ``supported``, nowhere else."""
        return np.asarray(self.status == 0)

    @cached_property
    def readable(self) -> NDArray[np.bool_]:
        """Shape ``(facts, entities)``: true where there is a verdict, of either kind."""
        return np.asarray(self.status < _READABLE)

    def at_threshold(self, threshold: float) -> SupportMatrix:
        """Decides every readable cell anew: supported where ``probability >= threshold``.

        Cells that hold a verdict without a probability keep it.
        """
        redo = self.readable & ~np.isnan(self.probability)
        fresh = np.where(self.probability >= threshold, 0, 1).astype(np.int8)
        status = np.where(redo, fresh, self.status).astype(np.int8)
        return SupportMatrix(self.entities, status, self.probability, self.ranks)
