"""Compares names of anything: of people, and of places, works, firms, ships and the like."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from dfactscore._text.clean_text import fold_accents
from dfactscore._text.names import SHORT_FORMS, Likeness, compare, same_spelling
from dfactscore._text.person_names import PARTICLES, SUFFIXES, read_name
from dfactscore._text.role_words import is_demonym, is_role
from dfactscore._text.word_files import lines_by_head, word_groups, word_lists

KINDS = lines_by_head("dfactscore._text", "kinds.txt")
"""The classes of each noun: "river" is a place."""
_LISTS = {
    k: frozenset(v.split()) for k, v in word_lists("dfactscore._text", "name_words.txt").items()
}
_SYNONYMS = word_groups("dfactscore._text", "kind_synonyms.txt")
_LITTLE = frozenset(
    ("the", "a", "an", "of", "and", "de", "la", "le", "les", "el", "der", "die", "das")
)
_SHORTENED = {
    "st": "saint", "ste": "sainte", "mt": "mount", "ft": "fort", "univ": "university",
    "company": "co", "hwy": "highway", "rte": "route", "rd": "road", "ave": "avenue",
}  # fmt: skip
_NATIONS = frozenset(("us", "usa", "united states", "uk", "united kingdom"))
_COUNTED = {
    "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6",
    "seventh": "7", "eighth": "8", "ninth": "9", "tenth": "10",
}  # fmt: skip
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50}
_NUMERAL = re.compile(r"(?=[ivxl])x{0,3}(?:i[xv]|v?i{0,3})")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_YEAR = re.compile(r"1[0-9]\d\d|20\d\d")
_BRACKET = re.compile(r"\(([^()]*)\)\Z")
_DOMAIN = re.compile(r"(?<=\w)\.(?:com|org|net|io|ai|co|de|uk)\b(?:\.uk\b)?")
_DOTTED = re.compile(r"\b(?:[^\W\d_]\.){2,}")
_OF_THINGS = re.compile(r"\A(?:the|an?(?= )|st|mt|mount|ft|fort)\b|&|['’]s ", re.IGNORECASE)
_ORIGIN = re.compile(r"^[^,(]* of (?:the )?([^\W\d_a-z][^,()]*)$")
_WORD = re.compile(r"\d+(?:st|nd|rd|th)\b|\d+|[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class ThingName:
    """The parts of a name of a thing, in lower case and without accents, articles and "of"."""

    head: tuple[str, ...]  # the proper words
    kinds: frozenset[str] = frozenset()  # "river", "hotel"
    described: frozenset[str] = frozenset()  # kinds in brackets: "(film)"
    numbers: tuple[str, ...] = ()  # "9" of "Route 9", "2" of "II" and of "Second"
    years: frozenset[str] = frozenset()
    places: tuple[str, ...] = ()  # after a comma or in brackets
    vessel: str = ""  # "uss"
    certainty: int = 0  # 2: surely a thing, 1: probably, 0: unknown, -1: a person


@lru_cache(maxsize=16384)
def read_thing(text: str) -> ThingName:
    """Parses a name as that of a thing.

    Example:
        >>> name = read_thing("The River Elm, Ohio (1918 film)")
        >>> name.head, name.kinds, name.described, name.years, name.places
        (('elm',), frozenset({'river'}), frozenset({'film'}), frozenset({'1918'}), ('ohio',))
    """
    plain = unicodedata.normalize("NFC", text.replace("_", " ")).strip()
    bracket = _BRACKET.search(plain)
    before = plain[: bracket.start()] if bracket else plain
    name, *after = (part.strip() for part in before.split(","))
    words = _words(name)
    forms = _LISTS["firms"]
    firm = len(words) > 1 and words[-1] in forms
    while len(words) > 1 and words[-1] in forms and words[-2] != "and":  # "Elm & Co."
        words.pop()
    vessel = words[0] if len(words) > 1 and words[0] in _LISTS["vessels"] else ""
    words = words[1:] if vessel else words
    places = [place for part in after if (place := _place(part))]
    firm = firm or any(part.strip(" .").casefold() in forms for part in after)
    kinds = {w for w in words if w in KINDS and w not in PARTICLES} if len(words) > 1 else set()
    inner = _words(bracket[1]) if bracket else []
    of_person = any(map(is_role, inner))
    of_bracket = [word for word in inner if word in KINDS and not of_person]
    known = of_person or of_bracket or any(map(is_demonym, inner))
    if bracket and bracket[1][:1].isupper() and not known:
        places.append(" ".join(inner))
    numbered = any(word[0].isdigit() for word in words)
    words += [word for word in inner if _YEAR.fullmatch(word)]
    years = {word for word in words if _YEAR.fullmatch(word)}
    numbers = [n for k, word in enumerate(words) if word not in years and (n := _number(word, k))]
    kept = [
        word
        for k, word in enumerate(words)
        if word not in kinds and word not in years and word not in _LITTLE and not _number(word, k)
    ]
    given = words[0] if words and name[:2] != "A " else ""
    person = (given in SHORT_FORMS or len(given) == 1) and len(words) < 5
    sure = (
        firm
        or vessel
        or of_bracket
        or numbered
        or len(places) > 1
        or _OF_THINGS.search(name)
        or _DOMAIN.search(name)
    )
    return ThingName(
        tuple(kept) or (() if numbers else tuple(words)),
        frozenset(kinds),
        frozenset(of_bracket),
        tuple(numbers),
        frozenset(years),
        tuple(places),
        vessel,
        2
        if sure
        else -1
        if person
        else int(bool(kinds or "of" in words or {*words} & _LISTS["things"])),
    )


def compare_names(first: str, second: str) -> tuple[Likeness, str]:
    """Returns whether two names, of people or of things, are of one bearer, and why not.

    Missing parts do not count, differing parts do, as in `compare`.

    Example:
        >>> compare_names("Mt. Elm", "Mount Elm"), compare_names("Route 9", "Highway 9")
        (('same', ''), ('same', ''))
        >>> compare_names("Elm, Ohio", "Elm"), compare_names("Elm, Ohio", "Elm, Iowa")
        (('may be', ''), ('other', 'other place'))
    """
    one, other = read_thing(first), read_thing(second)
    likely, unlikely = max(one.certainty, other.certainty), min(one.certainty, other.certainty)
    described_alike = _bracket(first) == _bracket(second)
    placed = one.places and other.places and one.head == other.head
    if not (placed or likely == 2 or (likely == 1 and unlikely >= 0)):
        likeness, why = compare(read_name(first), read_name(second))
        origins = [found[1] for name in (first, second) if (found := _ORIGIN.search(name))]
        if len(origins) == 2 and origins[0].casefold() != origins[1].casefold():
            return "other", "other place"  # "Albert II of Belgium", "Albert II of Germany"
        return ("may be" if likeness == "same" and not described_alike else likeness), why
    if why := _difference(one, other):
        return "other", why
    alike = (
        described_alike
        and {*one.head} == {*other.head}
        and (one.numbers, one.years, one.vessel) == (other.numbers, other.years, other.vessel)
        and len(one.places) == len(other.places)
        and len(one.kinds) == len(other.kinds)
    )
    return ("same" if alike else "may be"), ""


def _difference(one: ThingName, other: ThingName) -> str:
    """Returns the part in which two names of things contradict each other, if any."""
    if one.vessel and other.vessel and one.vessel != other.vessel:
        return "other ship"
    numbers = {*one.numbers}, {*other.numbers}
    if all(numbers) and not (numbers[0] <= numbers[1] or numbers[1] <= numbers[0]):
        return "other number"
    if one.years and other.years and not one.years & other.years:
        return "other year"
    if one.described and other.described and not _alike(one.described, other.described):
        return "other kind"
    if one.places and other.places:
        # "Elm, Ohio" may be "Elm, Clark County, Ohio"; "Elm, Lake County, Ohio" is another.
        pairs = ((one.places, other.places), (other.places, one.places))
        if all(any(not any(_same_place(p, q) for q in qs) for p in ps) for ps, qs in pairs):
            return "other place"
    if "".join(one.head) == "".join(other.head) and _alike(one.kinds, other.kinds):
        return ""
    extra = [_without(a, b) for a, b in ((one, other), (other, one))]
    strange = one.head and other.head and {*one.head} <= {*extra[0]}
    if not strange and not all(extra):
        return ""
    return "other kind" if {*extra[0], *extra[1]} <= one.kinds | other.kinds else "other name"


def _bracket(text: str) -> str:
    """Returns what stands in brackets at the end of a name."""
    found = _BRACKET.search(text.rstrip())
    return found[1].casefold() if found else ""


def _words(text: str) -> list[str]:
    """Splits a name into words and numbers: "MS-7" and "MS7" into two, "U.S." into one."""
    folded = fold_accents(text.casefold().replace("&", " and ")).translate(
        str.maketrans("", "", "'’‘ʼ`´")
    )
    folded = _DOTTED.sub(lambda match: match[0].replace(".", "") + " ", folded)
    words = _WORD.findall(_DOMAIN.sub("", folded))
    last = len(words) - 1
    if len(words) == 2 and words[0] == "i" and words[1].isdigit():
        words[0] = "interstate"
    return [
        "street" if word == "st" and k == last and k else _SHORTENED.get(word, word)
        for k, word in enumerate(words)
    ]


def _number(word: str, place: int) -> str:
    """Returns the number that a word writes in digits, as an ordinal or, later, in Roman style."""
    if word.isdigit():
        return word.lstrip("0") or "0"
    if ordinal := _ORDINAL.fullmatch(word):
        return ordinal[1]
    if place and word in SUFFIXES and _NUMERAL.fullmatch(word):
        values = [_ROMAN[letter] for letter in word]
        signed = (-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True))
        return str(sum(signed))
    return _COUNTED.get(word, "")


def _place(part: str) -> str:
    """Returns a place after a comma; empty for a large nation, a form of firm or a suffix."""
    words = _words(part)
    name = " ".join(words)
    return "" if name in _NATIONS or {*words} <= _LISTS["firms"] | _LITTLE | SUFFIXES else name


def _same_place(one: str, other: str) -> bool:
    """Whether two names of places may be one: "oh" is "ohio", "uk" is "united kingdom"."""
    short, long = sorted((one, other), key=len)
    if short == long or len(short) != 2:
        return short == long or same_spelling(short, long)
    place = long.find(short[1], 1)
    return long[0] == short[0] and place > 0


def _alike(kinds: Iterable[str], others: Iterable[str]) -> bool:
    """Whether two names share a kind of thing, or one of them gives none."""
    return not kinds or not others or any(_same(one, other) for one in kinds for other in others)


def _same(word: str, other: str) -> bool:
    """Whether two words are one: spelled alike, a possessive, or nouns for one kind of thing."""
    synonyms = _SYNONYMS.get(word, frozenset())
    return same_spelling(
        word.removesuffix("s"), other.removesuffix("s")
    ) or not synonyms.isdisjoint(_SYNONYMS.get(other, ()))


def _without(one: ThingName, other: ThingName) -> list[str]:
    """Returns the words of a name that stand in no form in another."""
    others = (*other.head, *other.kinds)
    return [w for w in (*one.head, *one.kinds) if not any(_same(w, o) for o in others)]
