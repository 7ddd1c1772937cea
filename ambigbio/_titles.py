"""Normalizes page titles and URLs for the API and for dumps."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote, unquote

_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f<>\[\]{}|�]|~~~")
# Unusual spaces, which MediaWiki replaces, and direction marks, which it drops.
_SPACES = re.compile(r"[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_MARKS = re.compile(r"[\u200e\u200f\u202a-\u202e]")
_INTERWIKI = re.compile(r"[a-z]{2,3}(?:-[a-z-]+)?\s*:|simple\s*:")
_MAX_BYTES = 255


@dataclass(frozen=True, slots=True)
class Site:
    """A wiki, as described by its site information or its dump."""

    base: str  # URL of the main page (`"https://en.wikipedia.org/wiki/Main_Page"`)
    namespaces: frozenset[str]
    categories: frozenset[str] = frozenset({"category"})
    files: frozenset[str] = frozenset({"file", "image"})
    first_letter: bool = True


def site_of(base: str, names: Iterable[tuple[int, str]], case: str) -> Site:
    """Creates a `Site` from the names and aliases of a wiki's namespaces."""
    by_id: dict[int, set[str]] = {6: {"file", "image"}, 14: {"category"}}
    for number, name in names:
        by_id.setdefault(number, set()).update({name.casefold()} - {""})
    return Site(
        base=base,
        namespaces=frozenset(name for key, some in by_id.items() if key for name in some),
        categories=frozenset(by_id[14]),
        files=frozenset(by_id[6]),
        first_letter=(case or "first-letter") == "first-letter",
    )


def normal_title(link: str, site: Site) -> str | None:
    """Returns the title of the article that a link leads to, or None if it leads elsewhere.

    Pages in other namespaces, pages on other wikis (``:de:Title``), sections, and titles that
    MediaWiki forbids do not count as articles.

    Example:
        >>> site = Site("https://en.wikipedia.org/wiki/Main_Page", frozenset({"category"}))
        >>> normal_title("john_Harrow  (chemist)", site)
        'John Harrow (chemist)'
        >>> normal_title("Voss family#Anna", site) is None
        True
    """
    text = html.unescape(link)
    if "%" in text:
        text = unquote(text, errors="replace")
    text = _MARKS.sub("", unicodedata.normalize("NFC", text))
    text = _SPACES.sub(" ", text).strip()
    if text.startswith(":"):  # an article, unless the prefix is another wiki
        text = text[1:].lstrip()
        if _INTERWIKI.match(text):
            return None
    if not text or "#" in text or _FORBIDDEN.search(text) or text.startswith((":", "/")):
        return None
    prefix, colon, _ = text.partition(":")
    if colon and prefix.strip().casefold() in site.namespaces:
        return None
    if site.first_letter:
        upper = text[0].upper()
        text = (upper if len(upper) == 1 else text[0]) + text[1:]
    return text if len(text.encode()) <= _MAX_BYTES else None


def page_url(title: str, site: Site) -> str:
    """Returns the URL of a page, encoded as MediaWiki does.

    Example:
        >>> page_url("AC/DC & José", Site("https://en.wikipedia.org/wiki/Main_Page", frozenset()))
        'https://en.wikipedia.org/wiki/AC/DC_%26_Jos%C3%A9'
    """
    folder = site.base.rsplit("/", 1)[0]
    return f"{folder}/{quote(title.replace(' ', '_'), safe=';@$!*(),/~:')}"
