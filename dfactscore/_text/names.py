"""Decides whether a title bears a name, and whether names may refer to the same person."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from dfactscore._text.clean_text import fold_accents
from dfactscore._text.person_names import PersonName, read_name
from dfactscore._text.word_files import word_groups, word_lists

FAMILY_FIRST = frozenset(word_lists("dfactscore._text", "name_words.txt")["family_first"].split())
"""Family names that may stand before the given name."""
SHORT_FORMS = word_groups("dfactscore._text", "given_names.txt")
"""Given names with the numbers of their groups of equivalent forms ("bob", "robert")."""


def same_given(first: str, second: str) -> bool:
    """Whether two given names are equal, or one is an initial or a short form of the other.

    Example:
        >>> same_given("bob", "robert"), same_given("a", "ann"), same_given("ann", "anna")
        (True, True, False)
    """
    if first == second or (min(len(first), len(second)) == 1 and first[0] == second[0]):
        return True
    groups = SHORT_FORMS.get(first, frozenset())
    return _spelling(first) == _spelling(second) or not groups.isdisjoint(
        SHORT_FORMS.get(second, ())
    )


_SOUNDS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        ("^ma?c", "mc"), ("(?<=.)[kc]h", "h"), ("x", "ks"), ("ff$", "v"), ("ee+", "i"),
        (r"(.)\1", r"\1"), ("[aei][iy]+|[iy]+", "i"), ("(?<=[aou])e", ""), ("ou|u", "o"),
        ("e", "a"),
    )
)  # fmt: skip
_LONG = 5  # letters of a word that may be spelled in several ways


@lru_cache(maxsize=65536)
def _spelling(word: str) -> str:
    """Returns a word as its transliterations share it: "petrov" of "petroff"."""
    if len(word) < _LONG:
        return word[:-1] + "i" if len(word) == _LONG - 1 and word[-1] == "y" else word
    word = f"{word[:-2]}er" if word.endswith(("tre", "bre")) else word  # "centre"
    last = "" if word[-1] in "iyf" else word[-1]  # "Maria" and "Marie" are two names
    body = word[: len(word) - len(last)]
    for pattern, sound in _SOUNDS:
        body = pattern.sub(sound, body)
    return body + last


def same_spelling(word: str, other: str) -> bool:
    """Whether two words are equal but for their transliteration: "petrov", "petroff"."""
    return _spelling(word) == _spelling(other)


_ABD = re.compile(r"\Aabd[aeou]?l?(?=.{4})")


@lru_cache(maxsize=65536)
def _closed(name: PersonName) -> tuple[str, ...]:
    """Returns the letters of a name from each of its parts on: "Omar al-Ray" has "alray", too."""
    parts = name_words(_HYPHEN.sub(" ", name.text))
    letters = [_ABD.sub("abdal", "".join(parts[k:]).replace("'", "")) for k in range(len(parts))]
    return tuple(letters)


# A Chinese, Korean or Vietnamese given name, which may stand before or after the family name.
_SYLLABLES = re.compile(
    r"(?:(?:[bcdfghjklmnpqrstwxyz]|[csz]h|ng|nh|ph|th|tr|kh)?[aeiouyw]{1,3}(?:ng?|nh|[mklptcb])?){1,3}"
)


def _turned(mention: PersonName, name: PersonName) -> bool:
    """Whether two names differ in the order of family and given name only: "Kim Min-jun"."""
    if min(len(mention.words), len(name.words)) < 2:
        return False
    for one, other in ((mention, name), (name, mention)):
        family, given, turned = one.words[0], "".join(one.words[1:]), "".join(other.words[:-1])
        alike = given == turned or turned == one.words[-1]  # "Lan Nguyen", "Nguyen Thi Lan"
        if other.words[-1] == family and alike and family in FAMILY_FIRST:
            return given not in SHORT_FORMS and _SYLLABLES.fullmatch(given) is not None
    return False


Likeness = Literal["same", "may be", "other"]


def compare(first: PersonName, second: PersonName) -> tuple[Likeness, str]:
    """Returns whether two names are of one bearer, and why not.

    Missing parts do not count, differing parts do. Accents, case, hyphens, particles, short forms
    and transliteration do not tell names apart.

    Example:
        >>> lee = read_name("José Paul van Lee")
        >>> [compare(lee, read_name(n))[0] for n in ("Jose Paul Lee", "José Lee", "José Peter Lee")]
        ['same', 'may be', 'other']
        >>> compare(lee, read_name("José Peter Lee"))[1]
        'other given name'
    """
    relation = _relation(first, second)
    if relation is not None:
        alike = len(first.words) == len(second.words) and first.suffix == second.suffix
        return "same" if alike else "may be", ""
    if is_numbered_otherwise(first, [second]):
        return "other", "other suffix"
    shared = {*map(_spelling, first.words)} & {*map(_spelling, second.words[-second.surnames :])}
    return "other", "other given name" if shared else "other surname"


def differs_within(first: PersonName, second: PersonName) -> bool:
    """Whether two names have one first name and one surname, and contradict each other between."""
    if min(len(first.words), len(second.words)) < 2 or may_be_one(first, second):
        return False
    ends = [(first.words[0], second.words[0]), (first.words[-1], second.words[-1])]
    return all(same_given(one, other) for one, other in ends)


def may_be_one(first: PersonName, second: PersonName) -> bool:
    """Whether two names may refer to one bearer."""
    return compare(first, second)[0] != "other"


def says_no_more(mention: PersonName, name: PersonName) -> bool:
    """Whether a mention may refer to the bearer of a name and does not add a given name."""
    return _relation(mention, name) == "within"


def is_form_of(mention: PersonName, names: Iterable[PersonName]) -> bool:
    """Whether a mention may refer to the person who has the given names.

    The mention may add a given name only to the longest of them: "Paul Peter Hill" does not refer
    to the Paul Hill whose page says "Paul William Hill".
    """
    names = list(names)
    if is_numbered_otherwise(mention, names):
        return False
    relations = [(name, _relation(mention, name)) for name in names]
    if any(
        relation == "within" or _has_unknown_title(mention, name) for name, relation in relations
    ):
        return True
    fullest = max((len(name.words) for name in names if name.words), default=0)
    return any(relation == "beyond" and len(name.words) == fullest for name, relation in relations)


def _has_unknown_title(mention: PersonName, name: PersonName) -> bool:
    """Whether a mention is the whole name, preceded by words that are not known as given names."""
    count = len(mention.words) - len(name.words)
    added = mention.words[:count]
    ends_with_name = count > 0 and len(name.words) > 1 and mention.words[count:] == name.words
    return ends_with_name and all(len(word) > 1 and word not in SHORT_FORMS for word in added)


def is_numbered_otherwise(mention: PersonName, names: Iterable[PersonName]) -> bool:
    """Whether a mention's suffix or peerage contradicts those of the names.

    Example:
        >>> from dfactscore._text.person_names import read_name
        >>> is_numbered_otherwise(read_name("Cyril V"), [read_name("Cyril VI")])
        True
    """
    names = list(names)
    for value, known in (
        (mention.suffix, {name.suffix for name in names} - {""}),
        (mention.peerage, {name.peerage for name in names} - {()}),
    ):
        if value and known and value not in known:
            return True
    return False


def _relation(mention: PersonName, name: PersonName) -> str | None:
    """Returns "within" if the first name adds nothing to the second, or "beyond" if it adds names.

    Returns None if the names refer to different people.
    """
    if is_numbered_otherwise(mention, [name]):
        return None
    if not mention.words or not name.words:
        return None
    if "".join(mention.words) == "".join(name.words):  # "Min-seo", "Minseo"
        return "within"
    closed, others = _closed(mention), _closed(name)
    if closed and others and len(closed[0]) >= _LONG and closed[0] in others[: len(name.words)]:
        return "within"  # "Ben Dor" of "Avi ben Dor", "Elbadri" of "Salma el-Badri"
    if _turned(mention, name):
        return "within"
    shorter = min(len(mention.words), len(name.words))
    if shorter > 1 and mention.words[:shorter] == name.words[:shorter]:  # a second surname
        return "within" if len(mention.words) == shorter else "beyond"
    if len(mention.words) == 1 or len(name.words) == 1:
        return _single(mention, name)
    surnames, of_name = mention.words[-mention.surnames :], name.words[-name.surnames :]
    own, wanted = {*map(_spelling, surnames)}, {*map(_spelling, of_name)}
    if not own & wanted or (own - wanted and wanted - own):  # "Hill-Lee", "Hill-Marsh"
        return None
    given = mention.words[: -mention.surnames] or mention.words[:1]
    given_of_name = name.words[: -name.surnames] or name.words[:1]
    if _given_in_order(given, given_of_name) or _given_in_order(given, name.nicknames):
        return "within"
    if _given_in_order(given_of_name, given) or _given_in_order(given_of_name, mention.nicknames):
        return "beyond"
    return None


def _single(mention: PersonName, name: PersonName) -> str | None:
    """Returns the relation between two names, one of which is a single word, such as a surname."""
    short, long = (mention, name) if len(mention.words) == 1 else (name, mention)
    (word,) = short.words
    if len(word) == 1 or word not in (*long.words, *long.nicknames):
        return None
    return "within" if short is mention else "beyond"


def _given_in_order(given: Sequence[str], others: Sequence[str]) -> bool:
    """Whether the second list contains the given names in the first, in the same order.

    A middle initial does not match a first name: "T. F. Hill" is not Francis Hill.
    """
    place = 0
    for number, word in enumerate(given):
        while place < len(others) and not (
            same_given(word, others[place])
            and (number or not place or len(word) == 1 or len(others[place]) > 1)
        ):
            place += 1
        if place == len(others):
            return False
        place += 1
    return bool(given)


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
