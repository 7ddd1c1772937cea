"""Reads the files in which other programs store pages: JSON, HTML, wikiextractor, Cirrus, KILT."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from dfactscore._util.files import read_text
from dfactscore._util.jsonl import JSONError, iter_lines, parse_json, read_json
from dfactscore.retrieval._errors import RecordError, SourceError
from dfactscore.retrieval._shapes import ShapeError, passages_of

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
            yield from json_records(file)
            continue
        parent = file.relative_to(path).parent
        # A file directly in the folder is named after its title; a subfolder is named after a
        # title and contains several documents about it.
        title = unquote(parent.parts[0] if parent.parts else file.stem)
        text = read_text(file, error=SourceError)
        if file.suffix.lower() in (".html", ".htm"):
            text = _shown(text)
        yield str(file), {"title": title.replace("_", " "), "text": text}


def _shown(html: str) -> str:
    """Returns the text that a browser would show, without scripts and styles."""
    for tag in ("script", "style", "head", "nav"):
        html = re.sub(rf"(?is)<{tag}\b.*?</{tag}\s*>", " ", html)
    html = re.sub(r"(?i)<(?:br|/?(?:p|div|h\d|li|tr|table|ul|ol))\b[^>]*>", "\n", html)
    return unescape(re.sub(r"<[!/?a-zA-Z][^<>]*>", "", html)).strip()


def json_records(path: Path) -> Iterator[tuple[str, object]]:
    """Yields the records of a JSON file, of JSON lines, or of a file of wikiextractor."""
    if path.name.removesuffix(".gz").removesuffix(".bz2").endswith(".json"):
        yield from _of_json(path)
        return
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


def _of_json(path: Path) -> Iterator[tuple[str, object]]:
    """Yields the pages of a JSON file: a list, a list within an object, or titles with texts."""
    try:
        value = read_json(path, error=SourceError)
    except SourceError:
        # Dumps of Cirrus, and others that are called .json, hold one object per line.
        for line in iter_lines(path, error=SourceError):
            yield line.where, json_record(line.raw, line.where)
        return
    if isinstance(value, dict) and "title" in value:
        value = [value]
    if isinstance(value, list):
        rows: Iterable[Any] = value
    else:
        try:
            rows = [{"title": p.title, "text": p.text} for p in passages_of(value, str(path))]
        except ShapeError as error:
            raise SourceError(str(error)) from None
    for number, row in enumerate(rows, start=1):
        yield f"{path}: record {number}", row


def as_page(record: dict[str, Any]) -> dict[str, Any]:
    """Returns the fields of a page from those of another program's document."""
    title, text = record.get("wikipedia_title"), record.get("text")
    if isinstance(title, str) and isinstance(text, list):  # KILT: the paragraphs of one page
        text = "".join(part for part in text if isinstance(part, str))
        return {"title": title, "text": text}
    if "title" in record and "text" in record:
        return record
    try:
        (passage,) = passages_of([record])
    except ShapeError:
        return record
    if not passage.title or not passage.text:
        return record
    kept = {k: v for k, v in record.items() if k in _KEPT}
    return {**kept, "title": passage.title, "text": passage.text, "id": passage.id}
