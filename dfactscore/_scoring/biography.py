"""The scores of one biography."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError
from dfactscore._records import WhyNot
from dfactscore._scoring.category import Category, categorize
from dfactscore._scoring.credited_entities import credited_entities
from dfactscore._scoring.fact_standings import reasons
from dfactscore._scoring.length import length_penalty
from dfactscore._scoring.matrix import Counts, matrix_values
from dfactscore._scoring.run_measures import thinly_covered
from dfactscore.linking import (
    MIN_FOREIGN,
    Link,
    LinkMethod,
    SupportMatrix,
    group_mixing,
    link_groups,
    support_counts,
)

NOTHING_READ = "no verdict could be read"

Unreadable = Literal["unsupported", "exclude", "bounds"]
Irrelevant = Literal["keep", "exclude"]


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """Options of scoring; the defaults are those of the paper.

    Attributes:
        link: The method that links groups to entities.
        unreadable: How unreadable cells count: as ``"unsupported"``; ``"exclude"`` drops the fact
            from both scores; ``"bounds"`` adds the scores with all of them as 0 and as 1.
        irrelevant: ``"keep"`` counts irrelevant facts as unsupported, as in the published human
            FActScores; ``"exclude"`` drops them from both scores.
        threshold: Minimum probability of a supported fact; None keeps the verdicts.
        counts: Values that FS, D-FS and links add up: ``"verdicts"``, or the ``"expected"`` number
            of supported facts, which is the sum of calibrated probabilities.
        gamma: FActScore's length penalty (10 in that paper); None disables it.
        min_foreign: Number of facts about another entity of the name that make a group mixed. A
            single fact may be an error of the verifier, or true of both.
        keep_repeats: Whether F1@K counts repeated facts each time; by default, once.

    Raises:
        InputError: If a choice is unknown, or a number is infinite or out of range.
    """

    link: LinkMethod = "argmax"
    unreadable: Unreadable = "unsupported"
    irrelevant: Irrelevant = "keep"
    threshold: float | None = None
    counts: Counts = "verdicts"
    gamma: float | None = None
    min_foreign: int = MIN_FOREIGN
    keep_repeats: bool = False

    def __post_init__(self) -> None:
        for name, known in (
            ("link", get_args(LinkMethod)),
            ("unreadable", get_args(Unreadable)),
            ("irrelevant", get_args(Irrelevant)),
            ("counts", get_args(Counts)),
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

    def changed(self, **options: Any) -> ScoreOptions:
        """A copy with other values of some options; None keeps a value.

        Raises:
            InputError: If a choice is unknown, or a number is infinite or out of range.
        """
        return replace(self, **{k: v for k, v in options.items() if v is not None})


@dataclass(frozen=True, slots=True)
class BiographyScores:
    """The scores of a biography, as fractions in [0, 1].

    Attributes:
        fs: FActScore over the entities of the matrix; None if there is no fact to score, or no
            verdict could be read.
        dfs: D-FActScore; None without a grouping, or if entities cannot be distinguished.
        fs_verdicts: FS by verdicts, regardless of `ScoreOptions.counts`.
        dfs_verdicts: D-FS by verdicts and with links by verdicts, regardless of
            `ScoreOptions.counts`.
        dfs_one_group: D-FS with all facts in one group: a lower bound under argmax.
        n_bio: Number of groups with a scored fact.
        n_ent: Number of distinct entities of the supported facts (see `credited_entities`).
        n_bio_named: Number of groups whose individual bears the name; None if unknown.
        n_ent_named: Number of entities in `n_ent` that bear the name.
        n_facts: Number of scored facts.
        category: The paper's kind of paragraph.
        mixed_groups: Number of groups that mix entities of the name (see
            `dfactscore.linking.group_mixing`).
        shared_links: Number of groups linked to the same entity as an earlier group.
        coverage_fs: Share of facts that an entity supports, or whose cells are all readable.
        coverage: Share of facts whose linked cell is readable.
        links: The link of each group; empty without a grouping.
        fs_bounds: FS with every unreadable cell as 0 and as 1 (policy ``"bounds"``), else None.
        dfs_bounds: D-FS with every unreadable cell as 0 and as 1, else None.
        dfs_reason: The reason why there is no D-FS.
        facts: Indices of the scored facts.
        contradicted: Number of unsupported facts that a page contradicts (the linked entity's; any
            page without a link). None if the verifier gives no evidence.
        not_stated: Number of unsupported facts that no such page contradicts, or None.
        outside: Number of facts that may be about bearers of the name without a page; None if the
            dataset lists none. They count as unsupported.
    """

    fs: float | None = None
    dfs: float | None = None
    fs_verdicts: float | None = None
    dfs_verdicts: float | None = None
    dfs_one_group: float | None = None
    n_bio: int | None = None
    n_ent: int | None = None
    n_bio_named: int | None = None
    n_ent_named: int | None = None
    n_facts: int = 0
    category: Category | None = None
    mixed_groups: int | None = None
    shared_links: int | None = None
    coverage_fs: float | None = None
    coverage: float | None = None
    links: tuple[Link, ...] = ()
    fs_bounds: tuple[float, float] | None = None
    dfs_bounds: tuple[float, float] | None = None
    dfs_reason: str = ""
    facts: tuple[int, ...] = ()
    contradicted: int | None = None
    not_stated: int | None = None
    outside: int | None = None

    @property
    def kept(self) -> float | None:
        """D-FS / FS: the share of true facts that are true of the linked entity.

        None if no fact is true or there is no D-FS. Missing evidence lowers both scores and mostly
        cancels out.
        """
        return self.dfs / self.fs if self.fs and self.dfs is not None else None

    @property
    def thin(self) -> tuple[str, ...]:
        """The scores for which too few verdicts could be read."""
        return thinly_covered({"coverage": self.coverage, "coverage_fs": self.coverage_fs})


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

    ``FS`` is the share of facts that any entity supports; ``D-FS`` is the share of facts that the
    linked entity of their group supports.

    Args:
        matrix: Verdicts, shape ``(facts, entities)``.
        groups: Fact indices by group, a partition of the facts; None if grouping failed.
        options: Choices of linking and counting.
        candidates: Whether each entity may be linked, shape ``(entities,)``; FS uses all entities.
        fs_only: Columns that are not entities, which count for FS only.
        named_entities: Columns of entities that bear the target name.
        named_groups: Whether the individual of each group bears the target name.
        irrelevant: Indices of irrelevant facts.
        fixed_links: The column of each group, or None, if links come with the input.
        dfs_reason: The reason why there can be no D-FS; otherwise empty.

    Raises:
        dfactscore.linking.LinkingError: If candidates and matrix have different sizes.

    Example:
        Four facts about two namesakes, written as one person's life:

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
    parts = None if groups is None or dfs_reason else [list(group) for group in groups]
    if _unread(matrix.readable, skip):
        return BiographyScores(dfs_reason=NOTHING_READ)
    if (
        parts is not None
        and candidates is not None
        and _unread(matrix.readable[:, candidates], skip)
    ):
        dfs_reason, parts = "no verdict on an entity it may be about could be read", None
    facts = _link(matrix, parts, skip, options, candidates, fixed_links)
    if not facts.n:
        return BiographyScores(dfs_reason=dfs_reason or "no fact is left to score")
    fs, dfs = _shares(facts)
    reason = dfs_reason or ("" if parts is not None else "no grouping")
    scores = replace(_of_facts(facts), fs=fs, dfs_reason=reason)
    if options.counts == "expected":
        options = replace(options, counts="verdicts")
        hard = _shares(_link(matrix, parts, skip, options, candidates, fixed_links))
    else:
        hard = fs, dfs
    scores = replace(scores, fs_verdicts=hard[0], dfs_verdicts=None if parts is None else hard[1])
    if not dfs_reason:
        credited = _credited(facts, fs_only)
        scores = replace(
            scores,
            dfs_one_group=_one_group(facts),
            n_ent=len(credited),
            n_ent_named=len(credited & set(named_entities)),
        )
    if parts is not None:
        scores = _of_groups(scores, facts, dfs, named_entities, named_groups)
    if options.unreadable == "bounds":
        high = _shares(_read_as_supported(facts))
        bounds = None if parts is None else (dfs, high[1])
        scores = replace(scores, fs_bounds=(fs, high[0]), dfs_bounds=bounds)
    return scores


def _unread(readable: NDArray[np.bool_], skip: NDArray[np.bool_]) -> bool:
    """Whether there are verdicts on relevant facts, but none is readable."""
    needed = readable[~skip]
    return bool(needed.size) and not bool(needed.any())


@dataclass(frozen=True, eq=False)
class _Linked:
    """The facts of a text, linked by group.

    Attributes:
        matrix: The verdicts.
        parts: The groups; None if there is no D-FS.
        skip: Whether each fact is irrelevant.
        values: The value of each cell, which FS and D-FS add up.
        links: The link of each group.
        keep: Whether each fact is scored.
        read_for_fs: Whether the cells of each fact are readable enough for FS.
        read_for_dfs: Whether the linked cell of each fact is readable.
        options: The score options.
        candidates: Whether each entity may be linked.
        fixed: Links that came with the input.
    """

    matrix: SupportMatrix
    parts: list[list[int]] | None
    skip: NDArray[np.bool_]
    values: NDArray[np.float64]
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
    def groups(self) -> list[list[int]]:
        """The groups; empty if there is no D-FS."""
        return self.parts or []

    def with_values(self, values: NDArray[np.float64]) -> _Linked:
        """The facts with other values and the links that follow from them."""
        links = _links(
            values, self.groups, self.matrix, self.skip, self.options, self.candidates, self.fixed
        )
        for_fs, for_dfs = _covered(self.matrix, self.groups, links, self.candidates)
        return replace(self, values=values, links=links, read_for_fs=for_fs, read_for_dfs=for_dfs)


def _link(
    matrix: SupportMatrix,
    parts: list[list[int]] | None,
    skip: NDArray[np.bool_],
    options: ScoreOptions,
    candidates: NDArray[np.bool_] | None,
    fixed: Sequence[int | None] | None,
) -> _Linked:
    values = matrix_values(matrix, counts=options.counts)
    values[skip] = 0
    keep = ~skip if options.irrelevant == "exclude" else np.ones_like(skip)
    facts = _Linked(
        matrix, parts, skip, values, (), keep, keep, keep, options, candidates,
        None if parts is None else fixed,
    ).with_values(values)  # fmt: skip
    if options.unreadable != "exclude":
        return facts
    read = facts.read_for_fs if parts is None else facts.read_for_fs & facts.read_for_dfs
    # Link again without the dropped facts, so that D-FS stays between its lower bound and FS.
    remaining = np.where((keep & read)[:, None], values, 0.0)
    return replace(facts, keep=keep & read).with_values(remaining)


def _read_as_supported(facts: _Linked) -> _Linked:
    """The facts with every unreadable cell as support."""
    values = np.where(facts.matrix.readable, facts.values, 1.0)
    values[facts.skip] = 0
    return facts.with_values(values)


def _credited(facts: _Linked, fs_only: Collection[int]) -> set[int]:
    """The distinct entities of the supported facts."""
    support = facts.matrix.support.copy()
    support[facts.skip | ~facts.keep] = False
    support[:, list(fs_only)] = False
    columns = credited_entities(support, facts.matrix.ranks)
    return {c for c, scored in zip(columns, facts.keep, strict=True) if scored and c is not None}


def _count_reason(facts: _Linked, reason: WhyNot) -> int | None:
    """The number of unsupported facts with a reason; None if the verifier gives no evidence."""
    if facts.matrix.evidence is None and facts.matrix.conflict is None:
        return None
    why = reasons(facts.matrix, facts.groups, [link.entity for link in facts.links])
    return sum(why[fact] == reason for fact in np.flatnonzero(facts.keep & ~facts.skip))


def _one_group(facts: _Linked) -> float:
    """D-FS with all facts in one group."""
    counts = support_counts(facts.values[facts.keep], [range(facts.n)])
    (link,) = link_groups(counts, ranks=facts.matrix.ranks, candidates=facts.candidates)
    return link.support / facts.n * _penalty(facts.n, facts.options)


def _of_facts(facts: _Linked) -> BiographyScores:
    """The scores that do not depend on groups."""
    return BiographyScores(
        n_facts=facts.n,
        coverage_fs=float(facts.read_for_fs[facts.keep].mean()),
        links=facts.links,
        facts=tuple(int(f) for f in np.flatnonzero(facts.keep)),
        contradicted=_count_reason(facts, "contradicted"),
        not_stated=_count_reason(facts, "not_stated"),
    )


def _of_groups(
    scores: BiographyScores,
    facts: _Linked,
    dfs: float,
    named_entities: Collection[int],
    named_groups: Sequence[bool | None] | None,
) -> BiographyScores:
    """Adds the scores that depend on groups."""
    scored = [g for g, part in enumerate(facts.groups) if facts.keep[part].any()]
    linked = [
        e for g in scored if (e := facts.links[g].entity) is not None and _is_supported(facts, g, e)
    ]
    mixing = group_mixing(
        facts.matrix,
        facts.groups,
        named=named_entities,
        min_foreign=facts.options.min_foreign,
        values=facts.values if facts.options.counts == "expected" else None,
    )
    named = [named_groups[g] for g in scored] if named_groups else []
    return replace(
        scores,
        dfs=dfs,
        n_bio=len(scored),
        n_bio_named=sum(map(bool, named)) if any(n is not None for n in named) else None,
        category=categorize(len(scored), scores.n_ent or 0),
        mixed_groups=sum(g.mixed for g in mixing),
        shared_links=len(linked) - len(set(linked)),
        coverage=float(facts.read_for_dfs[facts.keep].mean()),
    )


def _is_supported(facts: _Linked, group: int, entity: int) -> bool:
    """Whether a verdict supports a link, not only the sum of small probabilities."""
    members = facts.groups[group]
    return facts.fixed is not None or bool(
        (facts.matrix.support[members, entity] & ~facts.skip[members]).any()
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
    """The sort key of a group, independent of the order of facts and entities; high values first.

    Groups with equal keys agree in everything that scores depend on, so that they may be swapped.
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


def _shares(facts: _Linked) -> tuple[float, float]:
    """FS, and D-FS by the links."""
    anywhere = facts.values.max(axis=1, initial=0.0)
    linked = np.zeros(len(facts.values))
    for group, link in zip(facts.groups, facts.links, strict=True):
        if link.entity is not None:
            linked[group] = facts.values[group, link.entity]
    penalty = _penalty(facts.n, facts.options)
    return (
        float(anywhere[facts.keep].sum() / facts.n * penalty),
        float(linked[facts.keep].sum() / facts.n * penalty),
    )


def _penalty(n_facts: int, options: ScoreOptions) -> float:
    return length_penalty(n_facts, options.gamma)
