"""The lines of a disambiguation page: which of its links each lists, or why it lists none.

An entry is any link whose title bears the name; on a line without such a link, the link that the
line is about, where nothing before it names a relation or points elsewhere.
"""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dfactscore.ambigbio.bearers import bears, shares_word
from dfactscore.ambigbio.languages import Language
from dfactscore.ambigbio.lifespan import Lifespan, cut_lifespan
from dfactscore.ambigbio.titles import Site, normal_title
from dfactscore.text.names import name_words

__all__ = ["LONGEST_SHOWN", "Entry", "LineReader", "plain_line"]

_LINK = re.compile(r"\[\[([^\[\]|\n]+)(?:\|((?:[^\[\]\n]|\[(?!\[)|\](?!\]))*))?\]\](\w*)")
_TAGS = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>")
_POSSESSIVE = re.compile(r"^(?:''+)?['’]s\b")
_INTERWIKI = re.compile(r"\[\[:?[a-z]{2,3}(?:-[a-z-]+)?:")
_YEARS_FOLLOW = re.compile(r"(?:'{2,})?\s*\((?:[^()\d]{0,20})\d{3,4}")
_MOST_WORDS = 40
_MOST_LINKS = 100  # of a line; no line that lists people has as many
_LONGEST_LINE = 8_000
_LONGEST_DESCRIPTION = 1_000
LONGEST_SHOWN = 200
"""Characters of a dropped line that the log shows."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A link of a disambiguation page that leads to one of those it lists.

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


@dataclass(frozen=True, slots=True)
class _Link:
    start: int
    end: int
    target: str | None
    label: str


def plain_line(text: str) -> str:
    """A line of wikitext without its markup."""
    text = _LINK.sub(lambda match: (match[2] or match[1].lstrip(":")) + match[3], text)
    text = re.sub(r"'{2,}", "", _TAGS.sub("", text))
    text = html.unescape(text).replace("\u00a0", " ")
    return re.sub(r"\s+", " ", text).strip()


def _words(text: str) -> list[str]:
    """The last words of a text, hyphenated ones whole, casefolded."""
    return re.findall(r"[^\W_]+(?:[-'’][^\W_]+)*", text[-400:].casefold())[-_MOST_WORDS:]


def _has_phrase(text: str, phrases: Sequence[str]) -> bool:
    """Whether one of the phrases stands in a text, at word boundaries."""
    folded = text[-400:].casefold().rstrip(' "“(:')
    return any(
        re.search(rf"(?<!\w){re.escape(bare)}(?!\w){'$' if bare != phrase else ''}", folded)
        for phrase in phrases
        if (bare := phrase.removesuffix("$")) in folded
    )


@dataclass
class LineReader:
    """Reads the lines of one page.

    Attributes:
        name: The name that the page is about.
        title: Its title.
        site: The wiki.
        language: Language data.
        entries: What was listed so far.
        dropped: Lines that list no one, as plain text, with the reason.
    """

    name: str
    title: str
    site: Site
    language: Language
    entries: list[Entry] = field(default_factory=list)
    dropped: list[tuple[str, str]] = field(default_factory=list)

    def _links(self, line: str) -> list[_Link]:
        return [
            _Link(
                match.start(),
                match.end(),
                normal_title(match[1], self.site),
                plain_line((match[2] or match[1].lstrip(":")) + match[3]),
            )
            for match in itertools.islice(_LINK.finditer(line), _MOST_LINKS)
        ]

    def _bears(self, link: _Link) -> bool:
        return link.target is not None and (
            bears(link.target, self.name, self.language)
            or bears(link.label, self.name, self.language)
        )

    def drop(self, line: str, reason: str) -> None:
        """Notes a line that lists no one."""
        self.dropped.append((plain_line(line)[:LONGEST_SHOWN], reason))

    def _add(self, line: str, links: Sequence[_Link], *, primary: bool = False) -> None:
        """Adds entries of a line; each is described by what stands up to the next."""
        for number, link in enumerate(links):
            if link.target is None or link.target == self.title:
                self.drop(line, "it links to this page itself")
                continue
            end = links[number + 1].start if number + 1 < len(links) else len(line)
            lifespan, description = cut_lifespan(
                plain_line(line[link.end : end][:_LONGEST_DESCRIPTION]), self.language
            )
            self.entries.append(
                Entry(
                    link.target,
                    link.label or link.target,
                    description.strip(" ,;:.–—-"),
                    lifespan,
                    primary,
                )
            )

    def _is_relation(self, text: str, *, possessives: bool = True) -> bool:
        """Whether a text before a link makes the link a relation of the bearer."""
        language = self.language
        words = _words(text)
        owned = not language.possessives.isdisjoint(words)
        if owned and possessives:
            return True
        return any(
            word in language.relations
            and (
                word not in language.titles_too
                or owned
                or (place + 1 < len(words) and words[place + 1] in language.of)
            )
            for place, word in enumerate(words)
        )

    def _names_the_name(self, text: str) -> bool:
        wanted = set(name_words(self.name))
        return bool(wanted) and wanted <= set(name_words(text))

    def _before_similar(self, line: str) -> str:
        """The part of a line before "see also" and its like."""
        match = self.language.similar_within.search(line.casefold())
        return line if match is None or len(line.casefold()) != len(line) else line[: match.start()]

    def listed(self, line: str, *, bullet: bool) -> None:
        """Reads a line of a list, or of the text below the lead."""
        whole = line[:_LONGEST_LINE]
        line = self._before_similar(whole)
        links = self._links(line)
        if not links:
            if whole != line and self._links(whole):
                self.drop(whole, "its links are to similar names")
            elif bullet or "[[" in line:
                self.drop(whole, "it has no link")
            return
        borne = [link for link in links if self._bears(link)]
        chosen = self._about(line, links, borne) if bullet else None
        if isinstance(chosen, _Link) and chosen not in borne:
            borne = [chosen, *borne]
        if borne:
            self._add(line, borne)
        elif isinstance(chosen, str):
            self.drop(whole, chosen)
        elif not _INTERWIKI.match(line.lstrip()):
            self.drop(whole, "it is not a line of a list, and none of its links bears the name")

    def _about(self, line: str, links: list[_Link], borne: list[_Link]) -> _Link | str:
        """The link that a line of a list is about, or why there is none."""
        first = links[0]
        prefix, rest = plain_line(line[: first.start]), line[first.end :]
        if borne and borne[0] is not first:
            # The line may begin with a bearer by another name: "[[Jack Roe]], son of [[John Roe]]".
            alike = first.target is not None and not prefix and self._alike(first.target)
            return first if alike else "another link of the line bears the name"
        if first.target is None:
            return "it links to a section, to another namespace or to another wiki"
        if _POSSESSIVE.match(rest):
            return "its link is a possessive"
        same = _has_phrase(prefix, self.language.same_person)
        if self._is_relation(prefix, possessives=not same):
            return "a relation stands before its link"
        if same:
            return first
        if self._names_the_name(prefix):
            return "the name stands before its link, which is another's"
        subject = self._subject(line, links)
        if ("," in prefix or ";" in prefix) and not (
            shares_word(subject.target or "", self.name) and _YEARS_FOLLOW.match(line, subject.end)
        ):
            return "its link is not what the line is about"
        if subject is first and self._relation_follows(first, rest):
            return "it names a relation of who bears the name"
        return subject

    def _alike(self, title: str) -> bool:
        """Whether a title has the surname, and a given name with the same initial."""
        words, wanted = name_words(title), name_words(self.name)
        return (
            len(words) > 1
            and len(wanted) > 1
            and words[-1] == wanted[-1]
            and words[0][0] == wanted[0][0]
        )

    def _subject(self, line: str, links: list[_Link]) -> _Link:
        """Of the links before the first comma or parenthesis, the one that may bear the name.

        A rank, a sport or a place may be linked before it.
        """
        head = [links[0]]
        for before, link in itertools.pairwise(links):
            if re.search(r"[,;:()–—]| - ", plain_line(line[before.end : link.start])):
                break
            if self._is_relation(plain_line(line[before.end : link.start])):
                break
            head.append(link)
        alike = [link for link in head if link.target and shares_word(link.target, self.name)]
        labeled = [link for link in head if link.target and shares_word(link.label, self.name)]
        dated = [
            link for link in head if link.target is not None and _YEARS_FOLLOW.match(line, link.end)
        ]
        return (alike or labeled or dated or head)[0]

    def _relation_follows(self, link: _Link, rest: str) -> bool:
        """Whether a line then calls its link a relation of the bearer."""
        words = name_words(self.name)
        if len(words) < 2 or words[0] in name_words(link.target or ""):
            return False
        folded = [name_words(word) for word in _LINK.sub(" [ ", rest[:600]).split()]
        flat = [word for part in folded for word in part]
        for place, word in enumerate(flat):
            if word == words[0]:
                before = flat[max(0, place - 4) : place]
                if not self.language.relations.isdisjoint(before):
                    return True
        return False

    def lead(self, line: str) -> None:
        """Reads a line of the lead: the primary topic, or the few that the name may mean."""
        whole = line[:_LONGEST_LINE]
        line = self._before_similar(whole)
        links = self._links(line)
        if not links:
            if whole != line and self._links(whole):
                self.drop(whole, "its links are to similar names")
            return
        found = [link for link in links if self._bears(link)]
        begins = not plain_line(line[: links[0].start])
        if begins and links[0].target is not None and not _POSSESSIVE.match(line[links[0].end :]):
            found = [links[0], *(link for link in found if link is not links[0])]
        found += [link for link in self._meant(line, links) if link not in found]
        found.sort(key=lambda link: link.start)
        if found:
            self._add(line, found, primary=True)
        else:
            self.drop(whole, "no link of this line of the lead bears the name")

    def _meant(self, line: str, links: list[_Link]) -> Iterator[_Link]:
        """The links that follow "may refer to" at once, and one another after commas or "or"."""
        end = -1
        for link in links:
            between = line[max(end, 0) : link.start]
            plain = plain_line(between)
            if end < 0:
                folded = plain.casefold()
                if not any(folded.endswith(phrase) for phrase in self.language.refers):
                    continue
            elif len(re.sub(r"\([^()]*\)", "", plain)) > 12:
                return
            if link.target is not None:
                yield link
            end = link.end
