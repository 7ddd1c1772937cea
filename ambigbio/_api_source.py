"""Reads a live wiki using its API, 50 pages per request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from dfactscore.ambigbio._answers import SiteAnswer
from dfactscore.ambigbio._errors import WikiError
from dfactscore.ambigbio._expansion import list_in
from dfactscore.ambigbio._fetched_pages import PageAnswer, ask_pages, categories_in
from dfactscore.ambigbio._languages import Language
from dfactscore.ambigbio._sources import Draw, Listed, RawPage
from dfactscore.ambigbio._titles import Site, site_of
from dfactscore.ambigbio._wiki_client import QUERY, WikiClient, progress

_LIMIT = "max"  # 500 for most users, 5000 for bots
_SITE = {"meta": "siteinfo", "siprop": "general|namespaces|namespacealiases", "curtimestamp": "1"}


def _site(info: Mapping[str, Any], address: str) -> Site:
    try:
        general, names = info["general"], list[tuple[int, str]]()
        for space in info["namespaces"].values():
            names += ((space["id"], space["name"]), (space["id"], space.get("canonical", "")))
        names += ((alias["id"], alias["alias"]) for alias in info.get("namespacealiases", ()))
        return site_of(general["base"], names, general.get("case", ""))
    except KeyError as error:
        raise WikiError(
            f"{address} answers without site information (it lacks {error.args[0]!r}): is it the "
            "address of a MediaWiki api.php?"
        ) from None


class ApiSource:
    """Reads names, people and pages using the MediaWiki API."""

    def __init__(self, client: WikiClient, language: Language, draw: Draw = "names") -> None:
        self.client = client
        self.draw = draw
        self.language = language
        self._site: Site | None = None
        self._snapshot = ""
        self.enumeration_requests = 0

    def _read_site(self, extra: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        """Requests the site information together with another query, which saves a request."""
        parameters = {**_SITE, **extra}
        for number, part in enumerate(self.client.query(parameters)):
            if not number and self._site is None:
                self._note_site(part)
            yield part

    def _note_site(self, part: Mapping[str, Any]) -> None:
        self._site = _site(part, self.client.api_url)
        self._snapshot = part["general"].get("time", "")[:10]

    def site(self) -> Site:
        """The wiki's addresses and namespaces."""
        if self._site is None:
            request = {**QUERY, **_SITE}
            self._note_site(self.client.get(self.client.api_url, request, SiteAnswer)["query"])
        assert self._site is not None
        return self._site

    def snapshot(self) -> str:
        """The date on which the names were listed."""
        self.site()
        return self._snapshot

    def draw_size(self, needed: int) -> int:
        """Returns the number needed, or the number that two requests cover if that is larger."""
        return max(needed, 8)

    def list_names(self) -> Sequence[Listed]:
        """Lists the category of names, 500 pages per request, or all disambiguation pages."""
        category = f"Category:{self.language.name_category}"
        query = {
            "list": "categorymembers",
            "cmtitle": category,
            "cmnamespace": "0",
            "cmtype": "page",
            "cmprop": "ids|title",
            "cmlimit": _LIMIT,
            "titles": category,
            "prop": "categoryinfo",
        }
        problem = (
            f"{category!r} of {self.client.api_url} lists no page: --lang "
            f"{self.language.code} reads this category; is it the wiki's language?"
        )
        if self.draw == "any":
            query = {
                "list": "pageswithprop",
                "pwppropname": "disambiguation",
                "pwpprop": "ids|title",
                "pwplimit": _LIMIT,
            }
            problem = (
                f"{self.client.api_url} marks no page as a disambiguation page (it may lack the "
                "extension Disambiguator): use --draw names, or a dump"
            )
        before, most = self.client.requests, 0
        listed: list[Listed] = []
        done: Callable[[int], None] | None = None
        for number, part in enumerate(self._read_site(query), 1):
            rows = part.get(query["list"], ())
            if done is None:
                of_category = (page.get("categoryinfo", {}) for page in part.get("pages", ()))
                most = sum(about.get("pages", 0) for about in of_category)
                done = progress(self.client.report, "names", -(-most // max(len(rows), 1)))
            listed += (Listed(row["pageid"], row["title"]) for row in rows if row.get("ns", 0) == 0)
            done(number)
        self.enumeration_requests = self.client.requests - before
        if not listed:
            raise WikiError(problem)
        return listed

    def name_pages(self, listed: Sequence[Listed]) -> Mapping[int, RawPage]:
        """Looks up listed pages by id, so that pages that have since been moved are found."""
        ids = {str(entry.page_id): entry for entry in listed}
        answer = self._fetch("pageids", list(ids))
        pages = answer.raw_pages()
        by_title = {page.title: page for page in pages.values()}
        by_listed = {entry.title: entry.page_id for entry in listed}
        found = {
            by_listed[source]: by_title[target]
            for source in answer.moves
            if source in by_listed and (target := answer.target(source)) in by_title
        }
        return found | {key: page for key, page in pages.items() if str(key) in ids}

    def expect(self, titles: Iterable[str]) -> None:
        """Does nothing, because pages are requested only when they are needed."""

    def lookup(self, titles: Iterable[str]) -> Mapping[str, RawPage]:
        """Looks up titles, 50 per request."""
        return self._leading_to(list(dict.fromkeys(titles)))

    def lists(self, titles: Iterable[str]) -> Mapping[str, str]:
        """Reads the lists that templates insert into a page, 50 titles per request."""
        named = {f"Template:{title[:1].upper()}{title[1:]}": title for title in titles}
        pages = self._leading_to(list(named), namespace=10)
        return {named[title]: list_in(page.text) for title, page in pages.items()}

    def _leading_to(self, titles: Sequence[str], *, namespace: int = 0) -> dict[str, RawPage]:
        answer = self._fetch("titles", titles)
        by_title = {page.title: page for page in answer.raw_pages(namespace).values()}
        return {
            title: by_title[target]
            for title in titles
            if (target := answer.target(title)) in by_title
        }

    def _fetch(self, key: Literal["pageids", "titles"], values: Sequence[str]) -> PageAnswer:
        checked = (self.language.name_category, *self.language.refused_categories)
        parameters = {
            "redirects": "1",
            "prop": "revisions|pageprops|redirects|categories",
            "rvprop": "ids|timestamp|content",
            "rvslots": "main",
            "ppprop": "disambiguation|wikibase-shortdesc|wikibase_item",
            "rdprop": "title",
            "rdnamespace": "0",
            "rdshow": "!fragment",
            "rdlimit": _LIMIT,
            # Only the few categories that decide whether it is a name page; they fit one response.
            "clcategories": "|".join(f"Category:{name}" for name in checked),
            "cllimit": _LIMIT,
        }
        return ask_pages(self.client, key, values, parameters)

    def categories(self, pages: Sequence[RawPage]) -> Mapping[int, tuple[str, ...]]:
        """Returns all categories of the pages, including those added by templates."""
        ids = [str(page.page_id) for page in pages]
        answer = ask_pages(self.client, "pageids", ids, {"prop": "categories", "cllimit": _LIMIT})
        return {key: categories_in(page) for key, page in answer.pages.items()}
