"""Converts our errors for Inspect, into a one-line message or an unscored sample."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.scorer import Score
from rich.markup import escape

from dfactscore._errors import DFactScoreError, InputError


class SettingsError(PrerequisiteError, InputError):
    """A mistake in the settings, which Inspect prints without a traceback."""

    def __init__(self, message: str) -> None:
        super().__init__(escape(message))
        self._plain = message

    def __str__(self) -> str:
        return self._plain


@contextmanager
def in_one_line() -> Iterator[None]:
    """Converts settings errors into errors that Inspect prints on one line."""
    try:
        yield
    except DFactScoreError as error:
        raise SettingsError(str(error)) from None


def unscored(sample: object, error: DFactScoreError) -> Score:
    """Creates a score that leaves a sample out of the means, with a warning in the log.

    An exception would end `inspect score`, as well as `inspect eval` without
    ``--no-fail-on-error``. Both commands show the warning, which explains why means are empty, for
    example because a dataset has no names.
    """
    logging.getLogger(__name__).error("scorer dfactscore, sample %s: %s", sample, error)
    return Score.unscored(reason="scoring_failed", explanation=str(error))
