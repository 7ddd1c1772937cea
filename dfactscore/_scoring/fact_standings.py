"""The standing of a fact in the two scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from dfactscore._records import WhyNot
from dfactscore.linking import SupportMatrix

Standing = Literal["supported", "elsewhere", "unsupported", "unreadable"]


def standings(
    matrix: SupportMatrix, groups: Sequence[Sequence[int]], links: Sequence[int | None]
) -> tuple[Standing, ...]:
    """Says for each fact which score counts it.

    ``"supported"``: by the entity that its group is linked to (by any entity, for a fact without
    a group); ``"elsewhere"``: by another entity only, so that FActScore counts it and D-FActScore
    does not; else ``"unreadable"`` where the cell that decides could not be read (without a link,
    any cell), and ``"unsupported"``.

    Args:
        matrix: The verdicts, shape ``(facts, entities)``.
        groups: Fact indices by group; none without a grouping.
        links: The column that each group is linked to, or None.

    Example:
        >>> matrix = SupportMatrix.from_support([[1, 0], [0, 1], [0, 0]], ["a", "b"])
        >>> standings(matrix, [[0, 1, 2]], [0])
        ('supported', 'elsewhere', 'unsupported')
    """
    link_of = {f: link for group, link in zip(groups, links, strict=True) for f in group}
    anywhere = np.asarray(matrix.support.any(axis=1))
    everywhere = np.asarray(matrix.readable.all(axis=1))
    found: list[Standing] = []
    for fact in range(len(matrix.status)):
        link = link_of.get(fact)
        if anywhere[fact]:
            here = fact not in link_of or (link is not None and bool(matrix.support[fact, link]))
            found.append("supported" if here else "elsewhere")
        else:
            read = bool(everywhere[fact]) if link is None else bool(matrix.readable[fact, link])
            found.append("unsupported" if read else "unreadable")
    return tuple(found)


def reasons(
    matrix: SupportMatrix, groups: Sequence[Sequence[int]], links: Sequence[int | None]
) -> tuple[WhyNot | None, ...]:
    """Says for each unsupported fact whether a page contradicts it or does not state it.

    The page is that of the entity that its group is linked to; any, for a fact without a link.
    None for the other facts, and for all where the verifier shows no places.

    Args:
        matrix: See `standings`; so the others.
        groups: Fact indices by group.
        links: The column that each group is linked to, or None.
    """
    if matrix.evidence is None and matrix.conflict is None:
        return (None,) * len(matrix.status)
    link_of = {f: link for group, link in zip(groups, links, strict=True) for f in group}
    found: list[WhyNot | None] = []
    for fact, standing in enumerate(standings(matrix, groups, links)):
        link = link_of.get(fact)
        read = range(len(matrix.entities)) if link is None else [link]
        against = any(matrix.conflict_at(fact, entity) for entity in read)
        said: WhyNot = "contradicted" if against else "not_stated"
        found.append(said if standing == "unsupported" else None)
    return tuple(found)
