"""The package's exceptions."""

from __future__ import annotations

__all__ = ["LinkingError"]


class LinkingError(ValueError):
    """A matrix, a grouping or an option that cannot be used; the message says which and why."""
