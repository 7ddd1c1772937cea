"""The package's exceptions."""

from __future__ import annotations


class LinkingError(ValueError):
    """Raised if a matrix, grouping or option is invalid; the message says which one and why."""
