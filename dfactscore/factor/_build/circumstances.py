"""Creates variants of a sentence with other dates, numbers or directions that are plausible."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from dfactscore.engines._builtin.language.life_dates import life_terms
from dfactscore.factor._ambig.values import MONTHS
from dfactscore.factor._build.candidates import Candidate, drawn

_ANY_YEAR = re.compile(r"(?<![\d,.])(1[0-9]{3}|20[0-9]{2})(?!\d|,\d)")

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
        of_sentence = {int(m[1]) for m in _ANY_YEAR.finditer(sentence) if m.start() != start}
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
    return (int(match[1]) for match in _ANY_YEAR.finditer(text))


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
    return bool(_ANY_YEAR.search(sentence) or re.search(r"\b(?:died|death)\b", sentence))


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
