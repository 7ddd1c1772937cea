"""Words of a text, normalized so that words with the same meaning have the same key."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from dfactscore._text.clean_text import fold_accents
from dfactscore._util.bounded_memory import BoundedCache
from dfactscore.engines._builtin.language.word_classes import (
    word_heads,
    word_list,
    word_pairs,
    words_in_order,
)

STOP_WORDS = word_list("stop_words")
PRONOUNS = word_list("pronouns")
NEGATIONS = word_list("negations")
NUMBER_WORDS = word_pairs("number_words")
NOT_AGENTS = word_list("not_agents")
MONTHS = {
    form: f"month{number}"
    for number, name in enumerate(words_in_order("months"), 1)
    for form in (name, name[:3])
} | {"sept": "month9"}
IRREGULAR = word_heads("irregular")
CANONICAL = word_heads("synonyms", "countries")
IMPLIED = word_heads("implied")


_WORD = re.compile(r"[^\W_]+(?:[.,'’][^\W_]+)*")
_NUMBER = re.compile(r"\d[\d.,]*")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)\Z")
_VOWELS = frozenset("aeiouy")
_CACHE_LIMIT = 100_000
_ALIKE = 0.75  # share of letters in common order


class WordForm(NamedTuple):
    """The properties of one word form."""

    kind: int  # 0 function word, 1 word, 2 number, 3 negation
    exact: str  # form in lowercase, without accents or possessive ending
    key: str  # key used in comparisons: a lemma, synonym class, country for a demonym, or digits
    loose: str  # `" "` and the beginning of the lemma, which is shared by derived forms
    upper: bool
    # The terms that the form adds to a page: its key, its loose form, the decade and century of a
    # year, and the country of a place; empty for function words and negations.
    terms: tuple[str, ...]


def words(text: str) -> list[str]:
    """Returns the word forms of a text in order; "passed away" is read as "died".

    >>> words("Joseph F. Smith's son (1838–1918) won 1,000 games.")
    ['Joseph', 'F', "Smith's", 'son', '1838', '1918', 'won', '1,000', 'games']
    """
    return _WORD.findall(plain_phrases(text))


def plain_phrases(text: str) -> str:
    """Replaces phrases with single-word equivalents, and combines letters with their accents.

    >>> plain_phrases("He passed away in the United States.")
    'He died in the USA.'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    if "assed away" in text:
        text = text.replace("passed away", "died").replace("Passed away", "Died")
    if "nited " in text:
        text = text.replace("United States", "USA").replace("United Kingdom", "UK")
    return text


def token(form: str) -> WordForm:
    """Normalizes a word form; results are cached.

    >>> token("Scottish").key, token("studied").key, token("1,000").key, token("Twelve").key
    ('scotland', 'attend', '1000', '12')
    """
    return _cache[form]


def tokens(text: str) -> list[WordForm]:
    """Returns the normalized words of a text."""
    return list(map(_cache.__getitem__, words(text)))


def _normalize(form: str) -> WordForm:
    kind, exact, key, loose = _classify(form)
    terms: list[str] = []
    if kind in (1, 2):
        terms += (key, loose)
    if kind == 2 and len(key) == 4 and key.isdecimal():
        terms += (key[:3] + "0s", f"{int(key[:2]) + 1}th", "century")
    if exact in IMPLIED:
        general = IMPLIED[exact]
        terms.append(general if general == exact else _classify(general)[2])
    return WordForm(kind, exact, key, loose, form[0].isupper(), tuple(terms))


_cache = BoundedCache(_normalize, most=_CACHE_LIMIT)


def _classify(form: str) -> tuple[int, str, str, str]:
    exact = form.lower()
    if not exact.isascii():
        exact = fold_accents(exact.replace("’", "'")) or exact
    exact = exact.removesuffix("'s")
    if "." in exact and not exact[0].isdecimal():
        exact = exact.replace(".", "")  # U.S., Ph.D
    if exact in NEGATIONS or exact.endswith("n't"):
        return 3, exact, "not", " not"
    if exact in MONTHS and (form[0].isupper() or exact not in {"may", "march"}):
        month = MONTHS[exact]
        return 2, exact, month, " " + month
    if exact[:1].isdecimal():
        return 2, exact, *_number(exact)
    if exact in NUMBER_WORDS:
        key = NUMBER_WORDS[exact]
        return 2, exact, key, " " + key.removesuffix("th")
    if exact in STOP_WORDS:
        return 0, exact, exact, " " + exact
    lemma = _lemma(exact)
    return 1, exact, _CANONICAL.get(lemma, lemma), " " + _root(lemma)


def _number(digits: str) -> tuple[str, str]:
    """Returns the key and the loose form of a number: "1,000", "2nd", "3d"."""
    ordinal = _ORDINAL.match(digits)
    if ordinal:
        plain = ordinal[1].lstrip("0") or "0"
        return f"{plain}th", f" {plain}"
    if _NUMBER.fullmatch(digits):
        digits = digits.replace(",", "").lstrip("0") or "0"
    return digits, f" {digits}"


def _lemma(word: str) -> str:
    singular = word if word in IRREGULAR else _singular(word)
    if singular in IRREGULAR:
        return _bare(IRREGULAR[singular])
    if singular[-1] == "y" and word.endswith("ies"):
        return singular
    for suffix in ("ing", "ed"):
        if singular.endswith(suffix) and len(singular) - len(suffix) >= 3:
            return _verb_stem(singular, suffix)
    if len(singular) > 6 and singular.endswith("ly") and singular[-3] != "i":
        singular = singular[:-2]
    return _bare(singular)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] not in "suia'" else word


def _verb_stem(word: str, suffix: str) -> str:
    """Returns a regular verb without "-ing" or "-ed" and what these add or change."""
    stem = word.removesuffix(suffix)
    if _VOWELS.isdisjoint(stem):
        return word
    if stem[-1] == stem[-2] and stem[-1] not in "lsz":
        return stem[:-1].removesuffix("e")
    if suffix == "ed" and stem[-1] == "i":
        return stem[:-1] + "y"
    return stem.removesuffix("e")


def _root(lemma: str) -> str:
    """Returns the stem that a verb shares with its agent noun ("swim" and "swimmer")."""
    if len(lemma) > 5 and lemma.endswith(("er", "or")) and lemma not in NOT_AGENTS:
        stem = lemma[:-2]
        if stem[-1] == stem[-2] and stem[-1] not in "lsz":
            stem = stem[:-1]
        if not _VOWELS.isdisjoint(stem):
            return stem[:5]
    return lemma[:5]


def _bare(lemma: str) -> str:
    """Drops a final e, which is missing before "-ing" and "-ed" in other forms."""
    return lemma.removesuffix("e") if len(lemma) > 3 else lemma


_CANONICAL = {_lemma(word): _lemma(head) for word, head in CANONICAL.items()}


@lru_cache(maxsize=20_000)
def _alike(one: str, other: str) -> bool:
    if one[:1] != other[:1]:
        return False
    short = min(len(one), len(other))
    if one[:short] == other[:short]:  # an initial, a short form
        return True
    return short > 3 and SequenceMatcher(None, one, other, autojunk=False).ratio() >= _ALIKE


def resembles(name: str, names: Iterable[str]) -> bool:
    """Whether a name may be a variant, an initial or a short form of any of the given names.

    >>> [resembles("akhtar", names) for names in (["akhter", "husain"], ["a"], ["lee"])]
    [True, True, False]
    """
    return any(_alike(name, other) for other in names)
