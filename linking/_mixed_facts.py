"""Entity mixing: facts about several people with the same name in one group.

Only entities that bear the name count: support from the page of a wife or a town is not mixing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
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

MIN_FOREIGN = 2
"""The least number of facts of another entity that makes a group *mixed*.

Measured with true mixtures (docs/mixing.md): with 1, a single wrong verdict is enough; with 3,
mixtures are missed.
"""
SHORT = 5
"""The most facts of a short text, in which a single clear foreign fact decides.

Set on short texts of facts about one person and one fact about a namesake (docs/mixing.md).
"""
_LIKELY = 0.5
# In a text of up to so many facts, one foreign fact of at least this probability decides, if the
# passages tell that all entities of the name are different.
_MEDIUM, _CLEAR = 8, 0.97
_DIFFERENT = 0.7  # least probability of two people for a mixed group
_SURELY, _PERHAPS = 0.9, 0.25  # of mixing through passages of unknown owner


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
    # Whether at least `min_foreign` facts are credited to an entity other than home. In a short
    # text with probabilities, a group also counts as mixed if `probability` is at least 0.5. None
    # if this depends on passages of unknown owner, or on whether two entities are different.
    mixed: bool | None
    probability: float | None = None


def group_mixing(
    matrix: SupportMatrix,
    groups: Sequence[Sequence[int]],
    *,
    named: Collection[int],
    # Minimum number of facts about another entity in a mixed group. A single such fact may be a
    # verifier error, or true of both people. If the number differs from the default, probabilities
    # are not used, even in short texts.
    min_foreign: int = MIN_FOREIGN,
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
    columns = sorted(named, key=lambda e: matrix.ranks[e])
    measures = tuple(_measure(matrix.support, sorted(g), columns, min_foreign) for g in groups)
    short = len(matrix.support) <= SHORT and values is not None
    least = 1 if short else min_foreign
    if values is not None:
        likely = [
            _probability(values[sorted(g)], columns, mixing.home, least)
            for g, mixing in zip(groups, measures, strict=True)
        ]
        probability_decides = short and min_foreign == MIN_FOREIGN
        measures = tuple(
            replace(m, probability=p, mixed=m.mixed or (probability_decides and p >= _LIKELY))
            for m, p in zip(measures, likely, strict=True)
        )
    if doubts is None:
        return measures
    worth = matrix.support.astype(float) if values is None else values
    one_decides = values is not None and len(values) <= _MEDIUM and min_foreign == MIN_FOREIGN
    return tuple(
        _doubted(mixing, worth, sorted(group), columns, doubts, one_decides, least)
        for mixing, group in zip(measures, groups, strict=True)
    )


def _doubted(
    mixing: GroupMixing,
    values: NDArray[np.float64],
    facts: Sequence[int],
    columns: Sequence[int],
    doubts: Doubts,
    one_decides: bool,
    least: int,
) -> GroupMixing:
    """Returns the mixing of a group as far as the owners of the passages are known."""
    home = mixing.home
    if home is None:
        return mixing
    probability = mixing.probability or 0.0
    if mixing.mixed:
        credited = [c for c in mixing.credit if c not in (None, home)]
        others = credited or [c for c in columns if c != home]
        different = max(float(doubts.different[home, c]) for c in others)
        sure = different >= _DIFFERENT
        probability = max(probability, different) if sure else different
        return replace(mixing, mixed=True if sure else None, probability=probability)
    if one_decides:
        single = _probability(values[facts] * doubts.own[facts], columns, home, 1)
        apart = [float(doubts.different[home, c]) for c in columns if c != home]
        if single * min(apart, default=0.0) >= _CLEAR:
            return replace(mixing, mixed=True, probability=single)
    own = doubts.own[facts, home]
    elsewhere = np.sort(values[facts, home] * (1 - own))[::-1]
    at_home = float((values[facts, home] * (own >= 1)).max(initial=0.0))
    doubt = float(elsewhere[least - 1]) * at_home if len(elsewhere) >= least else 0.0
    if doubt < _PERHAPS:
        return replace(mixing, probability=max(probability, doubt))
    return replace(
        mixing, mixed=True if doubt >= _SURELY else None, probability=max(probability, doubt)
    )


def _probability(
    values: NDArray[np.float64], columns: Sequence[int], home: int | None, least: int
) -> float:
    """Returns the probability that a group has a fact about home and `least` about another entity.

    A fact belongs to one of two entities if that entity's page supports the fact and the other's
    does not. Because facts may repeat each other, the result is the probability of the `least`-th
    clearest foreign fact times that of the clearest home fact.
    """
    if home is None:
        return 0.0
    probabilities = [0.0]
    for entity in columns:
        if entity != home:
            foreign = np.sort(values[:, entity] * (1 - values[:, home]))[::-1]
            home_facts = values[:, home] * (1 - values[:, entity])
            enough = float(foreign[least - 1]) if len(foreign) >= least else 0.0
            probabilities.append(enough * float(home_facts.max(initial=0.0)))
    return max(probabilities)


def _measure(
    support: NDArray[np.bool_], facts: Sequence[int], columns: Sequence[int], min_foreign: int
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
        mixed=any(n >= min_foreign for e, n in credited.items() if e != home),
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
