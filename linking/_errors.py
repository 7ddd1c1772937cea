"""The package's exceptions."""

from __future__ import annotations


class LinkingError(ValueError):
    """A matrix, a grouping or an option that cannot be used; the message says which and why."""
