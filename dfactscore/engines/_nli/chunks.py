"""Pages in parts that a model can read: whole sentences, never across documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from dfactscore._text.sentences import split_sentences

Count = Callable[[Sequence[str]], Sequence[int]]
_BLANK = re.compile(r"\s")


def chunk_spans(text: str, limit: int, count: Count) -> list[tuple[int, int]]:
    """Cuts a text into chunks of as many whole sentences as fit.

    A sentence that is longer than a chunk is cut between words, a longer word between characters.

    Args:
        text: One document.
        limit: Tokens of a chunk, at least 1.
        count: Number of tokens of each of several texts.

    Returns:
        Start and end (exclusive) of each chunk in characters; every character that is not blank
        lies in exactly one.

    >>> text = "Ann swam. She won a race in Lund. She died."
    >>> [text[a:b] for a, b in chunk_spans(text, 7, lambda texts: [len(t.split()) for t in texts])]
    ['Ann swam.', 'She won a race in Lund.', 'She died.']
    """
    if text.strip() and count([text])[0] <= limit:
        return [(len(text) - len(text.lstrip()), len(text.rstrip()))]
    pieces = _pieces(text, limit, count)
    # With the blanks before it: some vocabularies spend tokens on line breaks.
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
    """The end that just fits: tokens of a whole are not always those of its parts."""

    def fits(end: int) -> bool:
        return count([text[pieces[first][0] : pieces[end - 1][1]]])[0] <= limit

    while stop > first + 1 and not fits(stop):
        stop -= 1
    while stop < len(pieces) and fits(stop + 1):
        stop += 1
    return stop


def _pieces(text: str, limit: int, count: Count) -> list[tuple[int, int]]:
    """Sentences, the long ones cut."""
    sentences = split_sentences(text)
    sizes = count([sentence.text for sentence in sentences])
    found = []
    for sentence, size in zip(sentences, sizes, strict=True):
        if size <= limit:
            found.append((sentence.start, sentence.end))
        else:
            found += _cut(text, sentence.start, sentence.end, limit, count)
    return found


def _cut(text: str, start: int, end: int, limit: int, count: Count) -> list[tuple[int, int]]:
    """Parts of a long sentence, cut at blanks where there are any."""
    found = []
    while start < end:
        rest = text[start:end]
        size = _most(rest, limit, count)
        if size < len(rest) and not rest[size].isspace():
            size = max((m.start() for m in _BLANK.finditer(rest[:size])), default=0) or size
        found.append((start, start + len(rest[:size].rstrip())))
        start += size + len(rest[size:]) - len(rest[size:].lstrip())
    return found


def _most(text: str, limit: int, count: Count) -> int:
    """Returns the number of characters of a text that fit, at least one."""
    low, high = 1, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if count([text[:middle]])[0] <= limit:
            low = middle
        else:
            high = middle - 1
    return low
