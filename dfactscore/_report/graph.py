"""Data for the report's mixing graph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dfactscore.linking import mixed_pairs
from dfactscore.mixing._biography import BiographyMixing

_MOST = 2_000  # maximum number of pairs, the most mixed first


def graph_data(mixing: Iterable[BiographyMixing]) -> dict[str, Any]:
    """Returns nodes ``[entity, name, facts]`` and edges ``[node, node, groups, facts]``.

    An edge's fact count is the number of facts about whichever person has fewer.
    """
    mixed = mixed_pairs((b.name, b.entities, b.groups) for b in mixing)
    pairs = sorted(mixed.pairs.items(), key=lambda e: (-e[1][1], *sorted(map(str, e[0]))))[:_MOST]
    places: dict[str, int] = {}
    for pair, _ in pairs:
        for entity in sorted(pair):
            places.setdefault(entity, len(places))
    nodes = [[str(e), str(mixed.entities[e][0]), int(mixed.entities[e][1])] for e in places]
    edges = [
        [*sorted(places[entity] for entity in pair), int(groups), int(weight)]
        for pair, (groups, weight) in pairs
    ]
    return {"nodes": nodes, "edges": edges}
