"""The evidence that a report shows: each document once, only around what is shown of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dfactscore.records import Document, Evidence
from dfactscore.report.offsets import Utf16

__all__ = ["ReportDocuments"]


class ReportDocuments:
    """Collects documents and the places in them that verdicts rest on.

    Args:
        context: Characters kept on either side of a place.
    """

    def __init__(self, context: int = 400) -> None:
        self._context = context
        self._numbers: dict[Document, int] = {}
        self._offsets: list[Utf16] = []
        self._places: list[set[tuple[int, int]]] = []

    def number(self, document: Document) -> int:
        """The document's place in the report; equal documents share one."""
        if document not in self._numbers:
            self._numbers[document] = len(self._numbers)
            self._offsets.append(Utf16(document.text))
            self._places.append(set())
        return self._numbers[document]

    def place(self, documents: Sequence[Document], evidence: Evidence | None) -> list[int] | None:
        """Notes a place and returns it as ``[document, start, end]`` in UTF-16 units.

        Returns None for no evidence, and for evidence outside its documents.
        """
        if evidence is None or not 0 <= evidence.document < len(documents):
            return None
        document = documents[evidence.document]
        start, end = max(0, evidence.start), min(len(document.text), evidence.end)
        if start >= end:
            return None
        number = self.number(document)
        self._places[number].add((start, end))
        return [number, self._offsets[number](start), self._offsets[number](end)]

    def payload(self) -> list[dict[str, Any]]:
        """For each document its title, length and the parts ``[start, text]`` that are shown."""
        found = []
        for document, number in self._numbers.items():
            offset = self._offsets[number]
            parts = [
                [offset(start), document.text[start:end]]
                for start, end in self._windows(document.text, number)
            ]
            size = offset(len(document.text))
            found.append({"title": document.title, "size": size, "parts": parts})
        return found

    def _windows(self, text: str, number: int) -> list[tuple[int, int]]:
        windows: list[tuple[int, int]] = []
        for start, end in sorted(self._places[number]):
            left = _to_word(text, max(0, start - self._context), -1)
            right = _to_word(text, min(len(text), end + self._context), 1)
            if windows and left <= windows[-1][1]:
                windows[-1] = windows[-1][0], max(windows[-1][1], right)
            else:
                windows.append((left, right))
        return windows


def _to_word(text: str, at: int, step: int) -> int:
    """Moves a cut to the next space, at most 20 characters away."""
    for _ in range(20):
        if at <= 0 or at >= len(text) or text[at - (step < 0)].isspace():
            break
        at += step
    return at
