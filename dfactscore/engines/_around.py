"""Base class of a verifier that wraps another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dfactscore._records import Biography, Entity, Fact
from dfactscore.engines._roles import Verifier

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dfactscore.work import Asks


class Around(Verifier):
    """Base of verifiers that use the verdicts of another one.

    Args:
        inner: The verifier that judges.
    """

    def __init__(self, inner: Verifier) -> None:
        self.inner = inner

    @property
    def threshold(self) -> float | None:
        """The inner verifier's."""
        return self.inner.threshold

    @property
    def calibrated(self) -> bool:
        """Whether the inner verifier's probabilities are."""
        return self.inner.calibrated

    @property
    def tells_entities_apart(self) -> bool:
        """Whether the inner verifier does."""
        return self.inner.tells_entities_apart

    @property
    def english_only(self) -> bool:
        """Whether the inner verifier is."""
        return self.inner.english_only

    def weigh(
        self, entities: Sequence[Entity], probability: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """As the inner verifier does."""
        return self.inner.weigh(entities, probability)

    def asks(self, biography: Biography, asked: Sequence[tuple[Sequence[Fact], Entity]]) -> Asks:
        """Requests of the inner verifier."""
        return self.inner.asks(biography, asked)
