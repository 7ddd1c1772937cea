"""Whether a page is about a person."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dfactscore.ambigbio.languages import Language
from dfactscore.ambigbio.lifespan import Lifespan, cut_lifespan
from dfactscore.ambigbio.markup import templates_of
from dfactscore.ambigbio.records import PersonEvidence

__all__ = ["person_evidence", "short_description_of"]


def short_description_of(text: str, language: Language) -> str:
    """The short description that a page's wikitext gives itself, or an empty string.

    Args:
        text: Wikitext, hidden content already cut.
        language: Language data.
    """
    for name, arguments in templates_of(text):
        if name in language.short_description_templates and arguments:
            value = arguments[0].removeprefix("1=").strip()
            return "" if value.casefold() == "none" else value
    return ""


def person_evidence(
    categories: Iterable[str], short_description: str, language: Language
) -> PersonEvidence | None:
    """What shows that a page is about a person: its categories, then its short description.

    A short description counts where it gives a year of birth or of death; a mere span of years
    does not where a word says that the page is about something else that lasted, a series or
    a band.

    Args:
        categories: Names of the page's categories.
        short_description: Of the page, or empty.
        language: Language data.

    Example:
        >>> from dfactscore.ambigbio.languages import language
        >>> person_evidence(["1950 births"], "", language("en"))
        'category'
        >>> person_evidence([], "British television series (1972–1980)", language("en"))
    """
    if any(language.person_categories.match(category.casefold()) for category in categories):
        return "category"
    lifespan, _ = cut_lifespan(short_description, language)
    if lifespan == Lifespan():
        return None
    words = set(re.findall(r"\w+", short_description.casefold()))
    return None if words & language.not_people else "short_description"
