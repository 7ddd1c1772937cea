"""Decides whether a value may also be true of the target: dates, words, places, occupations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from dfactscore._text.names import name_words
from dfactscore._text.word_files import word_lists


def words(*names: str) -> frozenset[str]:
    """Returns the words in some of the lists in ``words.txt``.

    Example:
        >>> "ohio" in words("american_states", "other_states")
        True
    """
    return frozenset(word for name in names for word in _list(name).split())


def groups(name: str) -> Mapping[str, tuple[str, ...]]:
    """Returns the lines of a list, keyed by their first word.

    Example:
        >>> groups("fields")["law"][:2]
        ('attorney', 'barrister')
    """
    lines = (line.partition(":") for line in _list(name).strip().splitlines())
    return {group: tuple(members.split()) for group, _, members in lines}


def _list(name: str) -> str:
    return word_lists("dfactscore.factor")[name]


MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
          "October", "November", "December")  # fmt: skip
_MONTH = "|".join(MONTHS)
_DATE = re.compile(
    rf"\b(?:(?P<d1>\d{{1,2}}) (?P<m1>{_MONTH}),? (?P<y1>\d{{4}})"
    rf"|(?P<m2>{_MONTH}) (?P<d2>\d{{1,2}}), (?P<y2>\d{{4}}))\b"
)
# Spelled with an initial vowel, but pronounced like "you" or "won".
_YOU = re.compile(r"uni(?!n)|us[ae]|eu|one\b|once|ukr|ugan|uru|uro|uta|ute|uti|uto")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_FUNCTION = words("function_words")


@dataclass(frozen=True, slots=True)
class Date:
    """A date."""

    day: int
    month: int
    year: int
    day_first: bool = True  # whether the date is written as `1 May 1900` rather than `May 1, 1900`

    def written(self, *, day_first: bool) -> str:
        """The date as written in one of the two styles.

        Example:
            >>> Date(1, 5, 1900).written(day_first=False)
            'May 1, 1900'
        """
        month = MONTHS[self.month - 1]
        if day_first:
            return f"{self.day} {month} {self.year}"
        return f"{month} {self.day}, {self.year}"

    def same(self, other: Date) -> bool:
        """Whether both dates refer to the same day."""
        return (self.day, self.month, self.year) == (other.day, other.month, other.year)


def date_in(text: str) -> Date | None:
    """The first complete date in a text."""
    match = _DATE.search(text)
    if match is None:
        return None
    first = match["d1"] is not None
    day, month, year = (match[f"{part}{1 if first else 2}"] for part in "dmy")
    return Date(int(day), MONTHS.index(month) + 1, int(year), first)


def content_words(text: str) -> set[str]:
    """The content words of a text, in lower case."""
    words = {word.casefold().replace("’", "'") for word in _WORD.findall(text)}
    return {word.removesuffix("'s") for word in words} - _FUNCTION


def with_article(phrase: str) -> str:
    """Adds an indefinite article to a phrase.

    Example:
        >>> with_article("explorer"), with_article("university teacher"), with_article("NBA player")
        ('an explorer', 'a university teacher', 'an NBA player')
    """
    first = phrase.split()[0]
    if re.match(r"[A-Z]{2,}\b", first):
        vowel = first[0] in "AEFHILMNORSX"
    else:
        low = first.lower()
        vowel = low[0] in "aeiou" and not _YOU.match(low)
        vowel = vowel or low.startswith(("hour", "honest", "honor", "honour", "heir"))
    return f"{'an' if vowel else 'a'} {phrase}"


_AMERICAN = words("american_states")
_STATES = words("american_states", "other_states")
_LANDS = words("lands")
#: Parts of cities that texts mention without naming the city.
_PARTS = groups("parts_of_cities")
_COUNTIES = words("counties")
_UNIONS = words("unions")
_COUNTY = re.compile(
    r"\b(?:County|Province|Prefecture|Island|Islands|Region|District|Parish|shire)\b"
)
_SHIRE = re.compile(r"\w{3}shire$")
# Organizations found in many places, whose names alone do not identify one.
_BODY = re.compile(
    r"(?:House of (?:Representatives|Assembly|Commons|Lords|Delegates|Burgesses)"
    r"|(?:State |National |Provincial |General |Legislative )*(?:Senate|Assembly|Legislature|"
    r"Parliament|Congress|Council)|(?:City|County|Town|Borough|Parish|Privy|Executive) Council"
    r"|(?:Royal )?(?:Navy|Army|Air Force|Marine Corps|Marines|Coast Guard|National Guard|Air Corps)"
    r"|(?:Prime |Deputy |First )*Minister(?: (?:of|for) (?:the )?[A-Z]\w+)*"
    r"|(?:Attorney|Solicitor|Governor|Postmaster)[- ]General|Secretary of [A-Z]\w+|Cabinet"
    r"|(?:General )?Post Office|(?:Supreme|High|Appeal) Court|Bar|Bench|Church|Board|Committee)"
)
_NAME = re.compile(r"\b[A-Z][\w'’-]+")


def may_hold(first: str, second: str) -> bool:
    """Whether either of two places may contain the other, judging by their names.

    Example:
        >>> may_hold("in London", "in Westminster"), may_hold("in Milton", "in Massachusetts")
        (True, True)
        >>> may_hold("in London", "in Rome"), may_hold("in Milton, Ohio", "in Utah")
        (False, False)
    """
    a, b = _levels(first), _levels(second)
    if content_words(first) <= content_words(second) or content_words(second) <= content_words(
        first
    ):
        return True
    for one, other in ((a, b), (b, a)):
        for container in one:
            if set(other) & set(_PARTS.get(container, ())):
                return True
    for ranks in (_LANDS, _STATES):
        own, its = (next((p for p in places if p in ranks), None) for places in (a, b))
        if own and its and own != its and {own, its}.isdisjoint(_UNIONS):
            return False
    return any(_is_wide(place) for place in (a[0], b[0]))


def _levels(place: str) -> list[str]:
    """The parts of a place name, from smallest to largest, spelled as in the word lists."""
    parts = [re.sub(r"^(?:in|at) (?:the )?", "", part.strip()) for part in place.split(",")]
    return [re.sub(r"[\s.]+", "_", part.casefold()) for part in parts if part] or [""]


def _is_wide(place: str) -> bool:
    spaced = place.replace("_", " ").title()
    return (
        place in _LANDS or place in _STATES or bool(_COUNTY.search(spaced) or _SHIRE.search(place))
    )


def rank_of(place: str) -> str:
    """The type of a place, judging by its name: a country, a state, a county, or empty.

    Example:
        >>> rank_of("Ohio"), rank_of("Brazil"), rank_of("Kent"), rank_of("North Yorkshire")
        ('american state', 'land', 'county', 'county')
    """
    key = _levels(place)[0]
    if key in _LANDS:
        return "land"
    if key in _STATES:
        return "american state" if key in _AMERICAN else "state"
    return "county" if key in _COUNTIES or _is_wide(key) else ""


def names_one(sentence: str, name: str) -> bool:
    """Whether a sentence identifies an organization, by a year or by a specific name.

    Example:
        >>> names_one("Ann Lee sat in the House of Representatives.", "Ann Lee")
        False
        >>> names_one("Ann Lee sat on Leeds City Council.", "Ann Lee")
        True
        >>> names_one("In 1987 Ann Lee entered the House of Assembly.", "Ann Lee")
        True
    """
    if re.search(r"\d{3,4}", sentence):
        return True
    before, _, after = sentence.replace(name, "{}").partition("{}")
    specific = _BODY.sub("", after)
    words = {word.casefold() for word in _NAME.findall(f"{before[1:]} {specific}")}
    return bool(words - set(name_words(name)))


_HE, _SHE = re.compile(r"\b(?:he|him|his)\b", re.I), re.compile(r"\b(?:she|her|hers)\b", re.I)
_FEMALE, _MALE = words("roles_of_women"), words("roles_of_men")
# Common second occupations; those in `_MANY` only if no word precedes them.
ANYONE, _MANY = words("roles_of_anyone"), words("roles_of_many")
# Roles in one field, several of which are often held by the same person.
_FIELDS = {field: frozenset(roles) for field, roles in groups("fields").items()}
# Roles whose field is the preceding word.
_OF_A_GAME = words("roles_of_a_game")


def fields_of(text: str) -> set[str]:
    """The fields of the roles mentioned in a text.

    Example:
        >>> sorted(fields_of("an American singer, actor and former basketball player"))
        ['basketball', 'music', 'stage']
    """
    words = [word.casefold() for word in re.findall(r"[^\W_]+(?:[-'’][^\W_]+)*", text)]
    fields = {field for field, roles in _FIELDS.items() if not roles.isdisjoint(words)}
    for previous, word in pairwise(words):
        if word in _OF_A_GAME:
            fields.add(previous)
            # "football" means several sports, whose players are treated as one field.
            fields |= {"football": {"gridiron"}, "soccer": {"football"}}.get(previous, set())
    return fields


def is_telling(role: str) -> bool:
    """Whether a role is so specific that anyone who has it would have it mentioned on their page.

    Example:
        >>> is_telling("medallist"), is_telling("businessman"), is_telling("film director")
        (False, False, True)
    """
    words = [word.casefold() for word in role.split()]
    return words[-1] not in ANYONE and not (len(words) == 1 and words[0] in _MANY)


def gender_of(text: str) -> str:
    """``"he"`` or ``"she"``, whichever a text's pronouns favor; empty if they favor neither."""
    he, she = len(_HE.findall(text)), len(_SHE.findall(text))
    return "" if he == she else "he" if he > she else "she"


def fits_gender(role: str, gender: str) -> bool:
    """Whether a person of the given gender can have a role.

    Example:
        >>> fits_gender("actress", "he"), fits_gender("film actor", "she"), fits_gender("king", "")
        (False, True, True)
    """
    last = role.split()[-1].casefold()
    female = last in _FEMALE or last.endswith("woman")
    male = last in _MALE or (last.endswith("man") and not female)
    return not ((female and gender == "he") or (male and gender == "she"))
