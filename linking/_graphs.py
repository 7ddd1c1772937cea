"""Support and mixing graphs (networkx), and counts of mixed entities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from dfactscore.linking._links import support_counts
from dfactscore.linking._mixed_facts import GroupMixing
from dfactscore.linking._support_matrix import SupportMatrix

if TYPE_CHECKING:
    import networkx as nx


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
