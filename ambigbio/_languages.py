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
    """The language data of one Wikipedia, from `languages.json`.

    Names of templates and headings are casefolded.

    Attributes:
        code: Key, and the first part of the host (``"en"``).
        name_category: Category that lists the pages that names are drawn from.
        name_category_is_general: Whether the category has disambiguation pages of all kinds; a name
            is then accepted only if at least half of its entries are people.
        name_templates: Templates that mark a page as a human-name disambiguation page.
        dab_templates: Templates that mark a page as a disambiguation page.
        name_parameters: Parameters with which `dab_templates` mark a human name.
        refused_templates: Templates of surname, given-name and set-index pages.
        refused_categories: Categories of such pages.
        suffixes: Suffixes of titles that are not part of the name.
        see_also: Headings whose links are not entries.
        apparatus: Headings of sections without prose (references, links).
        name_page_apparatus: More such headings, of name pages ("bibliography").
        person_categories: Patterns of categories of people only.
        born_category: Pattern of a birth year's category; group 1 is the year.
        died_category: Pattern of a death year's category; group 1 is the year.
        before_christ: Words after a year that make it negative.
        short_description_templates: Templates whose first argument is the short description.
        born_parameters: Arguments of infoboxes with the date of birth.
        died_parameters: Arguments of infoboxes with the date of death.
        born: Words before a year of birth.
        died: Words before a year of death.
        about: Words before an uncertain year.
        flourished: Words before years of activity.
        anyone: Words for any person ("person"); a short description with such a head is about a
            kind of people.
        not_people: Words of short descriptions of things.
        same_person: Words between a name and a link to the same person; words that end in ``$``
            must be right before the link.
        similar: Patterns of headings and starts of lines whose links are to similar names.
        similar_within: Patterns within a line before links to similar names.
        of: Words that join a relation to a person: "daughter of", "a play by".
        possessives: Words before a relation ("his").
        refers: Words of the lead before links to the meanings of the name.
        honorifics: Titles before names, in addition to those of all languages.
        name_suffixes: Suffixes after names, in addition to "Jr." and numbers.
        siblings: Words after the surname of several people ("brothers").
        not_people_titles: Patterns of titles of pages about events in lives, or about names.
        person_infoboxes: Patterns of templates on pages about people only.
        person_nouns: Nouns for people, in the singular ("sheriff"); a category or short
            description with such a head is about a person.
        person_noun_endings: Patterns of the endings of such nouns.
        head_ends: Words that end the head of a category or short description ("of", "born").
        not_people_categories: Patterns of categories without people.
        list_templates: Templates with lines of a list as arguments.
        hatnotes: Templates of a name page that list no one.
        link_templates: Templates that render a link to their first argument.
        silent_templates: Patterns of templates that add no words to a sentence (references).
        text_templates: Templates that render text, as patterns with ``{1}`` for arguments, and
            ``{*:date}`` for all arguments as a date.
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
    """Returns the codes of the languages with data, sorted."""
    return tuple(sorted(_data()))


@cache
def language(code: str) -> Language:
    """Returns the data of a language.

    Raises:
        AmbigBioError: If this language has no data.
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
    """Reads the data of a language or a wiki from a JSON file with the keys of `languages.json`.

    Missing keys have the values of the language under ``"like"``, else they are empty.

    Args:
        path: The file: the object of one language, or objects by code.
        code: Key of the language.

    Raises:
        AmbigBioError: If the file cannot be read, or a value is invalid; the message names the key.
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
    """Removes the parentheses at the end of a title.

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
    """Converts the value of a key to the type of its field."""
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
        pattern = re.compile(text)
    except re.error as error:
        raise AmbigBioError(f"{where}: not a pattern ({error})") from None
    if groups not in (None, pattern.groups):
        raise AmbigBioError(
            f"{where}: {pattern.groups} groups, two are needed (year, before Christ)"
        )
    return pattern
