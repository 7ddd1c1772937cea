"""Maps our errors to Inspect: one line for a setting, an unscored sample for a sample."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.scorer import Score
from rich.markup import escape

from dfactscore._errors import DFactScoreError, InputError


class SettingsError(PrerequisiteError, InputError):
    """A mistake in the settings, which Inspect prints without a traceback.

    Args:
        message: The problem; Inspect reads it as rich's markup.
    """

    def __init__(self, message: str) -> None:
        super().__init__(escape(message))
        self._plain = message

    def __str__(self) -> str:
        return self._plain


@contextmanager
def in_one_line() -> Iterator[None]:
    """Raises what is wrong with the settings in the way that Inspect prints in one line."""
    try:
        yield
    except DFactScoreError as error:
        raise SettingsError(str(error)) from None


def unscored(sample: object, error: DFactScoreError) -> Score:
    """A sample that cannot be judged, as the scorers of Inspect leave one out of the means.

    An exception would end `inspect score`, and `inspect eval` without ``--no-fail-on-error``. The
    line in the log is shown by both, so that a dataset without names is not only a mean of nothing.

    Args:
        sample: Its id.
        error: The reason why it cannot be judged.
    """
    logging.getLogger(__name__).error("scorer dfactscore, sample %s: %s", sample, error)
    return Score.unscored(reason="scoring_failed", explanation=str(error))
