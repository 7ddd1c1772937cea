"""A name or a place of the sentence replaced by another of the corpus."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from dfactscore.engines.builtin.language.word_classes import is_role
from dfactscore.factor.ambig.values import with_article
from dfactscore.factor.build.candidates import Candidate, Edit, Type, candidate
from dfactscore.factor.build.names import Mention, Names, mentions
from dfactscore.retrieval import Page

__all__ = ["entity_candidates", "role_candidates", "roles_of"]

_AT_MOST = 3
_ROLE = re.compile(
    r"\b(?P<article>an?|An?) (?P<role>[a-z]{4,})(?=[.,;]| (?:of|in|for|from|and|at|who|with)\b)"
)


def entity_candidates(
    sentence: str,
    names: Names,
    people: frozenset[str],
    title: str,
    document: str,
    draw: random.Random,
) -> list[Candidate]:
    """Variants with another name of the same kind; of a place it is a change of circumstance.

    Args:
        sentence: The sentence.
        names: The corpus's names.
        people: Words that are first names.
        title: The document.
        document: Its text; a new name may not stand in it.
        draw: Decides which names.
    """
    found = []
    for one in mentions(sentence, people):
        others = names.others(one, title, document)
        for name in draw.sample(others, min(_AT_MOST, len(others))):
            edit = Edit(one.text, name, (one.start, one.end))
            kind: Type = "circumstance" if one.kind == "place" else "entity"
            found.append(candidate(kind, sentence, [edit]))
    return [*found, *_known_places(sentence, names, title, document, draw, found)]


def _known_places(
    sentence: str,
    names: Names,
    title: str,
    document: str,
    draw: random.Random,
    found: list[Candidate],
) -> list[Candidate]:
    """Places of the corpus that stand behind other words too ("to London", "of Brazil")."""
    taken = {edit.span[0] for one in found for edit in one.edits}
    more = []
    for place in names.by_kind.get("place", {}):
        for match in re.finditer(
            rf"\b(?:to|of|at|for) ({re.escape(place)})(?=[.,;]| (?:in|on|and|to|from|with|for)\b)",
            sentence,
        ):
            if match.start(1) in taken:
                continue
            one = Mention(place, "place", *match.span(1))
            others = names.others(one, title, document)
            for name in draw.sample(others, min(_AT_MOST, len(others))):
                edit = Edit(place, name, match.span(1))
                more.append(candidate("circumstance", sentence, [edit]))
    return more


def role_candidates(
    sentence: str,
    roles: Mapping[str, frozenset[str]],
    title: str,
    document: str,
    draw: random.Random,
) -> list[Candidate]:
    """Variants with another occupation, where one stands behind an article.

    Args:
        sentence: The sentence.
        roles: Occupations with the titles of their documents.
        title: The document.
        document: Its text; a new occupation may not stand in it.
        draw: Decides which.
    """
    found = []
    low = document.lower()
    for match in _ROLE.finditer(sentence):
        if not is_role(match["role"]):
            continue
        others = [
            role for role, titles in roles.items()
            if title not in titles and role not in low and role != match["role"]
        ]  # fmt: skip
        for role in draw.sample(others, min(_AT_MOST, len(others))):
            new = with_article(role)
            new = new[0].upper() + new[1:] if match["article"][0].isupper() else new
            edit = Edit(match.group(), new, match.span())
            found.append(candidate("entity", sentence, [edit]))
    return found


def roles_of(pages: Mapping[str, Page]) -> dict[str, frozenset[str]]:
    """The occupations that stand behind an article, with the titles of their documents."""
    found: dict[str, set[str]] = {}
    for title, page in pages.items():
        for match in _ROLE.finditer(page.text):
            if is_role(match["role"]):
                found.setdefault(match["role"], set()).add(title)
    return {role: frozenset(titles) for role, titles in sorted(found.items())}
