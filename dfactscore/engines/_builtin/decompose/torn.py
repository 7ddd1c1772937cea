"""Tells whether a fact is torn: it ends where more must follow or begins an empty clause."""

from __future__ import annotations

import re

from dfactscore.engines._builtin.language.word_lists import word_list

_OPEN_ENDS = frozenset(f"{word}." for word in word_list("open_ends"))  # more must follow
_PAIR = re.compile(r"\b(?:and|[a-z]+s)\b|\d")  # not "between Leeds."
# "was born in Ghent, probably.", "mapped, mostly alone and often."
_STANCE = re.compile(r"(?:.* and often|(?:.* and )?[a-z]+ly|perhaps)\.")
_OPEN_CLAUSE = re.compile(r"\b(?:who|whom|where|which|when),[^,]*\.$")  # "where, with Tom Hill."
# "sang, and whose books": of someone who is not in the fact
_RELATIVE = re.compile(r"\b(?:who|whom|whose|which)\b")
_NEXT_RELATIVE = re.compile(r"\b(?:and|but) (?:who|whom|whose|which)\b")


def is_torn(text: str) -> bool:
    """Whether a fact is not a complete sentence, so that its clause should be kept whole.

    Example:
        >>> is_torn("Ann Lee joined a firm where, with Tom Hill."), is_torn("Ann Lee sang.")
        (True, False)
    """
    if text.rpartition(" ")[2] in _OPEN_ENDS:
        return True
    if " between " in text and not _PAIR.search(text.rpartition(" between ")[2]):
        return True
    if ", " in text and _STANCE.fullmatch(text.rpartition(", ")[2]):
        return True
    if "wh" not in text:
        return False
    if _OPEN_CLAUSE.search(text):
        return True
    again = _NEXT_RELATIVE.search(text)
    return again is not None and not _RELATIVE.search(text, 0, again.start())
