"""Detects disambiguation pages for people's names."""

from __future__ import annotations

from collections.abc import Iterable

from dfactscore.ambigbio._languages import Language
from dfactscore.ambigbio._markup import template_names, templates_of


def marked_as_name(text: str, language: Language) -> bool:
    """Whether a page's templates mark it as a human-name disambiguation page."""
    for name, arguments in templates_of(text):
        if name in language.name_templates:
            return True
        if name in language.dab_templates and any(
            argument.casefold() in language.name_parameters for argument in arguments
        ):
            return True
    return False


def is_disambiguation(text: str, language: Language) -> bool:
    """Whether a page's wikitext marks it as a disambiguation page of any kind."""
    if "__DISAMBIG__" in text:
        return True
    return not (language.name_templates | language.dab_templates).isdisjoint(template_names(text))


def refusal(
    text: str,
    categories: Iterable[str],
    *,
    disambiguation: bool,
    named: bool,
    language: Language,
) -> str | None:
    """Returns why a page is not a human-name disambiguation page, or None if it is one."""
    categories = set(categories)
    if not categories.isdisjoint(language.refused_categories) or not template_names(
        text
    ).isdisjoint(language.refused_templates):
        return "it is marked as a page of surnames, of given names or as a set index"
    if not (disambiguation or is_disambiguation(text, language)):
        return "it is not a disambiguation page"
    named = named and not language.name_category_is_general
    if not named or language.name_category in categories or marked_as_name(text, language):
        return None
    return "it is not a disambiguation page of human names"
