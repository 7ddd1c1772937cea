"""Lists all pages in a knowledge source in a canonical order."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._evidence.pages import open_pages
from dfactscore.retrieval import Page


def all_pages(pages: Any) -> dict[str, Page]:
    """Returns pages by title, sorted by title; documents that share a title are joined."""
    source: Any = open_pages(pages)
    if hasattr(source, "pages"):
        titles = {page.title for page in source.pages()}
    elif hasattr(source, "titles"):
        titles = set(source.titles())
    else:
        raise InputError(f"pages: a {type(source).__name__} does not list its titles")
    pages_by_title = {}
    for title in sorted(titles):
        page = source.lookup(title)
        if isinstance(page, Page) and page.text.strip():
            pages_by_title[title] = page
    if not pages_by_title:
        where = pages if isinstance(pages, (str, Path)) else "the source"
        raise InputError(f"{where}: has no pages with text")
    return pages_by_title


def pages_digest(pages: Mapping[str, Page]) -> str:
    """The SHA-256 of the titles and texts."""
    total = hashlib.sha256()
    for title in sorted(pages):
        total.update(f"{title}\0{pages[title].text}\0".encode("utf-8", "surrogatepass"))
    return total.hexdigest()
