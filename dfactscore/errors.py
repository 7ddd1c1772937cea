"""The package's exceptions."""

from __future__ import annotations

__all__ = ["DFactScoreError", "InputError", "MissingExtraError", "RunError"]


class DFactScoreError(Exception):
    """Base of all errors of this package; the command line prints it as one line and exits 2."""


class InputError(DFactScoreError):
    """A file, record or option that cannot be used.

    The message names the file, the line or record, the field, its value and what to do.
    """


class RunError(DFactScoreError):
    """A run folder that cannot be written, resumed or read."""


class MissingExtraError(DFactScoreError):
    """An optional dependency is not installed.

    Args:
        feature: What needs it, as the start of a sentence.
        extra: Name of the extra that installs it.
    """

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs the extra [{extra}]: pip install 'dfactscore[{extra}]'")
        self.extra = extra
