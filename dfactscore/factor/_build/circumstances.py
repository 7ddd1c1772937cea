"""Creates variants of a sentence with different dates, numbers or directions in the same format."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from random import Random

from dfactscore.factor._ambig.values import MONTHS
from dfactscore.factor._build.chronology import Chronology, is_public, numbers_a_span
from dfactscore.factor._build.variants import Candidate, drawn

_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
            "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
            "nineteen", "twenty")  # fmt: skip
_ORDINALS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_YEAR = re.compile(r"(?<![\d,.–-])(1[0-9]{3}|20[0-9]{2})(?![\d,]\d|\d|s\b|st\b|[nr]d\b|th\b|–|-)")
_DAY = re.compile(
    rf"\b(?:({'|'.join(MONTHS)}) (\d{{1,2}})\b(?!\d)|(\d{{1,2}}) ({'|'.join(MONTHS)}))\b"
)
_SPELL = re.compile(r"\d (?:to|–|-|and) \||\| (?:to|–|-|and) \d")  # "4 to 5 October"
_MONTH = re.compile(rf"\b({'|'.join(MONTHS)})\b(?! \d{{1,2}}\b(?!\d)| [A-Z])")
_DIGITS = re.compile(r"(?<![\w.,×–-])(\d{1,3}(?:,\d{3})+|\d{1,3})(?![\w:×-]|[.,]\d)")
_EARLY_YEAR = re.compile(r"\b(?:born|died|in|from|to|until|c\.|d\.|AD) $")  # "born 585"
_WORD = re.compile(rf"(?<!-)\b({'|'.join(_NUMBERS)})\b(?!-)", re.IGNORECASE)
_ORDINAL = re.compile(rf"\b({'|'.join(_ORDINALS)})\b(?!-| [A-Z]|-hand)")
_CYCLES = (
    ("spring", "summer", "autumn", "winter"),
    ("northern", "southern", "eastern", "western"),
    ("north", "south", "east", "west"),
    ("morning", "afternoon", "evening"),
    ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"),
)


def circumstance_candidates(
    sentence: str, draw: Random, unlike: str, known: Chronology
) -> list[Candidate]:
    """Creates variants that have a different date or number."""
    years = list(_YEAR.finditer(sentence))
    days = [(m[2], m.start(2)) if m[2] else (m[3], m.start(3)) for m in _DAY.finditer(sentence)]
    taken = {match.start() for match in years} | {start for _, start in days}
    public = is_public(sentence)
    places: list[tuple[str, int, list[str]]] = [
        (m[1], m.start(), [*map(str, known.others(sentence, m.start(), unlike))]) for m in years
    ]
    if not public:
        places += _days(sentence, days, unlike)
        places += _months(sentence, unlike)
    places += _digits(sentence, taken, unlike)
    places += _in_words(sentence, _WORD, _NUMBERS, unlike)
    places += _in_words(sentence, _ORDINAL, _ORDINALS, unlike)
    places += _cycles(sentence, unlike)
    return [
        one
        for old, start, choices in places
        for one in drawn("circumstance", sentence, (old, start), choices, draw)
    ]


_Places = Iterator[tuple[str, int, list[str]]]  # value, position and alternatives


def _days(sentence: str, days: Sequence[tuple[str, int]], unlike: str) -> _Places:
    for day, place in days:
        if not _SPELL.search(f"{sentence[:place]}|{sentence[place + len(day) :]}"):
            others = (n for n in range(1, 29) if abs(n - int(day)) >= 2)
            yield day, place, [str(n) for n in others if str(n) not in unlike]


def _months(sentence: str, unlike: str) -> _Places:
    for match in _MONTH.finditer(sentence):
        before = sentence[: match.start()]
        if match[1] not in ("May", "March") or re.search(r"(?:in|of|since|until) $", before):
            yield match[1], match.start(), [month for month in MONTHS if month not in unlike]


def _digits(sentence: str, taken: Container[int], unlike: str) -> _Places:
    for match in _DIGITS.finditer(sentence):
        start = match.start()
        if start in taken or _of_a_name(sentence, start) or numbers_a_span(sentence, start):
            continue
        if len(match[1]) != 3 or not _EARLY_YEAR.search(sentence[:start]):
            yield match[1], start, _numbers(match[1], unlike)


def _in_words(
    sentence: str, pattern: re.Pattern[str], words: Sequence[str], unlike: str
) -> _Places:
    """Finds numbers and ranks written as words, along with similar ones to replace them."""
    for match in pattern.finditer(sentence):
        start = match.start()
        if _of_a_name(sentence, start) or numbers_a_span(sentence, start):
            continue
        if _is_ranking(sentence) if words is _ORDINALS else _is_known(sentence, *match.span()):
            continue
        place = words.index(match[1].lower())
        near = [word for word in words[max(0, place - 3) : place + 4] if word != words[place]]
        unused = [w for w in near if not re.search(rf"\b{w}\b", unlike, re.IGNORECASE)]
        yield match[1], start, [*map(str.capitalize, unused)] if match[1][0].isupper() else unused


def _cycles(sentence: str, unlike: str) -> _Places:
    for group in _CYCLES:
        for match in re.finditer(rf"\b({'|'.join(group)})\b", sentence):
            if not _of_a_name(sentence, match.start()):
                others = [w for w in group if w != match[1] and w not in unlike]
                yield match[1], match.start(), others


def _of_a_name(sentence: str, start: int) -> bool:
    """Whether a number is part of a name (Apollo 11, Channel 4, the Big Ten)."""
    before = sentence[:start].rstrip().split()
    last = before[-1] if before else ""
    return (bool(last) and last[0].isupper() and len(before) > 1) or sentence[start].isupper()


def _is_known(sentence: str, start: int, end: int) -> bool:
    """Whether the context gives a number away: "the two countries", "two brothers, Al and Bo"."""
    if re.search(r"\b(?:the|both|these|those|other|his|her|its|their) $", sentence[:start]):
        return True
    return re.match(r"(?: [\w’-]+){1,4}[,:] .*\b[A-Z].* and ", sentence[end:]) is not None


def _is_ranking(sentence: str) -> bool:
    """Whether a rank follows from another rank or a medal in the sentence."""
    return "medal" in sentence or len(_ORDINAL.findall(sentence)) > 1


def _numbers(text: str, unlike: str) -> list[str]:
    """Other numbers of the same format and size that do not occur in a text."""
    value = int(text.replace(",", ""))
    if value < 2:
        return []
    step = max(1, value // 5)
    near = [value + k * step for k in (-2, -1, 1, 2) if value + k * step > 1]
    same = [n for n in near if len(str(n)) == len(str(value))] or near
    shown = [f"{n:,}" if "," in text else str(n) for n in same]
    return [n for n in shown if not re.search(rf"(?<!\d){n}(?!\d)", unlike)]
