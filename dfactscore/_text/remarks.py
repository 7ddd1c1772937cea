"""Recognizes sentences that say nothing about the person, such as questions and apologies."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from dfactscore._text._interrogatives import is_question, without_label
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


@lru_cache(maxsize=4096)  # the decomposer, the grouper and `abstention` all check the same clauses
def remark_of(sentence: str) -> Remark | None:
    """Returns the kind of remark that a sentence or clause is, or None if it states something.

    Example:
        >>> remark_of("I could not find any details."), remark_of("Feel free to ask.")
        ('missing knowledge', 'about the reader')
        >>> remark_of("I Love Lucy made her famous."), remark_of("She loved you.")
        (None, None)
    """
    text = sentence.strip(" \t\"'“”*_#>-")
    if is_question(text):
        return "a question"
    text = without_label(text)
    text = QUOTED.sub(" ", text[:400]).rstrip(" .!:*")
    is_speech = SPEECH.search(sentence) is not None or sentence.count('"') % 2 == 1
    remark = _plain_remark(text, spoken=is_speech)
    parts = [] if remark == "missing knowledge" else _JOINT.split(text)
    if len(parts) > 1:  # "It is a common name, and without more context I cannot say"
        remarks = [_plain_remark(part, spoken=is_speech) for part in parts]
        if all(remarks):
            return "missing knowledge" if "missing knowledge" in remarks else remarks[0]
    return remark


def _plain_remark(words: str, *, spoken: bool) -> Remark | None:
    """Returns the kind of remark; in speech, "I" and "you" are not the writer and the reader."""
    if MISSING.match(words):
        return None if BUT_STATES.search(words) else "missing knowledge"
    if TALK.match(words):
        return "talk"
    if spoken:
        return None
    if WRITER.match(words):
        return None if PRESENTS.search(words) else "about the writer"
    if READER.match(words):
        return "about the reader"
    if ABOUT_SOURCES.match(words):
        return "about the sources"
    return "an announcement" if ANNOUNCES.match(words) else None
