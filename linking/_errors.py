"""The package's exceptions."""

from __future__ import annotations


class LinkingError(ValueError):
    """A matrix, grouping or option is invalid; the message says which one, and why."""
