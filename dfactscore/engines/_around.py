"""Base class of a verifier that wraps another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dfactscore._records import Entity
from dfactscore.engines._answers import (
    calibrated,
    english_only,
    tells_entities_apart,
    threshold,
    weigh,
)
from dfactscore.engines._protocols import Verifier

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Around:
    """What a verifier says of itself whose verdicts are another one's.

    Args:
        inner: The verifier that judges.
    """

    def __init__(self, inner: Verifier) -> None:
        self.inner = inner

    @property
    def threshold(self) -> float | None:
        """The inner verifier's."""
        return threshold(self.inner)

    @property
    def calibrated(self) -> bool:
        """Whether the inner verifier's probabilities are."""
        return calibrated(self.inner)

    @property
    def tells_entities_apart(self) -> bool:
        """Whether the inner verifier does."""
        return tells_entities_apart(self.inner)

    @property
    def english_only(self) -> bool:
        """Whether the inner verifier is."""
        return english_only(self.inner)

    def weigh(
        self, entities: Sequence[Entity], probability: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """As the inner verifier does."""
        return weigh(self.inner, entities, probability)
