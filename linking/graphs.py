"""Graphs of support and of mixing (networkx)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from dfactscore.linking.links import support_counts
from dfactscore.linking.matrix import SupportMatrix
from dfactscore.linking.mixing import GroupMixing

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["mixing_graph", "support_graph"]


def support_graph(
    matrix: SupportMatrix, groups: Sequence[Sequence[int]], *, named: Collection[int] = ()
) -> nx.Graph:
    """The bipartite graph of one biography: groups and entities, weighted by supported facts.

    Args:
        matrix: Verdicts.
        groups: For each group its fact indices.
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


def mixing_graph(
    biographies: Iterable[tuple[str, Sequence[str], Sequence[GroupMixing]]],
) -> nx.Graph:
    """The graph of which entities are mixed with which, over a run.

    Args:
        biographies: For each the target name, its entities' ids in column order, and the mixing
            of its groups.

    Returns:
        A node per entity that is part of a mixed group, with ``name`` and the number of ``facts``
        credited to it there; an edge between two entities that are mixed in a group, with the
        number of ``groups`` and ``weight``, the facts of the lesser one summed over them.
    """
    import networkx as nx

    graph = nx.Graph()
    for name, entities, groups in biographies:
        for group in groups:
            if not group.mixed:
                continue
            facts: dict[str, int] = {}
            for column in group.credit:
                if column is not None:
                    facts[entities[column]] = facts.get(entities[column], 0) + 1
            for entity, n in facts.items():
                known = graph.nodes[entity]["facts"] if entity in graph else 0
                graph.add_node(entity, name=name, facts=known + n)
            for a, b in combinations(facts, 2):
                old = graph.get_edge_data(a, b, {"groups": 0, "weight": 0})
                graph.add_edge(
                    a, b, groups=old["groups"] + 1, weight=old["weight"] + min(facts[a], facts[b])
                )
    return graph
