"""Scores a support matrix."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dfactscore._records import WhyNot
from dfactscore._scoring.biography_scores import BiographyScores, categorize
from dfactscore._scoring.linked_facts import LinkedFacts, link_facts, shares
from dfactscore._scoring.matrix import credited_entities, reasons
from dfactscore._scoring.score_options import ScoreOptions
from dfactscore.linking import SupportMatrix, group_mixing, link_groups, support_counts
from dfactscore.linking._mixed_facts import Doubts

NOTHING_READ = "no verdict could be read"
BEST_UNREAD = "a page that may be the linked one was not judged"
# The scores that depend on the pages that support each fact, and on the page a group is linked to.
_OF_FS = ("fs", "fs_verdicts", "contradicted", "not_stated")
_OF_DFS = (
    *("dfs", "dfs_verdicts", "dfs_one_group", "n_ent", "n_ent_named", "category"),
    *("mixed_groups", "unsure_groups", "dfs_owned", "shared_links", "contradicted", "not_stated"),
)


def score_matrix(
    matrix: SupportMatrix,
    groups: Sequence[Sequence[int]] | None,
    *,
    options: ScoreOptions | None = None,
    candidates: NDArray[np.bool_] | None = None,
    fs_only: Collection[int] = (),
    named_entities: Collection[int] = (),
    named_groups: Sequence[bool | None] | None = None,
    named_otherwise: Mapping[int, Collection[int]] | None = None,
    irrelevant: Collection[int] = (),
    fixed_links: Sequence[int | None] | None = None,
    dfs_reason: str = "",
    doubts: Doubts | None = None,
) -> BiographyScores:
    """Scores one biography from its support matrix (paper sections 3.1 and 4.1).

    ``FS`` is the share of facts that any entity supports; ``D-FS`` is the share of facts that the
    linked entity of their group supports.

    Args:
        matrix: Verdicts, shape ``(facts, entities)``.
        groups: Fact indices by group, a partition of the facts; None if grouping failed.
        options: Options for linking and counting.
        candidates: Whether groups may be linked to each entity, shape ``(entities,)``; FS is
            computed over all entities.
        fs_only: Columns that do not represent entities and count only for FS.
        named_entities: Columns of entities that bear the target name.
        named_groups: Whether the individual of each group bears the target name.
        named_otherwise: Columns of the entities that bear the name of a group's individual, for
            the groups of individuals with another name.
        irrelevant: Indices of irrelevant facts.
        fixed_links: The linked column of each group, or None, if the input came with links.
        dfs_reason: Why D-FS cannot be computed; otherwise empty.
        doubts: What is not known about the owners of passages; None if all is known.

    Raises:
        dfactscore.linking.LinkingError: If the sizes of candidates and matrix do not match.

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
    nothing_read = _all_unreadable(matrix.readable, skip)
    if nothing_read and options.unreadable == "exclude":
        return BiographyScores(dfs_reason=NOTHING_READ)
    if nothing_read:  # whatever the policy, such a text has no score of its own
        options = replace(options, unreadable="bounds")
    if (
        parts is not None
        and options.unreadable in ("unsupported", "exclude")
        and candidates is not None
        and _all_unreadable(matrix.readable[:, candidates], skip)
    ):
        dfs_reason, parts = "no verdict on an entity it may be about could be read", None
    facts = link_facts(matrix, parts, skip, options, candidates, fixed_links)
    if not facts.n:
        return BiographyScores(dfs_reason=dfs_reason or "no fact is left to score")
    fs, dfs = shares(facts)
    reason = dfs_reason or ("" if parts is not None else "no grouping")
    scores = replace(_fact_scores(facts), fs=fs, dfs_reason=reason)
    if options.counts == "expected":
        by_verdict = replace(options, counts="verdicts")
        hard_facts = link_facts(matrix, parts, skip, by_verdict, candidates, fixed_links)
        hard = shares(hard_facts)
        hard_dfs = None if parts is None or hard_facts.undetermined[1] else hard[1]
    else:
        hard, hard_dfs = (fs, dfs), None if parts is None else dfs
    scores = replace(scores, fs_verdicts=hard[0], dfs_verdicts=hard_dfs)
    if not dfs_reason:
        credited = _credited(facts, fs_only)
        scores = replace(
            scores,
            dfs_one_group=_one_group(facts),
            n_ent=len(credited),
            n_ent_named=len(credited & set(named_entities)),
        )
    if parts is not None:
        scores = _with_groups(
            scores, facts, dfs, named_entities, named_groups, named_otherwise or {}, doubts
        )
    scores = _bounded(scores, facts, fs, dfs)
    if not nothing_read:
        return scores
    return replace(scores, **_without((*_OF_FS, *_OF_DFS)), dfs_reason=NOTHING_READ)


def _bounded(scores: BiographyScores, facts: LinkedFacts, fs: float, dfs: float) -> BiographyScores:
    """Replaces the scores that depend on cells that were not read by bounds."""
    high_fs, high_dfs = shares(facts.all_supported())
    given = facts.options.unreadable == "bounds"
    open_fs, open_dfs = facts.undetermined
    if open_fs and high_fs > fs:
        scores = replace(scores, **_without(_OF_FS), fs_bounds=(fs, high_fs))
    elif given:
        scores = replace(scores, fs_bounds=(fs, high_fs))
    if facts.parts is None:
        return scores
    if open_dfs and high_dfs > dfs:
        bounds = (dfs, high_dfs)
        scores = replace(
            scores,
            **_without(_OF_DFS),
            dfs_bounds=bounds,
            dfs_reason=BEST_UNREAD,
            open_groups=facts.open_groups,
        )
    elif given:
        scores = replace(scores, dfs_bounds=(dfs, high_dfs))
    return scores


def _without(names: Sequence[str]) -> dict[str, Any]:
    return dict.fromkeys(names)


def _all_unreadable(readable: NDArray[np.bool_], skip: NDArray[np.bool_]) -> bool:
    """Whether there are verdicts on relevant facts, none of which is readable."""
    needed = readable[~skip]
    return bool(needed.size) and not bool(needed.any())


def _of_known_owner(facts: LinkedFacts, doubts: Doubts) -> LinkedFacts:
    """Returns the facts with no support from passages of unknown owner."""
    return facts.with_values(np.where(doubts.own < 1, 0.0, facts.values))


def _credited(facts: LinkedFacts, fs_only: Collection[int]) -> set[int]:
    """Returns the distinct entities that the supported facts are credited to."""
    support = facts.matrix.support.copy()
    support[facts.skip | ~facts.keep] = False
    support[:, list(fs_only)] = False
    columns = credited_entities(support, facts.matrix.ranks)
    return {c for c, scored in zip(columns, facts.keep, strict=True) if scored and c is not None}


def _count_reason(facts: LinkedFacts, reason: WhyNot) -> int | None:
    """Counts the unsupported facts with a given reason; None if the verifier gives no evidence."""
    if facts.matrix.evidence is None and facts.matrix.conflict is None:
        return None
    why = reasons(facts.matrix, facts.groups, [link.entity for link in facts.links])
    return sum(why[fact] == reason for fact in np.flatnonzero(facts.keep & ~facts.skip))


def _one_group(facts: LinkedFacts) -> float:
    """Computes D-FS with all facts in one group."""
    counts = support_counts(facts.values[facts.keep], [range(facts.n)])
    (link,) = link_groups(counts, ranks=facts.matrix.ranks, candidates=facts.candidates)
    return link.support / facts.n * facts.penalty


def _fact_scores(facts: LinkedFacts) -> BiographyScores:
    """Computes the scores that do not depend on groups."""
    return BiographyScores(
        n_facts=facts.n,
        coverage_fs=float(facts.read_for_fs[facts.keep].mean()),
        links=facts.links,
        facts=tuple(int(f) for f in np.flatnonzero(facts.keep)),
        contradicted=_count_reason(facts, "contradicted"),
        not_stated=_count_reason(facts, "not_stated"),
    )


def _with_groups(
    scores: BiographyScores,
    facts: LinkedFacts,
    dfs: float,
    named_entities: Collection[int],
    named_groups: Sequence[bool | None] | None,
    named_otherwise: Mapping[int, Collection[int]],
    doubts: Doubts | None,
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
        named_otherwise=named_otherwise,
        min_foreign=facts.options.min_foreign,
        values=facts.values if facts.options.counts == "expected" else None,
        doubts=doubts,
    )
    nameless = doubts is not None and not named_entities and not named_otherwise
    unknown = doubts is not None and bool((doubts.own < 1).any())
    named = [named_groups[g] for g in scored] if named_groups else []
    return replace(
        scores,
        dfs=dfs,
        dfs_owned=shares(_of_known_owner(facts, doubts))[1] if doubts and unknown else None,
        n_bio=len(scored),
        n_bio_named=sum(map(bool, named)) if any(n is not None for n in named) else None,
        category=categorize(len(scored), scores.n_ent or 0),
        mixed_groups=sum(g.mixed is True for g in mixing),
        unsure_groups=len(scored) if nameless else sum(g.mixed is None for g in mixing),
        shared_links=len(linked) - len(set(linked)),
        coverage=float(facts.read_for_dfs[facts.keep].mean()),
    )


def _is_supported(facts: LinkedFacts, group: int, entity: int) -> bool:
    """Whether a supporting verdict backs a link, not just a sum of small probabilities."""
    members = facts.groups[group]
    return facts.fixed is not None or bool(
        (facts.matrix.support[members, entity] & ~facts.skip[members]).any()
    )
