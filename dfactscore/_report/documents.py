"""The documents in a report, without repeats and reduced to the text around the evidence."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dfactscore._records import Document
from dfactscore._report.offsets import Utf16
from dfactscore.linking import Evidence


@dataclass(slots=True)
class _Part:
    """A part of a document: its text, and its start offset in characters and in UTF-16 units."""

    start: int
    offset: int
    text: str


@dataclass(slots=True)
class _Shown:
    """The parts of a document shown in the report."""

    title: str
    length: int
    size: int
    places: set[tuple[int, int]] = field(default_factory=set)
    parts: list[_Part] = field(default_factory=list)


class ReportDocuments:
    """Collects documents and the positions of evidence within each, one biography at a time."""

    def __init__(self, context: int = 400) -> None:
        self._context = context
        self._numbers: dict[bytes, int] = {}
        self._shown: list[_Shown] = []
        self._open: dict[int, tuple[str, Utf16]] = {}  # documents of the current biography
        self._keys: dict[int, tuple[Document, int]] = {}  # document numbers by object identity
        self._touched: set[int] = set()
        self.size = 0  # number of characters in all parts

    def number(self, document: Document) -> int:
        """Returns a document's number in the report; equal documents share a number."""
        known = self._keys.get(id(document))
        if known is not None:
            return known[1]
        digest = hashlib.blake2b(document.title.encode("utf-8", "surrogatepass"), digest_size=20)
        digest.update(b"\0" + document.text.encode("utf-8", "surrogatepass"))
        key = digest.digest()
        number = self._numbers.setdefault(key, len(self._numbers))
        self._keys[id(document)] = document, number
        if number not in self._open:
            offset = Utf16(document.text)
            self._open[number] = document.text, offset
            if number == len(self._shown):
                length = len(document.text)
                self._shown.append(_Shown(document.title, length, offset(length)))
        return number

    def place(self, documents: Sequence[Document], evidence: Evidence | None) -> list[int] | None:
        """Adds a piece of evidence and returns it as ``[document, start, end]`` in UTF-16 units.

        Returns None if there is no evidence or it lies outside the documents.
        """
        if evidence is None or not 0 <= evidence.document < len(documents):
            return None
        document = documents[evidence.document]
        start, end = max(0, evidence.start), min(len(document.text), evidence.end)
        if start >= end:
            return None
        number = self.number(document)
        if (start, end) not in self._shown[number].places:
            self._shown[number].places.add((start, end))
            self._touched.add(number)
        offset = self._open[number][1]
        return [number, offset(start), offset(end)]

    def close(self) -> None:
        """Finishes a biography, keeping only the parts of its documents around the evidence."""
        for number in self._touched:
            text, offset = self._open[number]
            whole_text = _Part(0, 0, text)
            self._replace(self._shown[number], self._cut(self._shown[number], [whole_text], offset))
        self._open.clear()
        self._keys.clear()
        self._touched.clear()

    def shrink(self, context: int) -> None:
        """Reduces the number of characters kept on each side of the evidence."""
        # `context`: the new number of characters. It must be lower than the previous one by more
        # than 20, because a cut may move by 20.
        self._context = context
        for document in self._shown:
            self._replace(document, self._cut(document, document.parts))

    def payload(self) -> list[dict[str, Any]]:
        """Returns the title, the length and the parts ``[start, text]`` of each document."""
        return [
            {
                "title": document.title,
                "size": document.size,
                "parts": [[part.offset, part.text] for part in document.parts],
            }
            for document in self._shown
        ]

    def _replace(self, shown: _Shown, parts: list[_Part]) -> None:
        self.size += sum(len(p.text) for p in parts) - sum(len(p.text) for p in shown.parts)
        shown.parts = parts

    def _cut(
        self, shown: _Shown, parts: Sequence[_Part], offset: Utf16 | None = None
    ) -> list[_Part]:
        """Extracts the windows around the evidence from parts that contain all of it."""
        places = sorted(shown.places)
        parts_of_windows = []
        for part in parts:
            end = part.start + len(part.text)
            windows: list[tuple[int, int]] = []
            for start, stop in places:
                if not part.start <= start < end:
                    continue
                left = _to_word(part, shown.length, max(0, start - self._context), -1)
                right = _to_word(part, shown.length, min(shown.length, stop + self._context), 1)
                if windows and left <= windows[-1][1]:
                    windows[-1] = windows[-1][0], max(windows[-1][1], right)
                else:
                    windows.append((left, right))
            units = offset or Utf16(part.text)
            for left, right in windows:
                text = part.text[left - part.start : right - part.start]
                parts_of_windows.append(_Part(left, part.offset + units(left - part.start), text))
        return parts_of_windows


def _to_word(part: _Part, length: int, at: int, step: int) -> int:
    """Moves a cut to the next space, by at most 20 characters."""
    for _ in range(20):
        here = at - (step < 0)
        if at <= 0 or at >= length or part.text[here - part.start].isspace():
            break
        at += step
    return at
