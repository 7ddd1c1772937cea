"""Mixing in one scored biography."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dfactscore.linking import GroupMixing, LostFacts, bears_name, group_mixing, lost_facts
from dfactscore.scoring.scored import Scored

__all__ = ["BiographyMixing", "biography_mixing", "named_columns"]


@dataclass(frozen=True)
class BiographyMixing:
    """How a biography mixes people of one name, and what that costs it.

    Attributes:
        id: The biography.
        name: The target name.
        entities: Ids of its entities in column order.
        labels: Their labels.
        n_named: How many of them bear the name.
        groups: Mixing of each group.
        lost: The facts between FS and D-FS by reason.
        n_facts: Facts that are scored, the denominator of both scores.
        fs, dfs: The two scores without length penalty.
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
        """FS − D-FS; the three parts below add up to it."""
        return self.lost.total / self.n_facts

    @property
    def same_name(self) -> float:
        """The part of the gap that same-name mixing makes."""
        return len(self.lost.same_name) / self.n_facts

    @property
    def other_page(self) -> float:
        """The part of the gap that pages make that do not bear the name."""
        return len(self.lost.other_page) / self.n_facts

    @property
    def link_conflict(self) -> float:
        """The part of the gap that links to another than the best entity make."""
        return len(self.lost.link_conflict) / self.n_facts

    @property
    def mixed(self) -> int:
        """Number of mixed groups."""
        return sum(g.mixed for g in self.groups)

    @property
    def foreign(self) -> int:
        """Foreign facts in all groups."""
        return sum(len(g.foreign) for g in self.groups)

    @property
    def switches(self) -> int:
        """Places at which the text moves on to another entity within a group."""
        return sum(len(g.switches) for g in self.groups)


def named_columns(scored: Scored) -> tuple[int, ...]:
    """Columns of the entities of which a title or redirect bears the name."""
    return tuple(
        i
        for i, e in enumerate(scored.judged.entities)
        if any(bears_name(t, scored.name) for t in (e.id, e.label, *e.aliases))
    )


def biography_mixing(scored: Scored, *, min_foreign: int = 2) -> BiographyMixing | None:
    """Measures the mixing in one biography.

    Args:
        scored: The biography with its verdicts and links.
        min_foreign: From how many facts of another entity on a group counts as mixed.

    Returns:
        None where the biography has no D-FS.
    """
    scores, groups = scored.scores, scored.judged.groups
    if scores is None or scores.dfs is None or groups is None or not scores.n_facts:
        return None
    named = named_columns(scored)
    parts = [g.facts for g in groups]
    candidates = np.zeros(len(scored.matrix.entities), dtype=bool)
    candidates[list(scored.candidate_columns)] = True
    may_support = [f for f in scores.facts if scored.judged.facts[f].label != "irrelevant"]
    lost = lost_facts(
        scored.matrix,
        parts,
        [link.entity for link in scores.links],
        named=named,
        candidates=candidates,
        facts=may_support,
    )
    support = scored.matrix.support
    linked = sum(
        bool(support[f, link.entity])
        for part, link in zip(parts, scores.links, strict=True)
        if link.entity is not None
        for f in set(part) & set(may_support)
    )
    anywhere = int(support[may_support].any(axis=1).sum()) if may_support else 0
    return BiographyMixing(
        id=scored.id,
        name=scored.name,
        entities=scored.matrix.entities,
        labels=tuple(e.label for e in scored.judged.entities),
        n_named=len(named),
        groups=group_mixing(scored.matrix, parts, named=named, min_foreign=min_foreign),
        lost=lost,
        n_facts=scores.n_facts,
        fs=anywhere / scores.n_facts,
        dfs=linked / scores.n_facts,
    )
