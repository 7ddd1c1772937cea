"""Converts the people's pages to the page format used by `retrieval`."""

from __future__ import annotations

from typing import Literal

from dfactscore.ambigbio._languages import Language
from dfactscore.ambigbio._sources import RawPage
from dfactscore.ambigbio._titles import Site, page_url
from dfactscore.ambigbio._wikitext import plain_text
from dfactscore.retrieval import Page

PageExtent = Literal["none", "lead", "full"]


def license_line(url: str) -> str:
    """Returns the attribution line required by the license of Wikipedia's text."""
    return f"CC BY-SA 4.0, by the contributors to {url}"


def page_of(raw: RawPage, *, extent: PageExtent, site: Site, language: Language) -> Page:
    """Returns a page's text together with its URL, revision and license."""
    url = page_url(raw.title, site)
    return Page(
        title=raw.title,
        text=plain_text(raw.text, site=site, language=language, lead_only=extent == "lead"),
        id=str(raw.page_id),
        url=url,
        revision=str(raw.revision),
        timestamp=raw.timestamp,
        license=license_line(url),
        redirects=raw.aliases,
    )
