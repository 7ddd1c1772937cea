"""Indexes the names and occupations in a corpus by type and origin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dfactscore._text.names import plain_name
from dfactscore.engines._builtin.language.word_classes import is_role
from dfactscore.factor._ambig.certain import may_hold
from dfactscore.factor._build.chronology import years_in
from dfactscore.factor._build.name_kinds import NamedThing, mentions
from dfactscore.factor._build.origins import Origin, gender_of_name
from dfactscore.retrieval import Page

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
