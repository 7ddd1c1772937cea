"""Near-miss suggestions for messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

_LONGEST = 200
_MOST = 5_000


def near_miss(
    word: object,
    known: Iterable[str],
    *,
    most: int = 1,
    cutoff: float = 0.6,
    show: Callable[[str], str] = str,
) -> str:
    """The end of a message about something that is not there.

    Args:
        word: The requested value.
        known: Known names.
        most: The largest number of names.
        cutoff: The least similarity, from 0 to 1.
        show: The form of a name in the message.

    Returns:
        ``"; did you mean X?"``, or nothing if nothing is like it. Case does not count.

    Example:
        >>> near_miss("Temprature", ["temperature", "top_p"])
        '; did you mean temperature?'
        >>> near_miss("xyz", ["temperature"])
        ''
    """
    from difflib import get_close_matches

    names = {name.casefold(): name for name in reversed([*islice(known, _MOST)])}
    close = get_close_matches(str(word)[:_LONGEST].casefold(), names, most, cutoff)
    return f"; did you mean {' or '.join(show(names[name]) for name in close)}?" if close else ""


def near_file(path: Path, *suffixes: str, folders: str = "") -> str:
    """The end of a message about a file that is not there: names like it, else its neighbors.

    Args:
        path: The file.
        suffixes: Endings that would do; all if none is given.
        folders: Look for folders that hold a file of this name.
    """
    try:
        found = path.parent.glob(f"*/{folders}") if folders else path.parent.iterdir()
        beside = sorted(
            place.parent.name if folders else place.name
            for place in islice(found, _MOST)
            if not suffixes or place.suffix.lower() in suffixes
        )
    except OSError:
        return f"; its folder {path.parent} cannot be read" if path.parent.name else ""
    beside = [name for name in beside if not name.startswith(".")]
    close = near_miss(path.name, beside, most=3)
    return close or (f"; there is {', '.join(beside[:5])}" if beside else "")
