"""Reads the files in which other programs store pages: JSON, HTML, wikiextractor, Cirrus, KILT."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from dfactscore._util.files import open_bytes, read_bytes, read_text
from dfactscore._util.json_rows import BrokenItem, Rows, iter_array
from dfactscore._util.json_rows import iter_lines as iter_rows
from dfactscore._util.jsonl import JSONError, iter_lines, parse_json
from dfactscore._util.objects import ShapeError
from dfactscore._util.tables import Unreadable, parsed
from dfactscore.retrieval._errors import RecordError, SourceError
from dfactscore.retrieval._shapes import LISTS, TEXTS, TITLES, has_text, passages_of

_KEPT = ("id", "url", "revision", "timestamp", "license", "redirects")


def json_record(line: object, where: str) -> object:
    """Parses a line of JSON, given as bytes, which may contain Python's NaN."""
    assert isinstance(line, bytes)
    try:
        return parse_json(line, strict=False)
    except JSONError as error:
        raise RecordError(where, str(error)) from None


EXTRACTED = re.compile(r"wiki_\d+")
_TEXT_FILES = (".txt", ".md", ".markdown", ".html", ".htm")
_OF_RECORDS = (".jsonl", ".ndjson", ".json")


def page_files(path: Path) -> list[Path]:
    """Lists the files of a folder that hold pages, in order."""
    files = sorted(file for file in path.rglob("*") if file.is_file())
    texts = [file for file in files if file.suffix.lower() in _TEXT_FILES]
    plain = [(file, file.name.removesuffix(".gz").removesuffix(".bz2")) for file in files]
    # A folder of texts may hold a list of them, too.
    return (
        texts
        or [f for f, name in plain if EXTRACTED.fullmatch(name)]
        or [file for file, name in plain if name.endswith(_OF_RECORDS)]
    )


def folder_records(path: Path) -> Iterator[tuple[str, object]]:

    for file in page_files(path):
        if file.suffix.lower() not in _TEXT_FILES:
            plain = file.name.removesuffix(".gz").removesuffix(".bz2")
            yield from (extracted_records if EXTRACTED.fullmatch(plain) else json_records)(file)
            continue
        parent = file.relative_to(path).parent
        # A file directly in the folder is named after its title; a subfolder is named after a
        # title and contains several documents about it.
        title = unquote(parent.parts[0] if parent.parts else file.stem)
        text = read_text(file, error=SourceError)
        if file.suffix.lower() in (".html", ".htm"):
            text = _shown(text)
        elif file.suffix.lower() in (".md", ".markdown"):
            text = _FRONT_MATTER.sub("", text)
        yield str(file), {"title": title.replace("_", " "), "text": text}


_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?:[^\n]*\n){0,200}?---[ \t]*\n")


def _shown(html: str) -> str:
    """Returns the text that a browser would show, without scripts and styles."""
    for tag in ("script", "style", "head", "nav"):
        html = re.sub(rf"(?is)<{tag}\b.*?</{tag}\s*>", " ", html)
    html = re.sub(r"(?i)<(?:br|/?(?:p|div|h\d|li|tr|table|ul|ol))\b[^>]*>", "\n", html)
    return unescape(re.sub(r"<[!/?a-zA-Z][^<>]*>", "", html)).strip()


def json_records(path: Path) -> Iterator[tuple[str, object]]:
    """Yields the records of a file of JSON or of JSON lines."""
    if not path.name.removesuffix(".gz").removesuffix(".bz2").endswith(".json") or _is_lines(path):
        rows, kind = iter_rows(path, PAGES), ""
    else:
        rows = iter_array(read_bytes(path, error=SourceError), path, PAGES, whole=True)
        kind = " record "
    for number, row in rows:
        where = f"{path}:{kind}{number}"
        if isinstance(row, BrokenItem):
            yield where, Unreadable(row.reason)
        elif isinstance(row, dict) and kind and not PAGES.is_record(row) and "title" not in row:
            try:
                titled = [{"title": p.title, "text": p.text} for p in passages_of(row, str(path))]
            except ShapeError as error:
                raise SourceError(str(error)) from None
            yield from ((where, page) for page in titled)
        else:
            yield where, row


def _is_lines(path: Path) -> bool:
    """Whether a file called .json holds an object per line, as dumps of Cirrus do."""
    with open_bytes(path, error=SourceError) as file:
        first, second, *_ = *islice(file, 2), b"", b""
    if not second.lstrip().startswith(b"{"):
        return False
    try:
        return isinstance(parse_json(first), dict)
    except JSONError:
        return False


def _is_page(value: Mapping[str, Any]) -> bool:
    return (not {*TEXTS}.isdisjoint(value) and not {*TITLES}.isdisjoint(value)) or has_text(value)


def _is_row(value: Mapping[str, Any]) -> bool:
    return not {*TEXTS}.isdisjoint(value) or has_text(value)


# Keys under which files list pages: also of vector stores, MediaWiki's API and LlamaIndex.
PAGES = Rows(
    _is_page, _is_row, (
        *LISTS, "rows", "pages", "articles", "result", "query", "response", "docstore/data",
    ),
    SourceError,
)  # fmt: skip


def extracted_records(path: Path) -> Iterator[tuple[str, object]]:
    """Yields the pages of a file of wikiextractor, in JSON or within tags."""
    title = ""
    body: list[str] | None = None
    for line in iter_lines(path, error=SourceError):
        text = line.raw.decode("utf-8", "replace").strip()
        if text.startswith("<doc ") and (found := _DOC.search(text)):
            title, body = unescape(found[1]), []
        elif text == "</doc>" and body is not None:
            lines = body[1:] if body[:1] == [title] else body
            if "".join(lines).strip():  # wikiextractor keeps redirects as empty pages
                yield line.where, {"title": title, "text": "\n".join(lines)}
            body = None
        elif body is not None:
            body.append(text)
        else:
            yield line.where, json_record(line.raw, line.where)


_DOC = re.compile(r'\btitle="([^"]*)"')
# FEVER's names of brackets and colons in titles.
_FEVER = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-COLON-": ":", "_": " "}


def as_page(record: dict[str, Any]) -> dict[str, Any]:
    """Returns the fields of a page from those of another program's document."""
    title, text = record.get("wikipedia_title", record.get("title")), record.get("text")
    paragraphs = "wikipedia_title" in record or "charoffset" in record  # KILT, HotpotQA
    if isinstance(text, list) and (paragraphs or any(isinstance(part, list) for part in text)):
        return {"title": title, "text": "".join(_flat(text))}
    body = record.get("article_body")
    if isinstance(body, dict) and isinstance(body.get("html"), str):  # Wikimedia Enterprise
        record = {**record, "title": record.get("name"), "text": _shown(body["html"])}
    if isinstance(record.get("raw"), str) and isinstance(inner := parsed(record["raw"]), dict):
        return as_page(inner)  # Pyserini
    if isinstance(record.get("sections"), list) and "text" not in record:  # Enterprise, structured
        return {
            **record,
            "title": record.get("name"),
            "text": "\n".join(_values(record["sections"])),
        }
    if "lines" in record and "title" not in record and isinstance(record.get("id"), str):  # FEVER
        title = record["id"]
        for code, sign in _FEVER.items():
            title = title.replace(code, sign)
        return {**record, "title": title}
    if "title" in record and "text" in record:
        return record
    try:
        (passage,) = passages_of([record])
    except ShapeError:
        parts = [part for name in _PARTS if (part := _joined(record.get(name)))]
        return {**record, "text": parts[0]} if title and text is None and parts else record
    if not passage.title or not passage.text:
        return record
    kept = {k: v for k, v in record.items() if k in _KEPT}
    return {**kept, "title": passage.title, "text": passage.text, "id": passage.id}


_PARTS = ("paragraphs", "passages", "chunks", "contexts", "sentences", "documents")  # of SQuAD


def _joined(parts: object) -> str:
    """Returns the texts of a page's parts; nothing if anything else is among them."""
    try:
        return "\n".join(part.text for part in passages_of(parts)) if parts else ""
    except ShapeError:
        return ""


def _values(parts: list[Any]) -> Iterator[str]:
    """Yields the texts of paragraphs and lists within sections."""
    for part in parts:
        if isinstance(part, dict):
            if isinstance(part.get("value"), str):
                yield part["value"]
            if isinstance(inner := part.get("has_parts"), list):
                yield from _values(inner)


def _flat(parts: list[Any]) -> Iterator[str]:
    """Yields the sentences of paragraphs, and a line break after each paragraph that is a list."""
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, list):
            yield from _flat(part)
            yield "\n"
