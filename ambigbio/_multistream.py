"""Random access to a multistream dump using its index."""

from __future__ import annotations

import bz2
import html
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

from dfactscore.ambigbio._dump import (
    Redirect,
    candidate_patterns,
    candidates_in,
    pages_in,
    redirects_in,
    regions,
    template_patterns,
    templates_in,
)
from dfactscore.ambigbio._errors import AmbigBioError
from dfactscore.ambigbio._expansion import Template
from dfactscore.ambigbio._languages import Language
from dfactscore.ambigbio._sources import RawPage
from dfactscore.ambigbio._titles import Site
from dfactscore.ambigbio._unpacking import Span

_Item = TypeVar("_Item")


def find_index(dump: Path) -> Path | None:
    """Returns the index next to a multistream dump, following Wikimedia's naming, or None."""
    name = dump.name
    if "multistream" not in name:
        return None
    for compressed in (".txt.bz2", ".txt"):
        stem = name.removesuffix(".bz2").removesuffix(".xml")
        candidate = dump.with_name(stem.replace("multistream", "multistream-index") + compressed)
        if candidate.is_file():
            return candidate
    return None


def streams_of(index: Path, titles: frozenset[str] | set[str], dump: Path) -> list[Span]:
    """Finds the streams that contain the pages with the given titles."""
    # `index`: file of lines `offset:page id:title`, plain or compressed with bz2.
    opener: Callable[..., Iterable[bytes]] = bz2.open if index.suffix == ".bz2" else open
    wanted = {title.encode() for title in titles}
    hits: set[int] = set()
    offsets: set[int] = set()
    line = b""
    try:
        for line in opener(index, "rb"):
            offset, _, title = line.rstrip(b"\n").split(b":", 2)
            offsets.add(int(offset))
            if b"&" in title:  # the index may be escaped like the dump
                title = html.unescape(title.decode()).encode()
            if title in wanted:
                hits.add(int(offset))
    except (EOFError, OSError, ValueError) as error:
        last = line[:60].decode("utf-8", "replace")
        raise AmbigBioError(
            f"the index {index} is damaged ({error}; last line {last!r}): fetch it again, "
            "or remove it to read the dump without it"
        ) from error
    size = dump.stat().st_size
    if offsets and max(offsets) >= size:
        raise AmbigBioError(
            f"the index {index} points beyond the end of {dump}: their dates differ"
        )
    return [Span(dump, offset, offset + 1) for offset in sorted(hits)]


class DumpPiece(NamedTuple):
    """Candidate pages, redirects and templates from one region of a dump."""

    candidates: list[RawPage]
    redirects: list[Redirect]
    templates: list[Template]


def scan_pieces(span: Span, *, words: Language, site: Site) -> Iterator[DumpPiece]:
    """Yields a part's candidate name pages, redirects and templates, in pieces."""
    patterns = candidate_patterns(words)
    for region in regions(span):
        yield DumpPiece(
            list(candidates_in(region, patterns)),
            list(redirects_in(region)),
            list(templates_in(region, site)),
        )


def scan_aliases(span: Span, *, names: frozenset[str]) -> Iterator[DumpPiece]:
    """Yields the pages in a part that use any of the given templates."""
    patterns = template_patterns(names)
    for region in regions(span):
        yield DumpPiece(list(candidates_in(region, patterns)), [], [])


def titled_in_part(span: Span, *, titles: frozenset[str]) -> Iterator[RawPage]:
    """Yields the pages in a part that have one of the given titles."""
    return (page for region in regions(span) for page in pages_in(region, titles))


def collected(span: Span, *, work: Callable[[Span], Iterable[_Item]]) -> list[_Item]:
    """Collects the results for a part in a list, which can be sent between processes."""
    return list(work(span))
