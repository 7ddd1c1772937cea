"""Extracts the name that a question asks about."""

from __future__ import annotations

import re

from dfactscore.text.tags import without_entities

__all__ = ["name_in", "name_of_question"]

_QUESTION = re.compile(
    r"\s*+(?:question:\s*+)?(?:please\s++)?(?:(?:can|could|would)\s+you\s+(?:please\s+)?)?"
    # "Tell me a bio of X", "Write a one-paragraph biography about X", "Tell me about X"
    r"(?:(?:tell\s+me|write|give\s+me|provide|generate|compose|create)\s+(?:me\s+)?"
    r"(?:(?:an?\s+|the\s+)?(?:[\w-]+\s+){0,2}?(?:bio(?:graphy)?|biographical\s+\w+|paragraph|profile"
    r"|summary)\s+(?:of|about|for|on)\s+|(?:something\s+|everything\s+)?about\s+)"
    r"|(?:what\s+(?:do|can)\s+you\s+(?:know|tell\s+me|say)\s+about\s+)(?=.*\?\s*$)"
    r"|who(?:['’]s|\s+(?:is|was))\s+(?=.*\?\s*$))(?P<name>.+)",
    re.IGNORECASE | re.DOTALL,
)
_QUOTED = re.compile(r"[\"“]([^\"“”\n]+)[\"”]")
_WHOLLY_QUOTED = re.compile(r"[\"“‘«']\s*([^\"“”«»\n]+?)\s*[\"”’»']")
_ABBREVIATED = re.compile(r"(?:\b[A-Z]|\b(?:Jr|Sr|Esq|St|Ph\.D|M\.D))\.$")
_DISAMBIGUATION = re.compile(r"(?<!\s)\s*\(disambiguation\)\s*$", re.IGNORECASE)


def name_of_question(question: str) -> str:
    """The name that a question asks about (paper section 2.2), or the question itself.

    Example:
        >>> name_of_question("Tell me a bio of Dick Hanley (disambiguation)")
        'Dick Hanley'
        >>> name_of_question("Question: Tell me a bio of Ken Griffey Jr.")
        'Ken Griffey Jr.'
        >>> name_of_question("Who is Conan O&#39;Neal?"), name_of_question("Who")
        ("Conan O'Neal", 'Who')
    """
    question = without_entities(question)
    found = _QUESTION.fullmatch(question)
    name = (found["name"] if found else question).strip()
    if found and name.endswith((".", "?", "!")) and not _ABBREVIATED.search(name):
        name = name[:-1].rstrip()
    if whole := _WHOLLY_QUOTED.fullmatch(name):
        name = whole[1]
    return _DISAMBIGUATION.sub("", name).strip()


def name_in(question: str) -> str | None:
    """The name that a prompt asks about: the one quotation, or what a bio is asked of.

    Example:
        >>> name_in('Write about “Ann Lee”.'), name_in("Tell me a bio of Bo Ray."), name_in("Hi!")
        ('Ann Lee', 'Bo Ray', None)
    """
    quoted = list(dict.fromkeys(_QUOTED.findall(question)))
    if len(quoted) == 1:
        return str(quoted[0]).strip() or None
    name = name_of_question(question)
    return name if name and name != question.strip() else None
