"""Normalizes page titles and suggests similar ones."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from difflib import SequenceMatcher

from dfactscore._text.clean_text import fold_accents
from dfactscore._text.names import bears_name, name_words, plain_name

# Direction marks and zero-width characters, which titles copied from web pages contain and
# MediaWiki removes.
_INVISIBLE = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff]")
_SPACES = re.compile(r"[\s_]+")
_MOST = 100  # maximum number of titles returned for a name
_SIMPLE = re.compile(r"[A-Z0-9][!-^`-~]*(?: [!-^`-~]+)*")


def normalize_title(title: str) -> str:
    """Returns the form in which MediaWiki stores a title.

    Underscores and runs of whitespace become one space, Unicode is composed (NFC), invisible
    characters are removed, and the first letter is capitalized. Nothing else changes: other letters
    keep their case, and accents stay.

    Example:
        >>> normalize_title("dick_Hanley  (swimmer)")
        'Dick Hanley (swimmer)'
    """
    if _SIMPLE.fullmatch(title):
        return title
    text = _SPACES.sub(" ", _INVISIBLE.sub("", unicodedata.normalize("NFC", title))).strip()
    # "ß".upper() is "SS": a letter whose capital form is longer is left unchanged.
    return text[:1].upper() + text[1:] if len(text[:1].upper()) == 1 else text


def near_titles(title: str, scan: Callable[[str, int], Iterable[str]]) -> tuple[str, ...]:
    """Finds titles similar to a missing title, to be used as suggestions."""
    normal = normalize_title(title)
    name = plain_name(normal)
    pool: dict[str, None] = {}
    for prefix in (name, name[: max(3, len(name) * 2 // 3)], name[: max(2, len(name) // 3)]):
        if prefix:
            pool.update(dict.fromkeys(scan(prefix, 50)))
    folded = normal.casefold()

    def closeness(other: str) -> tuple[bool, float]:
        bare = plain_name(other)
        same = bare.casefold() == name.casefold()
        return same, SequenceMatcher(None, folded, other.casefold(), autojunk=False).ratio()

    scored = sorted(
        ((closeness(other), other) for other in pool), key=lambda x: (-x[0][0], -x[0][1], x[1])
    )
    return tuple(other for (same, ratio), other in scored if same or ratio >= 0.6)[:5]


def same_name_titles(
    name: str, pairs: Iterable[tuple[str, str]], resolved: str | None
) -> tuple[str, ...]:
    """Selects the titles that bear a name and sorts them."""
    plain = plain_name(normalize_title(name))
    ranks = {} if resolved is None else {resolved: (-1, "")}
    for form, title in pairs:
        if bears_name(form, name):
            same = plain_name(form) == plain
            rank = (0 if same else len(name_words(form)), title)
            ranks[title] = min(rank, ranks.get(title, rank))
    return tuple(sorted(ranks, key=lambda title: ranks[title])[:_MOST])


def beginnings_of(name: str) -> tuple[str, ...]:
    """Returns prefixes of titles that may bear a name, for use in searching a large file.

    Example:
        >>> beginnings_of("José Roe")
        ('José ', 'José,', 'Jose ', 'Jose,', 'J. ', 'Roe,')
    """
    words = normalize_title(plain_name(name)).split()
    if not words:
        return ()
    first = dict.fromkeys((words[0], fold_accents(words[0])))
    prefixes = [f"{word}{mark}" for word in first for mark in (" ", ",")]
    if len(words) > 1:
        prefixes += [f"{next(iter(reversed(first)))[:1]}. ", f"{words[-1]},"]
    return tuple(dict.fromkeys(prefixes))
