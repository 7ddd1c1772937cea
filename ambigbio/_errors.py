"""The package's exceptions."""

from __future__ import annotations

from dfactscore._errors import MissingExtraError as _MissingExtraError


class AmbigBioError(Exception):
    """Base class of this package's errors; each message is one line and includes the remedy."""


class WikiError(AmbigBioError):
    """A wiki or service cannot be reached, rejects a request, or sends an unreadable response."""


class WikiAnswerError(WikiError):
    """A single request got no readable response; other requests may succeed."""


class MissingExtraError(_MissingExtraError, AmbigBioError):
    """An optional dependency is not installed; the message says how to install it."""
