"""Selects the links listed on a disambiguation page, or records why a line lists none.

Every link whose title bears the name is an entry. On a line without such a link, the entry is the
link that is introduced as another name of the bearer. Failing that, it is the line's subject, if
that has the name's surname and a form of its given name. All other links are doubtful: they are
entries only if the article itself gives its subject the name.
"""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from dfactscore._text.clean_text import fold_accents
from dfactscore._text.names import name_words
from dfactscore._text.person_names import TITLES
from dfactscore.ambigbio._bearers import alike, bears, shares_word
from dfactscore.ambigbio._languages import Language
from dfactscore.ambigbio._lifespan import Lifespan, cut_lifespan, has_years
from dfactscore.ambigbio._page_names import PageNames, scripts_in
from dfactscore.ambigbio._titles import Site, normal_title

_LINK = re.compile(r"\[\[([^\[\]|\n]+)(?:\|((?:[^\[\]\n]|\[(?!\[)|\](?!\]))*))?\]\](\w*)")
_TAGS = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>")
_POSSESSIVE = re.compile(r"^(?:''+)?['’]s\b")
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]{1,40})[\"”“»]")
_INTERWIKI = re.compile(r"\[\[:?[a-z]{2,3}(?:-[a-z-]+)?:")
_YEARS_FOLLOW = re.compile(r"(?:'{2,})?\s*\((?:[^()\d]{0,20})\d{3,4}")
_MOST_WORDS = 40
_MOST_ASKED = 6  # maximum number of doubtful links per line
_MOST_LINKS = 100  # maximum number of links per line; lines that list people have fewer
_LONGEST_LINE = 8_000
_LONGEST_DESCRIPTION = 1_000
LONGEST_SHOWN = 200
"""Longest part of a dropped line in the log."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A link from a disambiguation page to a page that is listed there."""

    target: str  # title of the article as given in the link; may be a redirect or a missing page
    label: str
    description: str  # rest of the line, excluding birth and death years
    lifespan: Lifespan
    primary: bool = False
    # Whether the entry counts only if the article itself gives its subject the name.
    doubtful: bool = False
    # Whether parentheses contain years that could not be read as birth and death years.
    unread_years: bool = False


@dataclass(frozen=True, slots=True)
class _Link:
    start: int
    end: int
    target: str | None
    label: str


def plain_line(text: str) -> str:
    """Removes the markup from a line of wikitext."""
    text = _LINK.sub(lambda match: (match[2] or match[1].lstrip(":")) + match[3], text)
    text = re.sub(r"'{2,}", "", _TAGS.sub("", text))
    text = html.unescape(text).replace("\u00a0", " ")
    return re.sub(r"\s+", " ", text).strip()


def _words(text: str) -> list[str]:
    """Returns the last words of a text, casefolded and without splitting hyphenated words."""
    return re.findall(r"[^\W_]+(?:[-'’][^\W_]+)*", text[-400:].casefold())[-_MOST_WORDS:]


@cache
def _folded(phrases: tuple[str, ...]) -> tuple[str, ...]:
    """Returns phrases without accents, as the words of names are."""
    return tuple(map(fold_accents, phrases))


def _phrase_end(text: str, phrases: Sequence[str]) -> tuple[int, int] | None:
    """Returns the position of the last of the phrases in a text, at word boundaries."""
    folded = text[-400:].casefold().rstrip(' "“(:')
    matches = [
        (match.start(), match.end())
        for phrase in phrases
        if (bare := phrase.removesuffix("$")) in folded
        for match in re.finditer(
            rf"(?<!\w)(?<!such ){re.escape(bare)}(?!\w){'$' if bare != phrase else ''}", folded
        )
    ]
    shift = max(len(text) - 400, 0)
    return max(((a + shift, b + shift) for a, b in matches), key=lambda at: at[1], default=None)


@dataclass
class LineReader:
    """Reads the lines of a single page."""

    names: PageNames
    title: str
    site: Site  # wiki's addresses and namespaces
    language: Language
    entries: list[Entry] = field(default_factory=list)
    dropped: list[tuple[str, str]] = field(default_factory=list)
    unlinked: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name that the page is about."""
        return self.names.name

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
        return link.target is not None and any(
            bears(text, form, self.language)
            for form in self.names.forms
            for text in (link.target, link.label)
        )

    def _alike(self, link: _Link) -> bool:
        """Whether a link's title is like the name, or its label is a part with the given name."""
        label, name = name_words(link.label), name_words(self.name)
        part = name[:1] == label[:1] and set(label) <= set(name)
        title = link.target or ""
        return part or any(alike(title, form, self.language) for form in self.names.forms)

    def drop(self, line: str, reason: str) -> None:
        """Records a line that does not list a person."""
        self.dropped.append((plain_line(line)[:LONGEST_SHOWN], reason))

    def _add(
        self,
        line: str,
        links: Sequence[_Link],
        *,
        primary: bool = False,
        doubtful: Collection[_Link] = (),
    ) -> None:
        """Adds the entries on a line; each is described by the text up to the next link."""
        for number, link in enumerate(links):
            if link.target is None or link.target == self.title:
                self.drop(line, "it links to this page itself")
                continue
            end = links[number + 1].start if number + 1 < len(links) else len(line)
            text = line[link.end : end][:_LONGEST_DESCRIPTION]
            lifespan, description = cut_lifespan(
                plain_line(text),
                self.language,
                name=f"{link.label} {self.name}",
                until=len(plain_line(text.partition("[[")[0])),
            )
            self.entries.append(
                Entry(
                    link.target,
                    link.label or link.target,
                    description.strip(" ,;:.–—-"),
                    lifespan,
                    primary,
                    link in doubtful,
                    lifespan == Lifespan() and has_years(description, self.language),
                )
            )

    def _names_the_name(self, text: str) -> bool:
        wanted = set(name_words(self.name))
        return bool(wanted) and wanted <= set(name_words(text))

    def _before_similar(self, line: str) -> str:
        """Cuts off a line before "see also" and similar phrases."""
        match = self.language.similar_within.search(line.casefold())
        return line if match is None or len(line.casefold()) != len(line) else line[: match.start()]

    def listed(self, line: str, *, bullet: bool) -> None:
        """Reads a line from a list or from the text below the lead."""
        whole = line[:_LONGEST_LINE]
        line = self._before_similar(whole)
        links = self._links(line)
        if not links:
            if whole != line and self._links(whole):
                self.drop(whole, "its links are to similar names")
            elif bullet or "[[" in line:
                self.drop(whole, "it has no link")
                self._note_unlinked(whole, whole, ())
            return
        borne = [link for link in links if self._bears(link)]
        if borne:
            # The line may begin with a bearer by another name: "[[Jack Roe]], son of [[John Roe]]".
            first = links[0]
            begins = first is not borne[0] and not plain_line(line[: first.start])
            surname = name_words(first.target or "")[-1:] == name_words(self.name)[-1:]
            if bullet and begins and surname and not _POSSESSIVE.match(line[first.end :]):
                sure = self._alike(first)
                self._add(line, [first, *borne], doubtful=() if sure else (first,))
            else:
                self._add(line, borne)
        elif bullet:
            self._about(line, whole, links)
        elif not _INTERWIKI.match(line.lstrip()):
            self.drop(whole, "it is not a line of a list, and none of its links bears the name")

    def _about(self, line: str, whole: str, links: list[_Link]) -> None:
        """Reads a list line on which no link bears the name."""
        same = self._other_names(line, links) or self._nicknamed(line, links)
        if same:
            return self._add(line, same)
        subject = self._subject(line, links)
        if subject is not None:
            return self._add(line, [subject])
        doubtful = [
            link
            for link in links
            if link.target is not None and not _POSSESSIVE.match(line[link.end :])
        ]
        self._note_unlinked(whole, line[: links[0].start], doubtful)
        if doubtful:
            asked = doubtful[:_MOST_ASKED]
            return self._add(line, asked, doubtful=asked)
        reason = "its link is a possessive"
        if all(link.target is None for link in links):
            reason = "it links to a section, to another namespace or to another wiki"
        return self.drop(whole, reason)

    def _note_unlinked(self, whole: str, before: str, links: Sequence[_Link]) -> None:
        """Records a line that begins with the name if the name is not part of a link."""
        start = plain_line(before)[: len(self.name) + 25]
        if self._names_the_name(start) and not self._owned(start):
            targets = tuple(link.target for link in links if link.target is not None)
            self.unlinked.append((plain_line(whole)[:LONGEST_SHOWN], targets))

    def _other_names(self, line: str, links: list[_Link]) -> list[_Link]:
        """Returns the link introduced as another name of the bearer, and adjacent links.

        In "pen name of [[Wales|Welsh]] [[poet]] [[Dolly Moon]]", for example, the articles decide
        which link is a person.
        """
        same: list[_Link] = []
        for link in links:
            if same:
                between = plain_line(line[same[-1].end : link.start])
                if re.search(r"[,;()–—]", between) or len(_words(between)) > 3:
                    break
                words = _words(between)
                others = self.language.of | self.language.head_ends | {"and", "&"}
                if words != ["and"] and not others.isdisjoint(words):
                    break  # "of Ann Roe and of Bob Dee", but "of Ann Roe and Bob Dee"
            elif not self._is_the_same(line, link):
                continue
            same.append(link)
        return [link for link in same if link.target is not None]

    def _nicknamed(self, line: str, links: list[_Link]) -> list[_Link]:
        """Returns the first link if the line gives the name as a nickname or in another script.

        For example, "[[Harold Roe]], pitcher nicknamed "Dutch"" is an entry for "Dutch Roe".
        """
        target = links[0].target
        if target is None or plain_line(line[: links[0].start]).strip('*"“ '):
            return []
        if not self.names.scripts.isdisjoint(scripts_in(line)):
            return links[:1]
        quoted = {word for text in _QUOTED.findall(line) for word in name_words(text)}
        missing = set(name_words(self.name)).difference(name_words(target))
        given = bool(missing) and missing <= quoted
        return links[:1] if given and shares_word(target, self.name) else []

    def _is_the_same(self, line: str, link: _Link) -> bool:
        """Whether the line introduces the link as another name of the bearer."""
        language = self.language
        before, rest = plain_line(line[: link.start]), plain_line(line[link.end :])
        if before.endswith("(") and name_words(before) == name_words(self.name):
            return True
        inside = re.match(r"\(([^()]*)", rest)
        if inside and self._names_the_name(inside[1]) and not self._owned(inside[1]):
            return True
        words = name_words(re.sub(r"[()]", " ", rest[:200]))
        if self._introduced(words) or self._completed(link, words):
            return True  # "[[Tom Moss]], alias Tom Roe", "[[Ada Moss]], later Mrs Roe"
        phrase = _phrase_end(before, language.same_person)
        if phrase is None:
            return False
        start, end = phrase
        between = _words(before[end:])
        joined = bool(between) and between[-1] in language.of and len(between) > 1
        if joined or not language.possessives.isdisjoint(between):
            return False  # "pen name of the mother of", "stage name of his wife"
        return shares_word(before[:start], self.name) or len(_words(before[:start])) < 2

    def _introduced(self, words: Sequence[str]) -> bool:
        """Whether the words after a link introduce a form of the name as another name."""
        for form in self.names.forms:
            name = name_words(form)
            at = next((n for n in range(len(words)) if words[n : n + len(name)] == name), 0)
            while at and words[at - 1] in TITLES:
                at -= 1
            if self._is_introduction(words[:at]):
                return True
        return False

    def _is_introduction(self, words: Sequence[str]) -> bool:
        """Whether words end in a phrase such as "alias", "whose real name was", "later"."""
        language, end = self.language, len(words)
        while end > 1 and words[end - 1] in language.copulas | language.of:
            end -= 1
        joint = " ".join("0000" if re.fullmatch(r"\d{4}", word) else word for word in words[:end])
        phrase = _phrase_end(joint, _folded((*language.same_person, *language.renamed)))
        owned = phrase is not None and joint[: phrase[0]].endswith("'s ")  # "whose mother's name"
        return phrase is not None and phrase[1] == len(joint) and not owned

    def _completed(self, link: _Link, words: Sequence[str]) -> bool:
        """Whether the words after a link give its subject the missing half of the name.

        For example, "[[Ada Moss]], later Mrs Roe" and "[[Ann Roe]], called Ada" bear "Ada Roe".
        """
        shown, wanted = name_words(link.target or ""), name_words(self.name)
        missing = [word for word in wanted if word not in shown]
        if len(missing) != 1 or len(wanted) < 2 or missing[0] not in words:
            return False
        married = missing[0] == wanted[-1]
        if (shown[0] != wanted[0]) if married else (shown[-1] != wanted[-1]):
            return False
        at = start = words.index(missing[0])
        while start and words[start - 1] in TITLES:
            start -= 1
        language, before = self.language, words[:start]
        related = language.of | language.possessives | language.head_ends | {"and"}
        if not related.isdisjoint(before[-1:]):
            return False  # "friend of Mrs Roe"
        return (married and start < at) or self._is_introduction(before)

    def _owned(self, text: str) -> bool:
        """Whether a text relates the name to another person, as in "wife of Ann" or "his Ann"."""
        before = itertools.takewhile(lambda w: w != name_words(self.name)[0], name_words(text))
        return not (self.language.possessives | self.language.of).isdisjoint(before)

    def _subject(self, line: str, links: list[_Link]) -> _Link | None:
        """Returns the link that is the line's subject, if its title is like the name.

        Any preceding links to ranks, sports and places are ignored.
        """
        for link in links:
            before = plain_line(line[: link.start])
            if re.search(r"[;:()–—]| - ", before) or ("," in before and link is not links[0]):
                return None
            if link.target is None or not self._alike(link):
                continue
            words, rest = _words(before), plain_line(line[link.end :])
            after = _words(re.sub(r"^\s*\([^()]*\)", "", rest[:600]))
            if (
                _POSSESSIVE.match(line[link.end :])
                or not self.language.possessives.isdisjoint((*words, *after[:2]))
                or not (self.language.of | self.language.head_ends).isdisjoint(words[-1:])
                or ("," in before and not _YEARS_FOLLOW.match(line, link.end))
                or self._names_the_name(before)
            ):
                return None
            return link
        return None

    def lead(self, line: str) -> None:
        """Reads a line of the lead, which gives the primary topic or the meanings of the name."""
        whole = line[:_LONGEST_LINE]
        line = self._before_similar(whole)
        links = self._links(line)
        if not links:
            if whole != line and self._links(whole):
                self.drop(whole, "its links are to similar names")
            return
        begins = not plain_line(line[: links[0].start])
        begins = begins and not _POSSESSIVE.match(line[links[0].end :])
        meant = [*self._meant(line, links), *self._other_names(line, links)]
        listed = [
            link
            for number, link in enumerate(links)
            if self._bears(link) or link in meant or (begins and not number and self._alike(link))
        ]
        if listed:
            self._add(line, listed, primary=True)
        elif begins and links[0].target is not None:
            self._add(line, links[:1], primary=True, doubtful=links[:1])
        else:
            self.drop(whole, "no link of this line of the lead bears the name")

    def _meant(self, line: str, links: list[_Link]) -> Iterator[_Link]:
        """Yields the links that directly follow "may refer to", separated by commas or "or"."""
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
