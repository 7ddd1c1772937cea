"""The dataset's records: names, people and provenance, and a compressed list of such records."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeVar

from pydantic import TypeAdapter

from dfactscore._util.files import dump_json
from dfactscore._util.message_text import near_miss

SCHEMA_VERSION = 4

PersonEvidence = Literal["category", "infobox", "short_description", "lead", "wikidata"]
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Person:
    """A person who bears an ambiguous name and has a page."""

    title: str  # full title of the page (`"Dick Hanley (swimmer)"`)
    page_id: int
    revision: int
    timestamp: str  # timestamp of that revision (ISO 8601, UTC)
    url: str
    label: str
    description: str = ""  # description of the person on the disambiguation page, without years
    born: int | None = None  # year of birth; negative for years BC, None if unknown
    died: int | None = None  # year of death; negative for years BC, None if unknown
    short_description: str = ""  # page's short description, or empty
    aliases: tuple[str, ...] = ()
    primary: bool = False
    evidence: PersonEvidence = "category"
    wikidata: str = ""  # page's Wikidata item; empty if Wikidata was not queried
    views: int | None = None


@dataclass(frozen=True, slots=True)
class AmbiguousName:
    """A name that several people share (paper section 2.1)."""

    name: str  # name, without a parenthetical
    title: str
    page_id: int
    revision: int
    timestamp: str  # timestamp of that revision (ISO 8601, UTC)
    url: str
    people: tuple[Person, ...]
    asked: str = ""  # name as given in the user's list of names; empty if the name was drawn
    # The number of pages listed on the disambiguation page, including those not about people; None
    # in files with schema version 2 or earlier.
    entities: int | None = None
    # Lines about people who bear the name and have no page: either the link leads to a missing
    # page, or the name is not a link.
    named: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Popularity:
    """The period and the type of readers counted in `Person.views`."""

    start: str  # first month, as `YYYY-MM`
    end: str  # last month, as `YYYY-MM`
    project: str  # host name of the wiki (`"en.wikipedia.org"`)
    agent: str = "user"  # type of reader; `"user"` excludes declared crawlers


@dataclass(frozen=True, slots=True)
class Header:
    """The sources of a dataset and the settings it was built with."""

    wiki: str  # URL of the wiki's main page
    language: str
    snapshot: str  # date of the list of names (API) or of the dump, as `YYYY-MM-DD`
    seed: int | None  # random seed used to draw the names; None for a list of names
    asked: int
    listed: int
    considered: int
    n_names: int
    n_people: int
    license: str = "CC BY-SA 4.0"
    # The period and the type of readers that the page views cover, or None.
    popularity: Popularity | None = None
    draw: Literal["names", "any"] = "names"


@dataclass(frozen=True, slots=True)
class AmbigBio:
    """A dataset of ambiguous names, which can be iterated over and indexed by name."""

    header: Header
    names: Sequence[AmbiguousName]  # names, in the order in which they were drawn
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
        """Returns the entry for a name."""
        try:
            return self.names[self._places[name]]
        except KeyError:
            near = near_miss(name, self._places, most=3, show=repr)
            raise KeyError(f"{name!r} is not in this dataset{near}") from None


class Packed(Sequence[_Item]):
    """A sequence of dataclass instances of one type, decompressed on access."""

    def __init__(self, kind: type[_Item]) -> None:
        self._adapter: TypeAdapter[_Item] = TypeAdapter(kind)
        self._items: list[bytes] = []

    def append(self, item: _Item) -> None:
        """Adds an item."""
        value: Any = item
        text = dump_json(asdict(value), keep_surrogates=False)
        self._items.append(zlib.compress(text.encode(), 1))

    def _made(self, packed: bytes) -> _Item:
        return self._adapter.validate_json(zlib.decompress(packed))

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self._made(item) for item in self._items[at]]
        return self._made(self._items[at])

    def __iter__(self) -> Iterator[_Item]:
        return map(self._made, self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))
