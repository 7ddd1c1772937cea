"""The package's exceptions."""

from __future__ import annotations

from dfactscore._errors import MissingExtraError as _MissingExtraError


class AmbigBioError(Exception):
    """Base of this package's errors; the message has one line, with the remedy."""


class WikiError(AmbigBioError):
    """A wiki or service cannot be reached, refuses, or sends an unreadable response."""


class WikiAnswerError(WikiError):
    """One request got no readable response; other requests may succeed."""


class MissingExtraError(_MissingExtraError, AmbigBioError):
    """An optional dependency is not installed; the message says how to install it."""
