"""Facts of two same-name people for mixed groups with a known D-FActScore.

A fact that both pages support is not evidence of mixing, and one atom written twice is one fact.
So a fact of A's page is left out where the same atom (the same content words, whatever their
order; the words of the target name do not count) is labelled supported by B's page too, or
labelled unsupported by A's page elsewhere; of equal atoms one is kept. Only labels decide: no
verifier is asked.

The cleaned protocol also drops, by a rule that looks at words alone and was written before any
result was seen: facts of which every content word is on the other page too (they may be true of
both), and facts of which a number, or more than half of the content words, is nowhere on their
own page (the judge read whole pages, of which these passages are a part, or erred).
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from verifier_data import Documents, Pair

from dfactscore.engines._builtin.language.tokens import tokens

LEAST = 5  # facts that each of the two pages supports

Atom = frozenset[str]


@dataclass(frozen=True)
class Persons:
    """Two pages of a name, each with the facts that only it supports."""

    name: str
    titles: tuple[str, str]
    facts: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Group:
    """Facts of two people; `first` of them belong to the first page, the others to the second."""

    persons: Persons
    facts: tuple[str, ...]
    first: int

    @property
    def truth(self) -> float:
        """The group's D-FActScore: the share of facts of the one page it can be linked to."""
        return max(self.first, len(self.facts) - self.first) / len(self.facts)


def atom(fact: str, name: str) -> Atom:
    """The content words of a fact, by which two wordings are the same atom."""
    own = {item.key for item in tokens(name)}
    return frozenset(item.key for item in tokens(fact) if item.kind and item.key not in own)


def persons(pairs: Sequence[Pair], *, cleaned: bool = False) -> list[Persons]:
    """All pairs of pages of a name that keep at least `LEAST` facts each."""
    text = {(p.name, p.title): p.documents for p in pairs if p.kind in (0, 2)} if cleaned else {}
    yes: dict[str, dict[str, dict[Atom, str]]] = defaultdict(lambda: defaultdict(dict))
    no: dict[tuple[str, str], set[Atom]] = defaultdict(set)
    for pair in pairs:
        if pair.kind != 0:
            continue
        words = atom(pair.fact, pair.name)
        if not pair.label:
            no[pair.name, pair.title].add(words)
        elif words:
            yes[pair.name][pair.title].setdefault(words, pair.fact)
    found = []
    for name in sorted(yes):
        kept = {
            title: {w: f for w, f in facts.items() if w not in no[name, title]}
            for title, facts in yes[name].items()
        }
        for a, b in combinations(sorted(kept), 2):
            one = tuple(f for w, f in kept[a].items() if not _said(w, yes[name][b]))
            other = tuple(f for w, f in kept[b].items() if not _said(w, yes[name][a]))
            if cleaned:
                held = [_terms(text[name, title]) for title in (a, b)]
                one = tuple(f for f in one if _shows(f, name, held[0], held[1]))
                other = tuple(f for f in other if _shows(f, name, held[1], held[0]))
            if min(len(one), len(other)) >= LEAST:
                found.append(Persons(name, (a, b), (one, other)))
    return found


def _terms(documents: Documents) -> frozenset[str]:
    """Returns the terms of a page."""
    texts = [f"{title} {body}" for title, body in documents]
    return frozenset(term for text in texts for item in tokens(text) for term in item.terms)


def _shows(fact: str, name: str, own: frozenset[str], other: frozenset[str]) -> bool:
    """Whether a fact's words tell the pages apart, and its own page holds them."""
    names = {item.key for item in tokens(name)}
    items = [item for item in tokens(fact) if item.kind in (1, 2) and item.key not in names]
    if all({item.key, item.loose} & other for item in items):
        return False
    found = [bool({item.key, item.loose} & own) for item in items]
    numbers = all(there for there, item in zip(found, items, strict=True) if item.kind == 2)
    return numbers and 2 * sum(found) >= len(items)


def _said(words: Atom, facts: Mapping[Atom, str]) -> bool:
    """Whether one of the facts says the atom, alone or within a longer sentence."""
    return any(words <= other for other in facts)


def groups(found: Sequence[Persons], seed: int, draws: int = 3) -> Iterator[Group]:
    """Mixed groups: k of A and n - k of B for every k with n = min(|A|, |B|), and all of both.

    For each k there are `draws` groups, drawn without putting a fact back; where every fact is
    taken (k = 0, k = n of a page with n facts) one group represents all draws.
    """
    chance = random.Random(seed)
    for item in found:
        a, b = item.facts
        size = min(len(a), len(b))
        for k in range(size + 1):
            drawn = {
                (frozenset(chance.sample(a, k)), frozenset(chance.sample(b, size - k)))
                for _ in range(draws)
            }
            for one, other in sorted(drawn, key=lambda pair: (sorted(pair[0]), sorted(pair[1]))):
                yield Group(item, (*sorted(one), *sorted(other)), k)
        yield Group(item, (*a, *b), len(a))
