"""Extracts the name that a question asks about."""

from __future__ import annotations

import re

__all__ = ["name_in", "name_of_question"]

_QUESTION = re.compile(
    r"^\s*(?:question:\s*)?(?:tell\s+me|write|give\s+me)\s+(?:an?\s+)?(?:short\s+)?"
    r"bio(?:graphy)?\s+(?:of|about|for)\s+(.+)$",
    re.IGNORECASE | re.DOTALL,
)
_QUOTED = re.compile(r"[\"“]([^\"“”\n]+)[\"”]")
_ABBREVIATED = re.compile(r"(?:\b[A-Z]|\b(?:Jr|Sr|Esq|St|Ph\.D|M\.D))\.$")
_DISAMBIGUATION = re.compile(r"(?<!\s)\s*\(disambiguation\)\s*$", re.IGNORECASE)


def name_of_question(question: str) -> str:
    """The name that a question asks about (paper section 2.2), or the question itself.

    Example:
        >>> name_of_question("Tell me a bio of Dick Hanley (disambiguation)")
        'Dick Hanley'
        >>> name_of_question("Question: Tell me a bio of Ken Griffey Jr.")
        'Ken Griffey Jr.'
    """
    found = _QUESTION.match(question)
    name = (found.group(1) if found else question).strip()
    if found and name.endswith(".") and not _ABBREVIATED.search(name):
        name = name[:-1]
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
