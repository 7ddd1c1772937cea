"""Decides whether a page is about a person."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dfactscore._text.names import name_words
from dfactscore._text.person_names import TITLES
from dfactscore.ambigbio._languages import Language
from dfactscore.ambigbio._lifespan import Lifespan, cut_lifespan, gives_years
from dfactscore.ambigbio._markup import cut_balanced, template_names, template_parts, templates_of
from dfactscore.ambigbio._records import PersonEvidence
from dfactscore.ambigbio._templates import template_text

_LEAD = 6000
_SORT_KEYS = frozenset({"defaultsort", "defaultsortkey", "default sort", "sortierung"})
_CENTURY = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)[-–/ ]|\b\d{3,4}s\b|\bjahrhundert|\bsi[èe]cle|\bsiglo"
)
# Categories that describe the article rather than its subject.
_UPKEEP = re.compile(r"(?:articles|pages|wikipedia|all|cs1|use|webarchive|infobox|commons|short)\b")


def short_description_of(text: str, language: Language) -> str:
    """Returns the short description given in a page's wikitext, or an empty string."""
    for name, arguments in templates_of(text):
        if name in language.short_description_templates and arguments:
            value = arguments[0].removeprefix("1=").strip()
            return "" if value.casefold() == "none" else value
    return ""


def _head(phrase: str, language: Language) -> list[str]:
    """Returns the words of a phrase up to its head noun, which precedes "of", "born" or a comma."""
    words: list[str] = []
    for match in re.finditer(r"[^\W_]+(?:[-'’][^\W_]+)*|[(,;:–—]", phrase.casefold()):
        if not match[0][0].isalnum():
            if words:
                break
            continue
        if words and match[0] in language.head_ends:
            break
        words.append(match[0])
    while words and words[-1].isdigit():  # "English MPs 1529"
        words.pop()
    return words


def _singulars(word: str) -> Iterable[str]:
    yield word
    if word.endswith("s"):
        yield word[:-1]
    if word.endswith("es"):
        yield word[:-2]
    if word.endswith("ies"):
        yield f"{word[:-3]}y"
    if word.endswith("men"):
        yield f"{word[:-2]}an"


def _is_person_noun(word: str, language: Language) -> bool:
    forms = {word, *_singulars(word), *_singulars(word.rpartition("-")[2])}
    return not language.person_nouns.isdisjoint(forms) or any(
        language.person_noun_endings.fullmatch(form) for form in forms
    )


def occupation_in(text: str, language: Language) -> str:
    """Returns the occupation given in a description as a single word; empty if there is none.

    Example:
        >>> from dfactscore.ambigbio._languages import language
        >>> occupation_in("English cricketer and soldier (1850–1910)", language("en"))
        'cricketer'
    """
    words = re.split(r"\b(?:and|und|et|y)\b|,", text.casefold(), maxsplit=1)[:1]
    head = _head(words[0], language) if words else []
    return head[-1] if head and _is_person_noun(head[-1], language) else ""


def _is_thing(phrase: str, language: Language) -> bool:
    """Whether the head of a short description shows that the page is not about a person."""
    words = _head(phrase, language)
    if not words:
        return False
    if "fictional" in words or "mythical" in words or "mythological" in words:
        return True
    if len(words) == 1 and words[0] in language.anyone:  # "Person who commands a spacecraft"
        return True
    return words[-1] in language.not_people and not _is_person_noun(words[-1], language)


def _names_person(phrase: str, language: Language) -> bool:
    words = _head(phrase, language)
    if _UPKEEP.match(phrase):
        return False
    return bool(words) and _is_person_noun(words[-1], language)


def _is_class(title: str, categories: Iterable[str]) -> bool:
    """Whether a page is in the category of its plural title (like "Astronaut" in "Astronauts")."""
    bare = re.sub(r"(?<!\s)\s*\([^()]*\)$", "", title).casefold()
    return any(
        bare in _singulars(category) and (bare != category or " " not in bare)
        for category in categories
    )


def _is_of_things(category: str, language: Language) -> bool:
    """Whether a category contains things rather than people; "Captains of ships" does not."""
    if language.not_people_categories.search(" ".join(_head(category, language))):
        return True
    whole = language.not_people_categories.search(category) is not None
    return whole and not _names_person(category, language)


def lists_person(line: str, name: str, language: Language) -> bool:
    """Whether a line without a page for its subject lists a person rather than a thing.

    A person has years, a rank or a noun for people ("wife of", "whaler"), or nothing but the name.

    Example:
        >>> from dfactscore.ambigbio._languages import language
        >>> en = language("en")
        >>> lists_person("Ivo Hart (died 1560), sheriff of Leeds", "Ivo Hart", en)
        True
        >>> lists_person("Ivo Hart, a paddle steamer", "Ivo Hart", en)
        False
    """
    folded = line.casefold()
    at = folded.find(name.casefold())
    before, after = (line[:at], line[at + len(name) :]) if at >= 0 else ("", line)
    longer = re.match(r"(?:\s+(?!\()|['’&-])[^,;:()–—]*", after)
    rest = after[longer.end() :] if longer else after
    parts = re.findall(r"\(([^()]*)\)", rest)
    parts += [re.sub(r"^(?:\([^()]*\)|[\s,;:–—-])+", "", rest)]
    if longer:
        parts.append(longer[0])
    parts = [text for part in parts if (text := _of_many(part.strip(), language))]
    if language.not_people_lines.search(folded) or any(_is_thing(part, language) for part in parts):
        return False
    if not language.person_nouns:
        return True
    return (
        not parts
        or cut_lifespan(rest.lstrip(), language)[0] != Lifespan()
        or any(_names_person(part, language) or _is_kin(part, language) for part in parts)
        or not TITLES.isdisjoint(name_words(before))
    )


def _of_many(phrase: str, language: Language) -> str:
    """Removes "one of the" from the start of a phrase, for it is not its head."""
    for article in language.articles:
        if " " in article and phrase.casefold().startswith(f"{article} "):
            return phrase[len(article) + 1 :]
    return phrase


def _is_kin(phrase: str, language: Language) -> bool:
    """Whether the head of a phrase relates a person to another, as "wife" does."""
    return not language.kin.isdisjoint(_head(phrase, language)[-1:])


def lead_of(text: str, language: Language) -> str:
    """Returns the first sentences of a page as text with readable years, names and nouns."""

    def stand_in(inner: str) -> str:
        name, arguments = template_parts(inner)
        named = {key: value for key, eq, value in (a.partition("=") for a in arguments) if eq}
        text = template_text(name, arguments, language, named)
        return text if len(inner) < 200 or len(text) < 400 else ""

    text = cut_balanced(text[:_LEAD], "{{", "}}", replace=stand_in)
    text = cut_balanced(text, "{|", "|}")
    text = re.sub(r"\[\[(?:[^\[\]|\n]*\|)?([^\[\]\n]*)\]\]", r"\1", text)
    text = re.sub(r"'{2,}|<[^<>\n]{0,200}>", "", text).lstrip()
    return text.partition("\n=")[0][:600]


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"


def _lead_signs(text: str, language: Language) -> tuple[bool, bool]:
    """Whether the lead gives birth or death years, and whether it gives an occupation."""
    lead = lead_of(text, language)
    opening = lead[:300]
    inside = re.match(r"[^()\n]{1,120}(\([^()\n]{1,160}\))", opening)
    years = inside is not None and gives_years(inside[1], language)
    verb, article = (_any_of(words) for words in (language.copulas, language.articles))
    occupation = re.search(rf"\b(?:{verb})\s+(?:{article})\s+([^.\n]{{3,200}})", lead)
    if occupation is None and inside is not None:  # "Hew Dane (1520–1580), English politician"
        behind = lead[inside.end() :]
        occupation = re.match(rf"\s*,\s*(?:(?:{article})\s+)?([^.\n]{{3,200}})", behind)
    return years, occupation is not None and _names_person(occupation[1], language)


def has_dates(categories: Iterable[str], language: Language) -> bool:
    """Whether a page has a category of births, deaths or living people."""
    return any(language.person_categories.match(category.casefold()) for category in categories)


def person_evidence(
    categories: Iterable[str],
    short_description: str,
    language: Language,
    text: str = "",
    title: str = "",
) -> PersonEvidence | None:
    """Returns the evidence that a page is about a person.

    A category of births, deaths or living people is sufficient. So are an infobox for people and a
    third of the categories being about people ("English politicians"), unless there is evidence
    that the page is about a thing or a type of person (a category that is the plural of the title).
    Otherwise, two of the following signs are needed: birth or death years in the short description
    or the lead, a noun for a person ("sheriff") at the head of either, and a sort key that puts the
    surname first. Years alone are not sufficient, since ships and series have them, too.

    Example:
        >>> from dfactscore.ambigbio._languages import language
        >>> person_evidence(["1950 births"], "", language("en"))
        'category'
        >>> person_evidence([], "13th-century English sheriff", language("en"))
        'short_description'
        >>> person_evidence([], "American tugboat (1910–1950)", language("en"))
    """
    categories = [category.casefold() for category in categories]
    if language.not_people_titles.search(title.casefold()):
        return None
    if has_dates(categories, language):
        return "category"
    if (
        _is_class(title, categories)
        or _is_thing(short_description, language)
        or any(_is_of_things(category, language) for category in categories)
    ):
        return None
    if any(language.person_infoboxes.match(name) for name in template_names(text)):
        return "infobox"
    topical = [category for category in categories if not _UPKEEP.match(category)]
    if 0 < len(topical) <= 3 * sum(_names_person(category, language) for category in topical):
        return "category"
    return _by_signs(short_description, text, language)


def _by_signs(short: str, text: str, language: Language) -> PersonEvidence | None:
    """Returns evidence if two of three weak signs are present: years, a noun, a sort key."""
    years, noun = _lead_signs(text, language) if text else (False, False)
    short_years = gives_years(short, language) or _CENTURY.search(short.casefold()) is not None
    short_noun = _names_person(short, language)
    keys = re.finditer(r"\{\{\s*([A-Za-z ]{5,20}?)\s*[:|]\s*([^{}\n]{1,200})\}\}", text)
    sorted_by_name = any(key[1].casefold() in _SORT_KEYS and "," in key[2] for key in keys)
    if (short_years or years) + (short_noun or noun) + sorted_by_name < 2:
        return None
    return "short_description" if short_years or short_noun else "lead"
