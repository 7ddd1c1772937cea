"""Does a title or a label bear a name? Words are compared without case and accents."""

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
    """The words of a name, case and accents folded, parenthesis at the end dropped.

    Example:
        >>> name_words("Adrián Pérez (disambiguation)")
        ('adrian', 'perez')
    """
    kept = fold_accents(plain_name(text).casefold().translate(_APOSTROPHES))
    return tuple(_WORD.findall(kept)) if kept.isascii() else tuple(_words(kept))


def _words(text: str) -> list[str]:
    """Runs of letters, digits, marks and inner apostrophes, for any script."""
    spaced = (
        c if c.isalnum() or c == "'" or unicodedata.category(c).startswith("M") else " "
        for c in text
    )
    return [w for w in (part.strip("'") for part in "".join(spaced).split()) if w]


def plain_name(text: str) -> str:
    """The name without a parenthesis at its end.

    Example:
        >>> plain_name("Dick Hanley (swimmer)")
        'Dick Hanley'
    """
    return _PARENTHESIS.sub("", text).strip() or text.strip()


def bears_name(title: str, name: str) -> bool:
    """Whether the words of the name are in the title, in the order of the name.

    Other words of the title do no harm: a middle name, "Sir", "Jr.", a place. An initial matches
    the word that it begins, a hyphen a blank or nothing, and "Lee, Ann" "Ann Lee".
    Of the name, small words within it may be absent ("von"). Another order, another, shortened or
    respelled word is another name; titles and honors of the name may be absent ("Dr. Ann Lee");
    ``"A. E. Kahn"`` is not borne by ``"Albert Kahn"``.

    Args:
        title: A page title, a redirect or a name as a text writes it.
        name: The target name.

    Example:
        >>> bears_name("Alfred William Lawson", "Alfred Lawson")
        True
        >>> [bears_name(title, "Glenn Brown") for title in ("Glen Brown", "Brown Glenn")]
        [False, False]
    """
    titles, names = _readings(title), _wanted(name)
    return any(_reads(reading, wanted) for reading in titles for wanted in names)


@lru_cache(maxsize=65536)
def _readings(title: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """The words of a title before and after its first comma, without hyphens.

    Without a comma, all are before it.
    """
    found = []
    for text in dict.fromkeys((plain_name(title), _HYPHEN.sub("", plain_name(title)))):
        before, _, after = text.partition(",")
        found.append((name_words(before), name_words(after)))
    return tuple(found)


@lru_cache(maxsize=4096)
def _wanted(name: str) -> tuple[tuple[str, ...], ...]:
    """The readings of a name: as it is, without titles, without small words, turned at a comma."""
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
    last = len(name) - len(before)  # "Lee, Ann": all that is before the comma ends the name
    return bool(after) and last > 0 and name[last:] == before and _in_order(after, name[:last])


def _in_order(title: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Whether each word of the name is found after the previous one.

    The first letter of a title can be the initial of the first word, not that of a middle one.
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
    """Whether one is the first letter of the other, in a script that has capitals."""
    return min(len(word), len(other)) == 1 and word[0] == other[0] and word[0].upper() != word[0]


class NameIndex:
    """Titles by the names that they bear.

    Args:
        titles: Titles and redirects, each with the title that it leads to.
    """

    def __init__(self, titles: Iterable[tuple[str, str]]) -> None:
        self._by_word: dict[str, list[tuple[str, str]]] = {}
        for pair in titles:
            words = (word for reading in _readings(pair[0]) for part in reading for word in part)
            for word in dict.fromkeys(words):
                self._by_word.setdefault(word, []).append(pair)

    def find(self, name: str) -> list[tuple[str, str]]:
        """Those that bear a name, in the order in which they were given by its last word."""
        # The last word of a name is never an initial and never left out.
        last = dict.fromkeys(words[-1] for words in _wanted(name))
        found = (pair for word in last for pair in self._by_word.get(word, ()))
        return [pair for pair in dict.fromkeys(found) if bears_name(pair[0], name)]
