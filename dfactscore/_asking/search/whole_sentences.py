"""Extends passages, which are cut after a number of words, to whole sentences."""

from __future__ import annotations

from dfactscore._text.page_sentences import sentence_spans

_MOST = 80  # maximum number of words added on each side


def whole_sentences(previous: str, text: str, following: str) -> str:
    """Completes a passage's first and last sentences from the neighboring passages.

    Example:
        >>> whole_sentences("He swam. He was born", "in Leeds. He died in", "1970. He coached.")
        'He was born in Leeds. He died in 1970.'
    """
    head, tail = f"{previous} " if previous else "", f" {following}" if following else ""
    joined = f"{head}{text}{tail}"
    first, last = len(head), len(head) + len(text)
    start, end = first, last
    for a, b in sentence_spans(joined):
        if a < first < b:
            start = a
        if a < last < b:
            end = b
    if len(joined[start:first].split()) > _MOST:
        start = first
    if len(joined[last:end].split()) > _MOST:
        end = last
    return joined[start:end]
