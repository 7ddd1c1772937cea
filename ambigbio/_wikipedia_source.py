"""Wikipedia as a knowledge source, with a cache that records the revisions of pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dfactscore._text.names import name_words
from dfactscore._util.files import cache_folder
from dfactscore.ambigbio._api_source import ApiSource
from dfactscore.ambigbio._cache import ResponseCache
from dfactscore.ambigbio._languages import language as language_data
from dfactscore.ambigbio._wiki_client import WikiClient, check_contact
from dfactscore.ambigbio._wikitext import page_of
from dfactscore.retrieval._documents import Page
from dfactscore.retrieval._knowledge import KnowledgeSource, MissingPage
from dfactscore.retrieval._normalize import same_name_titles


def default_pages_cache(language: str) -> Path:
    """Returns the path of a wiki's cache in the user's cache folder."""
    return cache_folder() / f"wikipedia-{language}.sqlite"


class WikipediaSource(KnowledgeSource):
    """Looks up titles in Wikipedia, following redirects and skipping lists of names.

    Responses are cached on disk, so that a second run reads the same revisions without sending
    requests.
    """

    def __init__(
        self,
        language: str = "en",  # `"en"` or `"de"`
        *,
        contact: str | None = None,  # user's email address or URL, which Wikimedia requires
        cache: str | Path | None = None,
        api_url: str | None = None,  # URL of the `api.php`; by default, Wikipedia's
    ) -> None:
        self._language = language_data(language)
        address = api_url or f"https://{language}.wikipedia.org/w/api.php"
        contact = check_contact(contact)
        responses = ResponseCache(Path(cache) if cache else default_pages_cache(language))
        self._client = WikiClient(address, contact=contact, cache=responses)
        self._source = ApiSource(self._client, self._language)
        self._pages: dict[str, Page | None] = {}
        self._snapshot = ""

    @property
    def snapshot(self) -> str:
        """The date of the first request."""
        if not self._snapshot:
            today = datetime.now(UTC).date().isoformat()
            self._snapshot = self._source.snapshot() or today
        return self._snapshot

    @property
    def requests(self) -> int:
        """The number of requests sent; cached pages need none."""
        return self._client.requests

    def revisions(self) -> dict[str, str]:
        """The revisions of the pages that were read, by title."""
        revisions = {p.title: p.revision for p in self._pages.values() if p is not None}
        return dict(sorted(revisions.items()))

    def documents(self, title: str) -> tuple[Page, ...]:
        """Returns the page with a title as plain text; empty if the wiki has no such article."""
        self._read([title])
        page = self._pages[title]
        return () if page is None else (page,)

    def lookup_many(self, titles: Sequence[str]) -> list[Page | MissingPage]:
        """Looks up several titles, 50 per request."""
        self._read(titles)
        return [self.lookup(title) for title in titles]

    def titles_for(self, name: str) -> tuple[str, ...]:
        """Returns the titles that bear a name, found by prefix and with the wiki's search.

        A page is also found if the search returns it and one of its redirects bears the name.
        """
        words = " ".join(f'intitle:"{word}"' for word in name_words(name))
        lists = (
            {"list": "allpages", "apprefix": name, "aplimit": "100", "apnamespace": "0"},
            {
                "list": "search",
                "srsearch": words,
                "srlimit": "100",
                "srnamespace": "0",
                "srprop": "redirecttitle",
            },
        )
        matches: list[tuple[str, str]] = []
        for parameters in lists if words else ():
            wanted = len(matches) + 100
            for part in self._client.query(parameters):
                rows = part.get(parameters["list"], ())
                matches += [(form, row["title"]) for row in rows for form in _forms(row)]
                if len(matches) >= wanted:
                    break
        titles = tuple(dict.fromkeys([name, *same_name_titles(name, matches, None)]))
        self._read(titles)
        # The target of a redirect may be among the results as well.
        pages = (self._pages[title] for title in titles)
        return tuple(dict.fromkeys(page.title for page in pages if page is not None))

    def describe(self) -> dict[str, Any]:
        """Returns the manifest entry: the wiki and the date of the first request."""
        return {"kind": "wikipedia", "path": self._client.api_url, "snapshot": self.snapshot}

    def _read(self, titles: Sequence[str]) -> None:
        wanted = [title for title in dict.fromkeys(titles) if title not in self._pages]
        if not wanted:
            return
        site = self._source.site()
        pages = self._source.lookup(wanted)
        for title in wanted:
            raw = pages.get(title)
            self._pages[title] = (
                None
                if raw is None or raw.disambiguation
                else page_of(raw, extent="full", site=site, language=self._language)
            )

    def close(self) -> None:
        """Closes the connection and the cache."""
        self._client.close()


def _forms(row: Mapping[str, Any]) -> list[str]:
    """Returns the title of a search result and the redirect that matched, if any."""
    return [str(row[name]) for name in ("title", "redirecttitle") if row.get(name)]
