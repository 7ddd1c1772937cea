"""Matches titles to names, ignoring parentheticals, accents, initials, middle names and ranks."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache

from dfactscore._text.names import name_words, same_given, same_spelling
from dfactscore._text.person_names import PARTICLES, SUFFIXES, TITLES
from dfactscore.ambigbio._languages import Language

_LONGEST_SYLLABLE = 4  # letters
_PEERAGE = re.compile(r",\s*\d{1,2}(?:st|nd|rd|th)\s[^,(;]*")
_OF_PLACE = re.compile(r"\bof [^\W\d_a-z][\w-]*")
_FEMININE = ("a", "e", "ina", "ine", "ette", "etta")
_SIMILAR = 0.75  # minimum similarity of the letters of two forms of a given name


def _same(word: str, other: str) -> bool:
    """Whether two words are equal or one is the other's initial."""
    return word == other or (min(len(word), len(other)) == 1 and word[0] == other[0])


def _apart(text: str) -> tuple[str, ...]:
    """Splits a name into whole names and initials: "J.-P." becomes two words."""
    return name_words(re.sub(r"(?<=\w)[-‐‑.](?=\w)", " ", text))


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[tuple[str, ...], ...]:
    """Returns the readings of a title: up to the first comma, and with the surname last."""
    bare = re.sub(r"(?:(?<!\s)\s*\([^()]*\))+$", "", text.rstrip()).strip() or text
    before, comma, after = bare.partition(",")
    readings = [_apart(before), (*_apart(after), *_apart(before))] if comma else [_apart(bare)]
    if comma and "of" in readings[1] and TITLES.intersection(readings[1][:1]):
        readings.pop()  # "Ann, Countess of Amber" is not Ann Amber
    return tuple(dict.fromkeys(reading for reading in readings if reading))


def _core(words: tuple[str, ...], language: Language) -> tuple[frozenset[str], tuple[str, ...]]:
    """Splits a name into its leading titles and its other words, dropping suffixes like "Jr."."""
    first, last = 0, len(words)
    while last > 1 and words[last - 1] in SUFFIXES | language.name_suffixes:
        if len(words[last - 1]) == 1 and last > 2:
            break  # after two words, "X" may be an initial
        last -= 1
    while last - first > 1 and words[first] in TITLES | language.honorifics:
        first += 1
    return frozenset(words[:first]), words[first:last]


def _is_form(title: tuple[str, ...], name: tuple[str, ...], language: Language) -> bool:
    """Whether a title is a form of a name; a one-word name requires a one-word title."""
    (ranks, core), (wanted_ranks, wanted) = _core(title, language), _core(name, language)
    if len(wanted) > 1 and wanted[-1] in language.siblings:  # "Harrow brothers"
        return len(core) > len(wanted) - 1 and core[1 - len(wanted) :] == wanted[:-1]
    if len(wanted) > 1:
        return _reads(core, wanted)
    # "Aldrik I of Mercia", "Karlo the Bold" and "Duke Ottern", but no other rank: "Dean Hill".
    alone = len(core) == 1 or core[1] in PARTICLES | SUFFIXES
    same = ranks <= wanted_ranks or wanted_ranks <= ranks
    return (core[:1] == wanted and alone and same) or _reads(title, name)


def _reads(title: tuple[str, ...], name: tuple[str, ...]) -> bool:
    if "".join(title) == "".join(name):  # "Min-seo", "Minseo"
        return True
    if len(name) < 2 or len(title) < 2 or title[-1] != name[-1]:
        return False
    if title[-2] == "of" != name[-2]:  # "Princess Ann of Amber" is not Ann Amber
        return False
    given, wanted = list(title[:-1]), list(name[:-1])
    # Before the first given name only an initial is allowed: "J. Frank Hollis".
    while len(given) > 1 and len(given[0]) == 1 and not _same(given[0], wanted[0]):
        given.pop(0)
    if not _same(given[0], wanted[0]):
        return False
    rest = iter(given)
    return all(any(_same(word, part) for part in rest) for word in wanted) or (
        # The name may be longer than the title: "J. Roe" and "John Roe" fit "John Albert Roe".
        len(given) < len(wanted) and _in_order(given, wanted)
    )


def _in_order(few: list[str], many: list[str]) -> bool:
    rest = iter(many)
    return all(any(_same(word, part) for part in rest) for word in few)


def bears(title: str, name: str, language: Language) -> bool:
    """Whether a title, excluding any parenthetical, is a form of a name.

    Accents, initials, middle names, ranks before the name and suffixes after it are ignored. A
    different given name or surname, or an additional word after the surname, makes it a different
    name. After a one-word name, "of Leeds", "the Bold" and numbers are allowed.

    Example:
        >>> from dfactscore.ambigbio._languages import language
        >>> en = language("en")
        >>> [bears(title, "José Roe", en) for title in ("J. A. Roe", "Sir Jose Roe, 2nd Baronet")]
        [True, True]
        >>> [bears(title, "José Roe", en) for title in ("José Roe House", "Ann Roe", "José Rowe")]
        [False, False, False]
    """
    wanted = _apart(name)
    return bool(wanted) and any(_is_form(words, wanted, language) for words in _words(title))


def holds_name(text: str, name: str, language: Language) -> bool:
    """Whether a text that gives a full name contains a form of a name.

    Example:
        >>> from dfactscore.ambigbio._languages import language
        >>> holds_name('Margaret Ann "Peggy" Poole', "Peggy Poole", language("en"))
        True
    """
    if bears(text, name, language):
        return True
    text = _PEERAGE.sub(" ", text)  # "John Tarn, 1st Baron Vost" is not John Vost
    if " of " not in name:
        text = _OF_PLACE.sub(" ", text)  # nor is "John, Count of Vost"
    whole, words = _apart(name), list(_apart(re.sub(r"[()]", " ", text)))
    core = _core(whole, language)[1]
    wanted = list(core if len(core) > 1 else whole)
    return len(wanted) > 1 and (_in_order(wanted, words) or set(wanted) <= set(words))


def shares_word(title: str, name: str) -> bool:
    """Whether a title and a name share a word other than an initial.

    Example:
        >>> shares_word("Elias Stroud", "Eli Stroud")
        True
    """
    words = {word for reading in _words(title) for word in reading}
    return any(len(word) > 1 and word in words for word in _apart(name))


def _short_form(few: str, many: str) -> bool:
    """Whether a given name is a short form of another by its letters: "Sam", "Eddie", "Wally"."""
    if len(few) > 1 and many.startswith(few):
        return True
    stem = re.sub(r"(?:y|ie|ey|i)$", "", few)
    doubled = stem[-2:-1] == stem[-1:]
    stem = stem[:-1] if doubled else stem  # "Eddie"; but "May" is not short for "Mary"
    return len(stem) > 2 - doubled and len(stem) < len(few) and many.startswith(stem)


def _is_alike(title: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Whether a title has the name's surname and a form of its given name, or the whole name."""
    if any(title[at : at + len(name)] == name for at in range(len(title))):
        return True  # "Ann Roe Holt" for "Ann Roe"
    turned = "".join((*title[-1:], *title[:-1])) == "".join(name)
    if turned and (len(title) != len(name) or max(map(len, name)) < _LONGEST_SYLLABLE):
        return True  # "Sunoh Kim", "Kim Sun-oh"; but not "Amber Rose", "Rose Amber"
    if len(title) == 1 or not same_spelling(title[-1], name[-1]):
        return False
    few, many = sorted((title[0], name[0]), key=len)
    if same_given(few, many):
        return True
    if many.startswith(few) and many[len(few) :] in _FEMININE:  # "Paul", "Paula"
        return False
    similar = SequenceMatcher(None, few, many, autojunk=False).ratio() >= _SIMILAR
    return few[0] == many[0] and (_short_form(few, many) or (len(few) > 4 and similar))


def alike(title: str, name: str, language: Language) -> bool:
    """Whether a title has the name's surname and a form of its given name, or the whole name.

    Example:
        >>> from dfactscore.ambigbio._languages import language
        >>> titles = ("Eddie Crake", "Edmund Crake Holt", "Ella Crake", "Edmunda Crake")
        >>> [alike(title, "Edmund Crake", language("en")) for title in titles]
        [True, True, False, False]
    """
    wanted, whole = _core(_apart(name), language)[1], _words(title)[0]
    if len(wanted) == 1:  # "Hugo Stane, 1st Baron Farrant" for "Lord Farrant"
        return shares_word(title, wanted[0])
    return any(_is_alike(words, wanted) for words in (_core(whole, language)[1], whole))
