"""Births and deaths: "(1744–1826)", "(born 5 May 1970 in Leeds)", "was born in Leeds in 1970"."""

from __future__ import annotations

import re

from dfactscore.engines._builtin.language.tokens import tokens
from dfactscore.engines._builtin.language.word_classes import MONTHS

_MONTH = "(?:" + "|".join(m.capitalize() for m in sorted(MONTHS)) + ")"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_ABOUT = r"(?:AD\s|ca\.?|c\.?|circa|around|about|before|after|fl\.?)\s?"
_DATE = (
    rf"(?:{_ABOUT})?(?:{_DAY}\s(?:of\s)?{_MONTH},?\s(?:\d{{3,4}})|{_MONTH}\s{_DAY},?\s\d{{3,4}}|"
    rf"{_MONTH},?\s\d{{3,4}}|{_DAY}\s{_MONTH}|{_MONTH}\s{_DAY}|\d{{3,4}}s?)"
)
_DATE_ONLY = re.compile(_DATE)
_BARE_DATE = re.compile(rf" ({_MONTH}\s{_DAY},\s\d{{3,4}}),?(?= in | at | to )")
_TO = r" ?[–—‑] ?| - ?|- |(?<=\d)-|-$| to (?=\d|[A-Z]\w+\s\d|died)"  # before a death
# What separates the parts of a bracket, none of which is inside a date
_SEPARATOR = re.compile(
    rf"{_DATE}|(?P<to>{_TO})| ?; ?|,? (?:and )?(?=(?:died|d\.)(?: |$))|"
    r", (?=(?:born|b\.|née|nee) )"
)
_PLACE = r"(?:(?=[^\W\d_a-z])|(?=(?:an?|the|near)\s))[^\d;()]{1,60}"
_PART = re.compile(
    rf"(?:(?P<mark>born|b\.|died|d\.)\s*)?(?:(?P<before>[^;()]{{1,80}}?)(?P<space>,?\s))??(?:(?:on|in)\s)?"
    rf"(?P<date>{_DATE})(?:(?:,|,?\s(?:in|at)|(?=\s[A-Z]))\s(?P<place>{_PLACE}))?"
    rf"|(?P<only>born|died)\s(?:(?:in|at)\s(?P<alone>{_PLACE})|(?P<name>[A-Z][^\d,;]*))"
)
_MAIDEN = re.compile(r"(?:née|nee)\s(?P<name>[^\d,;]+)")
_AGED = re.compile(r",?\s(aged\s\d{1,3})\b")
_UNKNOWN = re.compile(r",\s(?:date|place|year) of (?:birth|death) un\w+$")
_FLOURISHED = re.compile(r"\bfl\b")  # the years of someone's work
_LIFE = re.compile(
    r"^(?P<head>(?:\w+ly |also |later |eventually )?(?:(?:was|is) born|died|passed away|"
    r"(?:was|were) baptized|(?:was|were) baptised|(?:was|were) buried))\b(?P<rest>.*)$",
    re.DOTALL,
)
_CHUNK = re.compile(
    r",?(?<!\bdue)(?<!\bprior)(?<!ed)(?<!ing)(?<!\s)\s+"
    r"(?=(?:in|on|at|to|from|into|near|due to|of|around|c\.|circa|as|by|after|while|during|aged)\s)"
)
_CONTINUING = frozenset({"of", "by", "as", "from", "into", "near", "while", "during", "after"})
_CLAUSE = re.compile(r",?\s(?:who|which|where|whose|when)\s")
_STRUCTURE = re.compile(r"\b(?:who|which|that|where|when|and|but|while|because)\b")
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


def life_statements(words: str) -> list[str]:
    """Splits parenthetical life dates, or a predicate about birth or death, into predicates.

    Example:
        >>> life_statements("(1744–1826)")
        ['was born in 1744', 'died in 1826']
        >>> life_statements("was born in Leeds on 5 May 1970")
        ['was born in Leeds', 'was born on 5 May 1970']
    """
    # Returns predicates such as `"was born in 1744"`; any other predicate is returned unchanged,
    # and any other parenthetical yields nothing.
    if words.startswith("("):
        return _bracket(words)
    found = _LIFE.match(words)
    if found is None or len(words) > 400:
        return [words]
    rest, goes_on = found["rest"], ""
    clause = _CLAUSE.search(rest)
    if clause is not None:
        # ", where he is head of a body at national level": none of it says where the birth was
        rest, goes_on = rest[: clause.start()], rest[clause.start() :]
    dated = _BARE_DATE.match(rest)
    chunks = _chunks(rest if dated is None else rest[dated.end() :])
    if dated is not None:
        chunks.insert(0, f"on {dated[1]}")
    if len(chunks) < 2:
        return [words]
    chunks[-1] += goes_on
    return [f"{found['head']} {chunk}" for chunk in chunks]


def _bracket(words: str) -> list[str]:
    """Returns the predicates of the births, deaths and names in brackets; empty if there are none.

    Words before the first of them are skipped: "(Hebrew: ...; born 1950)".
    """
    words = _UNKNOWN.sub("", " ".join(words.split()).strip("() ")).replace("†", "died")
    aged = _AGED.search(words)
    named: list[str] = []
    events: list[tuple[str, re.Match[str]]] = []
    for opens, text, ends in [] if _FLOURISHED.search(words) else _parts(_AGED.sub("", words)):
        maiden, part = _MAIDEN.fullmatch(text), _PART.fullmatch(text)
        if maiden or (part and part["name"] and part["only"] == "born"):
            named.append(f"was born {(maiden or part)['name']}")  # type: ignore[index]
        elif part is None or (part["space"] == " " and not part["mark"]):
            if events and text not in {"", "died"}:
                return []
        elif part["mark"] or part["alone"] or opens or ends or named:
            mark = part["mark"] or part["only"]
            if not (mark or events) and opens:
                return named  # "(president 1801–1805)"
            died = mark in {"died", "d."} or (not mark and opens)
            events.append(("died" if died else "was born", part))
    if not events:
        return named
    predicates = [*named, *_events(events)]
    return [*predicates, f"died {aged[1]}"] if aged and events[-1][0] == "died" else predicates


def _parts(words: str) -> list[tuple[bool, str, bool]]:
    """Returns the parts of a bracket, and whether a dash is before and after each."""
    parts: list[tuple[bool, str, bool]] = []
    start, opens = 0, False
    for found in _SEPARATOR.finditer(words):
        if not _DATE_ONLY.fullmatch(found.group()):
            to = found["to"] is not None
            parts.append((opens, words[start : found.start()].strip(" ,"), to))
            start, opens = found.end(), to
    return [*parts, (opens, words[start:].strip(" ,"), False)]


def _events(events: list[tuple[str, re.Match[str]]]) -> list[str]:
    """Returns the predicates of a birth and a death."""
    placed = len(events) > 1 and all(part["before"] for _, part in events)
    predicates: list[str] = []
    for verb, part in events:
        place, before = part["place"] or part["alone"], part["before"]
        first = before and not placed and part["mark"] and before[0].isupper()
        if first and verb == "was born" and not re.search(r", (?![JS]r\.)", before):
            predicates.append(f"{verb} {before}")  # "born Eva Hill on 3 May 1900"
        elif before and (placed or part["mark"]):
            place = re.sub("^(?:in|at) ", "", before)
        if part["date"]:
            predicates.append(_dated(verb, part["date"]))
        if place:
            predicates.append(f"{verb} in {place.strip(' ,')}")
    return predicates


def _dated(verb: str, date: str) -> str:
    date = re.sub(r"^(?:ca\.?|c\.?(?!irca)|circa)\s?", "around ", date.strip(" ,"))
    if date.startswith(("around", "about", "before", "after")):
        return f"{verb} {date}"
    on_day = re.match(rf"{_DAY} |{_MONTH} {_DAY}(?:,|$| )", date)
    return f"{verb} {'on' if on_day else 'in'} {date}"


def _chunks(rest: str) -> list[str]:
    """Splits "in Leeds on 5 May 1970 to poor parents" into place, date and parents."""
    chunks: list[tuple[str, str]] = []
    for part in (written.strip(" ,") for written in _CHUNK.split(rest)):
        kind = _kind(part)
        before = chunks[-1][0] if chunks else ""
        if before and (kind == before or before == "other" or part.split(" ")[0] in _CONTINUING):
            comma = "," if f", {part}" in rest else ""
            chunks[-1] = (before, f"{chunks[-1][1]}{comma} {part}")
        elif part:
            chunks.append((kind, part))
    return [words for _, words in chunks]


def _kind(part: str) -> str:
    word, _, rest = part.partition(" ")
    dated = _DATE_ONLY.match(rest.removeprefix("the "))
    if word == "on" or (word in {"in", "around", "c.", "circa"} and dated):
        return "date"
    if word in {"in", "at", "near"} and not _STRUCTURE.search(rest):
        return "age" if rest.startswith("the age") else "place"
    if word in {"to", "due", "from", "of", "aged"}:
        return word
    return "other"


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
