"""The scores of a biography, its category, and the measures of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

from dfactscore.linking import Link
from dfactscore.measures._table import Measure

Category = Literal["one_bio_one_ent", "one_bio_several_ents", "several", "mismatch"]
CATEGORIES: tuple[Category, ...] = (
    "one_bio_one_ent",
    "one_bio_several_ents",
    "several",
    "mismatch",
)
AnswerKind = Literal["complete", "partial", "merged", "ambiguous", "unsupported", "none"]
ANSWERS: tuple[AnswerKind, ...] = get_args(AnswerKind)
_ANSWER = "answer_"  # the start of the name of a class's share
#: Labels in tables, plots and reports.
CATEGORY_LABELS: Mapping[str, str] = {
    "one_bio_one_ent": "one person, told as one",
    "one_bio_several_ents": "several people or pages told as one",
    "several": "several people, told apart",
    "mismatch": "wrong people told apart or nothing supported",
}


def kind_label(category: str, *, mixed: int | None = 0, n_ent: int | None = None) -> str:
    """Returns the label of a text: the label of its category, or a more specific one.

    Example:
        >>> kind_label("one_bio_several_ents", mixed=1), kind_label("one_bio_several_ents")
        ('several people told as one (mixed)', 'several pages told as one')
        >>> kind_label("several"), kind_label("mismatch", n_ent=0)
        ('several people, told apart', 'nothing supported')
    """
    if category == "mismatch" and n_ent is not None:
        kind = "wrong people told apart" if n_ent else "nothing supported"
        return kind + (" (mixed)" if mixed else "")
    if category != "one_bio_several_ents":
        return CATEGORY_LABELS[category] + (" (mixed)" if mixed else "")
    return "several people told as one (mixed)" if mixed else "several pages told as one"


def categorize(n_bio: int, n_ent: int) -> Category:
    """Returns the type of a paragraph (paper section 2.4).

    Example:
        >>> categorize(1, 1), categorize(1, 3), categorize(2, 2), categorize(2, 3)
        ('one_bio_one_ent', 'one_bio_several_ents', 'several', 'mismatch')
    """
    # Returns `"one_bio_one_ent"`; `"one_bio_several_ents"`, one biography with facts about several
    # entities of any name; `"several"`, several biographies and the same number of entities;
    # otherwise `"mismatch"` (no supported facts, or several biographies and a different number of
    # entities). The type does not say whether people who share the name are mixed (see
    # `BiographyScores.mixed_groups`).
    if n_bio == 1 and n_ent == 1:
        return "one_bio_one_ent"
    if n_bio == 1 and n_ent > 1:
        return "one_bio_several_ents"
    if n_bio > 1 and n_bio == n_ent:
        return "several"
    return "mismatch"


WELL_COVERED = 0.8
"""Minimum share of readable verdicts for a score without a mark."""
THIN = "†"
"""The mark of scores below `WELL_COVERED`."""
THIN_NOTE = f"{THIN} fewer than {100 * WELL_COVERED:.0f} % of the verdicts could be read"
RANGE_NOTE = (
    "evidence unlike the pages of people that the judge was measured on, or no supported fact: "
    "try --model or --verifier nli:…, and 'dfactscore correct'"
)
FAR = 0.05
"""The difference between the two counts of a score from which on both are shown."""
_COVERAGE = {"fs": "coverage_fs", "kept": "coverage", "gap": "coverage", "dfs": "coverage"}

_scored = partial(Measure, of="scored", compared=True)
_count = partial(_scored, count=True)
_both = partial(Measure, of="both")
_ALL = (
    _scored("fs", "FS", "FActScore, % of facts true of anyone",
            interval=True, place=1, usual=True),
    _both("dfs", "D-FS", "D-FActScore, % of facts true of the one they are about",
          compared=True, interval=True, place=2, usual=True),
    Measure("kept", "D-FS/FS", "what is left of FS: mean D-FS divided by mean FS",
            interval=True, place=3),
    _both("gap", "gap", "FS − D-FS of the same texts", interval=True, place=4, usual=True),
    _scored("fs_verdicts", "FS verd.", "FActScore by verdicts"),
    _both("dfs_verdicts", "D-FS verd.", "D-FActScore by verdicts", compared=True),
    _scored("dfs_one_group", "1 group", "D-FS with all facts in one group, a lower bound", place=5),
    Measure("dfs_adjusted", "D-FS adj.", "D-FS with an abstention counted as 0", place=6),
    Measure("response_rate", "resp.", "answered", place=11),
    _scored("coverage", "cov.", "facts whose linked cell could be read", place=12),
    _count("n_bio", "people", "individuals that a reader tells apart in a text",
           place=7, usual=True),
    _count("n_ent", "entities", "different people that its true facts are about",
           place=8, usual=True),
    _count("n_bio_named", "people named", "individuals of a text that bear the name"),
    _count("n_ent_named", "entities named", "entities of a text that bear the name"),
    Measure("coverage_fs", "cov. FS", "facts supported somewhere or read everywhere", "scored"),
    _count("n_facts", "facts", "facts of a text"),
    _both("mixed", "mixed", "% of texts that take several people of one name for one",
          place=9, usual=True),
    *(Measure(kind, CATEGORY_LABELS[kind], "% of texts") for kind in CATEGORIES),
    _both("entity_recall", "recall", "entities of the name told apart, % of those in the evidence",
          compared=True, interval=True, place=13, usual=True),
    _both("entity_precision", "precision", "entities told apart, % of the individuals in a text",
          compared=True, interval=True, place=14),
    _both("n_evidence", "in evidence", "entities of the name in the evidence of a text",
          compared=True, count=True, place=15),
    _both("n_told", "told apart", "entities of the name that a text tells apart",
          compared=True, count=True, place=16),
    *(Measure(_ANSWER + kind, kind, "answers, % of texts", interval=True) for kind in ANSWERS),
)  # fmt: skip
MEASURES = {measure.name: measure for measure in _ALL}
"""The measures by name, including the share of texts of each kind."""


def thinly_covered(coverages: Mapping[str, float | None]) -> tuple[str, ...]:
    """Returns the scores whose share of readable verdicts is below `WELL_COVERED`.

    Example:
        >>> thinly_covered({"coverage_fs": 0.9, "coverage": 0.7})
        ('kept', 'gap', 'dfs')
    """
    thin = {k for k, share in coverages.items() if share is not None and share < WELL_COVERED}
    return tuple(measure for measure, coverage in _COVERAGE.items() if coverage in thin)


def counts_differ(*shares: tuple[float | None, float | None]) -> bool:
    """Whether scores and the same scores by verdicts differ so much that both must be shown."""
    return any(
        one is not None and by_verdicts is not None and abs(one - by_verdicts) > FAR
        for one, by_verdicts in shares
    )


def f1_measure(name: str) -> Measure:
    """Creates the measure F1@K from a name such as ``f1_at_64``."""
    k = name.removeprefix("f1_at_")
    about = f"precision, and recall of {k} facts; an abstention counts 0"
    return Measure(name, f"F1@{k}", about, interval=True)


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
        open_groups: Indices of groups that may be about a page that was not judged, whatever their
            link.
        dfs_reason: Why there is no D-FS.
        facts: Indices of the scored facts.
        contradicted: Number of unsupported facts that are contradicted by the linked entity's page,
            or by any page if there is no link. None if the verifier gives no evidence.
        not_stated: Number of unsupported facts that no such page contradicts, or None.
        outside: Number of facts that may be about bearers of the name who have no page; these facts
            count as unsupported. None if the dataset lists no such bearers.
        n_evidence: Number of entities of the name with evidence.
        n_told: Number of these that a group with a true fact is linked to.
        entity_recall: `n_told` / `n_evidence`; None without such an entity.
        entity_precision: `n_told` divided by the number of groups whose individual may bear the
            name.
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
    open_groups: tuple[int, ...] = ()
    dfs_reason: str = ""
    facts: tuple[int, ...] = ()
    contradicted: int | None = None
    not_stated: int | None = None
    outside: int | None = None
    n_evidence: int | None = None
    n_told: int | None = None
    entity_recall: float | None = None
    entity_precision: float | None = None

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
