"""Formats unexpected exceptions in one line."""

from __future__ import annotations

import traceback
from pathlib import Path

from dfactscore._util.printable import message_line

# The packages' own errors concern the whole work: a wrong key, a spent budget, a full disk.
_OF_ALL = frozenset({"DFactScoreError", "RetrievalError", "AmbigBioError", "LinkingError"})
_PACKAGE = Path(__file__).resolve().parents[1]


def ends_all_work(error: Exception) -> bool:
    """Whether an exception ends the whole work, not one item."""
    return bool(_OF_ALL & {base.__name__ for base in type(error).__mro__})


def where_raised(error: BaseException) -> str:
    """An exception as its type, its message and the last of our own lines that it passed.

    Example:
        >>> try:
        ...     [].pop()
        ... except IndexError as error:
        ...     where_raised(error).partition(" (")[0]
        'IndexError: pop from empty list'
    """
    frames = traceback.extract_tb(error.__traceback__)
    ours = [one for one in frames if _PACKAGE in Path(one.filename).resolve().parents]
    said = message_line(error)
    text = f"{type(error).__name__}: {said}" if said else type(error).__name__
    if not frames:
        return text
    last = (ours or list(frames))[-1]
    path = Path(last.filename)
    name = path.resolve().relative_to(_PACKAGE.parent).as_posix() if ours else path.name
    return f"{text} ({name}:{last.lineno})"
