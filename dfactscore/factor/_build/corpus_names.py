"""Indexes the names and occupations in a corpus by type and origin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from dfactscore._text.names import SHORT_FORMS, plain_name
from dfactscore._text.role_words import is_demonym, is_role
from dfactscore.engines._builtin.language.tokens import CANONICAL, IMPLIED
from dfactscore.engines._builtin.language.word_classes import MONTHS
from dfactscore.engines._builtin.verify.name_types import PERSON, UNKNOWN, type_hint
from dfactscore.factor._ambig.values import fields_of, groups, may_hold, rank_of, words
from dfactscore.factor._build.circumstances import years_in
from dfactscore.retrieval import Page

_ABOUT = 600  # characters at the start of a page, where its subject's nation is named
_YEARS_APART = 40
_WORD = re.compile(r"[A-Z][\w’'-]+(?: (?:States|Kingdom))?")
_OF_PARTS = ("us", "uk", "canada", "australia")  # nations whose parts the lexicon names
_WOMEN = words("names_of_women")


@dataclass(frozen=True, slots=True)
class Origin:
    """The nations named at the beginning of a page, and the page's period."""

    nations: frozenset[str]
    time: float | None  # median of the years on the page; None if it mentions no years
    fields: frozenset[str] = frozenset()

    @classmethod
    def of(cls, text: str) -> Origin:
        """Reads a page.

        Example:
            >>> sorted(Origin.of("Ann Lee was a Scottish poet who died in Ohio in 1910.").nations)
            ['uk', 'us']
        """
        years = sorted(years_in(text))
        nations = {_nation(match.group()) for match in _WORD.finditer(text[:_ABOUT])}
        fields = frozenset(fields_of(text[:_ABOUT]))
        return cls(frozenset(nations - {""}), median(years) if years else None, fields)

    def near(self, other: Origin) -> bool:
        """Whether a name from one page is plausible on the other, given their nations and periods.

        Example:
            >>> poet = Origin(frozenset({"uk"}), 1850)
            >>> poet.near(Origin(frozenset({"uk"}), 1870)), poet.near(Origin(frozenset(), 1950))
            (True, False)
        """
        apart = self.time and other.time and abs(self.time - other.time) > _YEARS_APART
        strange = self.nations and other.nations and self.nations.isdisjoint(other.nations)
        return not apart and not strange

    def same_field(self, other: Origin) -> bool:
        """Whether the people of both pages may work in the same field."""
        return not (self.fields and other.fields and self.fields.isdisjoint(other.fields))

    def same_land(self, other: Origin) -> bool:
        """Whether the pages name a nation in common."""
        return not self.nations.isdisjoint(other.nations)


def _nation(name: str) -> str:
    """The nation to which a name, an adjective or a state refers; empty if there is none."""
    if name in ("United States", "United Kingdom"):
        return "us" if name.endswith("States") else "uk"
    word, rank = name.casefold(), rank_of(name)
    if rank == "american state":
        return "us"
    land = IMPLIED.get(CANONICAL.get(word, word), "")
    if land in _OF_PARTS:
        return land
    return CANONICAL.get(word, word) if rank == "land" or is_demonym(word) else ""


def gender_of_name(name: str) -> str:
    """``"she"`` for first names that only women have, ``"he"`` for other known first names.

    The result is empty for unknown first names.

    Example:
        >>> gender_of_name("Elizabeth Byrom")
        'she'
        >>> gender_of_name("Robert Byrom"), gender_of_name("Emmeline Byrom")
        ('he', '')
    """
    first = name.split()[0].casefold()
    if first in _WOMEN:
        return "she"
    return "he" if first in SHORT_FORMS else ""


_CAP = r"(?:[A-Z][\w’'&.-]*[\w&]|[A-Z]\.(?= [A-Z])|[A-Z])"
_JOIN = r"(?: (?:of|for|de|la|du|van|von|del)(?: the)? | )"
_PROPER = re.compile(rf"(?<![\w’'-]){_CAP}(?:{_JOIN}{_CAP})*")
#: The type of a name, by its last word or by the word before "of".
HEADS = {head: kind for kind, heads in groups("heads").items() for head in heads}
_TITLES = words("titles_of_people")
_SKIP = words("no_names")
_FACULTIES = words("faculties")
_THINGS = words("things")
_KIN = re.compile(
    r"\b(?:father|mother|parents|brothers?|sisters?|sons?|daughters?|uncles?|aunts?|cousins?|nephew|"
    r"niece|grand\w+)(?: of|,)? $"
)
_REGION = re.compile(r", ([A-Z][\w’']+(?: [A-Z][\w’']+)?)")
_LISTED = re.compile(r",? and [A-Z]|, [A-Z]")
# Words before the name of a place.
_BEFORE_PLACE = re.compile(r"(?<![A-Z])\b[\w’,)]{1,60} (?:in|from|near) $|^(?:In|From|Near) $")
# matches "at Far Eastern University in Vladivostok", "Bishop of Segni in Italy"
_INSIDE = re.compile(
    r"(?:\bof [A-Z][\w’']+|\b(?:University|College|School|Academy|Institute|Hospital|Church)) in $"
)
_AFTER_PLACE = re.compile(
    r"(?:[.,;]|$| (?:in|on|and|to|from|until|with|where|as|for|when|by|at)\b)"
)
# Words for events that happen in a town, not in a film.
_LIVED = re.compile(
    r"\b(?:born|baptized|raised|brought up|grew up|lived?|living|resided|died|buried|settled|"
    r"school|church|hospital|educated|practi[sc]ed|home|house|farm|docked|built|yard)\b[^.;]{0,24} "
    r"(?:in|near) $"
)
_BEFORE_WORK = re.compile(
    r"\b(?:in|musical|film|book|series|comedy|drama|thriller|play|song|single|album|novel|mystery|"
    r"ship|called) (?:the )?$"
)
_NOT_PLACES = words("no_places")


@dataclass(frozen=True, slots=True)
class NamedThing:
    """A name in a text."""

    text: str
    # `"she"` or `"he"` for people, `"kin"` for relatives, `"place"` followed by the rank of the
    # place or of its region (such as "place town" or "place, land"), or `"university"` and the
    # like.
    kind: str
    start: int  # start and end (exclusive) in the text, in characters
    end: int


def mentions(text: str) -> list[NamedThing]:
    """Returns the names in a text whose type is clear."""
    names = []
    for match in _PROPER.finditer(text):
        name, start = match.group(), match.start()
        words = name.split()
        # The first word of a sentence is always capitalized.
        opens = start == 0 or text[max(0, start - 2) : start].strip() in (".", "!", "?", "")
        if opens and words[0].lower() in _SKIP:
            start += len(words[0]) + 1
            name, words = name[len(words[0]) + 1 :], words[1:]
        if not words or not name[0].isupper():
            continue
        before, after = text[max(0, start - 40) : start], text[start + len(name) :]
        region = _REGION.match(after)
        if region is not None and (kind := _place_kind(name, region[1], before, after)):
            end = start + len(name) + region.end(1)
            names.append(NamedThing(text[start:end], kind, start, end))
        elif kind := _kind(name, words, before, after):
            names.append(NamedThing(name, kind, start, start + len(name)))
    return names


def _place_kind(name: str, region: str, before: str, after: str) -> str:
    """The type of place and its region; empty if the type is unclear."""
    rank = rank_of(region)
    if not rank or not _BEFORE_PLACE.search(before) or _INSIDE.search(before):
        return ""
    if rank_of(name) == rank:
        return ""
    end = _REGION.match(after)
    if end is None or not _AFTER_PLACE.match(after[end.end(1) :]):
        return ""
    return "" if _LISTED.match(after[end.end(1) :]) else f"place, {rank}"


def _kind(name: str, words: list[str], before: str, after: str) -> str:
    """The type of a name, judging by its words and context; empty if unclear."""
    if any(word.lower() in MONTHS or is_demonym(word) for word in words):
        return ""
    if re.search(r"[A-Z]\w{0,60},? and (?:the )?$", before) or re.match(r" and [A-Z]", after):
        return ""  # part of a longer name, or of a list whose other names reveal its type
    if name in _NOT_PLACES or words[0].lower() in _SKIP or re.match(r"[’'\w-]", after):
        return ""
    if {"Award", "Prize", "Medal"} & set(words):
        return "prize" if len(words) > 1 and before.endswith("the ") else ""
    if any(word in HEADS for word in words):
        return _kind_of_body(words, before)
    if words[0] in _TITLES:
        return ""
    if words[0].lower() in SHORT_FORMS and _may_be_person(words, before):
        return "kin" if _KIN.search(before) else gender_of_name(name)
    if _may_be_town(words, before, after) and not re.match(", [A-Z]", after):
        return f"place {rank_of(name) or ('town' if _LIVED.search(before) else 'perhaps')}"
    return ""


def _kind_of_body(words: list[str], before: str) -> str:
    """The type of organization; empty if unclear."""
    # The type is the first word of "University of Oslo" but the last of "Magdalen College".
    head = words[0] if "of" in words[1:2] else words[-1]
    if head == "School" and (words[0] == head or _FACULTIES & set(words)):
        return "faculty"
    article = "the " if before.endswith("the ") else ""
    return f"{article}{HEADS[head]}" if head in HEADS and len(words) > 1 else ""


def _may_be_person(words: list[str], before: str) -> bool:
    """Whether a name that starts with a first name can be a person's, given the other words."""
    return (
        2 <= len(words) <= 3
        and not {"of", "for", "the"} & set(words)
        and not any(_is_of_things(word) for word in words[1:])
        and not _BEFORE_WORK.search(before)
        and not before.endswith("the ")
        and not words[1].endswith(("ing", "ed"))
        and not re.fullmatch("[IVX]+", words[-1])
    )


def _may_be_town(words: list[str], before: str, after: str) -> bool:
    """Whether a name occurs where a place name would, and has no word that rules out a place."""
    return (
        _BEFORE_PLACE.search(before) is not None
        and not _INSIDE.search(before)
        and _AFTER_PLACE.match(after) is not None
        and len(words) <= 3
        and "of" not in words
        and not set(words) & _NOT_PLACES
        and any(word.upper() != word for word in words)
    )


def _is_of_things(word: str) -> bool:
    """Whether a word in a name shows that the name is not a person's."""
    low = word.casefold()
    return low in _THINGS or type_hint(low) not in (UNKNOWN, PERSON)


_LAST_YEAR = 2025
_ROLE = re.compile(
    r"\b(?P<article>an?|An?) (?P<role>[a-z]{4,})(?=[.,;]| (?:of|in|for|from|and|at|who|with)\b)"
)
_Titles = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Corpus:
    """Pages, and their names and occupations, which may replace those on other pages."""

    pages: Mapping[str, Page]
    by_kind: Mapping[str, _Titles]
    roles: _Titles
    origins: Mapping[str, Origin]
    latest: int

    @classmethod
    def of(cls, pages: Mapping[str, Page]) -> Corpus:
        """Reads the pages in a corpus."""
        by_kind: dict[str, dict[str, set[str]]] = {}
        roles: dict[str, set[str]] = {}
        for title, page in pages.items():
            for mention in mentions(page.text):
                by_kind.setdefault(mention.kind, {}).setdefault(mention.text, set()).add(title)
            for match in role_mentions(page.text):
                roles.setdefault(match["role"], set()).add(title)
        towns = by_kind.setdefault("place town", {})
        for name, titles in by_kind.pop("place perhaps", {}).items():
            if name in towns:
                towns[name] |= titles
        kinds = {kind: _sorted(names) for kind, names in sorted(by_kind.items())}
        # The name in a title does not indicate a nation (Michael Jordan).
        texts = {title: page.text.replace(plain_name(title), "") for title, page in pages.items()}
        origins = {title: Origin.of(text) for title, text in texts.items()}
        years = [year for text in texts.values() for year in years_in(text) if year <= _LAST_YEAR]
        return cls(pages, kinds, _sorted(roles), origins, max(years, default=_LAST_YEAR))

    def others(self, mention: NamedThing, title: str) -> list[str]:
        """Names of the same type that occur in other documents but not in this one."""
        kind = mention.kind
        if kind == "place perhaps":
            kind = "place town"
            if mention.text not in self.by_kind.get(kind, {}):
                return []
        words = len(mention.text.split())
        low = self.pages[title].text.casefold()
        return [
            name
            for name, titles in self.by_kind.get(kind, {}).items()
            if title not in titles
            and abs(len(name.split()) - words) <= 2
            and name.casefold() not in low
            and name.split()[-1].casefold() not in low
            and self.is_at_home(kind, titles, title)
            and not (kind.startswith("place") and may_hold(mention.text, name))
        ]

    def first_names(self, mention: NamedThing, title: str) -> list[str]:
        """First names of the same gender that do not occur in this document."""
        low = self.pages[title].text.casefold()
        people = self.by_kind.get(gender_of_name(mention.text), {})
        first_names = {
            name.split()[0]
            for name, titles in people.items()
            if self.is_at_home("kin", titles, title) and name.split()[0].casefold() not in low
        }
        return sorted(first_names)

    def is_at_home(self, kind: str, titles: Iterable[str], title: str) -> bool:
        """Whether a name that some pages contain is plausible on another page.

        For towns and counties, the pages must share a nation; countries and states fit everywhere.
        For other names, the nation and period must be compatible; for people, the field must be as
        well.
        """
        origin = self.origins[title]
        if kind in ("place town", "place county", "place, county", "place, land"):
            return any(origin.same_land(self.origins[one]) for one in titles)
        if kind.startswith("place"):
            return True
        near = [self.origins[one] for one in titles if origin.near(self.origins[one])]
        return any(kind not in ("he", "she") or origin.same_field(one) for one in near)


def _sorted(names: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    return {name: frozenset(titles) for name, titles in sorted(names.items())}


def role_mentions(text: str) -> list[re.Match[str]]:
    """Finds occupations that follow an article, as matches with groups ``article`` and ``role``."""
    return [match for match in _ROLE.finditer(text) if is_role(match["role"])]
