"""Attributes the gap between FActScore and D-FActScore to its causes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dfactscore.linking._links import link_groups, support_counts
from dfactscore.linking._support_matrix import SupportMatrix


@dataclass(frozen=True, slots=True)
class LostFacts:
    """Facts that are supported by some entity, but not by the entity their group is linked to.

    Each lost fact is listed under exactly one of the three causes, so the total number is
    ``(FS - D-FS) * |A|``.
    """

    same_name: tuple[int, ...]
    other_page: tuple[int, ...]
    # *Link conflict*: the group's best candidate supports the fact, but the group is not linked to
    # it (the one-to-one assignment gave it to another group, or the links come from another
    # program).
    link_conflict: tuple[int, ...]

    @property
    def total(self) -> int:
        """The number of lost facts."""
        return len(self.same_name) + len(self.other_page) + len(self.link_conflict)


def lost_facts(
    matrix: SupportMatrix,  # verdicts, of shape `(facts, entities)`
    groups: Sequence[Sequence[int]],
    links: Sequence[int | None],
    *,
    named: Collection[int],
    # Boolean mask of shape `(entities,)`: whether groups may be linked to each entity; by default,
    # they may be linked to all.
    candidates: NDArray[np.bool_] | None = None,
    facts: Collection[int] | None = None,
    # Of shape `(facts, entities)`: what groups are linked by; by default, the verdicts.
    values: NDArray[np.float64] | None = None,
) -> LostFacts:
    """Attributes the facts in the gap FS - D-FS to their causes.

    Example:
        A swimmer's biography that also contains facts about a coach of the same name and about a
        town:

        >>> matrix = SupportMatrix.from_support(
        ...     [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]],
        ...     ["Dick Hanley (swimmer)", "Dick Hanley (coach)", "Evanston, Illinois"])
        >>> lost_facts(matrix, [[0, 1, 2, 3, 4]], [0], named=[0, 1])
        LostFacts(same_name=(2,), other_page=(3,), link_conflict=())
    """
    kept = np.ones(len(matrix.support), dtype=bool)
    if facts is not None:
        kept[:] = False
        kept[list(facts)] = True
    support = matrix.support & kept[:, None]
    counts = support_counts(support if values is None else values * kept[:, None], groups)
    bearers = np.zeros(len(matrix.entities), dtype=bool)
    bearers[list(named)] = True
    best = link_groups(counts, ranks=matrix.ranks, candidates=candidates)
    of_name = link_groups(counts, ranks=matrix.ranks, candidates=bearers)
    parts: tuple[list[int], list[int], list[int]] = ([], [], [])
    for g, group in enumerate(groups):
        for fact in sorted(group):
            row = support[fact]
            if not row.any() or _holds(row, links[g]):
                continue
            if _holds(row, best[g].entity):
                reason = 2
            elif not row[bearers].any() or _holds(row, of_name[g].entity):
                reason = 1
            else:
                reason = 0
            parts[reason].append(fact)
    return LostFacts(*(tuple(sorted(part)) for part in parts))


def _holds(row: NDArray[np.bool_], entity: int | None) -> bool:
    return entity is not None and bool(row[entity])
