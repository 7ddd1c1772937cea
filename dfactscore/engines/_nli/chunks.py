"""Splits a document into chunks of whole sentences that fit in a model's input."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dfactscore._text.sentences import split_sentences

Count = Callable[[Sequence[str]], Sequence[int]]
_BLANK = re.compile(r"\s")


def chunk_spans(text: str, limit: int, count: Count) -> list[tuple[int, int]]:
    """Splits a text into chunks of as many whole sentences as fit.

    A sentence that is longer than a chunk is split between words; a word that is longer than a
    chunk is split between characters.

    >>> text = "Ann swam. She won a race in Lund. She died."
    >>> [text[a:b] for a, b in chunk_spans(text, 7, lambda texts: [len(t.split()) for t in texts])]
    ['Ann swam.', 'She won a race in Lund.', 'She died.']
    """
    # Returns start and end (exclusive) of each chunk in characters; every character that is not
    # whitespace is in exactly one chunk.
    if text.strip() and count([text])[0] <= limit:
        return [(len(text) - len(text.lstrip()), len(text.rstrip()))]
    pieces = _pieces(text, limit, count)
    # Includes the whitespace before each piece: some vocabularies have tokens for line breaks.
    begins = [start if i == 0 else pieces[i - 1][1] for i, (start, _) in enumerate(pieces)]
    sizes = count([text[begin:end] for begin, (_, end) in zip(begins, pieces, strict=True)])
    chunks, first = [], 0
    while first < len(pieces):
        stop, total = first + 1, sizes[first]
        while stop < len(pieces) and total + sizes[stop] <= limit:
            total += sizes[stop]
            stop += 1
        stop = _fit(text, pieces, first, stop, limit, count)
        chunks.append((pieces[first][0], pieces[stop - 1][1]))
        first = stop
    return chunks


def _fit(
    text: str, pieces: Sequence[tuple[int, int]], first: int, stop: int, limit: int, count: Count
) -> int:
    """Returns the largest end that fits; a chunk's tokens may differ from those of its parts."""

    def fits(end: int) -> bool:
        return count([text[pieces[first][0] : pieces[end - 1][1]]])[0] <= limit

    while stop > first + 1 and not fits(stop):
        stop -= 1
    while stop < len(pieces) and fits(stop + 1):
        stop += 1
    return stop


def _pieces(text: str, limit: int, count: Count) -> list[tuple[int, int]]:
    """Returns the sentences, splitting any that are too long."""
    sentences = split_sentences(text)
    sizes = count([sentence.text for sentence in sentences])
    spans = []
    for sentence, size in zip(sentences, sizes, strict=True):
        if size <= limit:
            spans.append((sentence.start, sentence.end))
        else:
            spans += _cut(text, sentence.start, sentence.end, limit, count)
    return spans


def _cut(text: str, start: int, end: int, limit: int, count: Count) -> list[tuple[int, int]]:
    """Splits a long sentence, at whitespace if possible."""
    spans = []
    while start < end:
        remainder = text[start:end]
        size = _longest_prefix(remainder, limit, count)
        if size < len(remainder) and not remainder[size].isspace():
            size = max((m.start() for m in _BLANK.finditer(remainder[:size])), default=0) or size
        spans.append((start, start + len(remainder[:size].rstrip())))
        start += size + len(remainder[size:]) - len(remainder[size:].lstrip())
    return spans


def _longest_prefix(text: str, limit: int, count: Count) -> int:
    """Returns the number of characters in the longest prefix that fits, at least one."""
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if count([text[:middle]])[0] <= limit:
            low = middle
        else:
            high = middle - 1
    return low
