"""The page's description of its person, in a few words."""

from __future__ import annotations

import re

from dfactscore._records import Entity
from dfactscore._text.page_sentences import sentence_spans
from dfactscore.engines._builtin.language.word_classes import RELATIVES

_QUALIFIER = re.compile(r"(?<!\s)\s*+\(([^()]+)\)\s*+$")
_LEAD = 700  # characters in which a page says what its person is
_IS_A = re.compile(
    r"\b(?:is|was)\s+(?:(?:an?|the|one of the)\s+)"
    r"(?P<what>[^.;()\n]+?)"
    r"(?=\s*[.;()\n]|,?\s+(?:who(?:m|se)?|which|that|best|known|based|born|active)\b|$)"
)
_LONG = 9  # words; what follows is cut where it begins to tell a life
_TELLS = re.compile(
    r",?(?<!\s)\s++(?:from|for|of|in|at|with|by|to|on|during|specializing|serving|playing)\s"
)
_BARE = re.compile(r"born\b|\d{3,4}\b")
_ARTICLE = re.compile(r"^(?:an?|the)\s+")


def described(entity: Entity) -> str:
    """Returns an entity's difference from others of its name; empty if its page has none.

    The qualifier of its title, unless that is a year alone; else what its page says that it is.

    Example:
        >>> from dfactscore._records import Document
        >>> page = Document("Dick Hanley", "Dick Hanley (1894–1970) was an American coach.")
        >>> described(Entity("Dick Hanley", "Dick Hanley", (page,)))
        'American coach'
        >>> described(Entity("Dick Hanley (swimmer)", "Dick Hanley (swimmer)", ()))
        'swimmer'
    """
    found = _QUALIFIER.search(entity.label)
    if found and not _BARE.match(found.group(1)):
        return found.group(1)
    said = _said(entity)
    return said or (found.group(1) if found else "")


def opener(entity: Entity) -> str:
    """The name of an entity with what tells it from others, as a paragraph about it opens.

    Example:
        >>> opener(Entity("Ann Lee (rower)", "Ann Lee (rower)", ()))
        'Ann Lee (rower)'
    """
    name, what = bare_title(entity), described(entity)
    return f"{name} ({what})" if what else name


def bare_title(entity: Entity) -> str:
    """An entity's title without the brackets after it."""
    return _QUALIFIER.sub("", entity.label)


def _said(entity: Entity) -> str:
    """Returns the description in the first document that presents the entity."""
    last = bare_title(entity).split()[-1:]
    for document in entity.documents:
        # The sentence that presents it has the last word of its title.
        start = document.text.find(last[0]) if last else 0
        lead = document.text[max(start, 0) :][:_LEAD]
        for begin, end in sentence_spans(lead)[:1]:
            if (found := _IS_A.search(lead[begin:end])) is not None:
                return _short(found.group("what"))
    return ""


def _short(what: str) -> str:
    words = _ARTICLE.sub("", " ".join(what.split()))
    if tells := _TELLS.search(words):
        words = words[: tells.start()]
    short = " ".join(words.split()[:_LONG]).rstrip(",")
    return "" if short.split()[-1:] and short.split()[-1] in RELATIVES else short
