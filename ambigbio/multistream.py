"""The index of a multistream dump, and work on a dump's parts in several processes."""

from __future__ import annotations

import bz2
import html
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from ambigbio.dump import (
    Redirect,
    Span,
    candidate_patterns,
    candidates_in,
    redirects_in,
    regions,
    titled_in,
)
from ambigbio.errors import AmbigBioError
from ambigbio.languages import language
from ambigbio.sources import RawPage

__all__ = ["find_index", "over_parts", "scan_part", "streams_of", "titled_in_part"]

_Result = TypeVar("_Result")


def find_index(dump: Path) -> Path | None:
    """The index that lies beside a multistream dump, as Wikimedia names it, or None."""
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
    """The streams that hold pages of the given titles.

    Args:
        index: Lines of ``offset:page id:title``, plain or bz2.
        titles: The titles.
        dump: The multistream file.

    Raises:
        AmbigBioError: The index is damaged or belongs to another dump.
    """
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
        raise AmbigBioError(
            f"the index {index} is damaged ({error}; last line {line[:60]!r}): fetch it again, "
            "or remove it to read the dump without it"
        ) from error
    size = dump.stat().st_size
    if offsets and max(offsets) >= size:
        raise AmbigBioError(
            f"the index {index} points beyond the end of {dump}: they are of different dates"
        )
    return [Span(dump, offset, offset + 1) for offset in sorted(hits)]


def scan_part(span: Span, *, code: str) -> tuple[list[RawPage], list[Redirect]]:
    """The candidates for names and the redirects of a part.

    Args:
        span: The part.
        code: Code of the language.
    """
    patterns = candidate_patterns(language(code))
    pages: list[RawPage] = []
    redirects: list[Redirect] = []
    for region in regions(span):
        pages.extend(candidates_in(region, patterns))
        redirects.extend(redirects_in(region))
    return pages, redirects


def titled_in_part(span: Span, *, titles: frozenset[str]) -> list[RawPage]:
    """The pages of a part that bear one of the titles."""
    return [page for region in regions(span) for page in titled_in(region, titles)]


def over_parts(
    work: Callable[[Span], _Result], parts: list[Span], processes: int
) -> Iterator[tuple[Span, _Result]]:
    """Works on parts in several processes and gives the results in the order of the parts.

    Args:
        work: A function that can be sent to another process.
        parts: The parts.
        processes: How many; one works in this process.
    """
    if processes <= 1 or len(parts) <= 1:
        for part in parts:
            yield part, work(part)
        return
    with ProcessPoolExecutor(min(processes, len(parts))) as pool:
        waiting = []
        for part in parts:
            waiting.append((part, pool.submit(work, part)))
            if len(waiting) >= 2 * processes:
                first, future = waiting.pop(0)
                yield first, future.result()
        for part, future in waiting:
            yield part, future.result()


def titled_work(titles: frozenset[str]) -> Callable[[Span], list[RawPage]]:
    """`titled_in_part` for a set of titles."""
    return partial(titled_in_part, titles=titles)
