"""The measures of a run, in the order of files."""

from __future__ import annotations

from dfactscore.measures.measure import Measure
from dfactscore.scoring.category import CATEGORIES, CATEGORY_LABELS

__all__ = ["MEASURES", "f1_measure"]

_ALL = (
    Measure(
        "fs",
        "FS",
        "FActScore, % of facts true of anyone",
        "scored",
        compared=True,
        interval=True,
        place=1,
        usual=True,
    ),
    Measure(
        "dfs",
        "D-FS",
        "D-FActScore, % of facts true of the one they are about",
        "both",
        compared=True,
        interval=True,
        place=2,
        usual=True,
    ),
    Measure(
        "kept",
        "D-FS/FS",
        "what is left of FS: mean D-FS divided by mean FS",
        interval=True,
        place=3,
    ),
    Measure(
        "gap",
        "gap",
        "FS − D-FS of the same texts",
        "both",
        interval=True,
        place=4,
        usual=True,
    ),
    Measure(
        "dfs_one_group",
        "1 group",
        "D-FS with all facts in one group, a lower bound",
        "scored",
        compared=True,
        place=5,
    ),
    Measure("dfs_adjusted", "D-FS adj.", "D-FS with an abstention counted as 0", place=6),
    Measure("response_rate", "resp.", "answered", place=11),
    Measure(
        "coverage",
        "cov.",
        "facts whose linked cell could be read",
        "scored",
        compared=True,
        place=12,
    ),
    Measure(
        "n_bio",
        "people",
        "individuals that a reader tells apart in a text",
        "scored",
        compared=True,
        count=True,
        place=7,
        usual=True,
    ),
    Measure(
        "n_ent",
        "entities",
        "those that its true facts are of",
        "scored",
        compared=True,
        count=True,
        place=8,
        usual=True,
    ),
    Measure(
        "n_bio_named",
        "people named",
        "individuals of a text that bear the name",
        "scored",
        compared=True,
        count=True,
    ),
    Measure(
        "n_ent_named",
        "entities named",
        "entities of a text that bear the name",
        "scored",
        compared=True,
        count=True,
    ),
    Measure("coverage_fs", "cov. FS", "facts supported somewhere or read everywhere", "scored"),
    Measure("n_facts", "facts", "facts of a text", "scored", compared=True, count=True),
    Measure(
        "mixed",
        "mixed",
        "% of texts that take several people of one name for one",
        "both",
        place=9,
        usual=True,
    ),
    *(Measure(kind, CATEGORY_LABELS[kind], "% of texts") for kind in CATEGORIES),
)
MEASURES = {measure.name: measure for measure in _ALL}
"""By name; kinds of paragraphs are measures, too: shares of texts."""


def f1_measure(name: str) -> Measure:
    """F1@K, of any K: ``f1_at_64``."""
    k = name.removeprefix("f1_at_")
    about = f"precision, and recall of {k} facts; an abstention counts 0"
    return Measure(name, f"F1@{k}", about, interval=True)
