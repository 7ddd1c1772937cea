"""Removes markup from an answer: links, tags and tables."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from itertools import zip_longest

GAP = "\x00"  # occurs in no text, because `clean` replaces it
_EMPTY = re.compile(r"(?<![^\S\n])[^\S\n]*+[(\[（][\s,;:.·|\x00-]*\x00[\s,;:.·|\x00-]*[)\]）]")
_LEFT_LINE = re.compile(
    r"(?:^|\n)[^\S\n]*+[-*•>|#\d.)\]:\s\x00]{0,12}?\x00[-*•>|,;.\s\x00]*?(?=\n|\Z)"
)
_LABEL_LINE = re.compile(
    r"(?:^|\n)[^\S\n]*+(?:[-*•][^\S\n]++)?[*_]{0,2}[A-Z][\w' ]{1,30}:[*_]{0,2}"
    r"[^\S\n]*+\x00[\s.\x00]*?(?=\n|\Z)"
)
_GAP = re.compile(r"(?<![^\S\n])[^\S\n]*+(?:\x00[^\S\n]*+)+")
_CLOSING = ".,;:!?)]}’”"


def close_gaps(text: str) -> str:
    r"""Removes gaps, along with the brackets and spaces left around them.

    A line that contains nothing else is also removed.

    Example:
        >>> close_gaps("He swam (\x00). He won \x00.\n- \x00\nHe died.")
        'He swam. He won.\nHe died.'
    """
    if GAP not in text:
        return text
    previous = None
    while previous != text:
        previous = text
        text = _EMPTY.sub(GAP, text)
    for line in (_LABEL_LINE, _LEFT_LINE):
        text = line.sub(lambda m: "\n" if m[0].count("\n") > 1 else "", text)
    return _GAP.sub(_closed, text).replace(GAP, "")


def _closed(match: re.Match[str]) -> str:
    text, start, end = match.string, match.start(), match.end()
    before, after = text[start - 1 : start], text[end : end + 1]
    if not before or before == "\n" or not after or after == "\n" or after in _CLOSING:
        return ""
    blank = len(match[0]) > match[0].count(GAP)
    return " " if blank or (before in ".!?" and after.isupper()) else ""


_PLAIN_URL = (
    r"(?:https?://|ftp://|www\.)(?:[^\s<>\"“”\[\]{}|()\x00]|\([^\s()<>\x00]*\))+"
    r"(?<![.,;:!?'’…*_`])"
)
_TARGET = (
    r"\(\s*<?(?:[a-z][a-z0-9+.-]{1,12}:|/|\#|\.{1,2}/|www\.|[\w-]{1,60}\.[a-z]{2,})"
    r"(?:[^()\s<>]|\([^()\s<>]*\))*>?(?:\s+(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'))?\s*\)"
)
_LINK = rf"\[(?:[^\[\]\n]|\[[^\[\]\n]*\]){{0,300}}\]{_TARGET}"
_WORDS = re.compile(rf"(?<!!)\[(?P<words>(?:[^\[\]\n]|\[[^\[\]\n]*\]){{0,300}})\]{_TARGET}", re.I)
_IMAGE = re.compile(rf"!\[[^\]\n]{{0,300}}\](?:{_TARGET}|\[[^\]\n]{{0,60}}\])", re.I)
_BEFORE = r"(?:(?:see|sources?|via|from|url|links?|available\s+at|read\s+more|cf\.?)\s*:?\s*)?"
_SOURCES = re.compile(
    rf"(?<!\])(?<![^\S\n])[^\S\n]*+[(\[（]\s*{_BEFORE}(?:{_LINK}|<?{_PLAIN_URL}>?)(?:[\s,;|·]*(?:and\s+|&\s*)?"
    rf"(?:{_LINK}|<?{_PLAIN_URL}>?))*(?:[,;]?\s*(?:accessed|retrieved)[^)\]\n]{{0,40}})?\s*[)\]）]",
    re.I,
)
# A sentence that only refers to a source: "For more, see https://…"
_POINTER = re.compile(
    r"(?:(?<=[.!?\]”\"])[^\S\n]++|^[^\S\n]*+)[-*•(]?[^\S\n]*+(?:for\s+(?:more|further)|see|visit"
    r"|read\s+more"
    r"|learn\s+more|find\s+out\s+more|more\s+(?:information|details|about)|sources?|links?|url"
    r"|website"
    r"|official\s+(?:web)?site|available\s+at|retrieved\s+from|you\s+can\s+(?:read|find|learn"
    r"|visit))\b"
    rf"[^.!?\n\x00]{{0,120}}?{_PLAIN_URL}[^.!?\n]{{0,80}}[.!?)]*(?=\s|$)",
    re.I | re.M,
)
_BARE = re.compile(
    rf"(?<![^\S\n])(?:[^\S\n]++(?:at|on|via|from|in)(?=[^\S\n]))?+[^\S\n]*+[<*_`]{{0,2}}{_PLAIN_URL}[>*_`]{{0,2}}",
    re.I,
)
_TARGETS = re.compile(
    r"^[^\S\n]*+\[(?P<id>[^\]\n^]{1,40})\]:[^\S\n]*+<?(?P<target>[^\s<>()]+://[^\s<>()]+|/[^\s<>()]+)",
    re.M,
)
_BY_ID = re.compile(r"(?<!\])\[(?P<words>[^\[\]\n]*[^\W\d][^\[\]\n]*)\]\[(?P<id>[^\[\]\n]{1,40})\]")
_NO_WORDS = re.compile(
    r"\W*(?:(?:https?://|www\.)\S*|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|io|co|uk|de|info"
    r"|tv|ai|eu"
    r"|[a-z]{2})(?:/\S*)?|sources?|links?|refs?|references?|citations?|here|read\s+more|wikipedia"
    r"|website|\+?\d{0,3}|\u2197)\W*",
    re.I,
)
_CLOSES = re.compile(r"(?:^|[.!?:][\"”’)]?)\s*$")


def with_targets(text: str) -> str:
    r"""Turns reference links into inline links.

    Example:
        >>> with_targets("He studied at [Slade][s].\n\n[s]: https://s.org").split("\n")[0]
        'He studied at [Slade](https://s.org).'
    """
    if "]:" not in text:
        return text
    targets = {m["id"].casefold(): m["target"] for m in _TARGETS.finditer(text)}
    if not targets:
        return text

    def linked(match: re.Match[str]) -> str:
        target = targets.get(match["id"].casefold())
        return match[0] if target is None else f"[{match['words']}]({target})"

    return _BY_ID.sub(linked, text)


def without_links(text: str) -> str:
    """Replaces links with their text and removes URLs and images.

    A link in brackets, a link whose text is a domain or a number, and a link after the end of a
    sentence only name a source. Such links are removed together with their text.

    Example:
        >>> from dfactscore._text.answer_markup import close_gaps
        >>> close_gaps(without_links("He studied at [Slade](https://a.org) ([b.org](https://b.org))."))
        'He studied at Slade.'
        >>> close_gaps(without_links("He swam https://a.org/x_(y). See https://b.org for more."))
        'He swam.'
    """
    if "](" in text or "![" in text:
        text = _IMAGE.sub(GAP, text)
    if "](" not in text and "://" not in text and "www." not in text.lower():
        return text
    text = _SOURCES.sub(GAP, text)
    text = _WORDS.sub(_words, text)
    text = _POINTER.sub(GAP, text)
    return _BARE.sub(GAP, text)


def _words(match: re.Match[str]) -> str:
    words = match["words"].strip()
    if _NO_WORDS.fullmatch(words):
        return GAP
    after = match.string[match.end() : match.end() + 1]
    before = match.string[max(0, match.start() - 20) : match.start()]
    ends_line = after in ("", "\n") and _CLOSES.search(before) and "\n" not in before[-1:]
    return GAP if ends_line and before.strip() else words


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


# Emoji at the ends of a line and the ranges that they lie in
_PICTURE = (
    "(?:[\U0001f000-\U0001faff\u2300-\u23ff\u25a0-\u27bf\u2b00-\u2bff]"
    "[\ufe0f\u200d\u20e3\U0001f3fb-\U0001f3ff]*)"
)
_PICTURED = re.compile(
    rf"^(?P<mark>[^\S\n]*+(?:\#{{1,6}}\s+|[-*+•]\s+|\d+[.)]\s+)?(?:\*\*)?){_PICTURE}+[^\S\n]*+|(?<![^\S\n])[^\S\n]*+{_PICTURE}+[^\S\n]*+$",
    re.MULTILINE,
)
_KEYCAP = re.compile("(\\d)\ufe0f?\u20e3[^\\S\n]*")


def without_pictures(text: str) -> str:
    """Removes emoji at the ends of lines, and makes an item of each line that began with one.

    Example:
        >>> without_pictures("🎭 Ann Lee sang. 😊")
        '- Ann Lee sang.'
    """
    if text.isascii():
        return text
    text = _KEYCAP.sub(r"\1. ", text)
    return _PICTURED.sub(
        lambda m: m["mark"] or "- " if m["mark"] is not None and m.end() < len(text) else "", text
    )


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
    if len(name) == 2 and name[0] == "h" and name[1].isdigit():
        return "\n" if end else "\n## "
    if _BLOCK.fullmatch(name):
        return "\n" if match.string[match.start() - 1 : match.start()] not in ("", "\n") else ""
    return "" if _INLINE.fullmatch(name) or name in pairs else match[0]


_RULE = re.compile(
    r"[^\S\n]*+\|?[^\S\n]*+:?-+:?[^\S\n]*+(?:\|[^\S\n]*+:?-+:?[^\S\n]*+)*\|?[^\S\n]*+"
)
_ROW = re.compile(r"(?<![^\S\n])[^\S\n]*+\|.*\|[^\S\n]*+")
_BARE_ROW = re.compile(r"(?<![^|\n])[^|\n]*+\|[^\n]*+")
_GENERIC = re.compile(
    r"\W*(?:field|attribute|property|category|detail|item|key|label|aspect|information|info|fact"
    r"|about|name of field|)s?\W*",
    re.IGNORECASE,
)
# A header without a table
_HEADER = re.compile(
    r"\s*\|\s*(?:field|attribute|property|category|detail|item|key|label|aspect|name)s?\s*\|"
    r"\s*(?:value|information|info|description|detail|answer|data|fact)s?\s*\|\s*",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"\W*(?:full\s+|birth\s+)?(?:name|person|subject|who|individual)\W*", re.IGNORECASE
)


def without_tables(text: str, name: str = "") -> str:
    r"""Converts Markdown tables to lists with one line per cell, each preceded by its label.

    In a table with two columns, the first column contains the labels and the second the values; in
    a wider table, each row is about one person or thing. A row that contains only the person's name
    is removed.

    Example:
        >>> print(without_tables("| Field | Value |\n|---|---|\n| Born | 1951 |"))
        - Born: 1951
        >>> without_tables("| Who | Born |\n|---|---|\n| Al | 1951 |\n| Bo | 1960 |").split("\n")
        ['- Who: Born', '- Al: 1951', '- Bo: 1960']
    """
    if "|" not in text:
        return text
    lines = text.split("\n")
    output: list[str] = []
    place = 0
    while place < len(lines):
        end = _end(lines, place)
        if end - place > 1:
            output += _listed(lines[place:end], name)
            place = end
        elif _HEADER.fullmatch(lines[place]):
            place += 1
        else:
            output.append(lines[place])
            place += 1
    return "\n".join(output)


def _end(lines: Sequence[str], start: int) -> int:
    """Returns the index after the table that begins at a line, or the line's index if none does."""
    ruled = start + 1 < len(lines) and "|" in lines[start] and _is_rule(lines[start + 1])
    row = _BARE_ROW if ruled else _ROW
    end = start
    while end < len(lines) and (
        row.fullmatch(lines[end]) or (_is_rule(lines[end]) and end > start)
    ):
        end += 1
    return end


def _is_rule(line: str) -> bool:
    return "|" in line and _RULE.fullmatch(line) is not None


def _listed(lines: Sequence[str], name: str) -> list[str]:
    rows = [_cells(line) for line in lines if not _is_rule(line)]
    if not rows:
        return list(lines)
    width = max(map(len, rows))
    ruled = _is_rule(lines[1])
    if width <= 2:
        if ruled and _GENERIC.fullmatch(rows[0][0]):
            rows = rows[1:]
        return [
            f"- {row[0]}: {row[-1]}" for row in rows if len(row) == 2 and not _is_name(row, name)
        ]
    if not ruled:
        return ["- " + "; ".join(filter(None, row)) for row in rows]
    if name and all(name.casefold() in cell.casefold() for cell in rows[0][1:]):
        rows = [list(column) for column in zip_longest(*rows, fillvalue="")]  # a column per person
    labels = rows[0]
    output: list[str] = []
    for number, row in enumerate(rows[1:], 1):
        pairs = [(a, b) for a, b in zip(labels, row, strict=False) if b]
        subject = next((i for i, (label, _) in enumerate(pairs) if _NAME.fullmatch(label)), 0)
        output.append(f"{number}. {pairs[subject][1]}" if pairs else "")
        output += [f"   - {a}: {b}" for i, (a, b) in enumerate(pairs) if i != subject]
    return output


def _cells(line: str) -> list[str]:
    return [cell.strip(" \t*_") for cell in line.strip().strip("|").split("|")]


def _is_name(row: Sequence[str], name: str) -> bool:
    return _NAME.fullmatch(row[0]) is not None and row[1].casefold() == name.casefold()
