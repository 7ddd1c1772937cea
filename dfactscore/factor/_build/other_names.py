"""Replaces names, places and occupations with others from the corpus."""

from __future__ import annotations

import re
from random import Random

from dfactscore._text.names import name_words, plain_name
from dfactscore.factor._ambig.occupations import fits_gender, gender_of
from dfactscore.factor._ambig.values import with_article
from dfactscore.factor._build.name_kinds import HEADS, NamedThing, mentions
from dfactscore.factor._build.read_corpus import Corpus, role_mentions
from dfactscore.factor._build.selection import Selected
from dfactscore.factor._build.variants import Candidate, drawn
from dfactscore.factor._settings import Type


def entity_candidates(selected: Selected, corpus: Corpus, draw: Random) -> list[Candidate]:
    """Creates variants with another name of its type; changed places count as circumstances."""
    sentence, title = selected.sentence, selected.title
    candidates: list[Candidate] = []
    words_of_title = set(name_words(plain_name(title)))
    for one in mentions(sentence):
        # The subject of the document keeps its name.
        if set(name_words(one.text)) <= words_of_title or _is_pinned(sentence, one):
            continue
        if one.kind == "kin" or (
            one.kind in ("he", "she") and name_words(one.text)[-1] in words_of_title
        ):
            # Relatives and people with the same surname get a different first name.
            place, others = (one.text.split()[0], one.start), corpus.first_names(one, title)
        else:
            place, others = (one.text, one.start), corpus.others(one, title)
        kind: Type = "circumstance" if one.kind.startswith("place") else "entity"
        candidates += drawn(kind, sentence, place, others, draw)
    changed = {edit.span[0] for one in candidates for edit in one.edits}
    for one in _known_places(sentence, corpus):
        if one.start not in changed:
            place = (one.text, one.start)
            candidates += drawn("circumstance", sentence, place, corpus.others(one, title), draw)
    return candidates


def _is_pinned(sentence: str, mention: NamedThing) -> bool:
    """Whether the sentence also gives a name's location, or another name with a word in common."""
    if mention.kind.startswith("place"):
        return False
    if mention.kind not in ("he", "she", "kin") and re.match(
        r",? in [A-Z]", sentence[mention.end :]
    ):
        return True
    elsewhere = set(
        re.findall(r"\b[A-Z][\w’']+", sentence[: mention.start] + sentence[mention.end :])
    )
    words_of_name = set(re.findall(r"\b[A-Z][\w’']+", mention.text))
    return not elsewhere.isdisjoint(words_of_name - set(HEADS))


def _known_places(sentence: str, corpus: Corpus) -> list[NamedThing]:
    """Places from the corpus that follow prepositions such as "to" or "of" ("to London")."""
    known = [
        (kind, place)
        for kind, places in corpus.by_kind.items()
        if kind.startswith("place ")
        for place in places
    ]
    return [
        NamedThing(place, kind, *match.span(1))
        for kind, place in known
        for match in re.finditer(
            rf"(?<![A-Z])\b[a-z]+ (?:to|of|at|for) ({re.escape(place)})"
            r"(?=[.,;]| (?:in|on|and|to|from|with|for)\b)(?!, [A-Z]| and [A-Z])",
            sentence,
        )
    ]


def role_candidates(selected: Selected, corpus: Corpus, draw: Random) -> list[Candidate]:
    """Creates variants with another occupation after an article; see `entity_candidates`."""
    title = selected.title
    document = corpus.pages[title].text
    low, gender = document.lower(), gender_of(document)
    candidates = []
    for match in role_mentions(selected.sentence):
        others = [
            role
            for role, titles in corpus.roles.items()
            if title not in titles
            and role not in low
            and role != match["role"]
            and fits_gender(role, gender)
            and corpus.is_at_home("role", titles, title)
        ]
        capital = match["article"][0].isupper()
        new = [with_article(role) for role in others]
        new = [one[0].upper() + one[1:] for one in new] if capital else new
        candidates += drawn("entity", selected.sentence, (match.group(), match.start()), new, draw)
    return candidates
