"""Base class of a verifier that wraps another one."""

from __future__ import annotations

from dfactscore.engines.answers import english_only, tells_entities_apart, threshold
from dfactscore.engines.protocols import Verifier

__all__ = ["Around"]


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
    def tells_entities_apart(self) -> bool:
        """Whether the inner verifier does."""
        return tells_entities_apart(self.inner)

    @property
    def english_only(self) -> bool:
        """Whether the inner verifier is."""
        return english_only(self.inner)
