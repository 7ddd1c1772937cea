"""Per-language data: category and template names, words for years."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from dfactscore._text.names import plain_name
from dfactscore._util.files import read_text
from dfactscore._util.jsonl import JSONError, parse_json
from dfactscore._util.near import near_miss
from dfactscore.ambigbio._errors import AmbigBioError


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
        suffixes: The suffixes that are removed from a title to get the name.
        see_also: Headings whose links are not entries.
        apparatus: Headings of sections without prose (references, links).
        name_page_apparatus: Further such headings of name pages ("bibliography").
        person_categories: Patterns of categories that only people are in.
        born_category: Pattern of a birth year's category; group 1 is the year.
        died_category: Pattern of a death year's category; group 1 is the year.
        before_christ: Words after a year that make it negative.
        short_description_templates: Templates whose first argument is the short description.
        born_parameters: Arguments of infoboxes that hold the date of birth.
        died_parameters: Arguments of infoboxes that hold the date of death.
        born: Words before a year of birth.
        died: Words before a year of death.
        about: Words before a year that is not certain.
        flourished: Words before years of activity, which are neither of birth nor of death.
        anyone: Words for any person at all ("person"); a short description with such a head is
            about a kind of people.
        not_people: Words of a short description that say that it is not about a person.
        same_person: Words between a name and a link that say both are one person; those that a
            ``$`` ends must be right before the link.
        similar: Patterns of a heading, or of the start of a line, whose links are to similar names.
        similar_within: Patterns within a line after which its links are to similar names.
        of: Words that join a relation to a person: "daughter of", "a play by".
        possessives: Words before a relation ("his").
        refers: Words of the lead after which the links say what the name means.
        honorifics: Words before a name that do not belong to it, beside the titles of all names.
        name_suffixes: Words after a name that do not belong to it, beside "Jr." and numbers.
        siblings: The words that make a surname one of several: "brothers".
        not_people_titles: Patterns of titles of pages about what befell people, or about names.
        person_infoboxes: Patterns of templates that only pages about people have.
        person_nouns: Nouns for people, in the singular ("sheriff"); a category or short
            description whose head is one is about a person.
        person_noun_endings: Patterns of the ends of such words.
        head_ends: Words that end the head of a category or short description ("of", "born").
        not_people_categories: Patterns of categories that pages about people are not in.
        list_templates: Templates whose arguments are lines of a list.
        hatnotes: Templates of a name page that list no one.
        link_templates: Templates that render a link to their first argument.
        silent_templates: Patterns of templates that put no words into a sentence (references).
        text_templates: Templates that render text, as patterns with ``{1}`` for arguments, and
            ``{*:date}`` for a form of all.
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
    name_page_apparatus: frozenset[str]
    person_categories: re.Pattern[str]
    born_category: re.Pattern[str]
    died_category: re.Pattern[str]
    before_christ: tuple[str, ...]
    short_description_templates: frozenset[str]
    born_parameters: tuple[str, ...]
    died_parameters: tuple[str, ...]
    born: tuple[str, ...]
    died: tuple[str, ...]
    about: tuple[str, ...]
    flourished: tuple[str, ...]
    anyone: frozenset[str]
    not_people: frozenset[str]
    same_person: tuple[str, ...]
    similar: re.Pattern[str]
    similar_within: re.Pattern[str]
    of: frozenset[str]
    possessives: frozenset[str]
    refers: tuple[str, ...]
    honorifics: frozenset[str]
    name_suffixes: frozenset[str]
    siblings: frozenset[str]
    not_people_titles: re.Pattern[str]
    person_infoboxes: re.Pattern[str]
    person_nouns: frozenset[str]
    person_noun_endings: re.Pattern[str]
    head_ends: frozenset[str]
    not_people_categories: re.Pattern[str]
    list_templates: frozenset[str]
    hatnotes: frozenset[str]
    link_templates: frozenset[str]
    silent_templates: re.Pattern[str]
    text_templates: dict[str, str] = field(hash=False)


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
            "for another language write its data to a file and give it with --language-data"
        ) from None
    return _language(code, raw, "languages.json")


def read_language(path: Path | str, code: str) -> Language:
    """The data of a language or a wiki, from a JSON file with the keys of `languages.json`.

    A key that the file lacks has the value of the language that its ``"like"`` names, else none.

    Args:
        path: The file: the object of one language, or objects by code.
        code: Key of the language.

    Raises:
        AmbigBioError: The file cannot be read, or its data are not such data; the key is named.
    """
    path = Path(path)
    try:
        raw = parse_json(read_text(path, error=AmbigBioError))
    except JSONError as error:
        raise AmbigBioError(f"{path} is not JSON ({error})") from None
    if isinstance(raw, dict) and isinstance(raw.get(code), dict):
        raw = raw[code]
    if not isinstance(raw, dict):
        raise AmbigBioError(f"{path}: not an object with the keys of a language")
    like = raw.get("like")
    base: dict[str, Any] = {}
    if like is not None:
        if like not in _data():
            raise AmbigBioError(f"{path}, like: {like!r} is not one of {', '.join(languages())}")
        base = _data()[like]
    known = {item.name for item in fields(Language)} - {"code"} | {"like", "note"}
    for key in raw:
        if key not in known:
            raise AmbigBioError(f"{path}: no key {key!r}{near_miss(key, known)}")
    return _language(code, {**base, **raw}, str(path))


def name_of_title(title: str) -> str:
    """A title without the parentheses at its end.

    Example:
        >>> name_of_title("Tom Rede (painters)")
        'Tom Rede'
    """
    while (name := plain_name(title)) != title:
        title = name
    return title


_AS_WRITTEN = ("refused_categories", "suffixes", "before_christ")  # all other words are casefolded
_WITHIN = {"person_infoboxes": "(?:{})$", "person_noun_endings": r"[\w-]*(?:{})"}
_NEEDED = ("name_category", "dab_templates", "person_categories")


def _language(code: str, raw: dict[str, Any], where: str) -> Language:
    for key in _NEEDED:
        if not raw.get(key):
            raise AmbigBioError(f"{where}: no {key!r} for {code!r}, and a build needs it")
    values = {
        item.name: _value(str(item.type), item.name, raw.get(item.name), f"{where}, {item.name}")
        for item in fields(Language)
        if item.name != "code"
    }
    return Language(code=code, **values)


def _value(kind: str, key: str, value: Any, where: str) -> Any:
    """The value of a key, of the type that its field has."""
    if kind in ("str", "bool"):
        return {"str": str, "bool": bool}[kind](value)
    if kind.startswith("dict"):
        if not isinstance(value or {}, dict):
            raise AmbigBioError(f"{where}: not an object")
        return {name.casefold(): str(text) for name, text in (value or {}).items()}
    if key in ("born_category", "died_category"):
        return _pattern(value or r"(?!)()()", where, groups=2)
    words = [] if value is None else value
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise AmbigBioError(f"{where}: not a list of words")
    if kind.startswith("re."):
        any_of = "|".join(f"(?:{word})" for word in words) or "(?!)"
        return _pattern(_WITHIN.get(key, "{}").replace("{}", any_of), where)
    folded = words if key in _AS_WRITTEN else [word.casefold() for word in words]
    return frozenset(folded) if kind.startswith("frozenset") else tuple(folded)


def _pattern(text: str, where: str, groups: int | None = None) -> re.Pattern[str]:
    try:
        found = re.compile(text)
    except re.error as error:
        raise AmbigBioError(f"{where}: not a pattern ({error})") from None
    if groups not in (None, found.groups):
        raise AmbigBioError(f"{where}: {found.groups} groups, two are needed (year, before Christ)")
    return found
