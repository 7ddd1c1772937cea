"""Mixing of people in one scored biography."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dfactscore._scoring.counts import cell_values
from dfactscore._scoring.record import Record
from dfactscore.linking import GroupMixing, LostFacts, group_mixing, lost_facts


@dataclass(frozen=True)
class BiographyMixing:
    """The mixing, in one biography, of people who share a name, and its cost.

    Attributes:
        id: The id of the biography.
        name: The target name.
        entities: Ids of the entities, in column order.
        labels: Labels of the entities, in the same order.
        n_named: The number of entities that bear the target name.
        groups: The mixing within each group of facts.
        lost: The facts that count for FS but not for D-FS, by reason.
        n_facts: The number of scored facts, which is the denominator of both scores.
        fs, dfs: FS and D-FS, without a length penalty.
    """

    id: str
    name: str
    entities: tuple[str, ...]
    labels: tuple[str, ...]
    n_named: int
    groups: tuple[GroupMixing, ...]
    lost: LostFacts
    n_facts: int
    fs: float
    dfs: float

    @property
    def gap(self) -> float:
        """FS − D-FS, the sum of the three parts below."""
        return self.lost.total / self.n_facts

    @property
    def same_name(self) -> float:
        """The part of the gap caused by mixing people who share the name."""
        return len(self.lost.same_name) / self.n_facts

    @property
    def other_page(self) -> float:
        """The part of the gap caused by facts supported only by pages with other names."""
        return len(self.lost.other_page) / self.n_facts

    @property
    def link_conflict(self) -> float:
        """The part of the gap caused by links to an entity other than the best one."""
        return len(self.lost.link_conflict) / self.n_facts

    @property
    def mixed(self) -> int:
        """The number of mixed groups."""
        return sum(g.mixed for g in self.groups)

    @property
    def probability(self) -> float | None:
        """The highest probability that any group is mixed; None if there are no groups."""
        return max((g.probability for g in self.groups if g.probability is not None), default=None)

    @property
    def foreign(self) -> int:
        """The total number of foreign facts in all groups."""
        return sum(len(g.foreign) for g in self.groups)

    @property
    def switches(self) -> int:
        """The number of switches to another entity within a group."""
        return sum(len(g.switches) for g in self.groups)


def biography_mixing(record: Record, *, min_foreign: int | None = None) -> BiographyMixing | None:
    """Measures the mixing in one biography.

    Args:
        record: The biography with its verdicts and links.
        min_foreign: Number of facts about another entity at which a group counts as mixed; by
            default, the number used when the record was scored.

    Returns:
        The mixing, or None if the biography has no D-FS.
    """
    scores, groups = record.scores, record.groups
    if scores is None or scores.dfs is None or groups is None or not scores.n_facts:
        return None
    matrix, named = record.decided, record.named
    parts = [g.facts for g in groups]
    candidates = np.zeros(len(matrix.entities), dtype=bool)
    candidates[list(record.candidate_columns)] = True
    may_support = [f for f in scores.facts if record.facts[f].label != "irrelevant"]
    lost = lost_facts(
        matrix,
        parts,
        [link.entity for link in scores.links],
        named=named,
        candidates=candidates,
        facts=may_support,
    )
    support = matrix.support
    linked = sum(
        bool(support[f, link.entity])
        for part, link in zip(parts, scores.links, strict=True)
        if link.entity is not None
        for f in set(part) & set(may_support)
    )
    anywhere = int(support[may_support].any(axis=1).sum()) if may_support else 0
    least = record.options.min_foreign if min_foreign is None else min_foreign
    return BiographyMixing(
        id=record.id,
        name=record.name,
        entities=matrix.entities,
        labels=tuple(e.label for e in record.entities),
        n_named=len(named),
        groups=group_mixing(
            matrix,
            parts,
            named=named,
            min_foreign=least,
            values=cell_values(record) if record.options.counts == "expected" else None,
        ),
        lost=lost,
        n_facts=scores.n_facts,
        fs=anywhere / scores.n_facts,
        dfs=linked / scores.n_facts,
    )
