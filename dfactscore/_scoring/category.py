"""The paper's kinds of paragraphs."""

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
    """The label of a text: that of its kind, or the more exact part of it.

    Args:
        category: The kind of the text.
        mixed: The number of groups that mix people of the name.
        n_ent: The number of distinct entities of the supported facts.

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
    """The kind of a paragraph (paper section 2.4).

    Args:
        n_bio: Number of biographies that a reader tells apart.
        n_ent: Number of distinct entities that the supported facts are credited to.

    Returns:
        ``"one_bio_one_ent"``; ``"one_bio_several_ents"``, one biography with facts about several
        entities of any name; ``"several"``, several biographies and as many entities; otherwise
        ``"mismatch"`` (no supported fact, or several biographies and another number of entities).
        The kind does not tell whether people of the name are mixed (see
        `BiographyScores.mixed_groups`).

    Example:
        >>> categorize(1, 1), categorize(1, 3), categorize(2, 2), categorize(2, 3)
        ('one_bio_one_ent', 'one_bio_several_ents', 'several', 'mismatch')
    """
    if n_bio == 1 and n_ent == 1:
        return "one_bio_one_ent"
    if n_bio == 1 and n_ent > 1:
        return "one_bio_several_ents"
    if n_bio > 1 and n_bio == n_ent:
        return "several"
    return "mismatch"
