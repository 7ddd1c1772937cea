"""Reads a wiki's XML dump as bytes in a single pass, using constant memory.

The text in a dump is escaped, so ``<page>`` and ``</page>`` occur only as page delimiters, and a
page can be cut out without parsing the rest. Only pages whose bytes pass a cheap test are parsed as
XML.
"""

from __future__ import annotations

import gzip
import html
import re
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from xml.etree import ElementTree

from dfactscore._util.files import check_regular
from dfactscore.ambigbio._errors import AmbigBioError
from dfactscore.ambigbio._expansion import Template, list_in, transcluded
from dfactscore.ambigbio._languages import Language
from dfactscore.ambigbio._sources import RawPage
from dfactscore.ambigbio._titles import Site, site_of
from dfactscore.ambigbio._unpacking import Span, broken, bz2_blocks, is_multistream

_BLOCK = 1 << 20
_LONGEST_PAGE = 256 << 20
_END = b"</page>"
_REDIRECT = re.compile(
    rb'<title>([^<]*)</title>\s*<ns>0</ns>\s*<id>\d+</id>\s*<redirect title="([^"]*)"\s*/>'
)
_REDIRECT_LINK = re.compile(rb"#[^\[\n<]{1,40}\[\[([^\[\]|]*)")
_TITLE = re.compile(rb"<title>([^<]*)</title>\s*<ns>0</ns>")
_TEMPLATE = re.compile(rb"<title>([^<]*)</title>\s*<ns>10</ns>")
_REDIRECT_TO = re.compile(rb'<redirect title="([^"]*)"')
_TEMPLATE_REDIRECT = re.compile(r"\s*#[^\W\d]{5,16}\s*:?\s*\[\[([^\[\]|#\n]+)")
_TEXT = re.compile(rb"<text\b[^>]*>([^<]*)</text>")
_NO_TEMPLATE = ("/doc", "/sandbox", "/testcases", "/Doku", "/Documentation")
_LONGEST_TEMPLATE = 20_000
_LONGEST_WRAPPER = 600


@dataclass(frozen=True, slots=True)
class Redirect:
    """A redirect between articles."""

    source: str
    target: str
    section: bool


def spans(path: Path, size: int = 64 << 20) -> list[Span]:
    """Splits a dump file into parts that can be read independently.

    Each part of a bz2 file has the streams that begin in it, or, if the file is one stream, the
    stream's blocks. A gz file is a single part.
    """
    check_regular(path, error=AmbigBioError)
    try:
        total = path.stat().st_size
    except OSError as error:
        raise AmbigBioError(f"cannot read the dump {path}: {error.strerror}") from error
    if not total:
        raise AmbigBioError(f"the dump {path} is empty: fetch it again")
    if path.suffix == ".gz":
        return [Span(path, 0, total)]
    by_block = path.suffix == ".bz2" and not is_multistream(path)
    starts = range(0, total, size)
    return [Span(path, start, min(start + size, total), by_block=by_block) for start in starts]


def _plain_blocks(span: Span) -> Iterator[tuple[bytes, bool]]:
    with span.path.open("rb") as file:
        file.seek(span.start)
        left = span.end - span.start
        while left:
            block = file.read(min(4 * _BLOCK, left))
            if not block:
                return
            left -= len(block)
            yield block, True
        while block := file.read(_BLOCK):
            yield block, False


def _gz_blocks(span: Span) -> Iterator[tuple[bytes, bool]]:
    with gzip.open(span.path) as file:
        try:
            while block := file.read(4 * _BLOCK):
                yield block, True
        except (EOFError, OSError, zlib.error) as error:
            raise broken(span.path, error, span.end) from error


def _blocks(span: Span) -> Iterator[tuple[bytes, bool]]:
    if span.path.suffix == ".bz2":
        return bz2_blocks(span)
    return _gz_blocks(span) if span.path.suffix == ".gz" else _plain_blocks(span)


def regions(span: Span) -> Iterator[bytes]:
    """Yields pieces of XML made up of complete pages; each page of the span occurs exactly once.

    A page belongs to the span in which its ``<page>`` begins.
    """
    rest, begun, read = b"", False, False
    blocks = _blocks(span)
    for block, own in blocks:
        if not own:
            yield from _left_open(span, rest, chain([block], (block for block, _ in blocks)))
            return
        rest, read = rest + block, True
        if not begun:  # text before the first page belongs to the previous part
            first = rest.find(b"<page>")
            begun, rest = first >= 0, rest[first if first >= 0 else -5 :]
        cut = rest.rfind(_END) + len(_END) if begun else 0
        if cut >= len(_END):
            yield rest[:cut]
            rest = rest[cut:]
        if len(rest) > _LONGEST_PAGE:
            raise broken(span.path, "a page has no end", span.start)
    if b"<page>" in rest:
        raise broken(span.path, "the last page has no end", span.path.stat().st_size)
    # a part may begin within the closing tag
    tail = not begun and b"</mediawiki>".endswith(rest.strip()[-5:])
    if read and b"</mediawiki>" not in rest and not tail:
        raise broken(span.path, "</mediawiki> is missing", span.path.stat().st_size)


def _left_open(span: Span, rest: bytes, blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Completes the last page of a span, reading only as many of the following bytes as needed."""
    own = len(rest)
    if b"<page>" not in rest and not any(rest.endswith(b"<page>"[:size]) for size in range(1, 6)):
        return
    for block in blocks:
        rest += block
        begin = rest.find(b"<page>")
        if begin >= own or (begin < 0 and len(rest) >= own + 6):
            return
        cut = rest.find(_END)
        if cut >= 0:
            yield rest[begin : cut + len(_END)]
            return
    raise broken(span.path, "the last page has no end", span.path.stat().st_size)


def _name_pattern(name: str) -> str:
    first, rest = re.escape(name[0]), re.escape(name[1:])
    if name[0].upper() != name[0]:
        first = f"(?:{first}|{re.escape(name[0].upper())})"
    return first + rest.replace(r"\ ", "[ _]+")


def candidate_patterns(language: Language) -> tuple[re.Pattern[bytes], ...]:
    """Returns byte patterns; pages that match none of them are not parsed for names.

    The patterns begin with fixed bytes, which makes Python's search five times as fast.
    """
    templates = language.name_templates | language.dab_templates
    return (*template_patterns(templates), _category_pattern(language))


def template_patterns(names: Iterable[str]) -> tuple[re.Pattern[bytes], ...]:
    """Returns byte patterns; every page that uses one of the templates matches at least one."""
    either = "|".join(_name_pattern(name) for name in sorted(names))
    prefix = r"(?::?\s*[^\W\d]{3,12}\s*:\s*)?"  # the namespace of templates, in any language
    return (re.compile(rf"\{{\{{\s*{prefix}(?:{either})\s*[|}}<]".encode(), re.IGNORECASE),)


def _category_pattern(language: Language) -> re.Pattern[bytes]:
    # only the first letter of a category ignores case
    category = re.escape(language.name_category[1:]).replace(r"\ ", "[ _]+")
    return re.compile(rf"{category}\s*[|\]]".encode())


def _page_of(region: bytes, inside: int) -> tuple[int, int]:
    begin = region.rfind(b"<page>", 0, inside)
    return begin, region.find(_END, inside) + len(_END)


def _parse(xml: bytes) -> RawPage | None:
    try:
        page = ElementTree.fromstring(xml)
        revision = page.findall("revision")[-1]
        if page.findtext("ns") != "0" or page.find("redirect") is not None:
            return None
        return RawPage(
            title=page.findtext("title") or "",
            page_id=int(page.findtext("id") or 0),
            revision=int(revision.findtext("id") or 0),
            timestamp=revision.findtext("timestamp") or "",
            text=revision.findtext("text") or "",
        )
    except (ElementTree.ParseError, IndexError, ValueError) as error:
        start = xml[:120].decode("utf-8", "replace")
        raise AmbigBioError(
            f"a page of the dump is not in the export format ({error}): {start!r}"
        ) from error


def candidates_in(region: bytes, patterns: Iterable[re.Pattern[bytes]]) -> Iterator[RawPage]:
    """Parses the articles in a region whose bytes match one of the patterns."""
    done = 0
    places = (match.start() for pattern in patterns for match in pattern.finditer(region))
    for place in sorted(places):
        if place < done:
            continue
        begin, done = _page_of(region, place)
        page = _parse(region[begin:done])
        if page is not None:
            yield page


def redirects_in(region: bytes) -> Iterator[Redirect]:
    """Yields the redirects between articles in a region."""
    for match in _REDIRECT.finditer(region):
        stop = region.find(_END, match.end())
        link = _REDIRECT_LINK.search(region, match.end(), stop)
        yield Redirect(
            html.unescape(match[1].decode("utf-8", "replace")),
            html.unescape(match[2].decode("utf-8", "replace")).partition("#")[0],
            link is not None and b"#" in link[1],
        )


def templates_in(region: bytes, site: Site) -> Iterator[Template]:
    """Yields a region's templates that may add categories, and redirects between templates."""
    for match in _TEMPLATE.finditer(region):
        title = html.unescape(match[1].decode()).partition(":")[2]
        if title.endswith(_NO_TEMPLATE):
            continue
        stop = region.find(_END, match.end())
        moved = _REDIRECT_TO.search(region, match.end(), stop)
        if moved:
            target = html.unescape(moved[1].decode()).partition("#")[0].partition(":")[2]
            if target:
                yield Template(title, "", target)
            continue
        body = _TEXT.search(region, match.end(), stop)
        if body is None:
            continue
        whole = html.unescape(body[1].decode("utf-8", "replace"))
        leads = _TEMPLATE_REDIRECT.match(whole)
        if leads:
            yield Template(title, "", leads[1].partition(":")[2].strip() or leads[1].strip())
            continue
        text = transcluded(whole)
        folded = text[:_LONGEST_TEMPLATE].casefold()
        if (
            "__DISAMBIG__" in text
            or any(f"[[{name}:" in folded for name in site.categories)
            or (len(text) < _LONGEST_WRAPPER and "{{" in text)
            or ("[[" in text and list_in(text))
        ):
            yield Template(title, text[:_LONGEST_TEMPLATE])


def pages_in(region: bytes, titles: Collection[str] | None = None) -> Iterator[RawPage]:
    """Yields the articles in a region, excluding redirects; if titles are given, only those."""
    for match in _TITLE.finditer(region):
        if titles is None or html.unescape(match[1].decode("utf-8", "replace")) in titles:
            begin, end = _page_of(region, match.end())
            page = _parse(region[begin:end])
            if page is not None:
                yield page


def read_site(path: Path) -> Site:
    """Reads the wiki's properties from the first bytes of a dump."""
    head = b""
    for block, _ in _blocks(spans(path)[0]):
        head += block
        if b"</siteinfo>" in head or len(head) > 4 * _BLOCK:
            break
    end = head.find(b"</siteinfo>")
    begin = head.find(b"<siteinfo>")
    if not head.lstrip(b"\xef\xbb\xbf \n").startswith(b"<mediawiki") or not 0 <= begin < end:
        start = head[:40].decode("utf-8", "replace")
        raise AmbigBioError(
            f"{path} is not a MediaWiki XML dump (it begins with {start!r}): --dump wants a "
            "pages-articles.xml, .xml.bz2 or .xml.gz file"
        )
    try:
        info = ElementTree.fromstring(head[begin : end + len(b"</siteinfo>")])
        spaces = info.findall(".//{*}namespace")
        names = [(int(space.get("key", "0")), space.text or "") for space in spaces]
    except (ElementTree.ParseError, ValueError) as error:
        raise broken(path, f"its <siteinfo>: {error}", begin) from None
    base, case = (info.findtext(f"{{*}}{name}") or "" for name in ("base", "case"))
    return site_of(base, [*names, *_CANONICAL], case)


_CANONICAL = (
    (-2, "media"), (-1, "special"), (1, "talk"), (2, "user"), (3, "user talk"), (4, "project"),
    (5, "project talk"), (6, "file"), (6, "image"), (7, "file talk"), (7, "image talk"),
    (8, "mediawiki"), (9, "mediawiki talk"), (10, "template"), (11, "template talk"), (12, "help"),
    (13, "help talk"), (14, "category"), (15, "category talk"),
)  # fmt: skip
