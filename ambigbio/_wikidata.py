"""Finds the pages about people, using Wikidata or a list of people derived from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._util.files import read_text
from dfactscore.ambigbio._answers import Items
from dfactscore.ambigbio._errors import AmbigBioError
from dfactscore.ambigbio._sources import RawPage

if TYPE_CHECKING:
    from dfactscore.ambigbio._wiki_client import WikiClient  # needs an extra


_HUMAN = "Q5"
_BATCH = 50


def _instances(entity: Mapping[str, Any]) -> Iterator[str]:
    claims = entity.get("claims") or {}
    for claim in claims.get("P31", ()):
        value = claim.get("mainsnak", {}).get("datavalue", {}).get("value", {})
        if claim.get("rank") != "deprecated" and isinstance(value, dict) and "id" in value:
            yield str(value["id"])


class HumanPages:
    """Recognizes pages about people without network access, using a list made from Wikidata."""

    def __init__(self, path: Path) -> None:
        lines = read_text(path, error=AmbigBioError).replace("_", " ").split("\n")
        self._known = frozenset(line.strip() for line in lines) - {""}
        if not self._known:
            raise AmbigBioError(f"{path}: contains no titles: write one title or page id per line")

    def key(self, page: RawPage) -> str:
        """Returns the page's id if it is in the list, otherwise the page's title."""
        number = str(page.page_id)
        return number if number in self._known else page.title

    def __call__(self, items: Iterable[str]) -> frozenset[str]:
        """Returns the ids and titles that are in the list."""
        return self._known.intersection(items)


class WikidataCheck:
    """Asks Wikidata which items are instances of human (P31 = Q5), with 50 items per request."""

    def __init__(self, client: WikiClient, address: str) -> None:
        self.client = client
        self.address = address

    def key(self, page: RawPage) -> str:
        """Returns the page's Wikidata item."""
        return page.wikidata

    def __call__(self, items: Iterable[str]) -> frozenset[str]:
        """Returns the items that are instances of human."""
        ids = list(dict.fromkeys(items))
        found = {item: self.client.recall({"instances of": item}, self.address) for item in ids}
        left = [item for item, kept in found.items() if kept is None]
        for start in range(0, len(left), _BATCH):
            batch = left[start : start + _BATCH]
            answer = self.client.get(
                self.address,
                {
                    "action": "wbgetentities",
                    "ids": "|".join(batch),
                    "props": "claims",
                    "format": "json",
                    "formatversion": "2",
                    "maxlag": "5",
                },
                Items,
            )
            new = {
                item: {"kinds": list(_instances(answer["entities"].get(item, {})))}
                for item in batch
            }
            rows = (({"instances of": item}, kinds) for item, kinds in new.items())
            self.client.remember(rows, self.address)
            found |= new
        return frozenset(item for item, kept in found.items() if kept and _HUMAN in kept["kinds"])
