"""Decides whether a title or label bears a name, ignoring case and accents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from dfactscore._text.accents import fold_accents
from dfactscore._text.person_names import read_name

_PARENTHESIS = re.compile(r"(?<!\s)\s*\([^()]*\)\s*$")
_HYPHEN = re.compile(r"(?<=\w)[-‐‑](?=\w)")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼʻ`´", "'"))


@lru_cache(maxsize=65536)
def name_words(text: str) -> tuple[str, ...]:
    """Splits a name into lower-case words, removing accents and a parenthesis at the end.

    Example:
        >>> name_words("Adrián Pérez (disambiguation)")
        ('adrian', 'perez')
    """
    folded = fold_accents(plain_name(text).casefold().translate(_APOSTROPHES))
    return tuple(_WORD.findall(folded)) if folded.isascii() else tuple(_words(folded))


def _words(text: str) -> list[str]:
    """Splits text of any script into runs of letters, digits, marks and inner apostrophes."""
    spaced = (
        c if c.isalnum() or c == "'" or unicodedata.category(c).startswith("M") else " "
        for c in text
    )
    return [w for w in (part.strip("'") for part in "".join(spaced).split()) if w]


def plain_name(text: str) -> str:
    """Removes a parenthesis at the end of a name.

    Example:
        >>> plain_name("Dick Hanley (swimmer)")
        'Dick Hanley'
    """
    return _PARENTHESIS.sub("", text).strip() or text.strip()


def bears_name(title: str, name: str) -> bool:
    """Whether the title contains the words of the name, in the same order.

    The title may also contain other words: a middle name, "Sir", "Jr.", a place. An initial matches
    a word that begins with it, a hyphen matches a space or nothing, and "Lee, Ann" matches "Ann
    Lee". The title may omit particles ("von"), titles and honorifics ("Dr.") that appear in the
    name. If the words are in a different order, or one is different, shortened or respelled, the
    title bears another name: ``"Albert Kahn"`` does not bear ``"A. E. Kahn"``.

    Example:
        >>> bears_name("Alfred William Lawson", "Alfred Lawson")
        True
        >>> [bears_name(title, "Glenn Brown") for title in ("Glen Brown", "Brown Glenn")]
        [False, False]
    """
    titles, names = _readings(title), _wanted(name)
    return any(_reads(reading, words) for reading in titles for words in names)


@lru_cache(maxsize=65536)
def _readings(title: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """Returns the words before and after a title's first comma, splitting or ignoring hyphens."""
    readings = []
    for text in dict.fromkeys((plain_name(title), _HYPHEN.sub("", plain_name(title)))):
        before, _, after = text.partition(",")
        readings.append((name_words(before), name_words(after)))
    return tuple(readings)


@lru_cache(maxsize=4096)
def _wanted(name: str) -> tuple[tuple[str, ...], ...]:
    """Returns variants of a name: as written, swapped at a comma, without titles, and so on."""
    words = plain_name(name).split()
    inner = [word for word in words[1:-1] if not word.islower()]
    before, _, after = plain_name(name).partition(",")
    texts = [name, f"{after} {before}"]
    if len((bare := read_name(name)).words) > 1:
        texts.append(bare.text)
    if len(words) > 2 and not any(word.islower() for word in (words[0], words[-1])):
        texts.append(" ".join((words[0], *inner, words[-1])))
    texts += [_HYPHEN.sub("", text) for text in texts]
    return tuple(filter(None, dict.fromkeys(map(name_words, texts))))


def _reads(title: tuple[tuple[str, ...], tuple[str, ...]], name: tuple[str, ...]) -> bool:
    before, after = title
    if _in_order((*before, *after), name):
        return True
    last = len(name) - len(before)  # "Lee, Ann": the words before the comma end the name
    return bool(after) and last > 0 and name[last:] == before and _in_order(after, name[:last])


def _in_order(title: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Whether the title contains the name's words in order.

    An initial matches the first word only at the start of the title, and never the last word.
    """
    place, last = 0, len(name) - 1
    for number, word in enumerate(name):
        while place < len(title) and not (
            title[place] == word
            or (number < last and (number or not place) and _initial(title[place], word))
        ):
            place += 1
        if place == len(title):
            return False
        place += 1
    return True


def _initial(word: str, other: str) -> bool:
    """Whether one word is the first letter of the other, in a script that has capitals."""
    return min(len(word), len(other)) == 1 and word[0] == other[0] and word[0].upper() != word[0]


class NameIndex:
    """An index for finding the titles that bear a name."""

    def __init__(self, titles: Iterable[tuple[str, str]]) -> None:
        self._by_word: dict[str, list[tuple[str, str]]] = {}
        for pair in titles:
            words = (word for reading in _readings(pair[0]) for part in reading for word in part)
            for word in dict.fromkeys(words):
                self._by_word.setdefault(word, []).append(pair)

    def find(self, name: str) -> list[tuple[str, str]]:
        """Returns the pairs whose title bears a name, in index order."""
        # Every title that bears a name contains its last word in full.
        last_words = dict.fromkeys(words[-1] for words in _wanted(name))
        pairs = (pair for word in last_words for pair in self._by_word.get(word, ()))
        return [pair for pair in dict.fromkeys(pairs) if bears_name(pair[0], name)]
