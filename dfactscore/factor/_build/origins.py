"""The nation and period of a page; names are exchanged only between pages that share both."""

from __future__ import annotations

import re
from dataclasses import dataclass
from statistics import median

from dfactscore._text.same_person import SHORT_FORMS
from dfactscore.engines._builtin.language.lexicon import CANONICAL, IMPLIED
from dfactscore.engines._builtin.language.word_classes import is_demonym
from dfactscore.factor._ambig.certain import rank_of
from dfactscore.factor._ambig.occupations import fields_of
from dfactscore.factor._build.chronology import years_in
from dfactscore.factor._words import words

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
