"""Dates, numbers and places changed by a little, in their own form."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from dfactscore.factor.ambig.values import MONTHS
from dfactscore.factor.build.candidates import Candidate, Edit, candidate

__all__ = ["circumstance_candidates"]

_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
            "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
            "nineteen", "twenty")  # fmt: skip
_ORDINALS = ("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_YEAR = re.compile(r"(?<![\d,.-])(1[0-9]{3}|20[0-9]{2})(?![\d,]\d|\d|s\b|–|-)")
_DAY = re.compile(
    rf"\b(?:({'|'.join(MONTHS)}) (\d{{1,2}})\b(?!\d)|(\d{{1,2}}) ({'|'.join(MONTHS)}))\b"
)
_MONTH = re.compile(rf"\b({'|'.join(MONTHS)})\b(?! \d{{1,2}}\b(?!\d))")
_DIGITS = re.compile(r"(?<![\w.,×–-])(\d{1,3}(?:,\d{3})+|\d{1,3})(?![\w:×-]|[.,]\d)")
_WORD = re.compile(rf"\b({'|'.join(_NUMBERS)})\b(?!-)", re.IGNORECASE)
_ORDINAL = re.compile(rf"\b({'|'.join(_ORDINALS)})\b(?!-| [A-Z]|-hand)")
_CYCLES = (
    ("spring", "summer", "autumn", "winter"),
    ("northern", "southern", "eastern", "western"),
    ("north", "south", "east", "west"),
    ("morning", "afternoon", "evening"),
    ("twenties", "thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties"),
)
_LAST_YEAR = 2025
_AT_MOST = 3


def circumstance_candidates(sentence: str, draw: random.Random, unlike: str) -> list[Candidate]:
    """Variants with another date or number.

    Args:
        sentence: The sentence.
        draw: Decides by how much.
        unlike: The document; a new year may not stand in it.
    """
    found: list[Candidate] = []
    years = [(m.start(), int(m[1])) for m in _YEAR.finditer(sentence)]
    for start, year in years:
        for new in _years(year, years, start, draw, unlike):
            found.append(_one(sentence, str(year), str(new), start))
    taken = {start for start, _ in years}
    for match in _DAY.finditer(sentence):
        day = match[2] or match[3]
        place = match.start(2) if match[2] else match.start(3)
        taken.add(place)
        choices = [n for n in range(1, 29) if abs(n - int(day)) >= 2 and str(n) not in unlike]
        for new in draw.sample(choices, min(_AT_MOST, len(choices))):
            found.append(_one(sentence, day, str(new), place))
    for match in _MONTH.finditer(sentence):
        if match[1] in ("May", "March") and not re.search(r"(?:in|of|since|until) $",
                                                          sentence[: match.start()]):  # fmt: skip
            continue
        choices_ = [month for month in MONTHS if month not in unlike]
        for month in draw.sample(choices_, min(_AT_MOST, len(choices_))):
            found.append(_one(sentence, match[1], month, match.start()))
    for match in _DIGITS.finditer(sentence):
        if match.start() in taken or _of_a_name(sentence, match.start()):
            continue
        for number in _numbers(match[1], draw):
            found.append(_one(sentence, match[1], number, match.start()))
    for pattern, words in ((_WORD, _NUMBERS), (_ORDINAL, _ORDINALS)):
        for match in pattern.finditer(sentence):
            if _of_a_name(sentence, match.start()):
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


def _years(
    year: int, years: Sequence[tuple[int, int]], start: int, draw: random.Random, unlike: str
) -> list[int]:
    """Other years that keep the order of the sentence's years and stand nowhere in the document."""
    others = [(s, y) for s, y in years if s != start]
    low = max((y for s, y in others if y < year), default=1000)
    high = min((y for s, y in others if y > year), default=_LAST_YEAR + 1)
    near = [
        y for y in range(year - 12, year + 13)
        if abs(y - year) >= 2 and low < y < high and y <= _LAST_YEAR and str(y) not in unlike
        and y not in {o for _, o in others}
    ]  # fmt: skip
    return draw.sample(near, min(_AT_MOST, len(near)))


def _of_a_name(sentence: str, start: int) -> bool:
    """Whether a number is a part of a name (Apollo 11, Channel 4, the Big Ten)."""
    before = sentence[:start].rstrip().split()
    last = before[-1] if before else ""
    return (bool(last) and last[0].isupper() and len(before) > 1) or sentence[start].isupper()


def _numbers(text: str, draw: random.Random) -> list[str]:
    """Other numbers of the same form and size."""
    value = int(text.replace(",", ""))
    if value < 2:
        return []
    step = max(1, value // 5)
    near = [value + k * step for k in (-2, -1, 1, 2) if value + k * step > 1]
    same = [n for n in near if len(str(n)) == len(str(value))] or near
    chosen = draw.sample(same, min(_AT_MOST, len(same)))
    return [f"{n:,}" if "," in text else str(n) for n in chosen]
