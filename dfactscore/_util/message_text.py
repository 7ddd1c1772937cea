"""Text of messages: untrusted values, near misses, and unexpected exceptions on one line."""

from __future__ import annotations

import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from dfactscore._errors import DFactScoreWarning

_DEEPEST = 4
_MOST = 20
_LONGEST = 1000
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+")

# Fields of requests to models for which there is no setting of their own.
OF_REQUESTS = frozenset(
    {"frequency_penalty", "logit_bias", "max_completion_tokens", "min_p", "presence_penalty",
     "reasoning_effort", "repetition_penalty", "stop", "thinking", "top_k", "top_p", "verbosity"}
)  # fmt: skip


def message_line(message: object) -> str:
    r"""Formats a message as one line, whatever text it contains from files and libraries.

    Line breaks and cursor controls become spaces. The middle of a very long message is removed,
    since the start says where the problem is and the end says what to do.

    Example:
        >>> message_line("a.parquet: not readable (no more data\nto read)")
        'a.parquet: not readable (no more data to read)'
    """
    text = _CONTROLS.sub(" ", str(message)).strip()
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST - 300]} … {text[-300:]}"


def without_controls(text: str) -> str:
    r"""Escapes control characters in a text, except line breaks.

    Example:
        >>> without_controls("a\x1b[2Jb")
        'a\\x1b[2Jb'
    """
    return _CONTROLS.sub(lambda match: _escaped(match[0]), text)


def _escaped(controls: str) -> str:
    return "".join(c if c == "\n" else repr(c)[1:-1] for c in controls)


def short_repr(value: Any, width: int = 60) -> str:
    r"""Returns the `repr` of a value on one line, truncated to a width.

    Example:
        >>> short_repr({"name": "Ann\nLee"})
        "{'name': 'Ann\\nLee'}"
        >>> short_repr("x" * 1000, 10)
        "'xxxxxxxx…"
    """
    text = _bounded(value, width, 0)
    return text if len(text) <= width else text[: width - 1] + "…"


def _bounded(value: Any, width: int, depth: int) -> str:
    if isinstance(value, (str, bytes)):
        return repr(value[: width + 1])
    if isinstance(value, int) and abs(value) > 10**width:
        return "a very long number"  # which Python refuses to format
    if isinstance(value, (Mapping, list, tuple)) and depth >= _DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        items = [
            f"{_bounded(k, width, depth + 1)}: {_bounded(v, width, depth + 1)}"
            for k, v in list(value.items())[:_MOST]
        ]
        return "{" + ", ".join(items) + (", …}" if len(value) > _MOST else "}")
    if isinstance(value, (list, tuple)):
        items = [_bounded(item, width, depth + 1) for item in value[:_MOST]]
        inner = ", ".join(items) + (", …" if len(value) > _MOST else "")
        if isinstance(value, tuple):
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        return f"[{inner}]"
    return " ".join(repr(value).split())


_LONGEST_WORD = 200
_MOST_NAMES = 5_000
_FILE_CUTOFF = 0.65
_SHORTEST_PREFIX = 3
_LISTED = 5


def near_miss(
    word: object,
    known: Iterable[str],
    *,
    most: int = 1,
    cutoff: float = 0.6,
    show: Callable[[str], str] = str,
) -> str:
    """Suggests known names that resemble an unknown one, ignoring case.

    Example:
        >>> near_miss("Temprature", ["temperature", "top_p"])
        '; did you mean temperature?'
        >>> near_miss("xyz", ["temperature"])
        ''
    """
    from difflib import get_close_matches

    names = {name.casefold(): name for name in reversed([*islice(known, _MOST_NAMES)])}
    close = get_close_matches(str(word)[:_LONGEST_WORD].casefold(), names, most, cutoff)
    # The end of an error message, `"; did you mean X?"`, or an empty string.
    return f"; did you mean {' or '.join(show(names[name]) for name in close)}?" if close else ""


def near_file(path: Path, *suffixes: str, folders: str = "") -> str:
    """Suggests files or folders next to a missing one that have similar names.

    Names are compared without suffixes, so that a shared suffix does not make names similar.
    """
    try:
        entries = path.parent.glob(f"*/{folders}") if folders else path.parent.iterdir()
        names = sorted(
            entry.parent.name if folders else entry.name
            for entry in islice(entries, _MOST_NAMES)
            if not suffixes or entry.suffix.lower() in suffixes
        )
    except OSError:
        return f"; its folder {path.parent} cannot be read" if path.parent.name else ""
    # Of names that differ only in the suffix, the last in this order is suggested.
    names.sort(key=lambda name: name.endswith(path.suffix))
    stem_of = str if folders else _stem
    stems = {stem_of(name): name for name in names if not name.startswith(".")}
    stem = stem_of(path.name)
    longer = [s for s in stems if s.startswith(stem) and len(stem) >= _SHORTEST_PREFIX]
    close = near_miss(stem, stems, most=3, cutoff=_FILE_CUTOFF, show=stems.__getitem__)
    return close or near_miss(stem, longer, most=3, cutoff=0.0, show=stems.__getitem__)


def folder_content(folder: Path, *suffixes: str) -> str:
    """Lists the first few files in a folder that was given instead of a file."""
    try:
        names = sorted(entry.name for entry in islice(folder.iterdir(), _MOST_NAMES))
    except OSError:
        return ""
    usable = [name for name in names if Path(name).suffix.lower() in suffixes and name[0] != "."]
    return f"; it contains {', '.join(usable[:_LISTED])}" if usable else ""


def _stem(name: str) -> str:
    """Returns a file's name without its suffix and without any trailing ``.gz``."""
    return Path(name.removesuffix(".gz")).stem


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


_NAME = __name__.partition(".")[0]
# Between a call and the code that warns, an event loop or a thread may run that code.
_BETWEEN = frozenset({_NAME, "asyncio", "concurrent", "contextlib", "functools", "threading"})


def warn_caller(message: str, category: type[Warning] = DFactScoreWarning) -> None:
    """Issues a warning at the innermost line that belongs neither to the package nor to a loop."""
    frame, level = sys._getframe(1), 2
    while frame.f_globals.get("__name__", "").partition(".")[0] in _BETWEEN:
        if frame.f_back is None:  # a thread of the package
            break
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
