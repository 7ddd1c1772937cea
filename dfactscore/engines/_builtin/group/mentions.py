"""Finds the names of people in a sentence, and their roles, nationalities and dates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from dfactscore._text.names import SHORT_FORMS, name_words, same_given
from dfactscore._text.person_names import HONORS, PARTICLES, SUFFIXES, TITLES, mention_at, read_name
from dfactscore._text.role_words import is_demonym, is_role
from dfactscore.engines._builtin.language.tokenizer import Token
from dfactscore.engines._builtin.language.word_classes import (
    MONTHS,
    PASSIVE,
    PRONOUNS,
    SMALL,
    word_list,
)

_INNER = PARTICLES - {"and"}
_ADDED = {",": SUFFIXES | HONORS, "the": frozenset({"elder", "younger"})}  # "Ann Lee the younger"
_SO_DESCRIBED = word_list("so_described")
_EMPTY_WORDS = SMALL | PRONOUNS | word_list("empty_words")
_EMPTY_WORDS -= {"per"}  # a given name
_YEAR = r"(?:1[0-9]|20)\d\d|[1-9]\d\d"
_ARTICLE = re.compile(r"(?:a[dhlnrstz]|a[st]h|e[lsz]|ul)-[A-Z]")
_FIRST_PERSON = re.compile(r"I(?:['’]\w+)?")
_YEARS = re.compile(rf"(?<!\d)(?:{_YEAR})(?!\d)")
_DASH = re.compile(r"\s?[–—-]\s?|(?<=\d)\s+(?:to|until)\s+(?=(?:[\w.,]+\s+){0,3}?\d{3,4}\b)")
_BORN = re.compile(r"\b(?:born|b\.|née)", re.IGNORECASE)
_DIED = re.compile(r"\b(?:died|passed away|d\.)|†", re.IGNORECASE)
_MONTH = "(" + "|".join(sorted({month[:3] for month in MONTHS})) + r")[a-z]*\.?"
_BIRTHDAY = re.compile(  # "17 May", "May 17, "
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}|{_MONTH} (\d{{1,2}})(?:st|nd|rd|th)?),? $",
    re.IGNORECASE,
)
Form = tuple[str, ...]


class Life(NamedTuple):
    """The birth and death given in an introduction."""

    born: int | None = None
    died: int | None = None
    birthday: str = ""  # day and month of birth, as "17 may", or empty


NO_LIFE = Life()


class Mention(NamedTuple):
    """A name that appears in a sentence."""

    first: int  # index of the name's first token
    last: int  # index after the name's last token
    text: str
    # The words of the name in lower case and without accents, excluding titles and honorifics.
    words: tuple[str, ...]
    possessive: bool
    titles: frozenset[str] = frozenset()


@lru_cache(maxsize=4096)  # the same names recur in a text
def person_words(text: str) -> tuple[str, ...]:
    """Returns the words of a name in lower case, without accents, titles or honorifics.

    Example:
        >>> person_words("Sir Charles Cotton")
        ('charles', 'cotton')
    """
    text = unicodedata.normalize("NFC", text)
    mention = mention_at(text)
    if mention is None:
        return read_name(text).words or name_words(text)
    name = mention.name
    words_after = [w for w in name_words(text[mention.end :]) if w not in PARTICLES]
    if words_after and TITLES.issuperset(name.words):
        return tuple(words_after)  # "Governor-General of Finland"
    suffix = [name.suffix] if name.suffix else []
    return (*name.words, *suffix, *words_after)


def runs_of_names(tokens: Sequence[Token], start: int, end: int, text: str) -> list[Mention]:
    """Finds the runs of capitalized words that could be names, in order."""
    mentions: list[Mention] = []
    k = start
    for i, token in enumerate(tokens[start:end], start):
        if i < k or not token.capital or not token.word:
            continue
        if token.text[0] == "I" and _FIRST_PERSON.fullmatch(token.text):
            continue
        if i == 0 and _opens_sentence(tokens, end):
            continue
        k = _run_end(tokens, i, end)
        first = i
        while first < k and tokens[first].low in _EMPTY_WORDS:
            first += 1
        while first < k - 1 and is_demonym(tokens[first].low):
            first += 1
        if first == k:
            continue
        written = text[tokens[first].start : tokens[k - 1].end]
        possessive = written.endswith(("'s", "’s", "s'", "s’"))
        if possessive:
            written = written[: -2 if written[-1] in "sS" else -1]
        words, titles = _parts(written)
        if words:
            mentions.append(Mention(first, k, written, words, possessive, titles))
    return mentions


@lru_cache(maxsize=4096)
def _parts(written: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """Returns the words and titles of a name; no words if it is a nationality or a number."""
    words = person_words(written)
    single = len(words) == 1 and (words[0].isdigit() or is_demonym(words[0]))
    if single or is_demonym(written):
        return (), frozenset()
    mention = mention_at(unicodedata.normalize("NFC", written))
    whole = mention is not None and mention.end == len(written)
    name = mention.name if mention is not None and whole else read_name(written)
    return words, frozenset(name.titles)


def _opens_sentence(tokens: Sequence[Token], end: int) -> bool:
    """Whether the first word is capitalized only by its place: "Singer and poet Ann", "Born in"."""
    first = tokens[0]
    if end < 3 or tokens[1].capital:
        return False
    if tokens[1].low == "of" and first.low in _SO_DESCRIBED:
        return True  # "Winner of the Nobel Prize"
    if is_role(first.text) and tokens[1].low in {",", "and"}:
        return is_role(tokens[2].low) and not tokens[2].capital
    return first.low == "born" or (first.low in PASSIVE and tokens[1].low in SMALL)


def _run_end(tokens: Sequence[Token], i: int, end: int) -> int:
    """Returns the end of the run of name words that starts at `i`."""
    k = i + 1
    while k < end:
        token = tokens[k]
        previous = tokens[k - 1].text
        if previous.endswith(("'s", "’s")):
            break
        if token.capital and token.word:
            k += 1
        elif k + 1 < end and tokens[k + 1].low.rstrip(".") in _ADDED.get(token.low, ()):
            k += 2
        elif (token.low in _INNER and _particle_goes_on(tokens, k, end)) or (
            k > i and _ARTICLE.match(token.text)
        ):
            k += 1
        elif token.text == "–" and _joins(tokens, k, end):
            k += 2
        elif token.text in {'"', "“"} and (name_end := _nickname(tokens, k, end)):
            k = name_end
        else:
            break
    return k


def _joins(tokens: Sequence[Token], k: int, end: int) -> bool:
    """Whether a dash joins two surnames without spaces: "Quil–Brandt"."""
    if k + 1 == end or not (tokens[k + 1].capital and tokens[k + 1].word):
        return False
    return tokens[k - 1].end == tokens[k].start and tokens[k].end == tokens[k + 1].start


def _particle_goes_on(tokens: Sequence[Token], k: int, end: int) -> bool:
    after = k + 1
    while after < end and tokens[after].low in PARTICLES and after < k + 3:
        after += 1
    return after < end and tokens[after].capital and tokens[after].word


def _nickname(tokens: Sequence[Token], k: int, end: int) -> int:
    """Returns the end of a nickname quoted at `k` within a name (Leon F. "Lee" Ellis), or 0."""
    near = range(k + 2, min(k + 6, end - 1))
    close = next((j for j in near if tokens[j].text in {'"', "”"}), 0)
    next_token = tokens[close + 1]
    goes_on = (next_token.capital and next_token.word) or _particle_goes_on(tokens, close + 1, end)
    return close + 1 if close and goes_on and tokens[close - 1].word else 0


def roles_in(tokens: Sequence[Token], start: int, end: int) -> frozenset[str]:
    """Returns the role words in a span."""
    return descriptors(tokens, start, end)[0]


def descriptors(
    tokens: Sequence[Token], start: int, end: int
) -> tuple[frozenset[str], frozenset[str]]:
    """Returns the role words and the nationalities in a span."""
    roles = set()
    origins = set()
    for token in tokens[start:end]:
        if not token.word:
            continue
        if token.capital and token.start:
            if is_demonym(token.low):
                origins.update(token.low.replace("–", "-").split("-"))
        elif is_role(token.text):
            roles.add(token.low.removesuffix("'s"))
    return frozenset(roles), frozenset(origins)


def near_words(first: str, second: str) -> bool:
    """Whether two words differ by at most one letter (Tkachov, Tkachyov)."""
    if first == second:
        return True
    if (
        min(len(first), len(second)) < 5
        or abs(len(first) - len(second)) > 1
        or first[0] != second[0]
    ):
        return False
    short, long = sorted((first, second), key=len)
    k = 0
    while k < len(short) and short[k] == long[k]:
        k += 1
    return short[k + (len(short) == len(long)) :] == long[k + 1 :]


def life_years(text: str) -> Life:
    """Reads birth and death from bracketed text such as "1744–1826" or "born 5 May 1970".

    Example:
        >>> life_years("born May 5, 1970")
        Life(born=1970, died=None, birthday='5 may')
    """
    years = list(_YEARS.finditer(text))
    if not years:
        return NO_LIFE
    first, last = int(years[0].group()), int(years[-1].group())
    has_two = len(years) > 1
    day = _BIRTHDAY.search(text[: years[0].start()])
    birthday = f"{day[1] or day[4]} {day[2] or day[3]}".lower() if day else ""
    if _BORN.search(text):
        ended = has_two and (_DIED.search(text) or _DASH.search(text))
        return Life(first, last if ended else None, birthday)
    if _DIED.search(text) and not has_two:
        return Life(died=first)
    dash = _DASH.search(text, years[0].end())
    return NO_LIFE if dash is None else Life(first, last if has_two else None, birthday)


def same_word(first: str, second: str, *, slips: int = 7) -> bool:
    """Whether two words in names match; long words may differ by one letter.

    Example:
        >>> same_word("bob", "robert"), same_word("tkachov", "tkachyov"), same_word("a", "ann")
        (True, True, True)
    """
    slip = first[0] == second[0] and len(first) >= slips and near_words(first, second)
    return slip or same_given(first, second)


def contains(long: Form, short: Form) -> bool:
    """Whether a name contains every word of a shorter name, in any form."""
    slips = 5 if len(short) == 1 else 7  # "Marín Ruiz" is not "Martín"
    for word in short:
        if word not in long:
            # only short forms may begin with a different letter ("Bob" for "Robert")
            near = long if word in SHORT_FORMS else [o for o in long if o[0] == word[0]]
            if not any(same_word(word, other, slips=slips) for other in near):
                return False
    return True


def same(first: Form, second: Form) -> bool:
    """Whether two names have the same words, allowing for spelling variants and short forms."""
    if len(first) != len(second):
        return "".join(first) == "".join(second)  # "Min-jun", "Minjun"
    if all(same_word(a, b, slips=5) for a, b in zip(first, second, strict=True)):
        return True
    return contains(first, second) and contains(second, first)


def numbered_otherwise(name: Form, known_forms: Iterable[Form]) -> bool:
    """Whether a number or "Jr." distinguishes a name from all known names ("Cyril V")."""
    numbered = any(len(word) > 1 and word in SUFFIXES for word in name)
    if not (numbered or name[-1] in SUFFIXES):  # elsewhere an initial
        return False
    forms = [set(form) for form in known_forms]
    alike = any({w for w in form if w not in SUFFIXES} <= set(name) for form in forms)
    return alike and not any(form >= set(name) for form in forms)
