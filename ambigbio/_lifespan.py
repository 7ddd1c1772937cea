"""Reads years of birth and death from articles, short descriptions and lines of name pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from dfactscore._text.clean_text import fold_accents
from dfactscore._text.names import name_words
from dfactscore._text.person_names import TITLES
from dfactscore.ambigbio._languages import Language

_LONGEST_LIFE = 125
_DATED = re.compile(r"(?<!\d)\d{3,4}(?!\d)")
_MOST_PIECES = 12
_SHORTEST_LIFE = 12  # years; a shorter range after a name is usually a term of office
_LONGEST_CAREER = 25  # years; a shorter range between two places may be a player's time at clubs
_MONTH = (
    r"(?:jan(?:uary|uar|vier)?|feb(?:ruary|ruar|rero)?|février|mar(?:ch|s|zo)?|märz|apr(?:il)?"
    r"|avril|abril|mayo?|mai|june?|juni|juin|junio|july?|juli|juillet|julio|aug(?:ust)?|août"
    r"|agosto|sept?(?:ember|embre|iembre)?|o[ck]t(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?"
    r"|de[cz](?:ember)?|décembre|diciembre|enero|spring|summer|autumn|winter)(?![^\W\d])"
)
# After these words, a number is an age, not a year.
_AGE = re.compile(
    r"(?:,\s*)?(?<!\w)(?:(?:at\s+(?:the\s+)?)?aged?(?:\s+of)?|im\s+alter\s+von|à\s+l['’]âge\s+de|âgée?\s+de"
    r"|a\s+los)\s+\d{1,3}(?!\d)(?:\s+(?:years|jahren?|ans|años)(?!\w))?",
    re.IGNORECASE,
)
_UNKNOWN = r"(?:\?|(?:[^\W\d]+\s+){0,3}(?:unknown|unbekannt|inconnue?|desconocid[oa])(?!\w))"


class Lifespan(NamedTuple):
    """Years of birth and death; negative for years BC, None if unknown."""

    born: int | None = None
    died: int | None = None

    def or_else(self, other: Lifespan) -> Lifespan:
        """Returns these years, with unknown ones filled in from another lifespan."""
        born = other.born if self.born is None else self.born
        died = other.died if self.died is None else self.died
        whole = Lifespan(born, died)
        return whole if whole.possible() else self

    def shown(self) -> str:
        """Formats the years.

        Example:
            >>> Lifespan(-50, 12).shown(), Lifespan(born=1950).shown()
            ('50 BC–12', 'born 1950')
        """
        born, died = (
            None if year is None else f"{abs(year)} BC" if year < 0 else str(year) for year in self
        )
        if born and died:
            return f"{born}–{died}"
        return f"born {born}" if born else f"died {died}" if died else ""

    def possible(self) -> bool:
        """Whether the year of death is plausible, given the year of birth."""
        return self.born is None or self.died is None or 0 <= self.died - self.born <= _LONGEST_LIFE


_DAY = r"\d{1,2}(?:st|nd|rd|th|er|[ºª°])?"
# a date may precede the year: "15 March 1950", "March 15, 1950", "3. 4. 1950"
_DATE = (
    rf"(?:(?:{_DAY}\.?\s+(?:(?:de|of)\s+)?[^\W\d]{{3,12}}|{_MONTH})\.?,?\s+(?:{_DAY},?\s+)?"
    r"(?:de\s+)?|\d{1,2}[./]\s*(?:\d{1,2}|[IVX]{1,4})[./]\s*)?"
)
_TOWN = (
    r"(?:(?-i:(?:['’]s-|(?:d|l|dell|nell)['’])?[^\W\d_a-z][^\W\d_A-Z][\w'’.-]*)"
    r"|(?:aldaar|ebenda|ivi|i[bd]em|ib[ií]d(?:em|\.))(?!\w))"  # "in the same place"
)
_WITHIN_TOWN = (
    r"(?:aan|am|an|da|das|de|del|dell?a|den|der|di|do|dos|e|en|im|in|la|las|le|les|nell?a|of|op|sur"
    r"|upon|y)"
)
_PLACE = rf"(?:(?:,|,?\s+(?:in|at|near|à|en|bei))\s+{_TOWN}(?:,?\s+{_TOWN}){{0,4}})?"
_TOWNS = rf"(?:in\s+)?{_TOWN},?\s+(?:(?:{_WITHIN_TOWN}\s+){{0,2}}{_TOWN},?\s+){{0,4}}"
_NAMED = rf"(?:{_TOWNS})?"
_DASH = r"\s*(?:[-–—−]{1,3}|(?<=\s)to(?=\s)|(?<=\s)until(?=\s))\s*"
_BEHIND = (
    r"\s*(?:,?\s*(?:[JS]r\.?|[IV]+)(?!\w)\s*)?(?:\([^()\d]*\)\s*)*"
    r"(?:\((?P<round>(?:[^()]|\([^()]*\)){1,200})\)|\[(?P<square>[^\[\]]{1,120})\]"
    r"|,\s*(?P<bare>(?=[^,]*[-–—−])[^,;()]{4,60})(?=,|$))"
)


def _any(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) or "(?!)"


@cache
def _patterns(data: Language) -> dict[str, re.Pattern[str]]:
    around = _any(word.removesuffix(".") for word in data.about)
    about = rf"(?:(?:{around}|AD|A\.D|CE)(?![^\W\d])\.?\s*|[~?]\s*){{0,3}}"

    def year(name: str) -> str:
        era = rf"(?:\s*(?:(?P<{name}era>{_any(data.before_christ)})|AD|A\.D\.|CE|n\. Chr\.))?"
        other = r"\s*(?:/|or)\s*\d{1,4}|\s+or\s+[^\W\d]+|-\d\d-\d\d|s|[?*†]"
        return rf"{about}{_DATE}{about}(?P<{name}>\d{{1,4}})(?:{other})?{era}{_PLACE}"

    marks = ((*data.born, "*"), (*data.died, "†"))
    # "b 1911" is also read; "Born Free" and "Died Hard" are titles
    born, died = (
        rf"(?<!\w)(?!(?-i:[A-Z]\w+\s+(?!(?i:{_MONTH}))[A-Z]))(?:{_any(words)}"
        rf"|(?-i:{_any(w[:-1] for w in words if w.endswith('.'))})(?=\s))"
        for words in marks
    )
    # after "born" and "died", any words up to the year: "in the spring of 1911"
    when = rf"(?:\s*{_NAMED}|(?:(?!{born}|{died})[^\d,;]){{0,40}}?)"
    patterns = {
        "behind": _BEHIND,
        "parenthesis": r"\(((?:[^()]|\([^()]*\)){1,200})\)",
        "flourished": rf"\s*(?<!\w)(?:{_any(data.flourished)})(?!\w)",
        "range": rf"(?:(?:{born}{when})?(?:{year('b')}|{_UNKNOWN}))?{_DASH}(?:{died}{when}"
        rf"|(?-i:(?:[a-z]{{2,}}\.?\s+){{1,3}}))?(?:{year('d')}|{_UNKNOWN}|[^\W\d]+)?",
        # places on both sides, unlike a term of office: "Leeds 1911 – York 1990"
        "both before": rf"{_TOWNS}{year('b')}{_DASH}{_TOWNS}{year('d')}",
        "both behind": rf"{year('b')}\s+{_TOWN}{_DASH}{year('d')}\s+{_TOWN}",
        # a whole date after a place, as leads in Romance languages and Dutch give a birth
        "born at": rf"(?=\D+\d{{1,2}}\D){_TOWNS}{year('b')}",
        "born": rf"{born}{when}{year('b')}",
        "died": rf"{died}{when}{year('d')}",
        "born within": rf"(?!\w\s){born}\s*{_NAMED}{year('b')}",
        "died within": rf"(?!\w\s){died}\s*{year('d')}",
    }
    return {name: re.compile(text, re.IGNORECASE) for name, text in patterns.items()}


def _year(match: re.Match[str], name: str) -> int | None:
    digits = match.groupdict().get(name)
    if not digits or not 0 < int(digits) < 2200:
        return None
    return -int(digits) if match[f"{name}era"] else int(digits)


def _piece(text: str, data: Language, shortest: int) -> Lifespan | None:
    """Returns the years in a piece of text, or None if it contains anything else."""
    patterns, text = _patterns(data), text.strip()
    ranges = (patterns[key].fullmatch(text) for key in ("range", "both before", "both behind"))
    if span := next(filter(None, ranges), None):
        if shortest and span.re is not patterns["range"]:
            shortest = _LONGEST_CAREER
        born, died = _year(span, "b"), _year(span, "d")
        if died is not None and died < 0 and born is not None and born > 0:
            born = -born
        if born is not None and died is not None and len(span["d"]) == 2 and born >= 1000:
            died += (born // 100 + (died < born % 100)) * 100  # "1904–54"
        lifespan = Lifespan(born, died)
        short = None not in lifespan and not shortest <= lifespan[1] - lifespan[0]  # type: ignore[operator]
        return lifespan if lifespan != Lifespan() and lifespan.possible() and not short else None
    if not shortest and (match := patterns["born at"].fullmatch(text)):
        return Lifespan(born=_year(match, "b"))
    for name, letter in (("born", "b"), ("died", "d")):
        if match := patterns[name].fullmatch(text):
            value = _year(match, letter)
            return None if value is None else Lifespan(**{name: value})
    return None


def _harmless(text: str, data: Language, names: Sequence[str] | None) -> bool:
    """Whether a piece of text next to the years leaves their meaning unchanged."""
    if any(letter.isdigit() for letter in text):
        return _patterns(data)["flourished"].match(text) is not None
    words = text.split()
    if names is None or not words:
        return True
    return (
        any(ord(letter) > 0x24F and letter.isalpha() for letter in text)
        or words[0].casefold() in {"née", "né", "nee", *data.born, *data.about, *data.honorifics}
        or fold_accents(words[0].casefold()) in TITLES
        or any(text.strip().casefold().startswith(phrase) for phrase in data.same_person)
        or not set(name_words(text)).isdisjoint(names)
    )


def _read(text: str, data: Language, names: Sequence[str] | None) -> Lifespan | None:
    """Returns the years in a parenthetical, or None if part of it cannot be read."""
    lifespan, shortest = Lifespan(), 0 if names is None else _SHORTEST_LIFE
    for part in _AGE.sub("", text).split(";"):
        pieces = part.split(",")
        if len(pieces) > _MOST_PIECES:
            return None
        start = 0
        while start < len(pieces):
            for end in range(len(pieces), start, -1):
                years = _piece(",".join(pieces[start:end]), data, shortest)
                if years is not None:
                    lifespan, start = lifespan.or_else(years), end
                    break
            else:
                if not _harmless(pieces[start], data, names):
                    return None
                start += 1
    return None if lifespan == Lifespan() else lifespan


def gives_years(text: str, language: Language) -> bool:
    """Whether a text has a parenthetical that gives birth or death years."""
    return any(
        _read(match[1], language, None) is not None
        for match in _patterns(language)["parenthesis"].finditer(text)
    )


def cut_lifespan(
    text: str, language: Language, *, name: str = "", until: int | None = None
) -> tuple[Lifespan, str]:
    """Returns the birth and death years in a line, and the line without their parenthetical.

    A range of years is read only if it directly follows the name and has no words about offices or
    service; in the rest of the line, only years after "born" and "died" are read.

    Example:
        >>> from dfactscore.ambigbio._languages import language
        >>> cut_lifespan("(c. 1650 – 17 May 1700), bishop of Ely", language("en"))
        (Lifespan(born=1650, died=1700), ', bishop of Ely')
        >>> cut_lifespan(", footballer born in 1950", language("en"))
        (Lifespan(born=1950, died=None), ', footballer born in 1950')
        >>> cut_lifespan("(abbess 1200–1220)", language("en"))
        (Lifespan(born=None, died=None), '(abbess 1200–1220)')
    """
    patterns = _patterns(language)
    if match := patterns["behind"].match(text):
        kind = next(kind for kind in ("round", "square", "bare") if match[kind])
        lifespan = _read(match[kind], language, name_words(name))
        if lifespan is not None:
            first = match.start(kind) - (kind != "bare")
            rest = text[:first].rstrip(", ") if kind == "bare" else text[:first].rstrip()
            return lifespan, rest + text[match.end() :]
    own = text[:until]
    lifespan = Lifespan()
    for key, letter in (("born within", "b"), ("died within", "d")):
        if match := patterns[key].search(own):
            before = set(name_words(own[: match.start()]))
            if before.isdisjoint(language.of | language.possessives):
                lifespan = lifespan.or_else(Lifespan(**{key.split()[0]: _year(match, letter)}))
    return lifespan, text


def has_years(text: str, language: Language) -> bool:
    """Whether a text has a parenthetical that contains years of any kind."""
    parentheses = _patterns(language)["parenthesis"].finditer(text)
    return any(_DATED.search(match[1]) for match in parentheses)


def from_categories(categories: Iterable[str], language: Language) -> Lifespan:
    """Returns the birth and death years given by a page's categories.

    Example:
        >>> from dfactscore.ambigbio._languages import language
        >>> from_categories(["384 BC births", "322 BC deaths"], language("en"))
        Lifespan(born=-384, died=-322)
    """
    years: list[int | None] = []
    for pattern in (language.born_category, language.died_category):
        matches = (pattern.match(category.casefold()) for category in categories)
        match = next((match for match in matches if match), None)
        years.append(None if match is None else int(match[1]) * (-1 if match[2] else 1))
    return Lifespan(*years)


def _of_infobox(text: str, keys: Sequence[str], language: Language) -> int | None:
    """Returns the year in a template argument, or the first year if it is a date template."""
    pattern = rf"\|\s*(?:{_any(keys)})[^\S\n]*=((?:[^|{{}}\n]|\{{\{{[^{{}}\n]*\}}\}})*)"
    for match in re.finditer(pattern, text, re.IGNORECASE):
        value = match[1]
        if "based on age" in value:
            continue
        before_christ = any(f" {word}" in value for word in language.before_christ)
        year = _DATED.search(value) or (before_christ and re.search(r"\d{1,2}", value))
        if year:
            return int(year[0]) * (-1 if before_christ else 1)
    return None


def from_page(text: str, lead: str, categories: Iterable[str], language: Language) -> Lifespan:
    """Returns a person's years, from the page's categories, infobox or lead, in that order."""
    lifespan = from_categories(categories, language)
    if None not in lifespan:
        return lifespan
    keys = (language.born_parameters, language.died_parameters)
    lifespan = lifespan.or_else(Lifespan(*(_of_infobox(text, key, language) for key in keys)))
    verb = _any(language.copulas)
    opening = re.match(
        rf"((?!\s(?:{verb})\s)[^()\n]){{1,160}}\(((?:[^()\n]|\([^()\n]*\)){{1,240}})\)",
        lead,
    )
    read = None if opening is None else _read(opening[2], language, None)
    return lifespan if read is None else lifespan.or_else(read)
