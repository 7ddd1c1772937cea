"""Reads the spellings of a name given on its page, such as those in bold text and headings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from dfactscore._text.names import name_words
from dfactscore._text.person_names import PARTICLES, TITLES
from dfactscore.ambigbio._languages import name_of_title
from dfactscore.ambigbio._markup import headings_of

_BOLD = re.compile(r"(?<!')'''(?!')([^'\n]+(?:'[^'\n]+)*)'''(?!')")
_TERM = re.compile(r"(?m)^(?:;|''')([^':\n\[\]]+)")
_LIST = re.compile(r"(?m)^[*#=;]")
#: Chinese, Japanese and Korean names of two or more characters.
_SCRIPT = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
_ARTICLE = re.compile(r"^(?:al|el|ul|a[dnrstz]|a[dst]h)[-‐‑'’]", re.IGNORECASE)
_ALIKE = 0.6  # minimum similarity between the letters of a heading and of the name


@dataclass(frozen=True, slots=True)
class PageNames:
    """A name in the spellings that its page gives."""

    name: str
    forms: tuple[str, ...]
    scripts: frozenset[str] = frozenset()  # spellings in Chinese, Japanese or Korean characters


def scripts_in(text: str) -> frozenset[str]:
    """Finds names in Chinese, Japanese and Korean characters, ignoring spaces within them.

    Example:
        >>> sorted(scripts_in("(李伟 or 李卫), {{Korean|hangul=김 하은}}"))
        ['李伟', '李卫', '김하은']
    """
    return frozenset(
        _SCRIPT.findall(re.sub(r"(?<=[\u3040-\ud7af])\s(?=[\u3040-\ud7af])", "", text))
    )


def _size(name: str) -> int:
    return len([word for word in name_words(name) if word not in TITLES | PARTICLES])


def _headings(text: str, name: str) -> Iterator[str]:
    """Yields headings that have the same number of words as the name and most of its letters."""
    for heading in (*(found.text for found in headings_of(text)), *_TERM.findall(text)):
        words, wanted = name_words(heading), name_words(name)
        if len(words) == len(wanted) > 1:
            alike = SequenceMatcher(None, " ".join(words), " ".join(wanted), autojunk=False)
            if alike.ratio() >= _ALIKE:
                yield heading.strip("' ")


def _without_article(name: str) -> Iterator[str]:
    """Yields an Arabic name of one word without its article: "Mansur" for "Al-Mansur"."""
    words = name.split()
    if len(words) == 1 and (bare := _ARTICLE.sub("", name)) != name:
        yield bare[:1].upper() + bare[1:]


def names_of_page(title: str, text: str, aliases: Iterable[str] = ()) -> PageNames:
    """Reads the spellings of a page's name."""
    name = name_of_title(title)
    first = _LIST.search(text)
    lead = text[: first.start()] if first else text
    printed = [*_BOLD.findall(lead), *map(name_of_title, aliases)]
    least = min(_size(name), 2)
    forms = [form for form in printed if _size(form) >= max(least, 1) and "[[" not in form]
    every = dict.fromkeys([name, *forms, *_without_article(name), *_headings(text, name)])
    return PageNames(name, tuple(every), scripts_in(lead[:2000]))
