"""The package's exceptions."""

from __future__ import annotations

from dfactscore._errors import MissingExtraError as _MissingExtraError


class RetrievalError(Exception):
    """Base class of this package's errors; every message is a single line meant for the user."""


class SourceError(RetrievalError):
    """A file or folder of pages or passages cannot be read."""


class RecordError(SourceError):
    """A record in a source is invalid; other records can still be used."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}")
        self.where = where
        self.problem = problem


class StoreError(RetrievalError):
    """A page store cannot be built, resumed or read."""


class EncoderError(RetrievalError):
    """An encoder cannot be loaded, or its vectors are invalid."""


class IndexFolderError(RetrievalError):
    """An index folder cannot be built, opened or searched."""


class MissingExtraError(_MissingExtraError, RetrievalError):
    """An optional dependency is not installed; the message says how to install it."""
