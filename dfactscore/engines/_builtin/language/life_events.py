"""Dates and places of births and deaths."""

from __future__ import annotations

import re

from dfactscore.engines._builtin.language.tokens import tokens

_PARENTHESIS = re.compile(r"\(([^()]{4,160})\)")
_DASH = re.compile(r"(?:(?<!\s)\s+)?[–—‒−]\s*|(?<!\s)\s+-+\s+|(?<=\d)-(?=\d{3})")
_YEAR = re.compile(r"(?<![\d.,])(?:1\d\d\d|20\d\d|[1-9]\d\d)(?![\d,])")
_BIRTH = re.compile(r"\b(?:born|birth(?:day|date|place)?|b\.)(?=\W)([^;()]{0,90})", re.IGNORECASE)
_DEATH = re.compile(
    r"\b(?:died|dies|die|death|deceased|passed away|killed|executed|assassinated|d\.)(?=\W)"
    r"([^;()]{0,90})",
    re.IGNORECASE,
)
# Every match of a pattern contains one of these.
_BIRTH_CUES = ("born", "birth", " b.", "(b.")
_DEATH_CUES = ("die", "dea", "dec", "passed", "kill", "execut", "assass", " d.", "(d.")
_LONGEST_DATE = 80
_LONGEST_LIFE = 115
_STOP = re.compile(
    r"\b(?:died|dies|death|deceased|passed away|killed|executed|assassinated|born|birth|buried|son"
    r"|daughter|and (?:was|is|he|she))\b|[a-z)\d]\.\s"
)


def life_terms(text: str) -> frozenset[str]:
    """Returns the numbers, months and capitalized words given for a birth ("b:") or a death ("d:").

    They are read from "born in … on …", "died in …", "birth year was …" and from the years in
    parentheses.

    >>> sorted(life_terms("John Bruce (1744–1826) was born in Leith."))
    ['b:1744', 'b:leith', 'd:1826']
    """
    terms: set[str] = set()
    for match in _PARENTHESIS.finditer(text) if "(" in text else ():
        terms |= _bracketed(match[1])
    low = text.lower()  # looked at first: the patterns are slow where they find nothing
    for role, cues, pattern in (("b:", _BIRTH_CUES, _BIRTH), ("d:", _DEATH_CUES, _DEATH)):
        for match in pattern.finditer(text) if any(map(low.__contains__, cues)) else ():
            terms |= _terms(role, _clip(match[1]))
    return frozenset(terms)


def _bracketed(text: str) -> set[str]:
    """Returns the terms of a birth and a death in parentheses, which a dash separates."""
    parts = _DASH.split(text)
    if len(parts) != 2 or max(map(len, parts)) >= _LONGEST_DATE or not _YEAR.search(parts[1]):
        return set()
    if "born" in text.lower() and not _YEAR.search(parts[0]):
        return set()
    return _terms("b:", parts[0], numbers=True) | _terms("d:", parts[1], numbers=True)


def ages_at_death(terms: frozenset[str]) -> tuple[str, ...]:
    """Returns the age at death, or the two possible ages.

    Empty unless exactly one birth year and one death year are known; a single age if the months
    differ.

    >>> ages_at_death(life_terms("Ann Lee (May 4, 1901 – March 2, 1980) swam."))
    ('78',)
    """
    (born, born_month), (died, died_month) = (_year_and_month(terms, role) for role in "bd")
    if born is None or died is None or not 0 < died - born < _LONGEST_LIFE:
        return ()
    age = died - born
    if born_month is None or died_month is None or born_month == died_month:
        return (str(age), str(age - 1))
    return (str(age if died_month > born_month else age - 1),)


def _year_and_month(terms: frozenset[str], role: str) -> tuple[int | None, int | None]:
    """Returns the year and the month of a birth or death; None unless exactly one is given."""
    years = [int(t[2:]) for t in terms if t[0] == role and len(t) == 6 and t[2:].isdecimal()]
    months = [int(t[7:]) for t in terms if t.startswith(f"{role}:month") and t[7:].isdecimal()]
    return years[0] if len(years) == 1 else None, months[0] if len(months) == 1 else None


def _clip(window: str) -> str:
    stop = _STOP.search(window)
    return window[: stop.start() + 1] if stop else window


def _terms(role: str, text: str, *, numbers: bool = False) -> set[str]:
    """Returns the numbers and months in a text and, unless `numbers`, its capitalized words."""
    return {
        role + item.key
        for item in tokens(text)
        if item.kind == 2 or (item.kind == 1 and item.upper and not numbers)
    }
