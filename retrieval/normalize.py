"""Normal forms of page titles, and the titles near one that is missing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher

__all__ = ["near_titles", "normalize_title", "same_name_titles", "without_qualifier"]

# Direction marks and zero-width characters that copying from a web page leaves in titles;
# MediaWiki strips them too.
_INVISIBLE = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff]")
_SPACES = re.compile(r"[\s_]+")
_QUALIFIER = re.compile(r"(?<!\s)\s*\([^()]*\)\s*$")
_SIMPLE = re.compile(r"[A-Z0-9][!-^`-~]*(?: [!-^`-~]+)*")


def normalize_title(title: str) -> str:
    """Gives the form under which MediaWiki would file a title.

    Underscores and runs of white space become one space, Unicode is composed (NFC), invisible
    marks go, and the first letter is a capital. Nothing else changes: letters after the first
    keep their case, and accents stay.

    Args:
        title: A title as it was written.

    Returns:
        The normal form.

    Example:
        >>> normalize_title("dick_Hanley  (swimmer)")
        'Dick Hanley (swimmer)'
    """
    if _SIMPLE.fullmatch(title):
        return title
    text = _SPACES.sub(" ", _INVISIBLE.sub("", unicodedata.normalize("NFC", title))).strip()
    # "ß".upper() is "SS": a letter whose capital is longer stays as it is.
    return text[:1].upper() + text[1:] if len(text[:1].upper()) == 1 else text


def without_qualifier(title: str) -> str:
    """Removes a bracket at the end.

    Args:
        title: A page title.

    Returns:
        The title without it.

    Example:
        >>> without_qualifier("Dick Hanley (swimmer)")
        'Dick Hanley'
    """
    return _QUALIFIER.sub("", title) or title


def near_titles(
    title: str, scan: Callable[[str, int], Iterable[str]], *, count: int = 5
) -> tuple[str, ...]:
    """Finds titles that may have been meant. They are shown, never used in its place.

    Args:
        title: The title that is missing.
        scan: Gives at most so many titles that start with a prefix, in sorted order.
        count: How many to return.

    Returns:
        The nearest first: those with the same name and another qualifier, then similar spellings.
    """
    wanted = normalize_title(title)
    name = without_qualifier(wanted)
    pool: dict[str, None] = {}
    for prefix in (name, name[: max(3, len(name) * 2 // 3)], name[: max(2, len(name) // 3)]):
        if prefix:
            pool.update(dict.fromkeys(scan(prefix, 50)))
    folded = wanted.casefold()

    def closeness(other: str) -> tuple[bool, float]:
        bare = without_qualifier(other)
        same = bare.casefold() == name.casefold()
        return same, SequenceMatcher(None, folded, other.casefold(), autojunk=False).ratio()

    scored = sorted(
        ((closeness(other), other) for other in pool), key=lambda x: (-x[0][0], -x[0][1], x[1])
    )
    return tuple(other for (same, ratio), other in scored if same or ratio >= 0.6)[:count]


def same_name_titles(
    name: str, scan: Callable[[str, int], Iterable[str]], resolved: str | None, *, count: int = 100
) -> tuple[str, ...]:
    """Finds the titles of a name: the name itself, and the name with any qualifier.

    Args:
        name: A name without qualifier, such as ``"Dick Hanley"``.
        scan: Gives at most so many titles that start with a prefix, in sorted order.
        resolved: The title that the name itself leads to, if any.
        count: How many titles to scan.

    Returns:
        The title that the name leads to first, then the others in sorted order.
    """
    wanted = without_qualifier(normalize_title(name))
    found = {} if resolved is None else {resolved: None}
    found.update((t, None) for t in scan(wanted, count) if without_qualifier(t) == wanted)
    return tuple(found)
