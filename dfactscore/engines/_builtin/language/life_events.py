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
    found: set[str] = set()
    if "(" in text:
        for match in _PARENTHESIS.finditer(text):
            inner = match[1]
            parts = _DASH.split(inner)
            if len(parts) == 2 and len(parts[0]) < 80 and len(parts[1]) < 80:
                left, right = _YEAR.search(parts[0]), _YEAR.search(parts[1])
                if right and (left or "born" not in inner.lower()):
                    _add(found, "b:", parts[0], numbers=True)
                    _add(found, "d:", parts[1], numbers=True)
    low = text.lower()  # looked at first: the patterns are slow where they find nothing
    if "born" in low or "birth" in low or " b." in low or "(b." in low:
        for match in _BIRTH.finditer(text):
            _add(found, "b:", _clip(match[1]))
    if (
        "die" in low
        or "dea" in low
        or "dec" in low
        or "passed" in low
        or "kill" in low
        or "execut" in low
        or "assass" in low
        or " d." in low
        or "(d." in low
    ):
        for match in _DEATH.finditer(text):
            _add(found, "d:", _clip(match[1]))
    return frozenset(found)


def ages_at_death(terms: frozenset[str]) -> tuple[str, ...]:
    """Returns the age at death, or the two possible ages.

    Empty unless exactly one birth year and one death year are known; a single age if the months
    differ.

    >>> ages_at_death(life_terms("Ann Lee (May 4, 1901 – March 2, 1980) swam."))
    ('78',)
    """
    born = [int(t[2:]) for t in terms if t[0] == "b" and len(t) == 6 and t[2:].isdecimal()]
    died = [int(t[2:]) for t in terms if t[0] == "d" and len(t) == 6 and t[2:].isdecimal()]
    if len(born) != 1 or len(died) != 1 or not 0 < died[0] - born[0] < 115:
        return ()
    age = died[0] - born[0]
    months = [
        [int(t[7:]) for t in terms if t.startswith(f"{role}:month") and t[7:].isdecimal()]
        for role in "bd"
    ]
    if len(months[0]) == len(months[1]) == 1 and months[0] != months[1]:
        return (str(age if months[1] > months[0] else age - 1),)
    return (str(age), str(age - 1))


def _clip(window: str) -> str:
    stop = _STOP.search(window)
    return window[: stop.start() + 1] if stop else window


def _add(found: set[str], role: str, text: str, numbers: bool = False) -> None:
    for item in tokens(text):
        if item.kind == 2 or (item.kind == 1 and item.upper and not numbers):
            found.add(role + item.key)
