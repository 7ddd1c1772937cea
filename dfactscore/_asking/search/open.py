"""Opens a search service by name."""

from __future__ import annotations

from dfactscore._asking.search.results import Search
from dfactscore._asking.search.search_client import SearchLimits
from dfactscore._errors import InputError
from dfactscore._util.files import cache_folder
from dfactscore._util.message_text import near_miss

SERVICES = ("index", "wikipedia", "mediawiki", "searxng", "serper")
_FORMS = "index:FOLDER, wikipedia[:LANG], mediawiki:URL, searxng:URL, serper[:URL]"


def open_search(
    # `index:FOLDER`, `wikipedia[:LANG]`, `mediawiki:URL`, `searxng:URL` or `serper[:URL]`.
    spec: str,
    *,
    contact: str | None = None,  # your email address or URL, for a wiki
    interval: float = 0.5,  # minimum seconds between two requests to a wiki
    timeout: float = 30.0,
    limits: SearchLimits | None = None,
) -> Search:
    """Opens a search service."""
    kind, _, place = spec.partition(":")
    if kind not in SERVICES:
        raise InputError(f"--search {spec!r}: no such service{near_miss(kind, SERVICES)}; {_FORMS}")
    if kind in ("index", "mediawiki", "searxng") and not place:
        raise InputError(f"--search {spec}: say which, as {_form(kind)}")
    if kind == "index":
        from dfactscore._asking.search.search_client import IndexSearch

        return IndexSearch(place)
    if kind == "searxng":
        from dfactscore._asking.search.json_services import SearXNG

        return SearXNG(place, timeout=timeout)
    if kind == "serper":
        from dfactscore._asking.search.json_services import Serper

        return Serper(place, timeout=timeout)
    from dfactscore._asking.search.json_services import check_address
    from dfactscore._asking.search.wiki import WikiSearch

    lang = (place or "en") if kind == "wikipedia" else "en"
    address = f"https://{lang}.wikipedia.org/w/api.php" if kind == "wikipedia" else place
    return WikiSearch(
        check_address(address, kind),
        contact=contact,
        cache=cache_folder() / "wiki-search.sqlite",
        lang=lang,
        interval=interval,
        timeout=timeout,
        limits=limits,
    )


def _form(kind: str) -> str:
    return next(form for form in _FORMS.split(", ") if form.startswith(kind))
