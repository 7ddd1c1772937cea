"""Finds years that are plausible alternatives, given the prefix."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from dfactscore.engines._builtin.language.life_events import life_terms

_YEAR = re.compile(r"(?<![\d,.])(1[0-9]{3}|20[0-9]{2})(?!\d|,\d)")
_BORN = re.compile(r"\bborn\b(?:(?!\band\b)[^.;]){0,60}$")
_DIED = re.compile(r"\b(?:died|killed|buried|death)\b[^.;]{0,60}$")
_COUNT = (
    r"(?:\d+|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?|one|two|three|four|"
    r"five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|a hundred)"
)
_ABOUT = r"(?:more than |only |nearly |almost |about )?"
# Phrases that, together with the prefix, determine the year: "after fifty-one years", "at 23".
_SPAN = re.compile(
    rf"\bafter {_ABOUT}{_COUNT}[- ](?:years?|seasons?)\b|"
    rf"\b{_COUNT} (?:years?|months?) (?:later|earlier|after|before)\b(?=.*\b[12]\d{{3}}\b)|"
    rf"\bfor {_ABOUT}{_COUNT} (?:years|seasons)\b(?=.*\b[12]\d{{3}}\b)|\byears old\b|"
    rf"\b(?:was|turned) {_ABOUT}{_COUNT}(?=[,;.]| and\b| when\b)|"
    rf"\b{_COUNT}(?: \w+){{0,4}} from [12]\d{{3}} (?:to|until)\b|"
    rf"\b(?:half a century|decades?), from\b|\bage[ds]?\b|\bat {_COUNT}\b|\banniversary\b|"
    r"\b(?:the (?:next|following|same)|that) (?:year|month|summer|winter|spring|autumn)\b",
    re.IGNORECASE,
)
# Events whose years are widely known.
_PUBLIC = re.compile(
    r"\b(?:Wars?|Battle|Revolution|Rebellion|Uprising|Crisis|Treaty|Armistice|Depression|"
    r"Massacre|Rising|Pearl Harbor|crisis|pandemic|epidemic|armistice|coronation|earthquake|"
    r"atomic|revolution|battle of|war|September 11|presidency)\b"
)
# matches "when Japan attacked …", but not "when he moved"
_WORLD = re.compile(r"\b(?i:when|as|after|before|until|while) (?:the )?[A-Z]\w+ [a-z]+\b[^,;]*$")
# Events every four years, and events whose place determines the year.
_GAMES = re.compile(
    r"^(?:,? (?:and )?\d{4})* (?:(?:Summer|Winter|European|Asian|Commonwealth|FIFA|Pan American|"
    r"presidential) )*(?:Olympics?|Olympic Games|Paralympics|Games|World Cup|election)\b"
)
_OF_GAMES = re.compile(r"\b(?:Olympics|Games|Cup) (?:of|in) $")
_HELD = re.compile(r"^(?: [A-Z][\w’'-]*| and)* in [A-Z]")
_GROWN, _GRADUATED = 18, 21
_STUDIED = re.compile(r"\b(?:graduat\w+|degree|doctorate|studied|reading|Universit\w+|Oxford)\b")
_APART = 9


@dataclass(frozen=True, slots=True)
class Chronology:
    """A reader's knowledge of years, based on the prefix."""

    stated: frozenset[int]
    birth: int | None
    grown: int  # minimum age at the start of a career
    latest: int

    @classmethod
    def of(cls, prefix: str, latest: int) -> Chronology:
        """Reads the prefix.

        Example:
            >>> Chronology.of("Ann Lee, born in 1950, swam for Leeds in 1970.", 2025).birth
            1950
        """
        born = (
            [int(term[2:]) for term in life_terms(part) if re.fullmatch(r"b:\d{4}", term)]
            for part in re.split(r"(?<=[.!?]) ", prefix)
        )
        first = next((years for years in born if years), None)
        grown = _GRADUATED if _STUDIED.search(prefix) else _GROWN
        return cls(frozenset(years_in(prefix)), min(first) if first else None, grown, latest)

    def others(self, sentence: str, start: int, taken: str) -> list[int]:
        """Other plausible years for a sentence; empty if a reader could infer the true one.

        These years preserve the order of all known years and the four-year cycle of games, and do
        not place a career in childhood.
        """
        year = int(sentence[start : start + 4])
        before, after = sentence[:start], sentence[start + 4 :]
        if is_reckoned(sentence) or is_public(sentence) or _WORLD.search(before):
            return []
        games = _OF_GAMES.search(before) or _GAMES.match(after)
        if _HELD.match(after) and (games or re.match(" [A-Z]", after)):
            return []
        of_sentence = {int(m[1]) for m in _YEAR.finditer(sentence) if m.start() != start}
        if year in of_sentence | self.stated:
            return []
        step = 4 if games else 1
        free = [
            y
            for y in self._near(year, of_sentence, before)
            if y != year and str(y) not in taken and (y - year) % step == 0
        ]
        # If at least three are left, only years that are not adjacent to the true one are used.
        far = [y for y in free if abs(y - year) >= 2]
        return far if len(far) >= 3 else free

    def _near(self, year: int, of_sentence: set[int], before: str) -> range:
        """The years that preserve the order of events, a plausible lifespan and short durations."""
        known = of_sentence | self.stated
        later = [y for y in known if y > year]
        low = max((y for y in known if y < year), default=year - _APART - 1) + 1
        high = min(later, default=self.latest + 1) - 1
        if _BORN.search(before):
            high = min([high, *(y - min(_GROWN, y - year) for y in later)])
        elif self.birth is not None and not _DIED.search(before):
            low = max(low, self.birth + min(self.grown, max(year - self.birth, 0)))
        # "bought in 1768 and ready in 1769": a short duration stays short.
        nearest = min(of_sentence, key=lambda y: abs(y - year), default=year + _APART)
        gap = abs(nearest - year)
        if gap < _APART:
            low, high = max(low, nearest - 2 * gap - 1), min(high, nearest + 2 * gap + 1)
        return range(max(low, year - _APART), min(high, year + _APART, self.latest) + 1)


def years_in(text: str) -> Iterable[int]:
    """The years in a text, including those in the names of decades."""
    return (int(match[1]) for match in _YEAR.finditer(text))


def is_reckoned(sentence: str) -> bool:
    """Whether a sentence contains a duration or age that gives away its year.

    Example:
        >>> is_reckoned("She was sold in 2012, after two years."), is_reckoned("Sold in 2012.")
        (True, False)
    """
    return bool(_SPAN.search(sentence))


def is_public(sentence: str) -> bool:
    """Whether a sentence mentions an event whose date is widely known.

    Example:
        >>> is_public("She came home before the Easter Rising."), is_public("She came home.")
        (True, False)
    """
    return _PUBLIC.search(sentence) is not None


def numbers_a_span(sentence: str, start: int) -> bool:
    """Whether a number is a duration or age that follows from a year or death in the sentence."""
    if not re.match(r"[\w-]+[- ](?:years?|seasons?)\b", sentence[start:]) and not re.search(
        r"\b(?:age of|aged?|ages|turned|[Aa]t) $", sentence[:start]
    ):
        return False
    return bool(_YEAR.search(sentence) or re.search(r"\b(?:died|death)\b", sentence))
