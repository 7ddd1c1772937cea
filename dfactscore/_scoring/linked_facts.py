"""A biography's facts and their values, linked to entities by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dfactscore._scoring.length import length_penalty
from dfactscore._scoring.matrix import matrix_values
from dfactscore._scoring.score_options import ScoreOptions
from dfactscore.linking import Link, SupportMatrix, link_groups, support_counts
from dfactscore.linking._links import total


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
        for_fs, for_dfs = _covered(self.matrix, self.groups, links, self.candidates)
        return replace(self, values=values, links=links, read_for_fs=for_fs, read_for_dfs=for_dfs)


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
    matrix: SupportMatrix,
    groups: Sequence[Sequence[int]],
    links: Sequence[Link],
    candidates: NDArray[np.bool_] | None,
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Returns whether each fact is readable enough for FS, and whether for D-FS."""
    for_fs: NDArray[np.bool_] = np.logical_or(
        matrix.support.any(axis=1), matrix.readable.all(axis=1)
    )
    allowed = slice(None) if candidates is None else np.flatnonzero(candidates)
    # Without a link, all cells must be readable.
    for_dfs: NDArray[np.bool_] = np.asarray(matrix.readable[:, allowed].all(axis=1))
    for group, link in zip(groups, links, strict=True):
        if link.entity is not None:
            for_dfs[list(group)] = matrix.readable[list(group), link.entity]
    return for_fs, for_dfs


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
