from __future__ import annotations

import networkx as nx

from dfactscore.linking import SupportMatrix, group_mixing, mixed_pairs, mixing_graph, support_graph

MATRIX = SupportMatrix.from_support(
    [[1, 0, 0], [1, 0, 1], [0, 1, 0], [0, 1, 0], [1, 0, 0]],
    ["Ann Lee (rower)", "Ann Lee (poet)", "Leeds"],
)


def test_support_graph_is_bipartite_and_weighted():
    graph = support_graph(MATRIX, [[0, 1, 2, 3], [4]], named=[0, 1])
    assert nx.bipartite.is_bipartite(graph)
    weights = {(g, e[1]): w for g in (0, 1) for _, e, w in graph.edges(("group", g), data="weight")}
    assert weights == {
        (0, "Ann Lee (rower)"): 2,
        (0, "Ann Lee (poet)"): 2,
        (0, "Leeds"): 1,
        (1, "Ann Lee (rower)"): 1,
    }
    assert graph.nodes["entity", "Leeds"]["named"] is False
    assert graph.nodes["group", 0]["facts"] == 4


def test_mixing_graph_adds_up_over_biographies():
    groups = group_mixing(MATRIX, [[0, 1, 2, 3], [4]], named=[0, 1])
    graph = mixing_graph([("Ann Lee", MATRIX.entities, groups)] * 2)
    assert set(graph) == {"Ann Lee (rower)", "Ann Lee (poet)"}
    assert graph.nodes["Ann Lee (poet)"] == {"name": "Ann Lee", "facts": 4}
    assert graph.edges["Ann Lee (rower)", "Ann Lee (poet)"] == {"groups": 2, "weight": 4}


def test_groups_that_are_not_mixed_are_not_in_it():
    groups = group_mixing(MATRIX, [[0, 1], [2, 3], [4]], named=[0, 1])
    assert len(mixing_graph([("Ann Lee", MATRIX.entities, groups)])) == 0


def test_mixed_pairs_are_what_the_graph_shows():
    groups = group_mixing(MATRIX, [[0, 1, 2, 3], [4]], named=[0, 1])
    rower, poet, leeds = MATRIX.entities
    run = [("Ann Lee", entities, groups) for entities in (MATRIX.entities, (poet, rower, leeds))]
    mixed, graph = mixed_pairs(run), mixing_graph(run)
    assert {e: (v["name"], v["facts"]) for e, v in graph.nodes.items()} == mixed.entities
    edges = {frozenset(e): (v["groups"], v["weight"]) for e, v in graph.edges.items()}
    assert edges == {frozenset(pair): counts for pair, counts in mixed.pairs.items()}
    assert len(edges) == len(mixed.pairs) == 1
