"""Names and describes a person for a heading: the title's qualifier, or what the page says."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import re

from dfactscore._evidence.words import RANKS
from dfactscore._records import Entity
from dfactscore._text.sentences import sentence_spans
from dfactscore.engines._builtin.language.word_classes import RELATIVES

_QUALIFIER = re.compile(r"(?<!\s)\s*+\(([^()]+)\)\s*+$")
_LEAD = 700  # length of the start of a page, which describes its person, in characters
_IS_A = re.compile(
    r"\b(?:is|was)\s+(?:(?:an?|the|one of the)\s+)"
    r"(?P<what>[^.;()\n]+?)"
    r"(?=\s*[.;()\n]|,?\s+(?:who(?:m|se)?|which|that|best|known|based|born|active)\b|$)"
)
_LONG = 9  # maximum number of words in a description
_TELLS = re.compile(
    r",?(?<!\s)\s++(?:from|for|of|in|at|with|by|to|on|during|specializing|serving|playing)\s"
)
_BARE = re.compile(r"born\b|\d{3,4}\b")
_ARTICLE = re.compile(r"^(?:an?|the)\s+")
# Offices and ranks that are whole only with what they are of.
_OF_WHAT = RANKS | frozenset(
    "chief head member founder co-founder leader secretary commissioner keeper master professor "
    "captain commander inspector sheriff chancellor warden clerk dean rector provost".split()
)
_OPEN_END = frozenset("and or of the a an for in at to with by from on & as".split())
_NO_ROLE = frozenset("boy girl man woman person child one people son daughter".split())
_ASKING = frozenset("what when where which whose does that this tell about with from were".split())


def described(entity: Entity) -> str:
    """Returns a description that distinguishes an entity from its namesakes; empty if none exists.

    This is the title's qualifier or, if that is missing or only a year, the description in the
    first sentence of the page. A year is used only if there is no such description.

    Example:
        >>> from dfactscore._records import Document
        >>> page = Document("Dick Hanley", "Dick Hanley (1894–1970) was an American coach.")
        >>> described(Entity("Dick Hanley", "Dick Hanley", (page,)))
        'American coach'
        >>> described(Entity("Dick Hanley (swimmer)", "Dick Hanley (swimmer)", ()))
        'swimmer'
    """
    qualifier = _QUALIFIER.search(entity.label)
    if qualifier and not _BARE.match(qualifier.group(1)):
        return qualifier.group(1)
    description = _page_description(entity)
    return description or (qualifier.group(1) if qualifier else "")


def opener(entity: Entity) -> str:
    """Returns an entity's name and description, as the heading of a paragraph.

    Example:
        >>> opener(Entity("Ann Lee (rower)", "Ann Lee (rower)", ()))
        'Ann Lee (rower)'
    """
    name, description = bare_title(entity), described(entity)
    return f"{name} ({description})" if description else name


def bare_title(entity: Entity) -> str:
    """Returns an entity's title without the qualifier in parentheses."""
    return _QUALIFIER.sub("", entity.label)


def _page_description(entity: Entity) -> str:
    """Returns the description in the first document that has one."""
    last = bare_title(entity).split()[-1:]
    for document in entity.documents:
        # The sentence that introduces the entity contains the last word of its title.
        start = document.text.find(last[0]) if last else 0
        lead = document.text[max(start, 0) :][:_LEAD]
        for begin, end in sentence_spans(lead)[:1]:
            if (match := _IS_A.search(lead[begin:end])) is not None:
                return _short(match.group("what"))
    return ""


def _short(description: str) -> str:
    """Shortens a description to whole roles, without places and works."""
    words = _ARTICLE.sub("", " ".join(description.split()))
    for tells in _TELLS.finditer(words):
        role = words[: tells.start()]
        if tells.group().strip() != "of" or role.split()[-1].casefold() not in _OF_WHAT:
            words = role
            break
    short = words.split()[:_LONG]
    while short and short[-1].rstrip(",").casefold() in _OPEN_END:
        short.pop()
    if short and short[-1].rstrip(",").casefold() in RELATIVES | _NO_ROLE:
        return ""
    return " ".join(short).rstrip(",")


def content_words(text: str) -> set[str]:
    """Returns the words of a text that can tell people apart, in lower case."""
    return {word for word in re.findall(r"[^\W_]{4,}", text.casefold()) if word not in _ASKING}
