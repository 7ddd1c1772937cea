"""Sentences that state nothing of the person: questions, talk, sources, missing knowledge."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from dfactscore._text._asking import is_question, without_label
from dfactscore._text._remark_patterns import (
    ABOUT_SOURCES,
    ANNOUNCES,
    BUT_STATES,
    MISSING,
    PRESENTS,
    QUOTED,
    READER,
    SPEECH,
    TALK,
    WRITER,
)

Remark = Literal[
    "a question",
    "missing knowledge",
    "about the writer",
    "about the reader",
    "about the sources",
    "talk",
    "an announcement",
]

_JOINT = re.compile(r",\s+(?:and|but|so)\s+|;\s+")


@lru_cache(maxsize=4096)  # the decomposer, the grouper and the abstentions ask of the same clauses
def remark_of(sentence: str) -> Remark | None:
    """Returns the kind of a sentence or clause that says nothing of the person; None otherwise.

    Args:
        sentence: Without list marks; what is quoted in it is a title or someone's words.

    Example:
        >>> remark_of("I could not find any details."), remark_of("Feel free to ask.")
        ('missing knowledge', 'about the reader')
        >>> remark_of("I Love Lucy made her famous."), remark_of("She loved you.")
        (None, None)
    """
    words = sentence.strip(" \t\"'“”*_#>-")
    if is_question(words):
        return "a question"
    words = without_label(words)
    words = QUOTED.sub(" ", words[:400]).rstrip(" .!:*")
    spoken = SPEECH.search(sentence) is not None or sentence.count('"') % 2 == 1
    found = _plain_remark(words, spoken=spoken)
    parts = [] if found == "missing knowledge" else _JOINT.split(words)
    if len(parts) > 1:  # "It is a common name, and without more context I cannot say"
        all_of = [_plain_remark(part, spoken=spoken) for part in parts]
        if all(all_of):
            return "missing knowledge" if "missing knowledge" in all_of else all_of[0]
    return found


def _plain_remark(words: str, *, spoken: bool) -> Remark | None:
    """Kind of one clause; in someone's speech "I" and "you" are not writer and reader."""
    if MISSING.match(words):
        return None if BUT_STATES.search(words) else "missing knowledge"
    if TALK.match(words):
        return "talk"
    if spoken:
        return None  # someone's words
    if WRITER.match(words):
        return None if PRESENTS.search(words) else "about the writer"
    if READER.match(words):
        return "about the reader"
    if ABOUT_SOURCES.match(words):
        return "about the sources"
    return "an announcement" if ANNOUNCES.match(words) else None
