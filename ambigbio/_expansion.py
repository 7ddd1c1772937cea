"""Finds the categories and markers that the templates in a dump add to pages.

This is not a full renderer: parameters, the most common parser functions and nested templates are
only evaluated as far as they determine a page's categories, and only a bounded number of times.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from dfactscore.ambigbio._languages import Language
from dfactscore.ambigbio._markup import (
    categories_of,
    cut_balanced,
    cut_hidden,
    template_parts,
    template_title,
)
from dfactscore.ambigbio._titles import Site, normal_title

_INNERMOST = re.compile(r"\{\{\{([^{}]*)\}\}\}|\{\{([^{}]*)\}\}")
_NOINCLUDE = re.compile(r"<noinclude\s*>.*?(?:</noinclude\s*>|$)", re.DOTALL | re.IGNORECASE)
_ONLY = re.compile(r"<onlyinclude\s*>(.*?)</onlyinclude\s*>", re.DOTALL | re.IGNORECASE)
_INCLUDE = re.compile(r"</?includeonly\s*>", re.IGNORECASE)
_LONGEST = 20_000
_ITEM = re.compile(r"(?m)^[*#:;][^\n]*\[\[")
_MOST_STEPS = 400
_DEEPEST = 6
_LINKS = 8


@dataclass(frozen=True, slots=True)
class Template:
    """A page in the template namespace."""

    title: str
    text: str  # text that the template adds to a page; empty if it is a redirect
    # Title of the redirect's target, excluding the namespace; empty if it is not a redirect.
    target: str = ""


@dataclass(frozen=True, slots=True)
class Added:
    """Categories and markers that templates add to a page."""

    categories: tuple[str, ...] = ()
    disambiguation: bool = False
    short_description: str = ""


def transcluded(text: str) -> str:
    """Returns the part of a template's wikitext that is transcluded into other pages.

    Example:
        >>> transcluded("<noinclude>[[Category:Templates]]</noinclude>__DISAMBIG__")
        '__DISAMBIG__'
    """
    text = re.sub(r"<!--.*?(?:-->|$)", "", text, flags=re.DOTALL)
    only = _ONLY.findall(text)
    text = "".join(only) if only else _NOINCLUDE.sub("", text)
    return _INCLUDE.sub("", text)


def list_in(text: str) -> str:
    r"""Returns the list of links that a page transcludes into others; empty if it is not a list.

    Example:
        >>> list_in("* [[Ann Lee (judge)]]<noinclude>\n* [[B]]</noinclude>")
        '* [[Ann Lee (judge)]]'
    """
    text = transcluded(text)[:_LONGEST]
    return text if _ITEM.search(text) and not text.lstrip().startswith("{") else ""


@dataclass
class Templates:
    """Expands the templates of pages."""

    find: Callable[[str], Template | None]
    site: Site  # wiki's addresses and namespaces
    language: Language
    _known: dict[str, Template | None] = field(default_factory=dict)

    def resolve(self, name: str) -> Template | None:
        """Returns the template with a name, following redirects; None if it does not exist."""
        plain = Site(self.site.base, frozenset(), first_letter=self.site.first_letter)
        title = normal_title(name, plain)
        for _ in range(_LINKS):
            if title is None:
                return None
            if title not in self._known:
                self._known[title] = self.find(title)
            template = self._known[title]
            if template is None or not template.target:
                return template
            title = template.target
        return None

    def added(self, text: str, title: str) -> Added:
        """Returns the categories and markers that the templates on a page add."""
        out: list[str] = []
        short: list[str] = []

        def visit(inner: str, depth: int = 0) -> str:
            _, arguments = template_parts(inner)
            template = self.resolve(template_title(inner))
            if template is not None:
                out.append(self._expand(template, arguments, title, 0))
                if template.title.casefold() in self.language.short_description_templates:
                    short.extend(arguments[:1])
            if depth < _DEEPEST:
                for argument in arguments:
                    if "{{" in argument:
                        cut_balanced(argument, "{{", "}}", replace=lambda i: visit(i, depth + 1))
            return ""

        cut_balanced(cut_hidden(text), "{{", "}}", replace=visit)
        whole = "\n".join(out)
        value = short[0].strip().removeprefix("1=").strip() if short else ""
        return Added(
            categories_of(whole, self.site.categories),
            "__DISAMBIG__" in whole,
            "" if value.casefold() == "none" else value,
        )

    def _expand(
        self, template: Template, arguments: tuple[str, ...], title: str, depth: int
    ) -> str:
        values: dict[str, str] = {}
        position = 0
        for argument in arguments:
            key, equals, value = argument.partition("=")
            if equals and re.fullmatch(r"[\w \-]{1,60}", key.strip()):
                values[key.strip()] = value.strip()
            else:
                position += 1
                values[str(position)] = argument

        def value_of(match: re.Match[str]) -> str:
            if match[1] is not None:
                key, bar, default = match[1].partition("|")
                return values.get(key.strip(), default if bar else "")
            return self._call(match[2], title, depth)

        text = template.text[:_LONGEST]
        for _ in range(_MOST_STEPS):
            text, count = _INNERMOST.subn(value_of, text)
            if not count or len(text) > _LONGEST:
                break
        return text[:_LONGEST]

    def _call(self, inner: str, title: str, depth: int) -> str:
        head, _, rest = inner.partition(":")
        word = head.strip().casefold()
        if word in ("pagename", "fullpagename", "basepagename"):
            return title
        if word in ("#if", "#ifeq", "#switch", "#ifexpr", "#ifexist"):
            return _function(word, [part.strip() for part in rest.split("|")])
        if word in ("lc", "lcfirst"):
            return rest.strip().lower() if word == "lc" else rest[:1].lower() + rest[1:]
        if word in ("uc", "ucfirst"):
            return rest.strip().upper() if word == "uc" else rest[:1].upper() + rest[1:]
        if word in ("namespace", "namespacenumber", "defaultsort", "displaytitle"):
            return "0" if word == "namespacenumber" else ""
        if depth >= _DEEPEST:
            return ""
        _, arguments = template_parts(inner)
        template = self.resolve(template_title(inner))
        return "" if template is None else self._expand(template, arguments, title, depth + 1)


def _function(word: str, parts: list[str]) -> str:
    def part(number: int) -> str:
        return parts[number] if number < len(parts) else ""

    if word == "#if":
        return part(1) if part(0) else part(2)
    if word == "#ifeq":
        return part(2) if part(0) == part(1) else part(3)
    if word == "#switch":
        return _switch(part(0), parts[1:])
    return part(1)  # a condition that cannot be evaluated is treated as true


def _switch(value: str, cases: list[str]) -> str:
    falls = False
    default = ""
    for number, case in enumerate(cases):
        key, equals, result = (piece.strip() for piece in case.partition("="))
        if not equals:
            falls = falls or key == value
            if number == len(cases) - 1:
                default = key
        elif falls or key == value:
            return result
        elif key == "#default":
            default = result
    return default
