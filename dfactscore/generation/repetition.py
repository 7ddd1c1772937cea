"""Cuts what a model repeats for ever, and what it goes on to invent after the answer."""

from __future__ import annotations

import re

__all__ = ["cut_repetition", "cut_run_on"]

_CITATION = re.compile(r"\[[\d,\s–-]*\]")
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+|\n|$)[\"”')\]]*")
_NEXT_PROMPT = re.compile(
    r"\n\s*(?:#+\s*)?\**(?:Documents?\s*\[?\d|Name(?: of the person)?\s*:|Instructions?\s*:)"
)
_LONGEST_UNIT = 40  # words; a longer unit is caught as a repeated sentence


def cut_repetition(text: str, *, repeats: int = 3) -> tuple[str, bool]:
    """Cuts a text where it starts to repeat itself.

    A sentence that stands `repeats` times (citations, case and spaces aside), or a run of words
    repeated so at the end of the text, is kept once and the rest dropped.

    Returns:
        The text, and whether anything was cut.

    Example:
        >>> cut_repetition("He swam [1]. He won. He won. He won. He won. He")
        ('He swam [1]. He won.', True)
    """
    starts: dict[str, list[int]] = {}
    for match in _SENTENCE.finditer(text):
        key = " ".join(re.findall(r"\w+", _CITATION.sub(" ", match[0]).casefold()))
        if not key:
            continue
        seen = starts.setdefault(key, [])
        seen.append(match.start())
        if len(seen) >= repeats and len(key.split()) > 1:
            return text[: seen[1]].rstrip(), True
    words = list(re.finditer(r"\S+", text))
    folded = [w[0].casefold() for w in words]
    for unit in range(1, min(_LONGEST_UNIT, len(folded) // repeats) + 1):
        length = unit
        while length < len(folded) and folded[-length - 1] == folded[-length - 1 + unit]:
            length += 1
        if length >= unit * max(repeats, 3 if unit > 2 else 5):
            return text[: words[len(words) - length + unit - 1].end()].rstrip(), True
    return text, False


def cut_run_on(text: str) -> tuple[str, bool]:
    r"""Cuts a text where the model goes on with a next prompt of its own.

    Example:
        >>> cut_run_on("He swam [1].\n\nName of the person: Al Shaw")
        ('He swam [1].', True)
    """
    match = _NEXT_PROMPT.search(text)
    if match is None:
        return text, False
    return text[: match.start()].rstrip(), True
