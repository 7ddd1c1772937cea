"""The entries of a disambiguation page: its parts, and the lines of each.

Links under every form of "See also" and under references are not entries; `entry_lines` reads the
rest line by line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from dfactscore.ambigbio.entry_lines import LONGEST_SHOWN, Entry, LineReader, plain_line
from dfactscore.ambigbio.languages import Language
from dfactscore.ambigbio.markup import (
    cut_balanced,
    cut_hidden,
    headings_of,
    template_parts,
    template_title,
)
from dfactscore.ambigbio.templates import template_text
from dfactscore.ambigbio.titles import Site

__all__ = ["Entry", "PageEntries", "read_entries"]

_BULLET = re.compile(r"[*#:;]*[*#][*#:;]*[ \t]*|;[ \t]*|[ \t]*<li[^<>]*>[ \t]*", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*(?:/\s*)?>", re.IGNORECASE)
# From one line break only, or a million of them would be tried from each.
_ITEM = re.compile(r"(?:^|\n)[^\S\n]*[*#]")
_ALONE = re.compile(r"(?m)^[*:]*[ \t]*\{\{([^{}\[\]]{1,200})\}\}[ \t]*$")
_KEY = re.compile(r"\A\s*[\w -]{1,30}=")
_LINKED_ITEM = re.compile(r"(?:^|\n)[^\S\n]*[*#].*\[\[")


@dataclass(frozen=True, slots=True)
class PageEntries:
    """What was read of a disambiguation page.

    Attributes:
        entries: Those it lists, in its order.
        dropped: Each line that lists no one, as plain text, with the reason.
        unlinked: Lines that name a bearer without a link, with the links they have all the same.
        asked: Templates and pages that stand in place of a list, as `template_title` gives them.
    """

    entries: tuple[Entry, ...]
    dropped: tuple[tuple[str, str], ...]
    unlinked: tuple[tuple[str, tuple[str, ...]], ...] = ()
    asked: tuple[str, ...] = ()


def _pseudo_heading(line: str) -> str | None:
    """The text of a line that stands as a heading without being one.

    ``;Term``, a line all bold or italic, and a short line without a link that a colon ends.
    """
    line = line.strip()
    if line.startswith(";") and "[[" not in line:
        return plain_line(line[1:].partition(":")[0])
    if len(line) > 200 or "[[" in line or line.startswith(("*", "#", ":")):
        return None
    plain = plain_line(line)
    quoted = re.fullmatch(r"('{2,5})[^']+(?:'[^']+)*\1:?|('{2,5})[^']+(?:'[^']+)*:\2", line)
    if not plain or not (quoted or (plain.endswith(":") and len(plain.split()) <= 6)):
        return None
    return plain.rstrip(": ")


def _is_known(name: str, language: Language) -> bool:
    marks = language.name_templates | language.dab_templates | language.hatnotes
    return name in marks or name in language.text_templates or name in language.list_templates


def _asked(text: str, language: Language) -> tuple[str, ...]:
    """The templates that stand alone on a line and that the language data do not name."""
    titles = dict.fromkeys(template_title(match[1]) for match in _ALONE.finditer(text))
    return tuple(title for title in titles if title and not _is_known(title.casefold(), language))


def _lines(text: str, reader: LineReader, lists: Mapping[str, str]) -> Iterator[str]:
    """The lines of a page, its list templates taken apart and its other templates noted."""
    language, site = reader.language, reader.site

    def whole(part: str, depth: int) -> str:
        if depth < 5:
            part = cut_balanced(part, "{{", "}}", replace=lambda inner: stand_in(inner, depth + 1))
        return part

    def stand_in(inner: str, depth: int = 0) -> str:
        name, arguments = template_parts(inner)
        listed = name in language.list_templates
        if listed or any(map(_LINKED_ITEM.search, arguments)):
            if not listed and name in language.hatnotes:
                return ""
            return "\n" + "\n".join(item(part, depth) for part in arguments) + "\n"
        arguments = tuple(re.sub(r"^\s*\d{1,2}\s*=", "", part) for part in arguments)
        values = [part for part in arguments if not _KEY.match(part)]
        if name in language.link_templates and values:
            return f"[[{values[0]}]]"
        if name == "sortname" and len(values) > 1:  # given name, surname, title
            shown = f"{values[0]} {values[1]}"
            return f"[[{values[2] if len(values) > 2 and values[2] else shown}|{shown}]]"
        if _is_known(name, language):
            return whole(template_text(name, values, language), depth)
        linked = [_KEY.sub("", part, count=1) for part in arguments if "[[" in part]
        if linked:  # whatever the template does with them
            return whole(" ".join(linked), depth)
        if depth == 0 and (found := lists.get(template_title(inner))):
            return f"\n{whole(found, 1)}\n"
        shown = re.sub(r"\s+", " ", inner)[:LONGEST_SHOWN]
        reader.dropped.append((f"{{{{{shown}}}}}", "a template, which is not expanded"))
        return ""

    def item(part: str, depth: int) -> str:
        part = re.sub(r"^\s*\d{1,2}\s*=\s*|^\s*(?:content|list|items)\s*=\s*", "", part)
        part = whole(part, depth)
        if _ITEM.search(part):
            return re.sub(r"(?m)^[ \t]+(?=[*#])", "", part)
        return f"* {part.strip()}" if "[[" in part else ""

    def keep_links(inner: str) -> str | None:
        prefix = inner.partition(":")[0].strip().casefold()
        return "" if prefix in site.files | site.categories else None

    text = cut_balanced(cut_hidden(text), "{{", "}}", replace=stand_in)
    text = cut_balanced(text, "[[", "]]", replace=keep_links)
    yield from text.split("\n")


def read_entries(
    text: str,
    *,
    title: str,
    site: Site,
    language: Language,
    lists: Mapping[str, str] | None = None,
) -> PageEntries:
    r"""The bearers that a disambiguation page lists, and the lines that list no one.

    Links under "See also" in any form, under the page's references, to sections, to other
    namespaces, in comments and in ``nowiki`` are not entries.

    Args:
        text: Wikitext of the page.
        title: Its title.
        site: The wiki.
        language: Language data.
        lists: What stands in other pages that are a part of this one, by `PageEntries.asked`.

    Example:
        >>> from dfactscore.ambigbio.languages import language
        >>> site = Site("https://en.wikipedia.org/wiki/Main_Page", frozenset({"category"}))
        >>> page = read_entries("* [[Admiral]] [[Ann Lee (sailor)]] (1871–1936), of [[Leeds]]\n"
        ...                     "** her pupil [[Jo Dee]]", title="Ann Lee", site=site,
        ...                     language=language("en"))
        >>> [(entry.target, entry.doubtful) for entry in page.entries]
        [('Ann Lee (sailor)', False), ('Jo Dee', True)]
    """
    reader = LineReader(language.name_of(title), title, site, language)
    skipped = ""  # why the lines of this part are not read
    skipped_level = 0
    in_lead = True
    lead_end = 0
    for line in _lines(text, reader, lists or {}):
        heading = next(headings_of(line), None)
        part = plain_line(heading.text) if heading is not None else _pseudo_heading(line)
        if part is not None:
            level = heading.level if heading is not None else 7
            if heading is not None or not in_lead:
                lead_end = lead_end if not in_lead else len(reader.entries)
            reason = _skipped_part(part, language)
            if heading is not None and in_lead:
                in_lead = False
            if skipped and level > skipped_level and not reason:
                continue
            skipped, skipped_level = reason, level if reason else 0
            continue
        bullet = _BULLET.match(line)
        body = line[bullet.end() :] if bullet else line.strip().lstrip(":|! ")
        if not body.strip():
            continue
        indented = line[0] in ":|!"
        if in_lead and (bullet or indented):
            in_lead, lead_end = False, len(reader.entries)
        if skipped:
            if "[[" in body:
                reader.drop(body, skipped)
            continue
        if language.similar.search(
            plain_line(body[:200]).casefold().lstrip("( ")
        ) and _starts_similar(body, language):
            if "[[" in body:
                reader.drop(body, "its links are to similar names")
            # A line of the lead, or of a list, speaks for itself only.
            if "[[" not in body or (bullet is None and not in_lead):
                skipped, skipped_level = "it stands under similar names", 7
            continue
        for number, piece in enumerate(_BREAK.split(body)):
            if not piece.strip():
                continue
            if in_lead:
                reader.lead(piece)
            else:
                begins = re.match(r"\s*(?:'{2,}\s*)?\[\[", piece) is not None
                first = bullet is not None and number == 0
                # Of a table, which has columns of other things, only links that bear the name.
                again = (bullet is not None or line[0] == ":") and begins
                reader.listed(piece, bullet=first or again)
    if in_lead:
        lead_end = len(reader.entries)
    asked = _asked(cut_hidden(text), language)
    entries = _one_primary(reader, lead_end)
    return PageEntries(entries, tuple(reader.dropped), tuple(reader.unlinked), asked)


def _starts_similar(body: str, language: Language) -> bool:
    """Whether a line itself begins with "See also" or its like, before any link."""
    before = plain_line(body.partition("[[")[0]).casefold().lstrip("( ")
    return language.similar.match(before) is not None or before.rstrip(": ") in language.see_also


def _skipped_part(heading: str, language: Language) -> str:
    folded = heading.casefold().rstrip(": ")
    if folded in language.see_also or language.similar.search(folded):
        return "it stands under similar names"
    return "it stands under references or links" if _is_apparatus(folded, language) else ""


def _is_apparatus(heading: str, language: Language) -> bool:
    known = language.apparatus | language.name_page_apparatus
    parts = re.split(r"(?<!\s)\s+(?:and|&|und|et|y)\s+|,\s*", heading)
    return heading in known or all(part in known for part in parts)


def _one_primary(reader: LineReader, lead_end: int) -> tuple[Entry, ...]:
    """The entries, of which one at most is the primary topic.

    It is the only one of the lead, or the one whose title is the name itself.
    """
    lead = reader.entries[:lead_end]
    named = [entry for entry in lead if entry.target == reader.name]
    chosen = named[0] if named else lead[0] if len({e.target for e in lead}) == 1 else None
    return tuple(
        entry if entry is chosen or not entry.primary else replace(entry, primary=False)
        for entry in reader.entries
    )
