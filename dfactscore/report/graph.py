"""Which people are mixed with which, as the report draws it."""

from __future__ import annotations

from typing import Any

from dfactscore.mixing.run import RunMixing

__all__ = ["graph_data"]

_MOST = 2_000  # pairs, the most mixed first


def graph_data(mixing: RunMixing) -> dict[str, Any]:
    """Nodes ``[entity, name, facts]`` and edges ``[node, node, groups, facts of the lesser]``."""
    graph = mixing.graph()
    pairs = sorted(
        graph.edges(data=True), key=lambda e: (-e[2]["weight"], *sorted((str(e[0]), str(e[1]))))
    )[:_MOST]
    places: dict[str, int] = {}
    for a, b, _ in pairs:
        for entity in sorted((a, b)):
            places.setdefault(entity, len(places))
    nodes = [[str(e), str(graph.nodes[e]["name"]), int(graph.nodes[e]["facts"])] for e in places]
    edges = [
        [*sorted((places[a], places[b])), int(values["groups"]), int(values["weight"])]
        for a, b, values in pairs
    ]
    return {"nodes": nodes, "edges": edges}
