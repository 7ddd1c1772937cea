"""The package's exceptions."""

from __future__ import annotations

from dfactscore._errors import MissingExtraError as _MissingExtraError


class AmbigBioError(Exception):
    """Base of all errors of this package: one line that says what is wrong and what to do."""


class WikiError(AmbigBioError):
    """A wiki or a service that cannot be reached, refuses, or answers what cannot be read."""


class WikiAnswerError(WikiError):
    """One request that stays without an answer that can be read; others may have theirs."""


class MissingExtraError(_MissingExtraError, AmbigBioError):
    """An optional dependency is not installed; the message says how to install it."""
