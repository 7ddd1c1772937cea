"""Suggests similar names in error messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

_LONGEST = 200
_MOST = 5_000
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

    names = {name.casefold(): name for name in reversed([*islice(known, _MOST)])}
    close = get_close_matches(str(word)[:_LONGEST].casefold(), names, most, cutoff)
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
            for entry in islice(entries, _MOST)
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
        names = sorted(entry.name for entry in islice(folder.iterdir(), _MOST))
    except OSError:
        return ""
    usable = [name for name in names if Path(name).suffix.lower() in suffixes and name[0] != "."]
    return f"; it contains {', '.join(usable[:_LISTED])}" if usable else ""


def _stem(name: str) -> str:
    """Returns a file's name without its suffix and without any trailing ``.gz``."""
    return Path(name.removesuffix(".gz")).stem
