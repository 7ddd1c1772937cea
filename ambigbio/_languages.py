"""Language-specific data: category names, template names, words used with years."""

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
from dfactscore._util.message_text import near_miss
from dfactscore.ambigbio._errors import AmbigBioError


@dataclass(frozen=True)
class Language:
    """The language data for one Wikipedia, from `languages.json`.

    The names of templates and headings are casefolded.
    """

    code: str  # key of the language, which is also the first part of the host name (`"en"`)
    name_category: str
    # Whether the category contains disambiguation pages of all kinds. If so, a name is accepted
    # only if at least half of its entries are people.
    name_category_is_general: bool
    name_templates: frozenset[str]  # templates that mark a page as a human-name disambiguation page
    dab_templates: frozenset[str]
    name_parameters: frozenset[str]
    refused_templates: frozenset[str]
    refused_categories: tuple[str, ...]
    suffixes: tuple[str, ...]
    see_also: frozenset[str]
    apparatus: frozenset[str]  # headings of sections without prose (references, links)
    name_page_apparatus: frozenset[str]
    person_categories: re.Pattern[str]
    born_category: re.Pattern[str]  # pattern of categories for years of birth; group 1 is the year
    died_category: re.Pattern[str]  # pattern of categories for years of death; group 1 is the year
    before_christ: tuple[str, ...]
    short_description_templates: frozenset[str]
    born_parameters: tuple[str, ...]  # infobox arguments that give the date of birth
    died_parameters: tuple[str, ...]  # infobox arguments that give the date of death
    born: tuple[str, ...]  # words that precede a year of birth
    died: tuple[str, ...]  # words that precede a year of death
    about: tuple[str, ...]  # words that precede an uncertain year
    flourished: tuple[str, ...]  # words that precede years of activity
    # Words for people in general ("person"); a short description whose head is such a word
    # describes a type of person.
    anyone: frozenset[str]
    # Words whose presence at the head of a short description shows that the page is about a thing.
    not_people: frozenset[str]
    # Words between a name and a link to the same person; words that end in `$` must directly
    # precede the link.
    same_person: tuple[str, ...]
    # Words between a link and another name of its subject ("became"), besides `same_person`.
    renamed: tuple[str, ...]
    copulas: frozenset[str]  # forms of "to be" that precede an occupation or a name
    articles: frozenset[str]  # articles between a copula and an occupation
    similar: re.Pattern[str]
    similar_within: re.Pattern[str]
    of: frozenset[str]  # words that connect a relation to a person ("daughter of", "a play by")
    possessives: frozenset[str]  # words that precede a relation ("his")
    refers: tuple[str, ...]  # words in the lead that precede links to the meanings of the name
    honorifics: frozenset[str]
    name_suffixes: frozenset[str]
    siblings: frozenset[str]  # words used after a surname that several people share ("brothers")
    not_people_titles: re.Pattern[str]
    person_infoboxes: re.Pattern[str]
    # Nouns for people, in the singular ("sheriff"); a category or short description whose head is
    # such a noun is about a person.
    person_nouns: frozenset[str]
    person_noun_endings: re.Pattern[str]
    kin: frozenset[str]  # nouns that relate a person to another ("wife", "friend")
    head_ends: frozenset[str]
    not_people_categories: re.Pattern[str]
    # Patterns of lines of a name page that list a work, a character or another thing.
    not_people_lines: re.Pattern[str]
    list_templates: frozenset[str]
    hatnotes: frozenset[str]
    link_templates: frozenset[str]
    silent_templates: re.Pattern[str]
    # Templates that render text, given as patterns in which `{1}` stands for an argument,
    # `{*:date}` for all arguments, formatted as a date, and `{key}` for a named argument. If one is
    # empty, the part in brackets around it is left out.
    text_templates: dict[str, str] = field(hash=False)


@cache
def _data() -> dict[str, dict[str, Any]]:
    text = resources.files("dfactscore.ambigbio").joinpath("languages.json").read_text("utf-8")
    data: dict[str, dict[str, Any]] = json.loads(text)
    return data


def languages() -> tuple[str, ...]:
    """Returns the codes of the languages for which there is data, sorted."""
    return tuple(sorted(_data()))


@cache
def language(code: str) -> Language:
    """Returns the data for a language."""
    try:
        raw = _data()[code]
    except KeyError:
        raise AmbigBioError(
            f"no language data for {code!r}: there are data for {', '.join(languages())}; "
            "for another language write its data to a file and give it with --language-data"
        ) from None
    return _language(code, raw, "languages.json")


def read_language(path: Path | str, code: str) -> Language:
    """Reads the data for a language or a wiki from a JSON file with the keys of `languages.json`.

    Missing keys take their values from the language given under ``"like"``; otherwise they are
    empty.
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
    """Removes the parenthetical at the end of a title.

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
    """Converts a value from the file to the type of its field."""
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
