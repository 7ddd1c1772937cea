"""Converts wikitext to plain text with one line per paragraph or heading.

The wikitext is parsed with mwparserfromhell, except for malformed text (thousands of unclosed tags
or braces), which would slow the parser down and is read by a simpler linear-time scan. Templates
that render text (dates, units, foreign words) are listed in `languages.json`; other templates are
dropped, as are tables, references, files, and sections without prose (references, links).
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from typing import Any, Literal

from dfactscore.ambigbio._errors import MissingExtraError
from dfactscore.ambigbio._languages import Language
from dfactscore.ambigbio._markup import cut_balanced, cut_hidden, headings_of
from dfactscore.ambigbio._sources import RawPage
from dfactscore.ambigbio._templates import is_silent, template_text
from dfactscore.ambigbio._titles import Site, page_url
from dfactscore.retrieval import Page

_LINK = re.compile(r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\]")
_EXTERNAL = re.compile(r"\[(?:https?:)?//[^\s\[\]]+[ \t]*([^\[\]\n]*)\]", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,500}>")
_SWITCH = re.compile(r"__[A-Z]+__")
#: Placeholder for a template whose text is unknown.
_HOLE = "\ufffc"
_SENTENCE = re.compile(r"(?<=[.!?])[\"”’)]*\s+(?=[\"“‘(]*[A-ZÀ-Þ0-9\ufffc])")
#: A gap that leaves a sentence incomplete: between two words, or within a word.
_TORN = re.compile(r"\w[\"“”'’]? \ufffc|\ufffc[\w%]|(?:^|[\"“(]) *\ufffc+ +[a-zß-ÿ]")
_OPENING = re.compile(r"^[\s\ufffc]*\ufffc\s*, *")
_EMPTY = re.compile(r"\(\s*(?:[,;:–—-]\s*)*\)")
_LOST_TAGS = frozenset({"ref", "references", "table", "gallery", "math", "style", "script", "pre",
                        "nowiki", "templatestyles", "timeline", "score", "imagemap", "td", "th",
                        "tr", "syntaxhighlight"})  # fmt: skip
# Limits on unclosed text for the parser, whose running time grows superlinearly on such text.
_MOST_UNCLOSED = 12
_MOST_OPEN = 400
_LONGEST_PIECE = 60_000
PageExtent = Literal["none", "lead", "full"]


def _unclosed(text: str, opening: str, closing: str) -> int:
    return abs(text.count(opening) - text.count(closing))


def _tame(text: str) -> bool:
    tags = text.count("<")
    return (
        len(text) <= _LONGEST_PIECE
        and tags <= _MOST_OPEN
        and abs(tags - text.count(">")) <= _MOST_UNCLOSED
        and abs(len(re.findall(r"<[a-zA-Z][^<>/]*>", text)) - text.count("</")) <= _MOST_UNCLOSED
        and _unclosed(text, "{{", "}}") <= _MOST_UNCLOSED
        and _unclosed(text, "[", "]") <= _MOST_UNCLOSED
        and _unclosed(text, "[[", "]]") <= _MOST_UNCLOSED
        and _unclosed(text, "{|", "|}") <= _MOST_UNCLOSED
        and text.count("{{{") <= _MOST_UNCLOSED
        and text.count("{{") <= 2 * _MOST_OPEN
        and not re.search(r"(?:\{\{[^{}]{0,60}){20}|(?:\[\[[^\[\]]{0,60}){12}", text)
    )


def _render(nodes: Sequence[Any], site: Site, language: Language, depth: int = 0) -> str:
    if depth > 30:
        return ""

    def inner(code: Any) -> str:
        return _render(code.nodes, site, language, depth + 1)

    return "".join(_text_of(node, inner, site, language) for node in nodes)


def _text_of(node: Any, inner: Callable[[Any], str], site: Site, language: Language) -> str:
    """Renders a node, using `inner` to render its contents."""
    kind = type(node).__name__
    if kind == "Text":
        return str(node.value)
    if kind == "Wikilink":
        prefix, colon, _ = str(node.title).partition(":")
        if colon and prefix.strip().casefold() in site.files | site.categories:
            return ""
        return inner(node.title if node.text is None else node.text).lstrip(":")
    if kind == "ExternalLink" and node.title is not None:
        return inner(node.title)
    if kind == "ExternalLink":
        return "" if node.brackets else str(node.url)
    if kind == "Template":
        unnamed = (p for p in node.params if not p.showkey or str(p.name).strip().isdigit())
        values = [inner(p.value).strip() for p in unnamed]
        named = {str(p.name): inner(p.value) for p in node.params if p.showkey}
        text = template_text(str(node.name), values, language, named)
        if not text and not is_silent(str(node.name), language):
            return _HOLE
        return text[:1].lower() + text[1:] if node.has("lc") else text
    if kind == "Tag":
        name = str(node.tag).strip().casefold()
        lost = name in _LOST_TAGS or node.contents is None
        return "\n" if name == "br" else "" if lost else inner(node.contents)
    return html.unescape(str(node)) if kind == "HTMLEntity" else ""


def _scan(text: str, site: Site) -> str:
    """Renders wikitext with a simple scan that takes linear time for any input."""
    lost = site.files | site.categories

    def file(inner: str) -> str | None:
        return "" if inner.partition(":")[0].strip().casefold() in lost else None

    text = cut_balanced(text, "{{", "}}")
    text = cut_balanced(text, "{|", "|}")
    text = cut_balanced(text, "[[", "]]", replace=file)
    text = _LINK.sub(lambda match: match[2] or match[1].lstrip(":"), text)
    text = _EXTERNAL.sub(lambda match: match[1], text)
    text = re.sub(r"\{\{+|\}\}+|\[\[+|\]\]+|\{\||\|\}", "", _TAG.sub("", text))
    return html.unescape(text)


def _without_holes(line: str) -> str:
    """Removes the sentences in a line that are incomplete because a template's text is unknown."""
    if _HOLE not in line:
        return line
    line = re.sub(r"\([^()]*\ufffc[^()]*\)", lambda m: m[0].replace(_HOLE, ""), line)
    sentences = []
    for sentence in _SENTENCE.split(line):
        opened = _OPENING.sub("", sentence)  # "{{some date}}, he lives in Leeds."
        whole = opened if opened == sentence else opened[:1].upper() + opened[1:]
        if not _TORN.search(whole):
            sentences.append(whole.replace(_HOLE, ""))
    return " ".join(sentences)


def _tidy(text: str) -> str:
    text = _SWITCH.sub("", re.sub(r"'{2,}", "", text))
    text = "\n".join(map(_without_holes, text.split("\n")))
    text = text.replace("\u00a0", " ").replace("\u200b", "").replace("\r", "")
    text = re.sub(r"[ \t]+", " ", text)
    text = _EMPTY.sub("", text)
    text = re.sub(r"\( ?[,;:] ?", "(", text)
    text = re.sub(r" ?[,;:–]? \)", ")", text)
    text = re.sub(r", ?\(", " (", text)
    text = re.sub(r" ([,.;:)])", r"\1", text)
    lines = (re.sub(r"^[*#:; ]+|[ ]+$", "", line) for line in text.split("\n"))
    lines_with_words = (line for line in lines if re.search(r"\w", line))
    return "\n".join(re.sub(r" {2,}", " ", line).strip() for line in lines_with_words)


def _convert(text: str, site: Site, language: Language) -> str:
    try:
        import mwparserfromhell
    except ImportError as error:
        raise MissingExtraError("the text of wiki pages", "wikipedia") from error
    text = cut_balanced(text, "{|", "|}")
    if _tame(text):
        nodes = mwparserfromhell.parse(text, skip_style_tags=True).nodes
        return _tidy(_render(nodes, site, language))
    return _tidy(_scan(text, site))


def plain_text(text: str, *, site: Site, language: Language, lead_only: bool = False) -> str:
    """Converts a page to plain text."""
    # Returns paragraphs, list items and headings, each on its own line, with an empty line before
    # each heading.
    text = cut_hidden(text)
    text = cut_balanced(text, "{{", "}}", replace=lambda inner: "" if len(inner) > 4000 else None)
    headings = list(headings_of(text))
    first = headings[0].start if headings else len(text)
    parts = [_convert(text[:first], site, language)]
    if lead_only:
        return parts[0]
    pending: list[tuple[int, str]] = []
    skipped = 0
    for index, heading in enumerate(headings):
        level = heading.level
        end = headings[index + 1].start if index + 1 < len(headings) else len(text)
        if skipped and level > skipped:
            continue
        skipped = 0
        title = _convert(heading.text, site, language)
        if title.casefold() in language.apparatus:
            skipped = level
            continue
        # a heading is kept if there is text in its section or subsections
        pending = [(above, name) for above, name in pending if above < level]
        pending.append((level, title))
        body = _convert(text[heading.end : end], site, language)
        if body:
            parts += [f"\n{name}" for _, name in pending if name] + [body]
            pending = [(above, "") for above, _ in pending]
    return "\n".join(part for part in parts if part).strip("\n")


def license_line(url: str) -> str:
    """Returns the attribution line required by the license of Wikipedia's text."""
    return f"CC BY-SA 4.0, by the contributors to {url}"


def page_of(raw: RawPage, *, extent: PageExtent, site: Site, language: Language) -> Page:
    """Returns a page's text together with its URL, revision and license."""
    url = page_url(raw.title, site)
    return Page(
        title=raw.title,
        text=plain_text(raw.text, site=site, language=language, lead_only=extent == "lead"),
        id=str(raw.page_id),
        url=url,
        revision=str(raw.revision),
        timestamp=raw.timestamp,
        license=license_line(url),
        redirects=raw.aliases,
    )
