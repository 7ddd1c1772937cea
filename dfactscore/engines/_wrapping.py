"""Base class of verifiers that wrap another verifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dfactscore._records import Biography, Entity, Fact
from dfactscore.engines._roles import Verifier

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dfactscore.work import Asks


class WrappingVerifier(Verifier):
    """A verifier that uses another verifier's verdicts."""

    def __init__(self, inner: Verifier) -> None:
        self.inner = inner

    @property
    def threshold(self) -> float | None:
        """The threshold of the inner verifier."""
        return self.inner.threshold

    @property
    def calibrated(self) -> bool:
        """Whether the inner verifier is calibrated."""
        return self.inner.calibrated

    @property
    def tells_entities_apart(self) -> bool:
        """Whether the inner verifier tells entities apart."""
        return self.inner.tells_entities_apart

    @property
    def english_only(self) -> bool:
        """Whether the inner verifier supports only English."""
        return self.inner.english_only

    def weigh(
        self, entities: Sequence[Entity], probability: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Returns the probabilities as adjusted by the inner verifier."""
        return self.inner.weigh(entities, probability)

    def asks(self, biography: Biography, pairs: Sequence[tuple[Sequence[Fact], Entity]]) -> Asks:
        """Lists the requests that the inner verifier would make."""
        return self.inner.asks(biography, pairs)
