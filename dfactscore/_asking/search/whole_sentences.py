"""Passages are cut by their number of words: a found one is completed to whole sentences."""

from __future__ import annotations

from dfactscore._text.page_sentences import sentence_spans

_MOST = 80  # words that a passage gets from each side


def whole_sentences(before: str, text: str, after: str) -> str:
    """A passage with the rest of its first and last sentence, out of the passages around it.

    Args:
        before: The page's text right before it; empty if unknown.
        text: The passage.
        after: The page's text right after it.

    Example:
        >>> whole_sentences("He swam. He was born", "in Leeds. He died in", "1970. He coached.")
        'He was born in Leeds. He died in 1970.'
    """
    head, tail = f"{before} " if before else "", f" {after}" if after else ""
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
