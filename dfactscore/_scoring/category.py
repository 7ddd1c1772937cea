"""Types of paragraphs, as defined in the paper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Category = Literal["one_bio_one_ent", "one_bio_several_ents", "several", "mismatch"]
CATEGORIES: tuple[Category, ...] = (
    "one_bio_one_ent",
    "one_bio_several_ents",
    "several",
    "mismatch",
)
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
