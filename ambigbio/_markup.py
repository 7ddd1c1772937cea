"""Linear-time wikitext helpers for hidden text and balanced brackets.

Wikitext is untrusted. These functions read each character a bounded number of times, so that a
malformed page cannot stop a build.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_HIDDEN = re.compile(
    r"<!--|<(nowiki|ref|pre|math|gallery|syntaxhighlight|source|score|timeline|templatestyles"
    r"|style|script|imagemap|graph|chem|hiero|inputbox|poem-data|s|del|strike)(?:\s[^<>]*|/)?>",
    re.IGNORECASE,
)
_CATEGORY = re.compile(r"\[\[\s*([^\[\]|:#]{1,40}):([^\[\]|]{1,300})(?:\|[^\[\]]{0,300})?\]\]")
_ARGUMENT = re.compile(r"\[\[|\]\]|\{\{|\}\}|\|")
_PREFIX = re.compile(
    r"^:?\s*(?:(?:subst|safesubst|template|vorlage|modèle|plantilla|msg)\s*:\s*)+", re.IGNORECASE
)
_BRACES = re.compile(r"\{\{+|\}\}+")


def cut_hidden(text: str) -> str:
    """Removes comments, references, struck-out text and other content that is not prose.

    An unclosed comment extends to the end of the text, as in MediaWiki; an unclosed tag is left
    unchanged.
    """
    parts: list[str] = []
    start = 0
    lower = text.lower()
    if len(lower) != len(text):  # lower-casing some capitals changes the length and thus positions
        lower = text
    unclosed: set[str] = set()
    for match in _HIDDEN.finditer(text):
        if match.start() < start:
            continue
        name = (match[1] or "").lower()
        if not name:
            end = text.find("-->", match.end())
            end = len(text) if end < 0 else end + 3
        elif match[0].endswith("/>"):
            end = match.end()
        elif name in unclosed:
            continue
        else:
            close = re.compile(rf"</{name}(?![a-z])[^>]*(?:>|\Z)").search(lower, match.end())
            if close is None:
                unclosed.add(name)
                continue
            end = close.end()
        parts.append(text[start : match.start()])
        start = end
    parts.append(text[start:])
    return "".join(parts)


def cut_balanced(
    text: str,
    opening: str,
    closing: str,
    *,
    replace: Callable[[str], str | None] = lambda inner: "",
) -> str:
    """Removes or replaces the outermost balanced pieces in a wikitext."""
    tokens = re.compile(f"{re.escape(opening)}|{re.escape(closing)}")
    pieces: list[tuple[int, int]] = []
    stack: list[int] = []
    for match in tokens.finditer(text):
        if match[0] == opening:
            stack.append(match.start())
        elif stack:
            begin = stack.pop()
            while pieces and pieces[-1][0] > begin:
                pieces.pop()
            pieces.append((begin, match.end()))
    parts: list[str] = []
    start = 0
    for begin, end in pieces:
        instead = replace(text[begin + len(opening) : end - len(closing)])
        if instead is None:
            continue
        parts += (text[start:begin], instead)
        start = end
    parts.append(text[start:])
    return "".join(parts)


class SectionHeading(NamedTuple):
    """A heading: the start and end of its line, its level (1 to 6) and its text."""

    start: int
    end: int
    level: int
    text: str


def headings_of(text: str) -> Iterator[SectionHeading]:
    """Yields the headings in a text, in order."""
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        bare = line.strip(" \t\r") if line.startswith("=") else ""
        if len(bare) > 2 and bare.endswith("="):
            left = len(bare) - len(bare.lstrip("="))
            right = len(bare) - len(bare.rstrip("="))
            level = min(left, right, 6, (len(bare) - 1) // 2)
            yield SectionHeading(start, end, level, bare[level:-level].strip())
        start = end + 1


def template_title(inner: str) -> str:
    """Returns the name of a template as written, excluding its namespace.

    Example:
        >>> template_title(" Template:BD_x |1850")
        'BD x'
    """
    name = re.split(r"[|\n<{}\[\]]", inner.lstrip(), maxsplit=1)[0]
    name = _PREFIX.sub("", name.strip().replace("_", " "))
    return re.sub(r" +", " ", name).strip()


def _template_name(inner: str) -> str:
    return template_title(inner).casefold()


def template_parts(inner: str) -> tuple[str, tuple[str, ...]]:
    """Splits a template into its casefolded name and its arguments, as written.

    Example:
        >>> template_parts("Plain list|[[A|B]]|{{c|d}}")
        ('plain list', ('[[A|B]]', '{{c|d}}'))
    """
    parts: list[str] = []
    depth = start = 0
    for match in _ARGUMENT.finditer(inner):
        if match[0] == "|":
            if depth == 0:
                parts.append(inner[start : match.start()])
                start = match.end()
        elif match[0][0] in "[{":
            depth += 1
        else:
            depth = max(0, depth - 1)
    parts.append(inner[start:])
    return _template_name(parts[0]), tuple(parts[1:])


def templates_of(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields the innermost templates in a text with their arguments, in order."""
    begin = -1
    for match in _BRACES.finditer(text):
        if match[0][0] == "{":
            begin = match.end()
        elif begin >= 0:
            inner = text[begin : match.start()]
            begin = -1
            if len(inner) <= 2000:
                name, *arguments = inner.split("|")
                yield _template_name(name), tuple(part.strip() for part in arguments)


def template_names(text: str) -> frozenset[str]:
    """Returns the casefolded names of all templates in a text, including nested ones."""
    return frozenset(
        _template_name(text[match.end() : match.end() + 120])
        for match in _BRACES.finditer(text)
        if match[0][0] == "{"
    )


def categories_of(text: str, namespaces: frozenset[str]) -> tuple[str, ...]:
    """Yields the categories in a page's wikitext, in order."""
    names: dict[str, None] = {}
    for match in _CATEGORY.finditer(text):
        if match[1].strip().casefold() in namespaces:
            name = html.unescape(match[2]).replace("_", " ").strip()
            if name:
                names[name[0].upper() + name[1:]] = None
    return tuple(names)
