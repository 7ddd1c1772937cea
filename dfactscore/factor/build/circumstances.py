"""Dates, numbers and places changed by a little, in their own form."""

from __future__ import annotations

import random
import re

from dfactscore.factor.ambig.values import MONTHS
from dfactscore.factor.build.chronology import Chronology, is_public, numbers_a_span
from dfactscore.factor.build.variants import Candidate, Edit, candidate

__all__ = ["circumstance_candidates"]

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
_AT_MOST = 3


def circumstance_candidates(
    sentence: str, draw: random.Random, unlike: str, known: Chronology
) -> list[Candidate]:
    """Variants with another date or number.

    Args:
        sentence: The sentence.
        draw: Decides by how much.
        unlike: The document; a new year or number may not stand in it.
        known: What its prefix says about years.
    """
    found: list[Candidate] = []
    years = [(m.start(), m[1]) for m in _YEAR.finditer(sentence)]
    for start, year in years:
        free = known.others(sentence, start, unlike)
        for new in draw.sample(free, min(_AT_MOST, len(free))):
            found.append(_one(sentence, year, str(new), start))
    taken = {start for start, _ in years}
    public = is_public(sentence)
    for match in _DAY.finditer(sentence):
        day = match[2] or match[3]
        place = match.start(2) if match[2] else match.start(3)
        taken.add(place)
        if public or _SPELL.search(f"{sentence[:place]}|{sentence[place + len(day) :]}"):
            continue
        choices = [n for n in range(1, 29) if abs(n - int(day)) >= 2 and str(n) not in unlike]
        for new in draw.sample(choices, min(_AT_MOST, len(choices))):
            found.append(_one(sentence, day, str(new), place))
    for match in () if public else _MONTH.finditer(sentence):
        if match[1] in ("May", "March") and not re.search(r"(?:in|of|since|until) $",
                                                          sentence[: match.start()]):  # fmt: skip
            continue
        choices_ = [month for month in MONTHS if month not in unlike]
        for month in draw.sample(choices_, min(_AT_MOST, len(choices_))):
            found.append(_one(sentence, match[1], month, match.start()))
    for match in _DIGITS.finditer(sentence):
        start = match.start()
        if start in taken or _of_a_name(sentence, start) or numbers_a_span(sentence, start):
            continue
        if len(match[1]) == 3 and _EARLY_YEAR.search(sentence[:start]):
            continue
        for number in _numbers(match[1], draw, unlike):
            found.append(_one(sentence, match[1], number, match.start()))
    for pattern, words in ((_WORD, _NUMBERS), (_ORDINAL, _ORDINALS)):
        for match in pattern.finditer(sentence):
            start = match.start()
            if (
                _of_a_name(sentence, start)
                or numbers_a_span(sentence, start)
                or (words is _NUMBERS and _is_known(sentence, *match.span()))
                or (words is _ORDINALS and _is_ranking(sentence))
            ):
                continue
            place = words.index(match[1].lower())
            near = [i for i in range(max(0, place - 3), min(len(words), place + 4)) if i != place]
            fresh = [i for i in near if not re.search(rf"\b{words[i]}\b", unlike, re.IGNORECASE)]
            for choice in draw.sample(fresh, min(_AT_MOST, len(fresh))):
                shown = words[choice].capitalize() if match[1][0].isupper() else words[choice]
                found.append(_one(sentence, match[1], shown, match.start()))
    for group in _CYCLES:
        for match in re.finditer(rf"\b({'|'.join(group)})\b", sentence):
            if not _of_a_name(sentence, match.start()):
                others = [w for w in group if w != match[1] and w not in unlike]
                for word in draw.sample(others, min(_AT_MOST, len(others))):
                    found.append(_one(sentence, match[1], word, match.start()))
    return found


def _one(sentence: str, old: str, new: str, start: int) -> Candidate:
    return candidate("circumstance", sentence, [Edit(old, new, (start, start + len(old)))])


def _of_a_name(sentence: str, start: int) -> bool:
    """Whether a number is a part of a name (Apollo 11, Channel 4, the Big Ten)."""
    before = sentence[:start].rstrip().split()
    last = before[-1] if before else ""
    return (bool(last) and last[0].isupper() and len(before) > 1) or sentence[start].isupper()


def _is_known(sentence: str, start: int, end: int) -> bool:
    """Whether a reader knows how many there are: "the two countries", "two brothers, Al and Bo"."""
    if re.search(r"\b(?:the|both|these|those|other|his|her|its|their) $", sentence[:start]):
        return True
    return re.match(r"(?: [\w’-]+){1,4}[,:] .*\b[A-Z].* and ", sentence[end:]) is not None


def _is_ranking(sentence: str) -> bool:
    """Whether a rank follows from another one, or from a medal."""
    return "medal" in sentence or len(_ORDINAL.findall(sentence)) > 1


def _numbers(text: str, draw: random.Random, unlike: str) -> list[str]:
    """Other numbers of the same form and size that do not stand in a text."""
    value = int(text.replace(",", ""))
    if value < 2:
        return []
    step = max(1, value // 5)
    near = [value + k * step for k in (-2, -1, 1, 2) if value + k * step > 1]
    same = [n for n in near if len(str(n)) == len(str(value))] or near
    shown = [f"{n:,}" if "," in text else str(n) for n in same]
    fresh = [n for n in shown if not re.search(rf"(?<!\d){n}(?!\d)", unlike)]
    return draw.sample(fresh, min(_AT_MOST, len(fresh)))
