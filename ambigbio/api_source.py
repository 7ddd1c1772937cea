"""A live wiki as a source, read through its API in batches of 50 pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dfactscore.ambigbio.errors import WikiError
from dfactscore.ambigbio.languages import Language
from dfactscore.ambigbio.sources import Draw, Listed, RawPage
from dfactscore.ambigbio.titles import Site
from dfactscore.ambigbio.wiki_client import WikiClient

__all__ = ["ApiSource"]

_BATCH = 50
_LIMIT = "max"  # 500 for most users, 5000 for bots
_SITE = {"meta": "siteinfo", "siprop": "general|namespaces|namespacealiases", "curtimestamp": "1"}


def _batches(values: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(values), _BATCH):
        yield values[start : start + _BATCH]


def _site(info: Mapping[str, Any], address: str) -> Site:
    try:
        general, spaces = info["general"], info["namespaces"].values()
        by_id: dict[int, set[str]] = {}
        for space in spaces:
            names = {space["name"], space.get("canonical", "")}
            by_id.setdefault(space["id"], set()).update(names)
        for alias in info.get("namespacealiases", ()):
            by_id.setdefault(alias["id"], set()).add(alias["alias"])
        folded = {key: {name.casefold() for name in names if name} for key, names in by_id.items()}
        return Site(
            base=general["base"],
            namespaces=frozenset(name for key, names in folded.items() if key for name in names),
            categories=frozenset(folded.get(14, set()) | {"category"}),
            files=frozenset(folded.get(6, set()) | {"file", "image"}),
            first_letter=general.get("case", "first-letter") == "first-letter",
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise WikiError(
            f"{address} gives no site information that can be read: {error!r}"
        ) from error


class ApiSource:
    """Reads names, people and pages through the MediaWiki API.

    Args:
        client: The client.
        language: Language data of the wiki.
        draw: ``"names"`` lists pages of human names, ``"any"`` all disambiguation pages.
    """

    def __init__(self, client: WikiClient, language: Language, draw: Draw = "names") -> None:
        self.client = client
        self.draw = draw
        self.language = language
        self._site: Site | None = None
        self._snapshot = ""
        self.enumeration_requests = 0

    def _read_site(self, extra: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        """Site information together with another query, so that it costs no request."""
        parameters = {**_SITE, **extra}
        for number, part in enumerate(self.client.query(parameters)):
            if not number and self._site is None:
                self._site = _site(part, self.client.api_url)
                time = str(part["general"].get("time", ""))
                self._snapshot = time[:10]
            yield part

    def site(self) -> Site:
        """The wiki's addresses and namespaces."""
        if self._site is None:
            list(self._read_site({}))
        assert self._site is not None
        return self._site

    def snapshot(self) -> str:
        """The day on which the names were listed."""
        self.site()
        return self._snapshot

    def draw_size(self, needed: int) -> int:
        """As many as are needed, or what two requests hold (names, and 50 titles on them)."""
        return max(needed, 8)

    def list_names(self) -> Sequence[Listed]:
        """The members of the category of names, 500 a request, or all disambiguation pages.

        Raises:
            WikiError: There are none.
        """
        if self.draw == "any":
            return self._list_any()
        category = f"Category:{self.language.name_category}"
        before = self.client.requests
        found = [
            Listed(int(member["pageid"]), str(member["title"]))
            for part in self._read_site(
                {
                    "list": "categorymembers",
                    "cmtitle": category,
                    "cmnamespace": "0",
                    "cmtype": "page",
                    "cmprop": "ids|title",
                    "cmlimit": _LIMIT,
                }
            )
            for member in part.get("categorymembers", ())
        ]
        self.enumeration_requests = self.client.requests - before
        if not found:
            raise WikiError(
                f"{category!r} of {self.client.api_url} lists no page: --lang "
                f"{self.language.code} reads this category; is it the wiki's language?"
            )
        return found

    def _list_any(self) -> Sequence[Listed]:
        before = self.client.requests
        query = {
            "list": "pageswithprop",
            "pwppropname": "disambiguation",
            "pwpprop": "ids|title",
            "pwplimit": _LIMIT,
        }
        found = [
            Listed(int(page["pageid"]), str(page["title"]))
            for part in self._read_site(query)
            for page in part.get("pageswithprop", ())
            if page.get("ns") == 0
        ]
        self.enumeration_requests = self.client.requests - before
        if not found:
            raise WikiError(
                f"{self.client.api_url} marks no page as a disambiguation page (it may lack the "
                "extension Disambiguator): use --draw names, or a dump"
            )
        return found

    def name_pages(self, listed: Sequence[Listed]) -> Mapping[int, RawPage]:
        """The listed pages, by id, so that a page that was moved meanwhile is found."""
        found: dict[int, RawPage] = {}
        for batch in _batches([str(entry.page_id) for entry in listed]):
            pages, sections, moves = self._fetch({"pageids": "|".join(batch)})
            by_title = {page.title: page for page in pages.values()}
            listed_by_title = {entry.title: entry for entry in listed}
            for source in moves:
                target = self._follow(source, moves, sections)
                entry = listed_by_title.get(source)
                if entry is not None and target in by_title:
                    found[entry.page_id] = by_title[target]
            found.update((key, page) for key, page in pages.items() if str(key) in batch)
        return found

    def lookup(self, titles: Iterable[str]) -> Mapping[str, RawPage]:
        """The pages that titles lead to, 50 titles a request."""
        found: dict[str, RawPage] = {}
        for batch in _batches(list(dict.fromkeys(titles))):
            pages, sections, moves = self._fetch({"titles": "|".join(batch)})
            by_title = {page.title: page for page in pages.values()}
            for title in batch:
                target = self._follow(title, moves, sections)
                if target is not None and target in by_title:
                    found[title] = by_title[target]
        return found

    @staticmethod
    def _follow(title: str, moves: Mapping[str, str], sections: frozenset[str]) -> str | None:
        seen = set()
        while title in moves and title not in seen:
            if title in sections:
                return None
            seen.add(title)
            title = moves[title]
        return title

    def _fetch(
        self, which: Mapping[str, str]
    ) -> tuple[dict[int, RawPage], frozenset[str], dict[str, str]]:
        checked = (self.language.name_category, *self.language.refused_categories)
        parameters = {
            **which,
            "redirects": "1",
            "prop": "revisions|pageprops|redirects|categories",
            "rvprop": "ids|timestamp|content",
            "rvslots": "main",
            "ppprop": "disambiguation|wikibase-shortdesc|wikibase_item",
            "rdprop": "title",
            "rdnamespace": "0",
            "rdshow": "!fragment",
            "rdlimit": _LIMIT,
            # only the few categories that decide what a name page is: never more than one answer
            "clcategories": "|".join(f"Category:{name}" for name in checked),
            "cllimit": _LIMIT,
        }
        merged: dict[int, dict[str, Any]] = {}
        moves: dict[str, str] = {}
        sections: set[str] = set()
        for part in self.client.query(parameters):
            for step in part.get("normalized", ()):
                moves[step["from"]] = step["to"]
            for step in part.get("redirects", ()):
                moves[step["from"]] = step["to"]
                if step.get("tofragment"):
                    sections.add(step["from"])
            for page in part.get("pages", ()):
                if page.get("ns") != 0 or "pageid" not in page:
                    continue
                known = merged.setdefault(page["pageid"], {})
                for key, value in page.items():
                    if isinstance(value, list) and key in known:
                        known[key] = known[key] + value
                    else:
                        known[key] = value
        pages = {key: _raw(page) for key, page in merged.items() if page.get("revisions")}
        return pages, frozenset(sections), moves

    def categories(self, pages: Sequence[RawPage]) -> Mapping[int, tuple[str, ...]]:
        """All categories of pages, those that templates add too."""
        found: dict[int, list[str]] = {}
        for batch in _batches([str(page.page_id) for page in pages]):
            query = {"pageids": "|".join(batch), "prop": "categories", "cllimit": _LIMIT}
            for part in self.client.query(query):
                for page in part.get("pages", ()):
                    names = [_bare(entry["title"]) for entry in page.get("categories", ())]
                    found.setdefault(page["pageid"], []).extend(names)
        return {key: tuple(names) for key, names in found.items()}


def _bare(title: str) -> str:
    return title.partition(":")[2]


def _raw(page: Mapping[str, Any]) -> RawPage:
    revision = page["revisions"][0]
    properties = page.get("pageprops", {})
    return RawPage(
        title=page["title"],
        page_id=page["pageid"],
        revision=revision["revid"],
        timestamp=revision["timestamp"],
        text=revision.get("slots", {}).get("main", {}).get("content", ""),
        aliases=tuple(sorted(entry["title"] for entry in page.get("redirects", ()))),
        categories=tuple(_bare(entry["title"]) for entry in page.get("categories", ())),
        disambiguation="disambiguation" in properties,
        short_description=properties.get("wikibase-shortdesc", ""),
        wikidata=properties.get("wikibase_item", ""),
    )
