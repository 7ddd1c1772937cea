"""Normalizes page titles and suggests near ones."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher

from dfactscore._text.accents import fold_accents
from dfactscore._text.names import bears_name, name_words, plain_name

# Direction marks and zero-width characters that copying from a web page leaves in titles;
# MediaWiki strips them too.
_INVISIBLE = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff]")
_SPACES = re.compile(r"[\s_]+")
_MOST = 100  # titles that bear a name
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


def near_titles(title: str, scan: Callable[[str, int], Iterable[str]]) -> tuple[str, ...]:
    """Finds titles that may have been meant. They are shown, never used in its place.

    Args:
        title: The title that is missing.
        scan: Gives at most so many titles that start with a prefix, in sorted order.

    Returns:
        At most five, the nearest first: those with the same name and another qualifier, then
        similar spellings.
    """
    wanted = normalize_title(title)
    name = plain_name(wanted)
    pool: dict[str, None] = {}
    for prefix in (name, name[: max(3, len(name) * 2 // 3)], name[: max(2, len(name) // 3)]):
        if prefix:
            pool.update(dict.fromkeys(scan(prefix, 50)))
    folded = wanted.casefold()

    def closeness(other: str) -> tuple[bool, float]:
        bare = plain_name(other)
        same = bare.casefold() == name.casefold()
        return same, SequenceMatcher(None, folded, other.casefold(), autojunk=False).ratio()

    scored = sorted(
        ((closeness(other), other) for other in pool), key=lambda x: (-x[0][0], -x[0][1], x[1])
    )
    return tuple(other for (same, ratio), other in scored if same or ratio >= 0.6)[:5]


def same_name_titles(
    name: str, found: Iterable[tuple[str, str]], resolved: str | None
) -> tuple[str, ...]:
    """Puts the titles that bear a name in order.

    Args:
        name: A name without qualifier, such as ``"Dick Hanley"``.
        found: Titles and redirects, each with the title that it leads to; those that do not bear
            the name are left out.
        resolved: The title that the name itself leads to, if any.

    Returns:
        The title that the name leads to, those that are the name with a qualifier, then those with
        the fewest words more.
    """
    wanted = plain_name(normalize_title(name))
    ranks = {} if resolved is None else {resolved: (-1, "")}
    for form, title in found:
        if bears_name(form, name):
            same = plain_name(form) == wanted
            rank = (0 if same else len(name_words(form)), title)
            ranks[title] = min(rank, ranks.get(title, rank))
    return tuple(sorted(ranks, key=lambda title: ranks[title])[:_MOST])


def beginnings_of(name: str) -> tuple[str, ...]:
    """Returns the prefixes of a name's titles, if there are too many titles to read them all.

    Example:
        >>> beginnings_of("José Roe")
        ('José ', 'José,', 'Jose ', 'Jose,', 'J. ', 'Roe,')
    """
    words = normalize_title(plain_name(name)).split()
    if not words:
        return ()
    first = dict.fromkeys((words[0], fold_accents(words[0])))
    found = [f"{word}{mark}" for word in first for mark in (" ", ",")]
    if len(words) > 1:
        found += [f"{next(iter(reversed(first)))[:1]}. ", f"{words[-1]},"]
    return tuple(dict.fromkeys(found))
