"""What differs between the Wikipedias: names of categories and templates, words for years."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from dfactscore.ambigbio.errors import AmbigBioError

__all__ = ["Language", "language", "languages"]


@dataclass(frozen=True)
class Language:
    """The language data of one Wikipedia; `languages.json` holds them.

    Names of templates and headings are casefolded.

    Attributes:
        code: Key, and the first part of the host (``"en"``).
        name_category: Category that lists the pages that names are drawn from.
        name_category_is_general: The category holds disambiguation pages of all kinds, so a name
            also needs that at least half of its entries are people.
        name_templates: Templates that mark a page as a human-name disambiguation page.
        dab_templates: Templates that mark a page as a disambiguation page.
        name_parameters: Parameters that make one of `dab_templates` mark a human name.
        refused_templates: Templates of surname, given-name and set-index pages.
        refused_categories: Categories of such pages.
        suffixes: What is taken off a title to have the name.
        see_also: Headings whose links are not entries.
        apparatus: Headings of sections without prose (references, links).
        person_categories: Patterns of categories that only people are in.
        born_category: Pattern of a birth year's category; group 1 is the year.
        died_category: Pattern of a death year's category; group 1 is the year.
        before_christ: Words after a year that make it negative.
        short_description_templates: Templates whose first argument is the short description.
        born: Words before a year of birth.
        died: Words before a year of death.
        about: Words before a year that is not certain.
        flourished: Words before years of activity, which are neither of birth nor of death.
        not_people: Words of a short description that say that it is not about a person.
        same_person: Words between a name and a link that say both are one person.
        link_templates: Templates that stand for a link to their first argument.
        text_templates: Templates that stand for text, as patterns with ``{1}`` for arguments.
    """

    code: str
    name_category: str
    name_category_is_general: bool
    name_templates: frozenset[str]
    dab_templates: frozenset[str]
    name_parameters: frozenset[str]
    refused_templates: frozenset[str]
    refused_categories: tuple[str, ...]
    suffixes: tuple[str, ...]
    see_also: frozenset[str]
    apparatus: frozenset[str]
    person_categories: re.Pattern[str]
    born_category: re.Pattern[str]
    died_category: re.Pattern[str]
    before_christ: tuple[str, ...]
    short_description_templates: frozenset[str]
    born: tuple[str, ...]
    died: tuple[str, ...]
    about: tuple[str, ...]
    flourished: tuple[str, ...]
    not_people: frozenset[str]
    same_person: tuple[str, ...]
    link_templates: frozenset[str]
    text_templates: dict[str, str]

    def name_of(self, title: str) -> str:
        """The name that a disambiguation page's title gives.

        Example:
            >>> language("en").name_of("David Tarn (disambiguation)")
            'David Tarn'
        """
        for suffix in self.suffixes:
            if title.endswith(suffix) and title != suffix:
                return title[: -len(suffix)].strip()
        return title


def _words(values: list[str]) -> frozenset[str]:
    return frozenset(value.casefold() for value in values)


def _any_of(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


@cache
def _data() -> dict[str, dict[str, Any]]:
    text = resources.files("dfactscore.ambigbio").joinpath("languages.json").read_text("utf-8")
    data: dict[str, dict[str, Any]] = json.loads(text)
    return data


def languages() -> tuple[str, ...]:
    """The codes of the languages that have data, sorted."""
    return tuple(sorted(_data()))


@cache
def language(code: str) -> Language:
    """The data of a language.

    Raises:
        AmbigBioError: There are none for this code.
    """
    try:
        raw = _data()[code]
    except KeyError:
        raise AmbigBioError(
            f"no language data for {code!r}: there are data for {', '.join(languages())}; "
            "another language is an entry in ambigbio/languages.json"
        ) from None
    return Language(
        code=code,
        name_category=raw["name_category"],
        name_category_is_general=raw["name_category_is_general"],
        name_templates=_words(raw["name_templates"]),
        dab_templates=_words(raw["dab_templates"]),
        name_parameters=_words(raw["name_parameters"]),
        refused_templates=_words(raw["refused_templates"]),
        refused_categories=tuple(raw["refused_categories"]),
        suffixes=tuple(raw["suffixes"]),
        see_also=_words(raw["see_also"]),
        apparatus=_words(raw["apparatus"]),
        person_categories=_any_of(raw["person_categories"]),
        born_category=re.compile(raw["born_category"]),
        died_category=re.compile(raw["died_category"]),
        before_christ=tuple(raw["before_christ"]),
        short_description_templates=_words(raw["short_description_templates"]),
        born=tuple(raw["born"]),
        died=tuple(raw["died"]),
        about=tuple(raw["about"]),
        flourished=tuple(raw["flourished"]),
        not_people=_words(raw["not_people"]),
        same_person=tuple(word.casefold() for word in raw["same_person"]),
        link_templates=_words(raw["link_templates"]),
        text_templates={key.casefold(): value for key, value in raw["text_templates"].items()},
    )
