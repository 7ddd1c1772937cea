"""The package's exceptions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dfactscore.errors import MissingExtraError as _MissingExtraError

if TYPE_CHECKING:
    from dfactscore.ambigbio.builder import Decision

__all__ = [
    "AmbigBioError",
    "MissingExtraError",
    "TooFewNamesError",
    "WikiAnswerError",
    "WikiError",
]


class AmbigBioError(Exception):
    """Base of all errors of this package: one line that says what is wrong and what to do."""


class TooFewNamesError(AmbigBioError):
    """A wiki has fewer names than were asked for.

    Attributes:
        decisions: Why each was kept or not.
    """

    def __init__(self, message: str, decisions: Sequence[Decision]) -> None:
        super().__init__(message)
        self.decisions = decisions


class WikiError(AmbigBioError):
    """A wiki or a service that cannot be reached, refuses, or answers what cannot be read."""


class WikiAnswerError(WikiError):
    """One request that stays without an answer that can be read; others may have theirs."""


class MissingExtraError(_MissingExtraError, AmbigBioError):
    """An optional dependency is not installed; the message says how to install it."""
