"""The measures of a run, in the order in which files list them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from dfactscore._scoring.category import CATEGORIES, CATEGORY_LABELS
from dfactscore.measures._table import Measure

WELL_COVERED = 0.8
"""Minimum share of readable verdicts for a score without a mark."""
THIN = "†"
"""The mark of scores below `WELL_COVERED`."""
THIN_NOTE = f"{THIN} fewer than {100 * WELL_COVERED:.0f} % of the verdicts could be read"
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
