"""Tells whether a fact is torn: it ends where more must follow or begins an empty clause."""

from __future__ import annotations

import re

from dfactscore.engines._builtin.language.word_classes import word_list

_OPEN_ENDS = frozenset(f"{word}." for word in word_list("open_ends"))  # more must follow
_TORN = re.compile(
    r" between (?!.*(?:\b(?:and|[a-z]+s)\b|\d))"  # "between Leeds."
    # "was born in Ghent, probably.", "was opened in 1990, one."
    r"|, (?:[^,]* and (?:often|the other one)|(?:[^,]* and )?[a-z]+ly|perhaps|one)\.$"
    r"|\b(?:who|whom|where|which|when),[^,]*\.$"  # "where, with Tom Hill."
)
_RELATIVE = re.compile(r"\b(?:who|whom|whose|which)\b")


def is_torn(text: str) -> bool:
    """Whether a fact is not a complete sentence, so that its clause should be kept whole.

    Example:
        >>> is_torn("Ann Lee joined a firm where, with Tom Hill."), is_torn("Ann Lee sang.")
        (True, False)
    """
    if text.rpartition(" ")[2] in _OPEN_ENDS:
        return True
    if ("," in text or " between " in text) and _TORN.search(text):
        return True
    if " and wh" not in text and " but wh" not in text:
        return False
    relative = _RELATIVE.search(text)  # "sang, and whose books": of someone who is not in the fact
    return relative is not None and text[: relative.start()].endswith((" and ", " but "))
