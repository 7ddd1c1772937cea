"""Fetches pages from a live wiki, 50 per request, and caches each page separately."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from dfactscore.ambigbio._answers import PagesAnswer
from dfactscore.ambigbio._sources import RawPage
from dfactscore.ambigbio._wiki_client import WikiClient, progress

_BATCH = 50
_MOST_PARTS = 200  # maximum responses per batch; a wiki that sends more is repeating itself


@dataclass
class PageAnswer:
    """A wiki's responses about pages."""

    pages: dict[int, dict[str, Any]] = field(default_factory=dict)
    moves: dict[str, str] = field(default_factory=dict)
    sections: set[str] = field(default_factory=set)

    def add(self, part: Mapping[str, Any]) -> None:
        """Adds the ``query`` part of a response, which may continue earlier lists."""
        for step in (*part.get("normalized", ()), *part.get("redirects", ())):
            self.moves[step["from"]] = step["to"]
            if step.get("tofragment"):
                self.sections.add(step["from"])
        for page in part.get("pages", ()):
            if page.get("ns") not in (0, 10) or "pageid" not in page:
                continue
            known = self.pages.setdefault(page["pageid"], {})
            for key, value in page.items():
                both = isinstance(value, list) and key in known
                known[key] = known[key] + value if both else value

    def target(self, title: str) -> str | None:
        """Returns the title of the page that a title leads to, or None if it leads to a section."""
        *_, last = self._way(title)
        return None if self.sections.intersection(self._way(title)[:-1]) else last

    def _way(self, title: str) -> list[str]:
        way = [title]
        while (title := self.moves.get(title, "")) and title not in way:
            way.append(title)
        return way

    def raw_pages(self, namespace: int = 0) -> dict[int, RawPage]:
        """Returns the pages in a namespace that have text, by page id."""
        return {
            key: _raw(page)
            for key, page in self.pages.items()
            if page.get("revisions") and page.get("ns") == namespace
        }

    def about(
        self, key: Literal["pageids", "titles"], value: str, requested: set[str]
    ) -> PageAnswer:
        """Returns the part of the response about one of the requested ids or titles."""
        if key == "titles":
            way = self._way(value)
            pages = {n: page for n, page in self.pages.items() if page.get("title") in way}
            steps = {title: self.moves[title] for title in way[:-1]}
            return PageAnswer(pages, steps, self.sections.intersection(steps))
        if (number := int(value)) in self.pages:
            return PageAnswer({number: self.pages[number]})
        # The page has become a redirect, and the response does not say which target belongs to it.
        pages = {n: page for n, page in self.pages.items() if str(n) not in requested}
        return PageAnswer(pages, self.moves, self.sections)


def ask_pages(
    client: WikiClient,
    key: Literal["pageids", "titles"],
    values: Sequence[str],
    parameters: Mapping[str, str],
) -> PageAnswer:
    """Requests pages, 50 at a time; pages requested earlier come from the cache."""
    whole, left = PageAnswer(), []
    for value in values:
        cached = client.recall({**parameters, key: value})
        if cached is None:
            left.append(value)
        else:
            _join(whole, cached["moves"], cached["sections"], cached["pages"])
    done = progress(client.report, "pages", -(-len(left) // _BATCH))
    for number, start in enumerate(range(0, len(left), _BATCH), 1):
        batch, answer = left[start : start + _BATCH], PageAnswer()
        query = {key: "|".join(batch), **parameters}
        for part in client.query(query, PagesAnswer, most=_MOST_PARTS):
            answer.add(part)
        each: list[tuple[dict[str, str], PageAnswer]] = [
            ({str(key): value}, answer.about(key, value, set(batch))) for value in batch
        ]
        # A page requested by id is cached by title as well.
        each += [
            ({"titles": page["title"]}, PageAnswer({page_id: page}))
            for page_id, page in answer.pages.items()
            if key == "pageids" and "title" in page
        ]
        client.remember(
            (
                {**parameters, **about},
                {
                    "moves": one.moves,
                    "sections": sorted(one.sections),
                    "pages": [*one.pages.values()],
                },
            )
            for about, one in each
        )
        done(number)
        _join(whole, answer.moves, answer.sections, answer.pages.values())
    return whole


def _join(
    whole: PageAnswer,
    moves: Mapping[str, str],
    sections: Iterable[str],
    pages: Iterable[dict[str, Any]],
) -> None:
    whole.moves.update(moves)
    whole.sections.update(sections)
    whole.pages.update((page["pageid"], page) for page in pages)


def categories_in(page: Mapping[str, Any]) -> tuple[str, ...]:
    """Returns the names of a page's categories, excluding the namespace."""
    return tuple(entry["title"].partition(":")[2] for entry in page.get("categories", ()))


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
        categories=categories_in(page),
        disambiguation="disambiguation" in properties,
        short_description=properties.get("wikibase-shortdesc", ""),
        wikidata=properties.get("wikibase_item", ""),
    )
