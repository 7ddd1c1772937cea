"""The scores of one biography."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dfactscore.errors import InputError
from dfactscore.linking import (
    MIN_FOREIGN,
    Link,
    LinkMethod,
    SupportMatrix,
    group_mixing,
    link_groups,
    support_counts,
)
from dfactscore.scoring.category import Category, categorize
from dfactscore.scoring.credit import credited_entities
from dfactscore.scoring.length import length_penalty
from dfactscore.scoring.matrix import matrix_values

__all__ = ["BiographyScores", "Irrelevant", "ScoreOptions", "Unreadable", "score_matrix"]

Unreadable = Literal["unsupported", "exclude", "bounds"]
Irrelevant = Literal["keep", "exclude"]


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """How scores are made of a matrix; the defaults are the paper's.

    Attributes:
        link: How groups are linked to entities.
        unreadable: What a cell that could not be read counts as: not supported, or the fact
            leaves both scores, or both extremes are given beside the score.
        irrelevant: Irrelevant facts count as unsupported (as in the published human FActScores),
            or leave both scores.
        threshold: Decide the cells again at this probability; None keeps the verdicts.
        soft: Use probabilities instead of verdicts in FS and D-FS.
        gamma: FActScore's length penalty (10 there); None for none.
        min_foreign: From how many facts of another entity of the name on a group is mixed. One
            alone may be a slip of the verifier, or true of both.
        keep_repeats: Count facts that say the same each time in F1@K; by default once.

    Raises:
        InputError: If a choice is unknown, or a number is not finite or out of its range.
    """

    link: LinkMethod = "argmax"
    unreadable: Unreadable = "unsupported"
    irrelevant: Irrelevant = "keep"
    threshold: float | None = None
    soft: bool = False
    gamma: float | None = None
    min_foreign: int = MIN_FOREIGN
    keep_repeats: bool = False

    def __post_init__(self) -> None:
        for name, known in (
            ("link", get_args(LinkMethod)),
            ("unreadable", get_args(Unreadable)),
            ("irrelevant", get_args(Irrelevant)),
        ):
            value = getattr(self, name)
            if value not in known:
                raise InputError(f"{name}={value!r} is unknown; choose {' or '.join(known)}")
        if self.threshold is not None and not 0 <= self.threshold <= 1:
            raise InputError(f"threshold={self.threshold} is not a probability (0 to 1)")
        if self.gamma is not None and not 0 <= self.gamma < math.inf:
            raise InputError(f"gamma={self.gamma} is not a number of facts (10 in FActScore)")
        if self.min_foreign < 1:
            raise InputError(f"min_foreign={self.min_foreign} is not a number of facts from 1 on")

    def changed(self, **given: Any) -> ScoreOptions:
        """These options with those that are given (not None) in their place.

        Raises:
            InputError: If a choice is unknown, or a number out of its range.
        """
        return replace(self, **{k: v for k, v in given.items() if v is not None})


@dataclass(frozen=True, slots=True)
class BiographyScores:
    """What one biography scores. Scores are fractions in [0, 1].

    Attributes:
        fs: FActScore over the entities of the matrix; None when no fact is left to score.
        dfs: D-FActScore; None without a grouping, or where entities cannot be distinguished.
        dfs_one_group: D-FS with all facts in one group: a lower bound under argmax.
        n_bio: Number of groups with a fact that is scored.
        n_ent: Number of distinct entities that the supported facts are credited to.
        n_bio_named: Groups whose individual bears the name; None where no group says.
        n_ent_named: Credited entities that bear the name.
        n_facts: Facts that are scored.
        category: The paper's kind of paragraph.
        mixed_groups: Groups that mix entities of the name (see `dfactscore.linking.group_mixing`).
        shared_links: Groups beyond the first that are linked to an entity.
        coverage_fs: Share of facts that are supported somewhere or were read everywhere.
        coverage: Share of facts whose linked cell was read.
        links: One link per group (empty without a grouping).
        fs_bounds: FS with every unreadable cell as 0 and as 1 (policy ``"bounds"``), else None.
        dfs_bounds: The same for D-FS.
        dfs_reason: Why there is no D-FS.
        facts: Indices of the facts that are scored.
    """

    fs: float | None
    dfs: float | None
    dfs_one_group: float | None
    n_bio: int | None
    n_ent: int | None
    n_bio_named: int | None
    n_ent_named: int | None
    n_facts: int
    category: Category | None
    mixed_groups: int | None
    shared_links: int | None
    coverage_fs: float | None
    coverage: float | None
    links: tuple[Link, ...] = ()
    fs_bounds: tuple[float, float] | None = None
    dfs_bounds: tuple[float, float] | None = None
    dfs_reason: str = ""
    facts: tuple[int, ...] = ()

    @property
    def kept(self) -> float | None:
        """D-FS / FS, the share of the true facts that survive disambiguation.

        None where no fact is true or there is no D-FS. What the evidence lacks lowers both scores
        and cancels here.
        """
        return self.dfs / self.fs if self.fs and self.dfs is not None else None


def score_matrix(
    matrix: SupportMatrix,
    groups: Sequence[Sequence[int]] | None,
    *,
    options: ScoreOptions | None = None,
    candidates: NDArray[np.bool_] | None = None,
    fs_only: Collection[int] = (),
    named_entities: Collection[int] = (),
    named_groups: Sequence[bool | None] | None = None,
    irrelevant: Collection[int] = (),
    fixed_links: Sequence[int | None] | None = None,
    dfs_reason: str = "",
) -> BiographyScores:
    """Scores one biography from its support matrix (paper sections 3.1 and 4.1).

    ``FS`` is the share of facts that some entity supports, ``D-FS`` the share of facts that the
    entity supports to which the fact's group is linked.

    Args:
        matrix: Verdicts, shape ``(facts, entities)``.
        groups: Fact indices by group, a partition of the facts; None where grouping failed.
        options: Choices of linking and counting.
        candidates: Shape ``(entities,)``, entities that may be linked; FS ranges over all.
        fs_only: Columns that are not entities and count for FS alone; no candidates either.
        named_entities: Columns of entities that bear the target name.
        named_groups: For each group whether its individual bears the target name.
        irrelevant: Facts labeled irrelevant.
        fixed_links: Links made elsewhere: a column or None per group.
        dfs_reason: Why there can be no D-FS; empty where there can.

    Raises:
        dfactscore.linking.LinkingError: If candidates and matrix disagree.

    Example:
        Four facts, two about each of two namesakes, written as one person's life:

        >>> matrix = SupportMatrix.from_support(
        ...     [[1, 0], [1, 0], [0, 1], [0, 1]], ["Dick Hanley (swimmer)", "Dick Hanley (coach)"])
        >>> scores = score_matrix(matrix, [[0, 1, 2, 3]])
        >>> scores.fs, scores.dfs, scores.n_bio, scores.n_ent, scores.category
        (1.0, 0.5, 1, 2, 'one_bio_several_ents')
    """
    options = options or ScoreOptions()
    if options.threshold is not None:
        matrix = matrix.at_threshold(options.threshold)
    skip = np.zeros(matrix.status.shape[0], dtype=bool)
    skip[list(irrelevant)] = True
    values = matrix_values(matrix, soft=options.soft)
    values[skip] = 0
    hard = matrix.support.copy()
    hard[skip] = False

    scorable = groups is not None and not dfs_reason
    parts = [list(g) for g in groups] if groups is not None and scorable else []
    fixed_links = fixed_links if scorable else None
    links = _links(values, parts, matrix, skip, options, candidates, fixed_links)
    covered_fs, covered_dfs = _covered(matrix, parts, links, candidates)
    keep = ~skip if options.irrelevant == "exclude" else np.ones_like(skip)
    if options.unreadable == "exclude":
        keep &= covered_fs & covered_dfs if scorable else covered_fs
        # Linked again without the facts that left, so that D-FS stays between its bound and FS.
        values[~keep] = 0
        hard[~keep] = False
        links = _links(values, parts, matrix, skip, options, candidates, fixed_links)
        covered_fs, covered_dfs = _covered(matrix, parts, links, candidates)

    base = _shares(values, parts, links, keep, options)
    n_facts = int(keep.sum())
    if not n_facts:
        reason = dfs_reason or "no fact is left to score"
        return _unscored(reason)
    hard[:, list(fs_only)] = False
    credit = [c for f, c in enumerate(credited_entities(hard, matrix.ranks)) if keep[f]]
    entities = {c for c in credit if c is not None}
    alive = [g for g, part in enumerate(parts) if keep[part].any()]
    one_group = link_groups(
        support_counts(values[keep], [range(n_facts)]), ranks=matrix.ranks, candidates=candidates
    )
    linked = [links[g].entity for g in alive if links[g].entity is not None]
    mixing = group_mixing(matrix, parts, named=named_entities, min_foreign=options.min_foreign)
    told = named_groups is not None and any(named_groups[g] is not None for g in alive)
    scores = BiographyScores(
        fs=base[0],
        dfs=base[1] if scorable else None,
        dfs_one_group=(
            None if dfs_reason else one_group[0].support / n_facts * _penalty(n_facts, options)
        ),
        n_bio=len(alive) if scorable else None,
        n_ent=None if dfs_reason else len(entities),
        n_bio_named=(sum(bool(named_groups[g]) for g in alive) if named_groups and told else None),
        n_ent_named=None if dfs_reason else len(entities & set(named_entities)),
        n_facts=n_facts,
        category=categorize(len(alive), len(entities)) if scorable else None,
        mixed_groups=sum(g.mixed for g in mixing) if scorable else None,
        shared_links=len(linked) - len(set(linked)) if scorable else None,
        coverage_fs=float(covered_fs[keep].mean()),
        coverage=float(covered_dfs[keep].mean()) if scorable else None,
        links=links,
        dfs_reason=dfs_reason or ("" if scorable else "no grouping"),
        facts=tuple(int(f) for f in np.flatnonzero(keep)),
    )
    if options.unreadable != "bounds":
        return scores
    high_values = np.where(matrix.readable, values, 1.0)
    high_values[skip] = 0
    high_links = _links(high_values, parts, matrix, skip, options, candidates, fixed_links)
    high = _shares(high_values, parts, high_links, keep, options)
    return replace(
        scores,
        fs_bounds=(base[0], high[0]),
        dfs_bounds=(base[1], high[1]) if scorable else None,
    )


def _unscored(reason: str) -> BiographyScores:
    return BiographyScores(
        fs=None,
        dfs=None,
        dfs_one_group=None,
        n_bio=None,
        n_ent=None,
        n_bio_named=None,
        n_ent_named=None,
        n_facts=0,
        category=None,
        mixed_groups=None,
        shared_links=None,
        coverage_fs=None,
        coverage=None,
        dfs_reason=reason,
    )


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
        # An assignment gives equal groups in their order; by content, so that no score depends on
        # where a group or a fact stands.
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
    """What a group holds, wherever its facts and the entities stand; most support first.

    Where that is equal, what else a score depends on: groups with equal content can change places.
    """
    ranked, facts = np.argsort(matrix.ranks), list(group)
    worth = np.hstack([part[facts][:, ranked] for part in (-values, ~matrix.readable)])
    more = np.hstack([worth, ~matrix.support[facts][:, ranked], skip[facts, None]])
    return tuple(sorted(tuple(row) for row in rows.tolist()) for rows in (worth, more))


def _covered(
    matrix: SupportMatrix,
    groups: Sequence[Sequence[int]],
    links: Sequence[Link],
    candidates: NDArray[np.bool_] | None,
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    for_fs: NDArray[np.bool_] = np.logical_or(
        matrix.support.any(axis=1), matrix.readable.all(axis=1)
    )
    allowed = slice(None) if candidates is None else np.flatnonzero(candidates)
    # An unlinked group needs all of them.
    for_dfs: NDArray[np.bool_] = np.asarray(matrix.readable[:, allowed].all(axis=1))
    for group, link in zip(groups, links, strict=True):
        if link.entity is not None:
            for_dfs[list(group)] = matrix.readable[list(group), link.entity]
    return for_fs, for_dfs


def _shares(
    values: NDArray[np.float64],
    groups: Sequence[Sequence[int]],
    links: Sequence[Link],
    keep: NDArray[np.bool_],
    options: ScoreOptions,
) -> tuple[float, float]:
    n_facts = int(keep.sum())
    if not n_facts:
        return 0.0, 0.0
    anywhere = values.max(axis=1, initial=0.0)
    linked = np.zeros(len(values))
    for group, link in zip(groups, links, strict=True):
        if link.entity is not None:
            linked[list(group)] = values[list(group), link.entity]
    penalty = _penalty(n_facts, options)
    return (
        float(anywhere[keep].sum() / n_facts * penalty),
        float(linked[keep].sum() / n_facts * penalty),
    )


def _penalty(n_facts: int, options: ScoreOptions) -> float:
    return length_penalty(n_facts, options.gamma)
