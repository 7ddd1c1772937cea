"""Disambiguation pages: which ones are about people's names, and the people they list."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass

from dfactscore.ambigbio.languages import Language
from dfactscore.ambigbio.lifespan import Lifespan, cut_lifespan
from dfactscore.ambigbio.markup import (
    cut_balanced,
    cut_hidden,
    headings_of,
    template_names,
    templates_of,
)
from dfactscore.ambigbio.templates import template_text
from dfactscore.ambigbio.titles import Site, normal_title

__all__ = ["Entry", "entries_of", "is_disambiguation", "marked_as_name", "refusal"]

_BULLET = re.compile(r"^[*#:;]*[*#][*#:;]*\s*|^\s*<li[^<>]*>\s*", re.IGNORECASE)
_LINK = re.compile(r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\](\w*)")
_TAGS = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>")
_POSSESSIVE = re.compile(r"^(?:''+)?['’]s\b")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a disambiguation page that leads to an article.

    Attributes:
        target: Title of the article, as linked; it may be a redirect or missing.
        label: What the line calls it.
        description: The rest of the line, without the years.
        lifespan: Years of birth and death that the line gives.
        primary: Whether it is the primary topic, named in the lead.
    """

    target: str
    label: str
    description: str
    lifespan: Lifespan
    primary: bool = False


def marked_as_name(text: str, language: Language) -> bool:
    """Whether a page's templates mark it as a human-name disambiguation page.

    Args:
        text: Wikitext, hidden content already cut.
        language: Language data.
    """
    for name, arguments in templates_of(text):
        if name in language.name_templates:
            return True
        if name in language.dab_templates and any(
            argument.casefold() in language.name_parameters for argument in arguments
        ):
            return True
    return False


def is_disambiguation(text: str, language: Language) -> bool:
    """Whether a page's wikitext makes it a disambiguation page of any kind.

    Args:
        text: Wikitext, hidden content already cut.
        language: Language data.
    """
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
    """Why a page is not a human-name disambiguation page, or None where it is.

    Args:
        text: Wikitext, hidden content already cut.
        categories: Categories that are known of the page.
        disambiguation: Whether the wiki says that it is a disambiguation page.
        named: Whether it must be about human names; a list of names that a person gives is
            trusted to be.
        language: Language data.
    """
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


def _plain(text: str) -> str:
    text = _LINK.sub(lambda match: (match[2] or match[1]) + match[3], text)
    text = re.sub(r"'{2,}", "", _TAGS.sub("", text))
    text = html.unescape(text).replace("\u00a0", " ")
    return re.sub(r"\s+", " ", text).strip()


def _pseudo_heading(line: str) -> str | None:
    """The text of a line that stands as a heading without being one: ``;Term``, or all bold."""
    line = line.strip().rstrip(": ")
    if line.startswith(";"):
        return _plain(line[1:].partition(":")[0])
    bold = len(line) > 6 and line.startswith("'''") and line.endswith("'''")
    return _plain(line) if bold and "'''" not in line[3:-3] else None


def _prefix_allows(prefix: str, name: str, language: Language) -> bool:
    """Whether a link after this text is still what the line is about.

    After the name itself, which is then not linked, a link is another person ("John Harrow, son of
    …"), unless the words between say that both are one person ("pen name of …").
    """
    plain = _plain(prefix).casefold()
    words = set(re.findall(r"\w+", name.casefold()))
    if words and words <= set(re.findall(r"\w+", plain)):
        return any(phrase in plain for phrase in language.same_person)
    return "," not in plain and ";" not in plain and "[[" not in prefix


def _entry(line: str, name: str, site: Site, language: Language, *, primary: bool) -> Entry | None:
    match = _LINK.search(line)
    if match is None:
        return None
    target = normal_title(match[1], site)
    prefix, rest = line[: match.start()], line[match.end() :]
    if target is None or _POSSESSIVE.match(rest):
        return None
    if not _prefix_allows(prefix, name, language):
        return None
    label = _plain((match[2] or match[1]) + match[3]) or target
    lifespan, description = cut_lifespan(_plain(rest), language)
    return Entry(target, label, description.strip(" ,;:.–—-"), lifespan, primary)


def entries_of(text: str, *, title: str, site: Site, language: Language) -> tuple[Entry, ...]:
    """The articles that a disambiguation page lists, in its order.

    Of each bullet the first link counts, and of the lead the link with which a line begins (the
    primary topic). Links under "See also", to sections, to other namespaces, after the first, in
    comments and in ``nowiki`` are not entries.

    Args:
        text: Wikitext of the page.
        title: Its title.
        site: The wiki.
        language: Language data.

    Example:
        >>> from dfactscore.ambigbio.languages import language
        >>> site = Site("https://en.wikipedia.org/wiki/Main_Page", frozenset({"category"}))
        >>> [entry] = entries_of("* [[Ann Lee (judge)]] (1871–1936), judge in [[Leeds]]",
        ...                      title="Ann Lee", site=site, language=language("en"))
        >>> entry.target, entry.lifespan.born, entry.description
        ('Ann Lee (judge)', 1871, 'judge in Leeds')
    """

    def stand_in(inner: str) -> str:
        name, *arguments = inner.split("|")
        if name.strip().casefold() in language.link_templates and arguments:
            return f"[[{arguments[0].strip()}]]"
        return template_text(name, [value.strip() for value in arguments], language)

    def keep_links(inner: str) -> str | None:
        prefix = inner.partition(":")[0].strip().casefold()
        return "" if prefix in site.files | site.categories else None

    text = cut_balanced(cut_hidden(text), "{{", "}}", replace=stand_in)
    text = cut_balanced(text, "[[", "]]", replace=keep_links)
    name = language.name_of(title)
    found: list[Entry] = []
    skipped_level = 0
    in_lead = True
    for line in text.split("\n"):
        heading = next(headings_of(line), None)
        if heading is not None:
            in_lead = False
            level = heading.level
            if skipped_level and level > skipped_level:
                continue
            see_also = _plain(heading.text).casefold().rstrip(":") in language.see_also
            skipped_level = level if see_also else 0
            continue
        pseudo = _pseudo_heading(line)
        if pseudo is not None and pseudo.casefold() in language.see_also:
            skipped_level = 6
            continue
        if skipped_level:
            if pseudo is not None and skipped_level == 6:
                skipped_level = 0
            continue
        bullet = _BULLET.match(line)
        if bullet:
            in_lead = False
            entry = _entry(line[bullet.end() :], name, site, language, primary=False)
        elif in_lead and re.match(r"\s*(?:'{2,})?\s*\[\[", line):
            entry = _entry(line.strip(), name, site, language, primary=True)
        else:
            continue
        if entry is not None and entry.target != title:
            found.append(entry)
    return tuple(found)
