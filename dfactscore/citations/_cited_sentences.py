"""The sentences of a paragraph and their citations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dfactscore._records import Citation
from dfactscore._text.sentences import split_sentences


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence and the passages that it cites.

    Attributes:
        text: The sentence without citations.
        citations: Citation numbers in order of occurrence, starting at 1. A number may have no
            corresponding passage, and a number cited twice is listed twice, as in ALCE.
        span: Start and end (exclusive) in characters of the paragraph without citations.
    """

    text: str
    citations: tuple[int, ...]
    span: tuple[int, int]


def cited_sentences(text: str, citations: Sequence[Citation]) -> tuple[CitedSentence, ...]:
    """Splits a paragraph into sentences and assigns each citation to one of them.

    A citation belongs to the sentence that contains or precedes it, even after the period ("He
    died. [1] She did not."). A citation at the start of a line belongs to the next sentence.

    Args:
        text: The paragraph without citations.
        citations: The result of `dfactscore._readers.citation_marks.strip_citations`.

    Example:
        >>> for s in cited_sentences("Al rowed. He won.", (Citation(8, (1,)), Citation(17, (2,)))):
        ...     print(s.citations, s.text)
        (1,) Al rowed.
        (2,) He won.
    """
    spans = _spans(text)
    numbers: list[list[int]] = [[] for _ in spans]
    for citation in citations:
        if spans:
            numbers[_owner(text, spans, citation.position)].extend(citation.numbers)
    return tuple(
        CitedSentence(text[start:end], tuple(cited), (start, end))
        for (start, end), cited in zip(spans, numbers, strict=True)
    )


def _owner(text: str, spans: Sequence[tuple[int, int]], position: int) -> int:
    preceding = [i for i, (start, _) in enumerate(spans) if start < position]
    if not preceding:
        return 0
    last = preceding[-1]
    opens_line = "\n" in text[spans[last][1] : position]
    return last + 1 if opens_line and last + 1 < len(spans) else last


def _spans(text: str) -> list[tuple[int, int]]:
    """Returns sentence spans; a sentence without letters or digits is joined to the previous."""
    spans: list[tuple[int, int]] = []
    for sentence in split_sentences(text):
        if any(c.isalnum() for c in sentence.text):
            spans.append((sentence.start, sentence.end))
        elif spans and "\n" not in text[spans[-1][1] : sentence.start]:
            spans[-1] = (spans[-1][0], sentence.end)
    return spans
