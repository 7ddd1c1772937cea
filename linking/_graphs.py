"""Graphs of support and of mixing (networkx), and the counts behind the latter."""

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
    """The bipartite graph of one biography: groups and entities, weighted by supported facts.

    Args:
        matrix: Verdicts.
        groups: Fact indices of each group.
        named: Columns of the entities that bear the name.

    Returns:
        Nodes ``("group", g)`` with ``bipartite=0`` and ``facts``, nodes ``("entity", id)`` with
        ``bipartite=1`` and ``named``; an edge where the entity supports a fact of the group, its
        ``weight`` the number of such facts. Entities without an edge are left out.
    """
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
    return graph


class Mixed(NamedTuple):
    """The pairs of mixed entities, over a run.

    Attributes:
        entities: Each entity that is part of a mixed group: the target name, and the number of
            facts credited to it there.
        pairs: Each two entities that are mixed in a group: the number of groups, and the facts of
            the lesser one summed over them.
    """

    entities: dict[str, tuple[str, int]]
    pairs: dict[tuple[str, str], tuple[int, int]]


def mixed_pairs(
    biographies: Iterable[tuple[str, Sequence[str], Sequence[GroupMixing]]],
) -> Mixed:
    """Counts which entities are mixed with which.

    Args:
        biographies: For each the target name, its entities' ids in column order, and the mixing
            of its groups.
    """
    mixed = Mixed({}, {})
    for name, entities, groups in biographies:
        for group in groups:
            if not group.mixed:
                continue
            facts = Counter(entities[column] for column in group.credit if column is not None)
            for entity, n in facts.items():
                _, known = mixed.entities.get(entity, (name, 0))
                mixed.entities[entity] = (name, known + n)
            for a, b in combinations(facts, 2):
                pair = (b, a) if (b, a) in mixed.pairs else (a, b)
                times, weight = mixed.pairs.get(pair, (0, 0))
                mixed.pairs[pair] = (times + 1, weight + min(facts[a], facts[b]))
    return mixed


def mixing_graph(
    biographies: Iterable[tuple[str, Sequence[str], Sequence[GroupMixing]]],
) -> nx.Graph:
    """The graph of which entities are mixed with which, over a run.

    Args:
        biographies: See `mixed_pairs`.

    Returns:
        A node per entity that is part of a mixed group, with ``name`` and the number of ``facts``
        credited to it there; an edge between two entities that are mixed in a group, with the
        number of ``groups`` and ``weight``, the facts of the lesser one summed over them.
    """
    import networkx as nx

    mixed = mixed_pairs(biographies)
    graph = nx.Graph()
    for entity, (name, facts) in mixed.entities.items():
        graph.add_node(entity, name=name, facts=facts)
    for (a, b), (groups, weight) in mixed.pairs.items():
        graph.add_edge(a, b, groups=groups, weight=weight)
    return graph
