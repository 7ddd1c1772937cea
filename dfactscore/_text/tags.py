"""Removes HTML, XML and LaTeX markup, and invisible characters, from an answer."""

from __future__ import annotations

import html
import re

from dfactscore._text.gaps import GAP

_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});", re.IGNORECASE)
_UNSEEN = re.compile("[\u00ad\u200b\u2060\ufeff]")
_HIDDEN = re.compile(
    r"<!--.{0,1000}?-->|<(script|style)\b[^<>]*>.{0,20000}?</\1\s*>|<\?xml[^<>]*\?>|<!doctype[^<>]*>",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(
    r"<(?P<end>/?)(?P<name>[a-z][\w:.-]{0,40})(?:\s[^<>=]{0,80}=[^<>]{0,500}|\sopen)?\s*/?>", re.I
)
_BLOCK = re.compile(
    r"p|div|li|ul|ol|h[1-6]|table|thead|tbody|tfoot|caption|hr|section|article|header|footer|main"
    r"|blockquote|pre|dl|dt|dd|figure|figcaption|details|summary|body|html|head"
)
_INLINE = re.compile(
    r"a|abbr|b|bdi|bdo|big|center|cite|code|del|dfn|em|font|i|img|ins|kbd|label|mark|nobr|q|ref|s"
    r"|samp|small|span|strike|strong|su[bp]|time|title|tt|u|var|wbr"
)
_LATEX = re.compile(
    r"\\(?:text(?:bf|it|sc|tt|rm|sf|sl|md|up|normal)|emph|underline|mbox|enquote|uline|url)"
    r"\{(?P<words>[^{}]{0,2000})\}|\\href\{[^{}]{0,500}\}\{(?P<link>[^{}]{0,500})\}"
    r"|\\(?:begin|end)\{[a-z*]{1,30}\}(?:\[[^\]\n]{0,40}\])?"
    r"|\\(?:part|chapter|(?:sub)*section|(?:sub)?paragraph)\*?\{(?P<heading>[^{}\n]{1,200})\}"
)
_TOKEN = re.compile(r"<\|[^|<>\n]{1,40}\|>")


def without_entities(text: str) -> str:
    """Replaces entities with the characters they stand for and removes invisible characters.

    Example:
        >>> without_entities("Hale &amp;amp; Conan O&#39;Neal")
        "Hale & Conan O'Neal"
    """
    text = _UNSEEN.sub("", text)
    for _ in range(3):  # "&amp;amp;"
        if "&" not in text:
            break
        text = _ENTITY.sub(
            lambda m: _UNSEEN.sub("", html.unescape(m[0])).replace("\xa0", " "), text
        )
    return text


def without_tags(text: str) -> str:
    r"""Removes HTML tags, pairs of other tags, and LaTeX commands.

    Block elements and ``<br>`` become line breaks, and tables become Markdown tables. Unpaired
    unknown tags are kept.

    Example:
        >>> without_tags("<p>Ann <b>Lee</b> sang.</p><bio>x</bio> <b and c>").strip("\0")
        'Ann Lee sang.\nx <b and c>'
    """
    text = _without_latex(_TOKEN.sub(GAP, text))
    if "<" not in text:
        return text
    text = _HIDDEN.sub(GAP, text)
    tags = list(_TAG.finditer(text))
    opened = {m["name"].lower() for m in tags if not m["end"]}
    pairs = opened & {m["name"].lower() for m in tags if m["end"]}
    return _TAG.sub(lambda match: _plain(match, pairs), text)


def _without_latex(text: str) -> str:
    """Replaces LaTeX commands with their words, innermost first, and "~" with a space."""
    if "\\" not in text or not _LATEX.search(text):
        return text
    text = re.sub(r"\$(\\(?:text\w{2}|emph|mbox)\{[^{}$]*\})\$", r"\1", text)
    for _ in range(4):
        text = _LATEX.sub(
            lambda m: f"\n## {m['heading']}\n" if m["heading"] else m["words"] or m["link"] or GAP,
            text,
        )
    return re.sub(r"(?<=\w)~(?=\w)", " ", text).replace("\\&", "&").replace("\\%", "%")


def _plain(match: re.Match[str], pairs: set[str]) -> str:
    name, end = match["name"].lower(), bool(match["end"])
    if name == "br":
        before = match.string[: match.start()].rstrip()[-1:]
        return "\n" if not before or before in '.!?:;,"”)' else " "
    if name in ("td", "th"):
        return " " if end else "| "
    if name == "tr":
        return "|" if end else "\n"
    if _BLOCK.fullmatch(name):
        return "\n" if match.string[match.start() - 1 : match.start()] not in ("", "\n") else ""
    return "" if _INLINE.fullmatch(name) or name in pairs else match[0]
