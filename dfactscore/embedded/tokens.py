"""Words and sentences of a text, normalised so that equal meanings meet."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from dfactscore.embedded.lexicon import (
    CANONICAL,
    IRREGULAR,
    MONTHS,
    NEGATIONS,
    NUMBER_WORDS,
    STOP_WORDS,
)

__all__ = ["Token", "sentence_spans", "token", "words"]

_WORD = re.compile(r"[^\W_]+(?:[.,'’](?=[^\W_])[^\W_]+)*")
_NUMBER = re.compile(r"\d[\d.,]*")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)\Z")
_END = re.compile(r"[.!?]+[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[^\Wa-z_])|\n+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:[^\W\d_]|Mr|Mrs|Ms|Dr|St|Jr|Sr|Prof|Rev|Hon|Gen|Col|Capt|Lt|Sgt|Gov|Sen|Rep|Pres|vs"
    r"|No|Vol|Mt|Ft|Co|Inc|Ltd|Bros|ca|fl|Feb|Jan|Aug|Sept?|Oct|Nov|Dec)|\b(?:[^\W\d_]\.)+[^\W\d_])\Z"
)
_CACHE_LIMIT = 100_000


class Token(NamedTuple):
    """What is known of one word form.

    Attributes:
        kind: 0 function word, 1 word, 2 number, 3 negation.
        exact: The form in lower case without accents and possessive.
        key: What words are compared by: lemma, synonym class, country of a demonym, digits.
        loose: The beginning of the lemma, which derived forms share.
        upper: Whether the form begins with a capital letter.
    """

    kind: int
    exact: str
    key: str
    loose: str
    upper: bool


_cache: dict[str, Token] = {}


def words(text: str) -> list[str]:
    """Returns the word forms of a text in order; years of "1974–76" are written out.

    >>> words("Joseph F. Smith's son (1838–1918) won 1,000 games.")
    ['Joseph', 'F', "Smith's", 'son', '1838', '1918', 'won', '1,000', 'games']
    """
    return _WORD.findall(text)


def token(form: str) -> Token:
    """Normalises a word form; the result is remembered.

    >>> token("Scottish").key, token("studied").key, token("1,000").key, token("Twelve").key
    ('scotland', 'attend', '1000', '12')
    """
    known = _cache.get(form)
    if known is None:
        if len(_cache) >= _CACHE_LIMIT:
            _cache.clear()
        known = _cache[form] = _normalise(form)
    return known


def _normalise(form: str) -> Token:
    upper = form[0].isupper()
    exact = form.lower()
    if not exact.isascii():
        exact = exact.replace("’", "'").replace("ø", "o").replace("ł", "l").replace("đ", "d")
        exact = exact.replace("ß", "ss").replace("æ", "ae").replace("œ", "oe").replace("ı", "i")
        decomposed = unicodedata.normalize("NFKD", exact)
        exact = "".join(c for c in decomposed if not unicodedata.combining(c)) or exact
    if exact.endswith("n't"):
        return Token(3, exact, "not", "not", upper)
    exact = exact.removesuffix("'s")
    if "." in exact and not exact[0].isdigit():
        exact = exact.replace(".", "")  # U.S., Ph.D
    if exact in NEGATIONS:
        return Token(3, exact, "not", "not", upper)
    if exact in MONTHS and (upper or exact not in {"may", "march"}):
        return Token(2, exact, MONTHS[exact], MONTHS[exact], upper)
    if exact[:1].isdigit():
        ordinal = _ORDINAL.match(exact)
        if ordinal:
            digits = ordinal[1].lstrip("0") or "0"
            return Token(2, exact, f"{digits}th", digits, upper)
        if _NUMBER.fullmatch(exact):
            plain = exact.replace(",", "")
            plain = plain.lstrip("0") or "0"
            return Token(2, exact, plain, plain, upper)
        return Token(2, exact, exact, exact, upper)
    if exact in NUMBER_WORDS:
        return Token(2, exact, NUMBER_WORDS[exact], NUMBER_WORDS[exact].removesuffix("th"), upper)
    if exact in STOP_WORDS:
        return Token(0, exact, exact, exact, upper)
    lemma = _lemma(exact)
    key = CANONICAL.get(exact) or CANONICAL.get(lemma, lemma)
    return Token(1, exact, key, lemma[:5] if len(lemma) > 5 else lemma, upper)


def _lemma(word: str) -> str:
    if word in IRREGULAR:
        return IRREGULAR[word]
    size = len(word)
    if size > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if size > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        word = word[:-2]
    elif size > 3 and word[-1] == "s" and word[-2] not in "suia'":
        word = word[:-1]
    if word in IRREGULAR:
        return IRREGULAR[word]
    size = len(word)
    for suffix in ("ing", "ed"):
        if word.endswith(suffix) and size - len(suffix) >= 3:
            stem = word[: -len(suffix)]
            if not any(v in stem for v in "aeiouy"):
                return word
            if stem[-1] == stem[-2] and stem[-1] not in "lsz":
                stem = stem[:-1]
            elif suffix == "ed" and stem[-1] == "i":
                return stem[:-1] + "y"
            return stem.removesuffix("e")
    if size > 4 and word.endswith("ly"):
        word = word[:-2]
    return word.removesuffix("e") if len(word) > 4 else word


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Returns start and end (exclusive, characters) of each sentence; blank ones are left out.

    >>> text = "J. F. Smith was born in St. Ives. He died in 1918."
    >>> [text[a:b] for a, b in sentence_spans(text)]
    ['J. F. Smith was born in St. Ives.', 'He died in 1918.']
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for end in _END.finditer(text):
        stop = end.start()
        if text[stop] == "." and _ABBREVIATION.search(text, max(start, stop - 12), stop):
            continue
        _append(spans, text, start, end.end())
        start = end.end()
    _append(spans, text, start, len(text))
    return spans


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    body = piece.strip()
    if body:
        spans.append((start + left, start + left + len(body)))
