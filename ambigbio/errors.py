"""The package's exceptions."""

from __future__ import annotations

__all__ = ["AmbigBioError", "MissingExtraError", "WikiError"]


class AmbigBioError(Exception):
    """Base of all errors of this package: one line that says what is wrong and what to do."""


class WikiError(AmbigBioError):
    """A wiki or a service that cannot be reached, refuses, or answers what cannot be read."""


class MissingExtraError(AmbigBioError):
    """An optional dependency is not installed.

    Args:
        feature: What needs it, as the start of a sentence.
        extra: Name of the extra that installs it.
    """

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs the extra [{extra}]: pip install 'dfactscore[{extra}]'")
        self.extra = extra
