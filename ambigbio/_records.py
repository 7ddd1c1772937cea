"""The dataset's records: names, people and provenance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from dfactscore._util.near import near_miss

SCHEMA_VERSION = 4

PersonEvidence = Literal["category", "infobox", "short_description", "lead", "wikidata"]


@dataclass(frozen=True, slots=True)
class Person:
    """A person who bears an ambiguous name and has a page.

    Attributes:
        title: Full title of the page (``"Dick Hanley (swimmer)"``).
        page_id: Id of the page in its wiki; it does not change when the page is moved.
        revision: Id of the revision that was read.
        timestamp: Timestamp of that revision (ISO 8601, UTC).
        url: URL of the page.
        label: The person's label on the disambiguation page.
        description: The description of the person on the disambiguation page, without years.
        born: Year of birth; negative for years BC, None if unknown.
        died: Year of death; negative for years BC, None if unknown.
        short_description: The page's short description, or empty.
        aliases: Sorted titles of the redirects to the page.
        primary: Whether the disambiguation page names this person as the primary topic in its lead.
        evidence: The evidence that the page is about a person.
        wikidata: The page's Wikidata item; empty if Wikidata was not queried.
        views: Number of page views in the months given by `Header.popularity`; None if not
            requested.
    """

    title: str
    page_id: int
    revision: int
    timestamp: str
    url: str
    label: str
    description: str = ""
    born: int | None = None
    died: int | None = None
    short_description: str = ""
    aliases: tuple[str, ...] = ()
    primary: bool = False
    evidence: PersonEvidence = "category"
    wikidata: str = ""
    views: int | None = None


@dataclass(frozen=True, slots=True)
class AmbiguousName:
    """A name that several people share (paper section 2.1).

    Attributes:
        name: The name, without a parenthetical.
        title: Title of the disambiguation page.
        page_id: Id of the disambiguation page.
        revision: Id of the revision that was read.
        timestamp: Timestamp of that revision (ISO 8601, UTC).
        url: URL of the disambiguation page.
        people: The people who share the name (two or more), in page order.
        asked: The name as given in the user's list of names; empty if the name was drawn.
        entities: The number of pages listed on the disambiguation page, including those not about
            people; None in files with schema version 2 or earlier.
        named: Lines about bearers who have no page: either the link leads to a missing page, or the
            name is not a link.
    """

    name: str
    title: str
    page_id: int
    revision: int
    timestamp: str
    url: str
    people: tuple[Person, ...]
    asked: str = ""
    entities: int | None = None
    named: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Popularity:
    """The period and the type of readers counted in `Person.views`.

    Attributes:
        start: First month, as ``YYYY-MM``.
        end: Last month, as ``YYYY-MM``.
        project: Host name of the wiki (``"en.wikipedia.org"``).
        agent: The type of reader; ``"user"`` excludes declared crawlers.
    """

    start: str
    end: str
    project: str
    agent: str = "user"


@dataclass(frozen=True, slots=True)
class Header:
    """The sources of a dataset and the settings it was built with.

    Attributes:
        wiki: URL of the wiki's main page.
        language: Key of the language data used.
        snapshot: Date of the list of names (API) or of the dump, as ``YYYY-MM-DD``.
        seed: Random seed used to draw the names; None for a list of names.
        asked: The number of names requested.
        listed: The number of listed pages that the names were drawn from.
        considered: The number of pages examined.
        n_names: The number of names in the file.
        n_people: The number of people, summed over names.
        license: License that covers the descriptions.
        popularity: The period and the type of readers that the page views cover, or None.
        draw: The type of pages that names were drawn from: human-name pages, or all disambiguation
            pages.
    """

    wiki: str
    language: str
    snapshot: str
    seed: int | None
    asked: int
    listed: int
    considered: int
    n_names: int
    n_people: int
    license: str = "CC BY-SA 4.0"
    popularity: Popularity | None = None
    draw: Literal["names", "any"] = "names"


@dataclass(frozen=True, slots=True)
class AmbigBio:
    """A dataset of ambiguous names, which can be iterated over and indexed by name.

    Attributes:
        header: The sources of the dataset and the settings it was built with.
        names: The names, in the order in which they were drawn.
    """

    header: Header
    names: Sequence[AmbiguousName]
    _places: dict[str, int] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._places.update((entry.name, place) for place, entry in enumerate(self.names))

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[AmbiguousName]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __getitem__(self, name: str) -> AmbiguousName:
        """Returns the entry for a name.

        Raises:
            KeyError: If the name is not in the dataset; the message suggests similar names.
        """
        try:
            return self.names[self._places[name]]
        except KeyError:
            near = near_miss(name, self._places, most=3, show=repr)
            raise KeyError(f"{name!r} is not in this dataset{near}") from None
