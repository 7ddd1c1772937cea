"""A biography's facts and their values, linked to entities by group."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dfactscore._scoring.biography_scores import WELL_COVERED
from dfactscore._scoring.matrix import matrix_values
from dfactscore._scoring.score_options import ScoreOptions
from dfactscore.linking import STATUSES, Link, SupportMatrix, link_groups, support_counts
from dfactscore.linking._links import total


def length_penalty(n_facts: int, gamma: float | None) -> float:
    """Computes FActScore's length penalty: ``exp(1 - gamma / n_facts)`` up to gamma facts, 1 above.

    Example:
        >>> length_penalty(5, 10)
        0.36787944117144233
        >>> length_penalty(20, 10), length_penalty(5, None)
        (1.0, 1.0)
    """
    if gamma is None or gamma <= 0 or n_facts > gamma:
        return 1.0
    return math.exp(1 - gamma / n_facts) if n_facts else 0.0


# Statuses of cells whose page the judge refused to read or did not answer about.
_NOT_JUDGED = [STATUSES.index("refused"), STATUSES.index("error")]


@dataclass(frozen=True, eq=False)
class LinkedFacts:
    """A text's facts, linked to entities by group."""

    matrix: SupportMatrix
    parts: list[list[int]] | None  # groups; None if there is no D-FS
    skip: NDArray[np.bool_]
    values: NDArray[np.float64]  # value of each cell; FS and D-FS are sums of these values
    links: tuple[Link, ...]
    keep: NDArray[np.bool_]
    read_for_fs: NDArray[np.bool_]
    read_for_dfs: NDArray[np.bool_]
    options: ScoreOptions
    candidates: NDArray[np.bool_] | None
    fixed: Sequence[int | None] | None

    @property
    def n(self) -> int:
        """The number of scored facts."""
        return int(self.keep.sum())

    @property
    def penalty(self) -> float:
        """The length penalty."""
        return length_penalty(self.n, self.options.gamma)

    @property
    def groups(self) -> list[list[int]]:
        """The groups; empty if there is no D-FS."""
        return self.parts or []

    def with_values(self, values: NDArray[np.float64]) -> LinkedFacts:
        """Returns the facts with different values and the links that result from these values."""
        links = _links(
            values, self.groups, self.matrix, self.skip, self.options, self.candidates, self.fixed
        )
        facts = replace(self, values=values, links=links)
        for_fs, for_dfs = _covered(facts, ~self.matrix.readable)
        return replace(facts, read_for_fs=for_fs, read_for_dfs=for_dfs)

    @cached_property
    def open_cells(self) -> NDArray[np.bool_]:
        """Whether each cell is unread and may be support, by the policy on unreadable cells."""
        unread = ~self.matrix.readable
        unread[self.skip | ~self.keep] = False
        relevant = ~self.skip
        if self.options.unreadable in ("unsupported", "exclude"):
            return np.zeros_like(unread)
        if self.options.unreadable == "bounds" or not self.matrix.status[relevant].size:
            return unread
        if self.matrix.readable[relevant].mean() < WELL_COVERED:
            return unread
        not_judged = np.isin(self.matrix.status, _NOT_JUDGED)
        not_judged |= ~self.matrix.readable[relevant].any(axis=0)
        return np.asarray(unread & not_judged)

    @cached_property
    def undetermined(self) -> tuple[bool, bool]:
        """Whether FS and D-FS depend on cells that were not read."""
        for_fs, for_dfs = _covered(self, self.open_cells)
        return not for_fs[self.keep].all(), not for_dfs[self.keep].all()

    @property
    def open_groups(self) -> tuple[int, ...]:
        """Indices of groups that could have been linked to a page with open cells instead."""
        if self.fixed is not None:
            return ()
        return tuple(
            group
            for group, (members, link) in enumerate(zip(self.groups, self.links, strict=True))
            if _has_rival(self, self.open_cells, list(members), link)
        )

    def all_supported(self) -> LinkedFacts:
        """Returns the facts with every open cell counted as support."""
        return self.with_values(np.where(self.open_cells, 1.0, self.values))


def link_facts(
    matrix: SupportMatrix,
    parts: list[list[int]] | None,
    skip: NDArray[np.bool_],
    options: ScoreOptions,
    candidates: NDArray[np.bool_] | None,
    fixed: Sequence[int | None] | None,
) -> LinkedFacts:
    """Links facts and drops those that the options exclude; see `LinkedFacts` for the arguments."""
    values = matrix_values(matrix, counts=options.counts)
    values[skip] = 0
    keep = ~skip if options.irrelevant == "exclude" else np.ones_like(skip)
    facts = LinkedFacts(
        matrix, parts, skip, values, (), keep, keep, keep, options, candidates,
        None if parts is None else fixed,
    ).with_values(values)  # fmt: skip
    if options.unreadable != "exclude":
        return facts
    read = facts.read_for_fs if parts is None else facts.read_for_fs & facts.read_for_dfs
    # Link again without the dropped facts, so that D-FS stays between its lower bound and FS.
    remaining = np.where((keep & read)[:, None], values, 0.0)
    return replace(facts, keep=keep & read).with_values(remaining)


def _links(
    values: NDArray[np.float64],
    groups: Sequence[Sequence[int]],
    matrix: SupportMatrix,
    skip: NDArray[np.bool_],
    options: ScoreOptions,
    candidates: NDArray[np.bool_] | None,
    fixed: Sequence[int | None] | None,
) -> tuple[Link, ...]:
    counts = support_counts(values, groups)
    if fixed is None:
        # Sort groups by content, so that no score depends on the order of groups and facts: the
        # assignment breaks ties by order.
        order = list(range(len(groups)))
        if options.link == "hungarian":
            order.sort(key=lambda g: _content(values, groups[g], matrix, skip))
        links = link_groups(
            counts[order], method=options.link, ranks=matrix.ranks, candidates=candidates
        )
        by_group = dict(zip(order, links, strict=True))
        return tuple(by_group[g] for g in range(len(groups)))
    return tuple(
        Link(e, 0.0 if e is None else float(counts[g, e]), None, 0.0)
        for g, e in zip(range(len(groups)), fixed, strict=True)
    )


def _content(
    values: NDArray[np.float64],
    group: Sequence[int],
    matrix: SupportMatrix,
    skip: NDArray[np.bool_],
) -> tuple[list[tuple[float, ...]], ...]:
    """Returns a group's sort key, independent of fact and entity order; high values come first.

    Groups with equal keys agree in everything that scores depend on, so they are interchangeable.
    """
    ranked, facts = np.argsort(matrix.ranks), list(group)
    cells = np.hstack([part[facts][:, ranked] for part in (-values, ~matrix.readable)])
    ties = np.hstack([cells, ~matrix.support[facts][:, ranked], skip[facts, None]])
    return tuple(sorted(tuple(row) for row in rows.tolist()) for rows in (cells, ties))


def _covered(
    facts: LinkedFacts, unread: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Returns whether each fact is read enough for FS, and whether for D-FS."""
    for_fs: NDArray[np.bool_] = np.asarray(facts.matrix.support.any(axis=1) | ~unread.any(axis=1))
    allowed = slice(None) if facts.candidates is None else np.flatnonzero(facts.candidates)
    for_dfs: NDArray[np.bool_] = np.asarray(~unread[:, allowed].any(axis=1))
    for group, link in zip(facts.groups, facts.links, strict=True):
        members = list(group)
        if facts.fixed is None and _has_rival(facts, unread, members, link):
            for_dfs[members] = False
        elif link.entity is None:
            for_dfs[members] = True
        else:
            for_dfs[members] = ~unread[members, link.entity]
    return for_fs, for_dfs


def _has_rival(
    facts: LinkedFacts, unread: NDArray[np.bool_], members: list[int], link: Link
) -> bool:
    """Whether an entity with unread cells could have been linked to a group instead."""
    able = unread[members] & (facts.keep & ~facts.skip)[members, None]
    most = total(np.where(able, 1.0, facts.values[members]))
    rivals: NDArray[np.bool_] = np.asarray(able.any(axis=0))
    if facts.candidates is not None:
        rivals &= facts.candidates
    if link.entity is None:
        return bool(rivals.any())
    own = total(facts.values[members, link.entity])
    earlier = np.asarray(facts.matrix.ranks) < facts.matrix.ranks[link.entity]
    rivals[link.entity] = False
    return bool((rivals & ((most > own) | ((most == own) & earlier))).any())


def shares(facts: LinkedFacts) -> tuple[float, float]:
    """Returns FS and D-FS."""
    anywhere = facts.values.max(axis=1, initial=0.0)
    linked = np.zeros(len(facts.values))
    for group, link in zip(facts.groups, facts.links, strict=True):
        if link.entity is not None:
            linked[group] = facts.values[group, link.entity]
    return (
        float(total(anywhere[facts.keep]) / facts.n * facts.penalty),
        float(total(linked[facts.keep]) / facts.n * facts.penalty),
    )
