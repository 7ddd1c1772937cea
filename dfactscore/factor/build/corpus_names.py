"""The names of a corpus by kind: what can stand in another's place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dfactscore.factor.ambig.certain import may_hold
from dfactscore.factor.build.chronology import years_in
from dfactscore.factor.build.name_kinds import Mention, given_names, mentions
from dfactscore.factor.build.origins import Origin
from dfactscore.retrieval import Page
from dfactscore.text.names import plain_name

__all__ = ["Names"]

_LAST_YEAR = 2025


@dataclass(frozen=True)
class Names:
    """Names by kind, each with the titles of the pages that have it.

    Attributes:
        by_kind: The names.
        origins: Where each page is at home.
        latest: The last year that any page tells.
    """

    by_kind: Mapping[str, Mapping[str, frozenset[str]]]
    origins: Mapping[str, Origin]
    latest: int

    @classmethod
    def of(cls, pages: Mapping[str, Page]) -> Names:
        """Collects the names of a corpus."""
        found: dict[str, dict[str, set[str]]] = {}
        people = given_names()
        for title, page in pages.items():
            for one in mentions(page.text, people):
                found.setdefault(one.kind, {}).setdefault(one.text, set()).add(title)
        towns = found.setdefault("place town", {})
        for name, titles in found.pop("place perhaps", {}).items():
            if name in towns:
                towns[name] |= titles
        kinds = {
            kind: {name: frozenset(titles) for name, titles in sorted(names.items())}
            for kind, names in sorted(found.items())
        }
        # A page's own name says nothing of a land (Michael Jordan).
        texts = {title: page.text.replace(plain_name(title), "") for title, page in pages.items()}
        origins = {title: Origin.of(text) for title, text in texts.items()}
        years = [year for text in texts.values() for year in years_in(text) if year <= _LAST_YEAR]
        return cls(kinds, origins, max(years, default=_LAST_YEAR))

    def others(self, one: Mention, title: str, unlike: str) -> list[str]:
        """Names of the same kind in other documents that do not stand in a text.

        Args:
            one: The name.
            title: Its document.
            unlike: The text in which they may not stand.
        """
        kind = one.kind
        if kind == "place perhaps":
            kind = "place town"
            if one.text not in self.by_kind.get(kind, {}):
                return []
        words = len(one.text.split())
        low = unlike.casefold()
        return [
            name
            for name, titles in self.by_kind.get(kind, {}).items()
            if title not in titles
            and abs(len(name.split()) - words) <= 2
            and name.casefold() not in low
            and name.split()[-1].casefold() not in low
            and self.is_at_home(kind, titles, title)
            and not (kind.startswith("place") and may_hold(one.text, name))
        ]

    def is_at_home(self, kind: str, titles: Iterable[str], title: str) -> bool:
        """Whether what stands on one of some pages is not strange on another.

        A town or a county says nothing of its land, so that both pages must tell of the same one;
        lands and states are at home everywhere; all other names are of a time, too, and people of
        a field.

        Args:
            kind: Of the name.
            titles: The pages that have it.
            title: The other page.
        """
        own = self.origins[title]
        if kind in ("place town", "place county", "place, county", "place, land"):
            return any(own.same_land(self.origins[one]) for one in titles)
        if kind.startswith("place"):
            return True
        near = [self.origins[one] for one in titles if own.near(self.origins[one])]
        return any(kind not in ("he", "she") or own.same_field(one) for one in near)
