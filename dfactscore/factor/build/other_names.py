"""A name or a place of the sentence replaced by another of the corpus."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from dfactscore.engines.builtin.language.word_classes import is_role
from dfactscore.factor.ambig.occupations import fits_gender, gender_of
from dfactscore.factor.ambig.values import with_article
from dfactscore.factor.build.corpus_names import Names
from dfactscore.factor.build.name_kinds import HEADS, Mention, mentions
from dfactscore.factor.build.origins import gender_of_name
from dfactscore.factor.build.variants import Candidate, Edit, Type, candidate
from dfactscore.retrieval import Page
from dfactscore.text.names import name_words, plain_name

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
    own = set(name_words(plain_name(title)))
    for one in mentions(sentence, people):
        if set(name_words(one.text)) <= own:
            continue  # the document's subject: another name would be a stranger's
        if _is_pinned(sentence, one):
            continue
        if one.kind == "kin" or (one.kind in ("he", "she") and name_words(one.text)[-1] in own):
            found += _kin(sentence, one, names, title, document, draw)
            continue
        others = names.others(one, title, document)
        for name in draw.sample(others, min(_AT_MOST, len(others))):
            edit = Edit(one.text, name, (one.start, one.end))
            kind: Type = "circumstance" if one.kind.startswith("place") else "entity"
            found.append(candidate(kind, sentence, [edit]))
    return [*found, *_known_places(sentence, names, title, document, draw, found)]


def _is_pinned(sentence: str, one: Mention) -> bool:
    """Whether the sentence says more of a name: where it lies, or what is called like it."""
    if one.kind.startswith("place"):
        return False
    if one.kind not in ("he", "she", "kin") and re.match(r",? in [A-Z]", sentence[one.end :]):
        return True
    rest = set(re.findall(r"\b[A-Z][\w’']+", sentence[: one.start] + sentence[one.end :]))
    own = set(re.findall(r"\b[A-Z][\w’']+", one.text))
    return not rest.isdisjoint(own - set(HEADS))


def _kin(
    sentence: str, one: Mention, names: Names, title: str, document: str, draw: random.Random
) -> list[Candidate]:
    """A relative, or one of the same family name, with another first name."""
    old = one.text.split()[0]
    low = document.casefold()
    gender = gender_of_name(one.text)
    first = sorted(
        {
            name.split()[0]
            for name, titles in names.by_kind.get(gender, {}).items()
            if names.is_at_home("kin", titles, title) and name.split()[0].casefold() not in low
        }
    )
    span = (one.start, one.start + len(old))
    chosen = draw.sample(first, min(_AT_MOST, len(first)))
    return [candidate("entity", sentence, [Edit(old, new, span)]) for new in chosen]


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
    known = [
        (kind, place) for kind, places in names.by_kind.items() if kind.startswith("place ")
        for place in places
    ]  # fmt: skip
    for kind, place in known:
        for match in re.finditer(
            rf"(?<![A-Z])\b[a-z]+ (?:to|of|at|for) ({re.escape(place)})"
            r"(?=[.,;]| (?:in|on|and|to|from|with|for)\b)(?!, [A-Z]| and [A-Z])",
            sentence,
        ):
            if match.start(1) in taken:
                continue
            one = Mention(place, kind, *match.span(1))
            others = names.others(one, title, document)
            for name in draw.sample(others, min(_AT_MOST, len(others))):
                edit = Edit(place, name, match.span(1))
                more.append(candidate("circumstance", sentence, [edit]))
    return more


def role_candidates(
    sentence: str,
    roles: Mapping[str, frozenset[str]],
    names: Names,
    title: str,
    document: str,
    draw: random.Random,
) -> list[Candidate]:
    """Variants with another occupation, where one stands behind an article.

    Args:
        sentence: The sentence.
        roles: Occupations with the titles of their documents.
        names: The corpus's names.
        title: The document.
        document: Its text; a new occupation may not stand in it.
        draw: Decides which.
    """
    found = []
    low = document.lower()
    gender = gender_of(document)
    for match in _ROLE.finditer(sentence):
        if not is_role(match["role"]):
            continue
        others = [
            role for role, titles in roles.items()
            if title not in titles and role not in low and role != match["role"]
            and fits_gender(role, gender) and names.is_at_home("role", titles, title)
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
