"""Reads the entries of a disambiguation page, part by part.

Links under any variant of "See also" and under references are not entries; the other lines are read
by `_entry_lines`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from dfactscore.ambigbio._entry_lines import LONGEST_SHOWN, Entry, LineReader, plain_line
from dfactscore.ambigbio._languages import Language
from dfactscore.ambigbio._markup import (
    cut_balanced,
    cut_hidden,
    headings_of,
    template_parts,
    template_title,
)
from dfactscore.ambigbio._page_names import PageNames, names_of_page
from dfactscore.ambigbio._templates import template_text
from dfactscore.ambigbio._titles import Site

_BULLET = re.compile(r"[*#:;]*[*#][*#:;]*[ \t]*|;[ \t]*|[ \t]*<li[^<>]*>[ \t]*", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*(?:/\s*)?>", re.IGNORECASE)
# From one line break only, or a million of them would be tried from each.
_ITEM = re.compile(r"(?:^|\n)[^\S\n]*[*#]")
_ALONE = re.compile(r"(?m)^[*:]*[ \t]*\{\{([^{}\[\]]{1,200})\}\}[ \t]*$")
_KEY = re.compile(r"\A\s*[\w -]{1,30}=")
_RULE = re.compile(r"-{4,}\s*$")
_NUMBER = re.compile(r"^\s*\d{1,2}\s*=")
_SIMILAR = "it is under similar names"
_LINKED_ITEM = re.compile(r"(?:^|\n)[^\S\n]*[*#].*\[\[")


@dataclass(frozen=True, slots=True)
class PageEntries:
    """The entries parsed from a disambiguation page."""

    entries: tuple[Entry, ...]
    dropped: tuple[tuple[str, str], ...]
    # Lines that name a bearer without linking the name, each with its other links.
    unlinked: tuple[tuple[str, tuple[str, ...]], ...] = ()
    asked: tuple[str, ...] = ()
    names: PageNames = field(default_factory=lambda: PageNames("", ()))


def _pseudo_heading(line: str) -> str | None:
    """Returns the text of a line that serves as a heading but is not marked as such.

    Such lines are ``;Term``, bold or italic lines, and short lines without links that end in a
    colon.
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
    """Returns the templates that take up an entire line and are not in the language data."""
    titles = dict.fromkeys(template_title(match[1]) for match in _ALONE.finditer(text))
    return tuple(title for title in titles if title and not _is_known(title.casefold(), language))


@dataclass(frozen=True)
class _Templates:
    """Replaces a page's templates with text, expanding lists and recording unknown templates."""

    reader: LineReader
    lists: Mapping[str, str]

    def whole(self, text: str, depth: int = 0) -> str:
        """Replaces the templates in a text."""
        if depth > 4:
            return text
        return cut_balanced(text, "{{", "}}", replace=lambda inner: self._stand_in(inner, depth))

    def _stand_in(self, inner: str, depth: int) -> str:
        language = self.reader.language
        name, arguments = template_parts(inner)
        listed = name in language.list_templates
        if listed or any(map(_LINKED_ITEM.search, arguments)):
            if not listed and name in language.hatnotes:
                return ""
            return "\n" + "\n".join(self._item(part, depth + 1) for part in arguments) + "\n"
        arguments = tuple(_NUMBER.sub("", part) for part in arguments)
        values = [part for part in arguments if not _KEY.match(part)]
        if values and name in language.link_templates:
            return f"[[{values[0]}]]"
        if name == "sortname" and len(values) > 1:  # given name, surname, title
            shown = f"{values[0]} {values[1]}"
            return f"[[{''.join(values[2:3]) or shown}|{shown}]]"
        if name in language.hatnotes and "[[" in inner:
            self.reader.drop(inner, "it is in a note that lists no one")
            return ""
        if _is_known(name, language):
            return self.whole(template_text(name, values, language), depth + 1)
        linked = [_KEY.sub("", part, count=1) for part in arguments if "[[" in part]
        if linked:  # the arguments may contain links
            return self.whole(" ".join(linked), depth + 1)
        if depth == 0 and (items := self.lists.get(template_title(inner))):
            return f"\n{self.whole(items, 1)}\n"
        shown = re.sub(r"\s+", " ", inner)[:LONGEST_SHOWN]
        self.reader.dropped.append((f"{{{{{shown}}}}}", "a template, which is not expanded"))
        return ""

    def _item(self, part: str, depth: int) -> str:
        part = self.whole(re.sub(r"^\s*(?:\d{1,2}|content|list|items)\s*=\s*", "", part), depth)
        if _ITEM.search(part):
            return re.sub(r"(?m)^[ \t]+(?=[*#])", "", part)
        return f"* {part.strip()}" if "[[" in part else ""


@dataclass
class _Parts:
    """Reads the lines of a page: its lead, its lists, and the parts that do not list people."""

    reader: LineReader
    skipped: str = ""  # reason for skipping the lines of the current part; empty if they are read
    level: int = 0
    passed: bool = False
    lead: bool = True
    lead_end: int = 0

    def end_lead(self) -> None:
        """Marks the end of the lead."""
        if self.lead:
            self.lead, self.lead_end = False, len(self.reader.entries)

    def line(self, line: str) -> None:
        """Reads a line."""
        if _RULE.match(line) and self.passed:
            self.skipped, self.level = "", 0
        heading = next(headings_of(line), None)
        part = plain_line(heading.text) if heading is not None else _pseudo_heading(line)
        if heading is not None:
            self.end_lead()
        bullet = _BULLET.match(line)
        body = line[bullet.end() :] if bullet else line.strip().lstrip(":|! ")
        if part is not None:
            level, reason = heading.level if heading else 7, self._skipped_part(part)
            if reason or not self.skipped or level <= self.level:
                self.skipped, self.level = reason, level if reason else 0
                self.passed = False
        elif body.strip():
            if bullet or line[0] in ":|!":
                self.end_lead()
            if not self._is_dropped(body, bullet is not None):
                self._pieces(body, bullet is not None, line[0] == ":")

    def _is_dropped(self, body: str, bullet: bool) -> bool:
        """Whether a line is in a skipped part, begins one, or lists similar names."""
        similar = not self.skipped and self._starts_similar(body)
        if "[[" in body and (self.skipped or similar):
            self.reader.drop(body, self.skipped or "its links are to similar names")
            self.passed = True
        # "See also" in a line of the lead or of a list affects only that line.
        if similar and ("[[" not in body or not (bullet or self.lead)):
            self.skipped, self.level = _SIMILAR, 7
        return bool(self.skipped or similar)

    def _pieces(self, body: str, bullet: bool, indented: bool) -> None:
        for number, piece in enumerate(_BREAK.split(body)):
            if self.lead:
                self.reader.lead(piece)
            elif piece.strip():
                begins = re.match(r"\s*(?:'{2,}\s*)?\[\[", piece) is not None
                # Other columns of a table are about other things: only links with the name count.
                again = (bullet or indented) and begins
                self.reader.listed(piece, bullet=(bullet and number == 0) or again)

    def _starts_similar(self, body: str) -> bool:
        """Whether a line begins with "See also" or a similar phrase, before any link."""
        language = self.reader.language
        before = plain_line(body.partition("[[")[0]).casefold().lstrip("( ")
        return (
            language.similar.match(before) is not None or before.rstrip(": ") in language.see_also
        )

    def _skipped_part(self, heading: str) -> str:
        language, folded = self.reader.language, heading.casefold().rstrip(": ")
        if folded in language.see_also or language.similar.search(folded):
            return _SIMILAR
        known = language.apparatus | language.name_page_apparatus
        parts = re.split(r"(?<!\s)\s+(?:and|&|und|et|y)\s+|,\s*", folded)
        apparatus = folded in known or all(part in known for part in parts)
        return "it is under references or links" if apparatus else ""

    def entries(self) -> tuple[Entry, ...]:
        """Returns the entries, at most one of which is marked as the primary topic.

        The primary topic is the entry in the lead whose title is the name, or else the only entry
        in the lead.
        """
        self.end_lead()
        lead = self.reader.entries[: self.lead_end]
        named = [entry for entry in lead if entry.target == self.reader.name]
        chosen = named[0] if named else lead[0] if len({e.target for e in lead}) == 1 else None
        return tuple(
            entry if entry is chosen or not entry.primary else replace(entry, primary=False)
            for entry in self.reader.entries
        )


def read_entries(
    text: str,
    *,
    title: str,
    site: Site,
    language: Language,
    aliases: Iterable[str] = (),
    lists: Mapping[str, str] | None = None,
) -> PageEntries:
    r"""Reads the bearers listed on a disambiguation page, and the lines that do not list any.

    The following links are not entries: links under any variant of "See also" or under references,
    links to sections or other namespaces, and links in comments or ``nowiki``.

    Example:
        >>> from dfactscore.ambigbio._languages import language
        >>> site = Site("https://en.wikipedia.org/wiki/Main_Page", frozenset({"category"}))
        >>> page = read_entries("* [[Admiral]] [[Ann Lee (sailor)]] (1871–1936), of [[Leeds]]\n"
        ...                     "** her pupil [[Jo Dee]]", title="Ann Lee", site=site,
        ...                     language=language("en"))
        >>> [(entry.target, entry.doubtful) for entry in page.entries]
        [('Ann Lee (sailor)', False), ('Jo Dee', True)]
    """
    shown = cut_hidden(text)
    names = names_of_page(title, shown, aliases)
    reader = LineReader(names, title, site, language)
    parts = _Parts(reader)

    def keep_links(inner: str) -> str | None:
        prefix = inner.partition(":")[0].strip().casefold()
        return "" if prefix in site.files | site.categories else None

    whole = _Templates(reader, lists or {}).whole(shown)
    for line in cut_balanced(whole, "[[", "]]", replace=keep_links).split("\n"):
        parts.line(line)
    dropped, unlinked = tuple(reader.dropped), tuple(reader.unlinked)
    return PageEntries(parts.entries(), dropped, unlinked, _asked(shown, language), names)
