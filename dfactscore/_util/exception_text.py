"""Formats unexpected exceptions as one line."""

from __future__ import annotations

import traceback
from pathlib import Path

from dfactscore._util.printable import message_line

# These errors would affect every item: a wrong key, an exhausted budget, a full disk.
_WORK_ERRORS = frozenset({"DFactScoreError", "RetrievalError", "AmbigBioError", "LinkingError"})
_PACKAGE = Path(__file__).resolve().parents[1]


def ends_all_work(error: Exception) -> bool:
    """Whether an exception ends all of the work, rather than just the work on one item."""
    return bool(_WORK_ERRORS & {base.__name__ for base in type(error).__mro__})


def where_raised(error: BaseException) -> str:
    """Formats an exception: its type, its message and this package's last line in the traceback.

    Example:
        >>> try:
        ...     [].pop()
        ... except IndexError as error:
        ...     where_raised(error).partition(" (")[0]
        'IndexError: pop from empty list'
    """
    frames = traceback.extract_tb(error.__traceback__)
    in_package = [frame for frame in frames if _PACKAGE in Path(frame.filename).resolve().parents]
    message = message_line(error)
    text = f"{type(error).__name__}: {message}" if message else type(error).__name__
    if not frames:
        return text
    last = (in_package or list(frames))[-1]
    path = Path(last.filename)
    name = path.resolve().relative_to(_PACKAGE.parent).as_posix() if in_package else path.name
    return f"{text} ({name}:{last.lineno})"
