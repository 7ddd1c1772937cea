"""The paper's kinds of paragraphs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

__all__ = ["CATEGORIES", "CATEGORY_LABELS", "Category", "categorize"]

Category = Literal["one_bio_one_ent", "one_bio_several_ents", "several", "mismatch"]
CATEGORIES: tuple[Category, ...] = (
    "one_bio_one_ent", "one_bio_several_ents", "several", "mismatch",
)  # fmt: skip
#: What tables, plots and reports call them.
CATEGORY_LABELS: Mapping[str, str] = {
    "one_bio_one_ent": "one biography, one entity",
    "one_bio_several_ents": "one biography, several entities",
    "several": "several biographies, as many entities",
    "mismatch": "mismatch",
}


def categorize(n_bio: int, n_ent: int) -> Category:
    """Names the kind of a paragraph (paper section 2.4).

    Args:
        n_bio: Number of biographies that a reader tells apart.
        n_ent: Number of distinct entities that the supported facts are credited to.

    Returns:
        ``"one_bio_one_ent"``; ``"one_bio_several_ents"``, one biography made of several entities,
        of whatever name; ``"several"``, several biographies and as many entities; ``"mismatch"``,
        all else (no supported fact, or several biographies and another number of entities).
        Whether people of one name are mixed is another question (`BiographyScores.mixed_groups`).

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
