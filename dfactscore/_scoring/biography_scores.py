"""The scores of a biography."""

from __future__ import annotations

from dataclasses import dataclass

from dfactscore._scoring.category import Category
from dfactscore._scoring.run_measures import thinly_covered
from dfactscore.linking import Link


@dataclass(frozen=True, slots=True)
class BiographyScores:
    """The scores of a biography, as fractions in [0, 1].

    Attributes:
        fs: FActScore, computed over all entities in the matrix; None if there are no facts to
            score, no verdict could be read, or it depends on a page that was not judged.
        dfs: D-FActScore; None if there is no grouping, if entities cannot be distinguished, or if
            it depends on a page that was not judged.
        fs_verdicts: FS computed from verdicts, regardless of `ScoreOptions.counts`.
        dfs_verdicts: D-FS computed from verdicts, with links also determined by verdicts,
            regardless of `ScoreOptions.counts`.
        dfs_one_group: D-FS with all facts in one group: a lower bound under argmax.
        dfs_owned: D-FS from the passages whose owner is known; in `dfs`, a passage of unknown owner
            supports each entity that it may be about. None if every owner is known.
        n_bio: Number of groups with a scored fact.
        n_ent: Number of distinct entities that the supported facts are credited to (see
            `credited_entities`).
        n_bio_named: Number of groups whose individual bears the target name; None if unknown.
        n_ent_named: Number of entities counted in `n_ent` that bear the target name.
        n_facts: Number of scored facts.
        category: The type of paragraph, as defined in the paper.
        mixed_groups: Number of groups that mix entities sharing the name (see
            `dfactscore.linking.group_mixing`).
        unsure_groups: Number of groups of which it is not known whether they mix entities.
        shared_links: Number of groups linked to the same entity as an earlier group.
        coverage_fs: Share of facts that some entity supports or whose cells are all readable.
        coverage: Share of facts whose linked cell is readable and whose group could not have been
            linked to an entity with unreadable cells.
        links: The link of each group; empty if there is no grouping.
        fs_bounds: FS with every unreadable cell counted as 0 and as 1, if FS depends on pages that
            were not judged, or for the policy ``"bounds"``; otherwise None.
        dfs_bounds: D-FS with every unreadable cell counted as 0 and as 1; otherwise None.
        dfs_reason: Why there is no D-FS.
        facts: Indices of the scored facts.
        contradicted: Number of unsupported facts that are contradicted by the linked entity's page,
            or by any page if there is no link. None if the verifier gives no evidence.
        not_stated: Number of unsupported facts that no such page contradicts, or None.
        outside: Number of facts that may be about bearers of the name who have no page; these facts
            count as unsupported. None if the dataset lists no such bearers.
    """

    fs: float | None = None
    dfs: float | None = None
    fs_verdicts: float | None = None
    dfs_verdicts: float | None = None
    dfs_one_group: float | None = None
    dfs_owned: float | None = None
    n_bio: int | None = None
    n_ent: int | None = None
    n_bio_named: int | None = None
    n_ent_named: int | None = None
    n_facts: int = 0
    category: Category | None = None
    mixed_groups: int | None = None
    unsure_groups: int | None = None
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
        """The ratio of D-FS to FS: the share of true facts that are true of the linked entity.

        None if no fact is true or there is no D-FS. Missing evidence lowers both scores, so its
        effect mostly cancels out.
        """
        return self.dfs / self.fs if self.fs and self.dfs is not None else None

    @property
    def mixed(self) -> bool | None:
        """Whether a group mixes entities; None if this is not known."""
        if self.mixed_groups:
            return True
        return None if self.mixed_groups is None or self.unsure_groups else False

    @property
    def thin(self) -> tuple[str, ...]:
        """The scores for which too few verdicts are readable."""
        return thinly_covered({"coverage": self.coverage, "coverage_fs": self.coverage_fs})
