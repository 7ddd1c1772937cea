"""Entity mixing: facts about several people with the same name in one group.

Only entities that bear the name count: support from the page of a wife or a town is not mixing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import log2
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dfactscore.linking._links import support_counts
from dfactscore.linking._support_matrix import SupportMatrix

if TYPE_CHECKING:
    import networkx as nx

MIXED_SHARE = 0.05
"""The share of a text's facts that must be true of one namesake alone in a *mixed* text.

Chosen on short and long texts of facts about one person and one or two facts about a namesake
(docs/mixing.md).
"""
_EVEN = 0.5  # probability at which verdicts and probabilities agree that a group is mixed
_DIFFERENT = 0.7  # least probability of two people for a mixed group
# The share of answers that take a fact from a namesake's passage: that an answer states a fact
# speaks for a passage about the person it is about.
_STRAYS = 1 / 3
_SURELY, _PERHAPS = 0.9, 1 / 3  # of mixing through passages of unknown owner


@dataclass(frozen=True, eq=False)
class Doubts:
    """Open questions about the owners of passages."""

    # Shape `(facts, entities)`: the probability that the passage that decides a cell is about the
    # entity; 1 where this is known.
    own: NDArray[np.float64]
    # Shape `(entities, entities)`: the probability that two entities are different.
    different: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GroupMixing:
    """Measures of how far a group mixes several entities that bear the name.

    Below, "supported" means supported by an entity that bears the name. Facts that are unsupported,
    or supported only by other pages, do not affect the measures.
    """

    # Column of the entity that supports the most facts in the group, with ties broken by retrieval
    # rank; None if no fact is supported.
    home: int | None
    supported: int
    foreign: tuple[int, ...]
    credit: tuple[int | None, ...]
    # The smallest number of entities that together support every supported fact (a minimum set
    # cover): 1 for a group about one person, 0 if nothing is supported.
    min_entities: int
    # Mixing entropy in bits, computed from the share of supported facts credited to each entity: 0
    # for one person, 1 for two people with equal shares.
    entropy: float
    # Indices of the facts at which the text must have switched to another entity, in ascending
    # order. They cut the supported facts, in reading order, into the fewest pieces such that each
    # piece is supported by a single entity.
    switches: tuple[int, ...]
    # Whether more than `MIXED_SHARE` of the text's facts are foreign and credited to one entity.
    # None if this depends on passages of unknown owner, or on whether two entities are different.
    mixed: bool | None
    # Below 0.5 if `mixed` is False, and at least 0.5 if it is True; None without probabilities.
    probability: float | None = None


def group_mixing(
    matrix: SupportMatrix,
    groups: Sequence[Sequence[int]],
    *,
    named: Collection[int],
    # The columns that bear the name of a group, for groups about someone with another name.
    named_otherwise: Mapping[int, Collection[int]] | None = None,
    # Number of facts about one other entity in a mixed group, whatever the length of the text; by
    # default, more than `MIXED_SHARE` of the facts.
    min_foreign: int | None = None,
    # Calibrated probabilities of support, of shape `(facts, entities)`; None if there are none.
    values: NDArray[np.float64] | None = None,
    doubts: Doubts | None = None,
) -> tuple[GroupMixing, ...]:
    """Measures the mixing of each group.

    Example:
        The first two facts are about the swimmer, the last two about the coach, and the third is
        true of both:

        >>> matrix = SupportMatrix.from_support(
        ...     [[1, 0], [1, 0], [1, 1], [0, 1], [0, 1]], ["swimmer", "coach"])
        >>> (group,) = group_mixing(matrix, [[0, 1, 2, 3, 4]], named=[0, 1])
        >>> group.mixed, group.home, group.foreign, group.switches, group.min_entities
        (True, 0, (3, 4), (3,), 2)
        >>> round(group.entropy, 3)
        0.971
    """
    least = min_foreign or int(len(matrix.support) * MIXED_SHARE) + 1
    measures = []
    for number, group in enumerate(groups):
        facts, bearers = sorted(group), (named_otherwise or {}).get(number, named)
        columns = sorted(bearers, key=lambda e: matrix.ranks[e])
        mixing = _measure(matrix.support, facts, columns, least)
        if values is not None and mixing.home is not None:
            likely = _probability(values[facts], columns, mixing.home, least)
            mixing = _agreeing(replace(mixing, probability=likely))
        if doubts is not None and mixing.home is not None:
            worth = matrix.support.astype(float) if values is None else values
            mixing = _doubted(mixing, worth[facts], facts, columns, doubts, least)
        measures.append(mixing)
    return tuple(measures)


def _agreeing(mixing: GroupMixing) -> GroupMixing:
    """Returns the mixing with a probability on the side that the verdicts are on."""
    likely = mixing.probability or 0.0
    likely = max(likely, _EVEN) if mixing.mixed else min(likely, _EVEN - 0.01)
    return replace(mixing, probability=likely)


def _doubted(
    mixing: GroupMixing,
    values: NDArray[np.float64],
    facts: Sequence[int],
    columns: Sequence[int],
    doubts: Doubts,
    least: int,
) -> GroupMixing:
    """Returns the mixing of a group as far as the owners of the passages are known."""
    home = mixing.home
    probability = mixing.probability or 0.0
    if mixing.mixed:
        credited = [c for c in mixing.credit if c not in (None, home)]
        different = max(float(doubts.different[home, c]) for c in credited)
        sure = different >= _DIFFERENT
        probability = max(probability, different) if sure else different
        return replace(mixing, mixed=True if sure else None, probability=probability)
    own = doubts.own[facts, home]
    own = own / (own + _STRAYS * (1 - own))
    elsewhere = np.sort(values[:, home] * (1 - own))[::-1]
    at_home = float((values[:, home] * (own >= 1)).max(initial=0.0))
    doubt = float(elsewhere[least - 1]) * at_home if len(elsewhere) >= least else 0.0
    if doubt < _PERHAPS:
        return replace(mixing, probability=max(probability, doubt))
    return replace(
        mixing, mixed=True if doubt >= _SURELY else None, probability=max(probability, doubt)
    )


def _probability(
    values: NDArray[np.float64], columns: Sequence[int], home: int, least: int
) -> float:
    """Returns the probability that a group has a fact about home and `least` about another entity.

    A fact belongs to one of two entities if that entity's page supports the fact and the other's
    does not. Because facts may repeat each other, the result is the probability of the `least`-th
    clearest foreign fact times that of the clearest home fact.
    """
    probabilities = [0.0]
    for entity in columns:
        if entity != home:
            foreign = np.sort(values[:, entity] * (1 - values[:, home]))[::-1]
            home_facts = values[:, home] * (1 - values[:, entity])
            enough = float(foreign[least - 1]) if len(foreign) >= least else 0.0
            probabilities.append(enough * float(home_facts.max(initial=0.0)))
    return max(probabilities)


def _measure(
    support: NDArray[np.bool_], facts: Sequence[int], columns: Sequence[int], least: int
) -> GroupMixing:
    by_fact = {f: frozenset(e for e in columns if support[f, e]) for f in facts}
    sets = [s for s in by_fact.values() if s]
    totals = Counter(e for s in sets for e in s)
    home = max(columns, key=lambda e: totals[e], default=None) if sets else None
    foreign = tuple(f for f in facts if by_fact[f] and home not in by_fact[f])
    foreign_counts = Counter(e for f in foreign for e in by_fact[f])
    credit = [_credited(by_fact[fact], columns, home, foreign_counts) for fact in facts]
    credited = Counter(e for e in credit if e is not None)
    return GroupMixing(
        home=home,
        supported=len(sets),
        foreign=foreign,
        credit=tuple(credit),
        min_entities=_cover(sets),
        entropy=_entropy(list(credited.values())),
        switches=_switches(by_fact),
        mixed=any(n >= least for e, n in credited.items() if e != home),
    )


def _credited(
    supporters: frozenset[int],
    columns: Sequence[int],
    home: int | None,
    foreign_counts: Counter[int],
) -> int | None:
    """Returns the column of the supporting entity that a fact is credited to."""
    if home in supporters:
        return home
    return max(
        (e for e in columns if e in supporters), key=lambda e: foreign_counts[e], default=None
    )


def _entropy(counts: Sequence[int]) -> float:
    total = sum(counts)
    return sum(n / total * log2(total / n) for n in counts)


def _switches(by_fact: dict[int, frozenset[int]]) -> tuple[int, ...]:
    """Returns the facts at which the text switches; late cuts give the fewest switches."""
    cuts = []
    piece: frozenset[int] = frozenset()
    for fact, entities in by_fact.items():
        if not entities:
            continue
        shared = piece & entities
        if piece and not shared:
            cuts.append(fact)
        piece = shared or entities
    return tuple(cuts)


def _cover(sets: Sequence[frozenset[int]]) -> int:
    """Returns the size of the smallest set of entities that together support every fact."""
    # a fact whose supporters include all supporters of another fact adds nothing
    minimal_sets = [s for s in set(sets) if not any(other < s for other in sets)]
    entities = sorted(set().union(*minimal_sets)) if minimal_sets else []
    for size in range(len(entities) + 1):
        for chosen in combinations(entities, size):
            if all(s.intersection(chosen) for s in minimal_sets):
                return size
    return len(entities)


def support_graph(
    matrix: SupportMatrix, groups: Sequence[Sequence[int]], *, named: Collection[int] = ()
) -> nx.Graph:
    """Builds the bipartite graph of one biography: groups, entities, counts of supported facts."""
    import networkx as nx

    graph = nx.Graph()
    counts = support_counts(matrix.support, groups)
    for g, group in enumerate(groups):
        graph.add_node(("group", g), bipartite=0, facts=len(group))
    for e, entity in enumerate(matrix.entities):
        for g in range(len(groups)):
            if counts[g, e]:
                graph.add_node(("entity", entity), bipartite=1, named=e in named)
                graph.add_edge(("group", g), ("entity", entity), weight=int(counts[g, e]))
    # A graph with nodes `("group", g)`, which have `bipartite=0` and `facts`, and nodes `("entity",
    # id)`, which have `bipartite=1` and `named`. An edge joins a group to each entity that supports
    # any of its facts; the edge's `weight` is the number of those facts. Entities without an edge
    # are omitted.
    return graph


class Mixed(NamedTuple):
    """The mixed entities in a run."""

    entities: dict[str, tuple[str, int]]
    # For each pair of entities that occur in the same mixed group, the number of such groups, and
    # the sum, over those groups, of the smaller of the two entities' numbers of credited facts.
    pairs: dict[tuple[str, str], tuple[int, int]]


def mixed_pairs(
    biographies: Iterable[tuple[str, Sequence[str], Sequence[GroupMixing]]],
) -> Mixed:
    """Counts the mixed entities, and the pairs of entities that are mixed with each other."""
    mixed = Mixed({}, {})
    for name, entities, groups in biographies:
        for group in groups:
            if not group.mixed:
                continue
            facts = Counter(entities[column] for column in group.credit if column is not None)
            for entity, n in facts.items():
                _, count = mixed.entities.get(entity, (name, 0))
                mixed.entities[entity] = (name, count + n)
            for a, b in combinations(facts, 2):
                pair = (b, a) if (b, a) in mixed.pairs else (a, b)
                times, weight = mixed.pairs.get(pair, (0, 0))
                mixed.pairs[pair] = (times + 1, weight + min(facts[a], facts[b]))
    return mixed


def mixing_graph(
    biographies: Iterable[tuple[str, Sequence[str], Sequence[GroupMixing]]],
) -> nx.Graph:
    """Builds the graph of the mixed entities in a run."""
    import networkx as nx

    mixed = mixed_pairs(biographies)
    graph = nx.Graph()
    for entity, (name, facts) in mixed.entities.items():
        graph.add_node(entity, name=name, facts=facts)
    for (a, b), (groups, weight) in mixed.pairs.items():
        graph.add_edge(a, b, groups=groups, weight=weight)
    # A graph with a node for each entity in a mixed group and an edge for each pair of mixed
    # entities. Nodes have a `name` and the number of credited `facts`; edges have the number of
    # `groups` and a `weight`, the sum of the smaller numbers of credited facts (see `Mixed`).
    return graph
