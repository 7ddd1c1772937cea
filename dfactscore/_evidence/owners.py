"""Whose passage is it? Titles that name no one are replaced by the person that a passage presents.

Passages of one person go together: the names may be one person's, and years, roles and
nationalities do not conflict.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from dfactscore._records import Biography, Entity
from dfactscore._text.accents import fold_accents
from dfactscore._text.lead_names import lead_names
from dfactscore._text.names import plain_name
from dfactscore._text.page_sentences import sentence_spans
from dfactscore._text.person_names import PersonName, mention_at, read_name
from dfactscore._text.same_person import may_be_one
from dfactscore._util.numbers import counted
from dfactscore.engines._builtin.group.mentions import NO_LIFE, Life, descriptors, life_years
from dfactscore.engines._builtin.language.professions import go_together, nations_differ
from dfactscore.engines._builtin.language.tokenizer import tokenize
from dfactscore.retrieval import Passage

OwnerChoice = Literal["auto", "titles", "passages"]
PRESENTED, OF_DOCUMENT, CONTINUED, ALONE = "presented", "of its document", "continued", "alone"
_KINDS = (PRESENTED, OF_DOCUMENT, CONTINUED, ALONE)

_NUMBERED = re.compile(
    r"(?:chunk|passage|doc|document|page|section|part|text|context|source|snippet|result|node|"
    r"search result|paragraph|file|item|record|entry|article|excerpt|content|split|segment|id|p|n)"
    r"[\s_#:.-]*(?:[ivx]+|\d+)(?:\s*(?:of|/)\s*\d+)?",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"|untitled|unknown|none|null|nan|n/?a|(?:passage|chunk|document|context|snippet|text)s?|"
    r"(?:no|without) (?:title|name)|[\W_]+",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"(?:https?:|www\.|file:|s3:|gs:|ftp:|doi:)\S.*|\.{0,2}[/\\]\S.*|[a-z]:\\.*|"
    r".*\.(?:pdf|txt|md|html?|json|jsonl|docx?|csv|tsv|xml|epub|rst|rtf|odt|pptx?|xlsx?|wiki)"
    r"(?:[#?: ].*)?",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(
    r"\A(?:(?=.*\d)(?:[0-9a-f]{8,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=.*[a-z])[\w-]{16,}|"
    r"[a-z]{1,5}[-_]?\d{2,}(?:[-_.:]\d+)*)|(?!(?:1\d|20)\d\d\Z)[\d.,:_-]+)",
    re.IGNORECASE,
)
_PIECE = re.compile(
    r"(?:#|(?<![\s_:-])[\s_:-]++(?:chunk|part|page|p)[\s_:-]*+)\w*\d\Z", re.IGNORECASE
)
_BRACKET = re.compile(r"[ ,]{0,3}\(((?:[^()]|\([^()]*\)){0,300})\)")
_LIFE_SAID = re.compile(r"\b(?:was born|born|died)\b[^.;]{0,60}")
_IS = re.compile(r"[^.;]{0,160}?\b(?:is|was|were|are)\b\s+(?=(?:an?|the|one)\b|[a-z])")
# A heading and the sentence after it: "Ann Lee (rower) Ann Lee (born 1971) is"
_HEADED = re.compile(
    r"\b(?P<name>[^\W\d_a-z][\w.'’-]*(?: [\w.,'’-]+){1,6}?)(?: \([^()]{1,60}\))?\s+(?=(?P=name)\b)"
)
_OPENINGS = 3  # sentences in which a passage may present its person
_CONTENT = re.compile(r"[^\W\d_]{4,}|\d{4}")
_SHARED = 3  # words that a passage must share with one person's passages, and twice the others'


@dataclass(frozen=True, slots=True)
class _Person:
    """The person that a passage presents: names, years, roles, nationalities."""

    names: tuple[PersonName, ...]
    life: Life = NO_LIFE
    roles: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    role: str = ""

    def conflicts(self, other: _Person) -> bool:
        """Whether years, roles or nationalities cannot be one person's."""
        for mine, theirs in zip(self.life[:2], other.life[:2], strict=True):
            if mine is not None and theirs is not None and mine != theirs:
                return True
        days = {self.life.birthday, other.life.birthday} - {""}
        if len(days) > 1:
            return True
        if self.agrees(other):
            return False
        if self.roles and other.roles and not go_together(self.roles, other.roles):
            return True
        return nations_differ(self.origins, other.origins)

    def agrees(self, other: _Person) -> bool:
        """Whether a year of birth or death is the same."""
        mine, theirs = self.life, other.life
        born = None not in (mine.born, theirs.born) and mine.born == theirs.born
        return born or (None not in (mine.died, theirs.died) and mine.died == theirs.died)

    def may_be(self, other: _Person) -> bool:
        """Whether both can be one person."""
        if self.conflicts(other):
            return False
        alike = [(a, b) for a in self.names for b in other.names if may_be_one(a, b)]
        if any(a.words == b.words and len(a.words) > 1 for a, b in alike):
            return True
        if self.agrees(other):
            return bool(alike)
        full = any(min(len(n.words) > 1 and len(n.words[0]) > 1 for n in pair) for pair in alike)
        return full and bool(self.roles & other.roles)


class Owners:
    """Gives each passage of biographies its owner, and counts how.

    Args:
        choice: ``"auto"`` reads passages whose titles name no one, ``"passages"`` all,
            ``"titles"`` none.
    """

    def __init__(self, choice: OwnerChoice = "auto") -> None:
        self.choice = choice
        self._kinds: Counter[str] = Counter()
        self._texts = 0
        self._passages = 0

    def __call__(self, biography: Biography) -> Biography:
        """A biography whose passages have the titles of their owners."""
        self._passages += len(biography.passages)
        found = with_owners(biography, self.choice)
        kinds = [passage.owner for passage in found.passages if passage.owner]
        self._texts += bool(kinds)
        self._kinds.update(kinds)
        return found

    def __iter__(self) -> Iterator[str]:
        """Messages for the user, line by line."""
        if self._texts:
            read = self._kinds.total()
            ways = (
                (PRESENTED, "by the person that they present"),
                (OF_DOCUMENT, "by their document"),
                (CONTINUED, "by the person whose name and words they share"),
                (ALONE, "alone"),
            )
            parts = ", ".join(
                f"{self._kinds[kind]} {how}" for kind, how in ways if self._kinds[kind]
            )
            yield (
                f"whose passage it is was read from {read} of "
                f"{counted(self._passages, 'passage')} ({parts}); --entities titles "
                "(entities='titles' in Python) takes titles as they are"
            )


def names_no_one(title: str) -> bool:
    """Whether a title names nothing: empty, a number, a file, an address, a hash, "chunk 0".

    Example:
        >>> [names_no_one(t) for t in ("chunk 0", "a/b.pdf", "", "7f3a99c01b", "https://x.org/y")]
        [True, True, True, True, True]
        >>> [names_no_one(t) for t in ("Ann Lee", "1996", "List of poets", "Page Hill", "U2")]
        [False, False, False, False, False]
    """
    plain = title.strip()
    return any(p.fullmatch(plain) for p in (_EMPTY, _NUMBERED, _ADDRESS, _IDENTIFIER))


def with_owners(biography: Biography, choice: OwnerChoice = "auto") -> Biography:
    """A biography with its owner as each passage's title; `Passage.owner` says how it is known.

    Args:
        biography: With passages in order of retrieval.
        choice: Which passages are read; see `Owners`.
    """
    passages = biography.passages
    if any(passage.owner for passage in passages):
        return biography
    unknown = [
        n
        for n, passage in enumerate(passages)
        if passage.text.strip()
        and (choice == "passages" or not passage.title or names_no_one(passage.title))
        and (choice != "titles" or not passage.title)
    ]
    if not unknown:
        return biography
    titled = {n: p for n, p in enumerate(passages) if n not in set(unknown) and p.text.strip()}
    groups, ways = _groups(passages, unknown, titled, alone=choice == "titles")
    labels = _labels(groups, passages, titled)
    owned = list(passages)
    for label, group in zip(labels, groups, strict=True):
        for n in group.members:
            if n not in titled:
                owned[n] = replace(passages[n], title=label, owner=ways[n])
    return replace(biography, passages=tuple(owned))


def owner_lines(biography: Biography) -> Iterator[str]:
    """Lines about the owner of each passage."""
    for number, passage in enumerate(biography.passages, 1):
        if passage.owner:
            yield f"{biography.id}: passage {number}: {passage.title} ({passage.owner})"


def how_found(entity: Entity) -> str:
    """How the passages of an entity were found out to be its own; empty if titles say so.

    Example:
        >>> from dfactscore._records import Document
        >>> how_found(Entity("Ann", "Ann", (Document("Ann", "Ann sang.", note="presented"),)))
        'passages: 1 presented'
    """
    notes = Counter(d.note for d in entity.documents if d.note in _KINDS)
    return f"passages: {', '.join(f'{n} {kind}' for kind, n in notes.items())}" if notes else ""


@dataclass(slots=True)
class _Group:
    """The passages of one person."""

    people: list[_Person]
    members: list[int]

    def takes(self, person: _Person) -> bool:
        return bool(self.people) and all(person.may_be(other) for other in self.people)


def _groups(
    passages: Sequence[Passage], unknown: Sequence[int], titled: Iterable[int], *, alone: bool
) -> tuple[list[_Group], dict[int, str]]:
    """The passages by person, and how each was found."""
    groups: list[_Group] = []
    by_title: dict[str, _Group] = {}
    for n in titled:
        title = passages[n].title
        if title not in by_title:
            groups.append(by_title.setdefault(title, _Group([], [])))
        by_title[title].members.append(n)
        if person := _presented(passages[n].text, title):
            by_title[title].people.append(person)
    ways: dict[int, str] = {}
    left = []
    for n in unknown:
        person = None if alone else _presented(passages[n].text)
        if person is None:
            left.append(n)
            continue
        fitting = [group for group in groups if group.takes(person)]
        if not fitting:
            groups.append(fitting_new := _Group([], []))
            fitting = [fitting_new]
        fitting[0].people.append(person)
        fitting[0].members.append(n)
        ways[n] = PRESENTED
    documents = {} if alone else _documents(passages, groups)
    texts: dict[str, _Group] = {}
    known = [] if alone else [(g, _content(passages, g.members)) for g in groups if g.people]
    for n in left:
        group = documents.get(_document(passages[n]))
        ways[n] = OF_DOCUMENT if group is not None else ALONE
        if group is None and (group := _continued(passages[n].text, known)) is not None:
            ways[n] = CONTINUED
        group = group or texts.get(passages[n].text)
        if group is None:
            groups.append(group := texts.setdefault(passages[n].text, _Group([], [])))
        group.members.append(n)
    return groups, ways


def _content(passages: Sequence[Passage], members: Iterable[int]) -> frozenset[str]:
    """The words of some passages."""
    texts = (fold_accents(passages[n].text) for n in members)
    return frozenset(word.casefold() for text in texts for word in _CONTENT.findall(text))


def _continued(text: str, known: Sequence[tuple[_Group, frozenset[str]]]) -> _Group | None:
    """Whose page a passage continues: it has a name of the person, and words of no other's."""
    words = frozenset(_CONTENT.findall(fold_accents(text)))
    folded = frozenset(word.casefold() for word in words)
    named = [
        (group, content)
        for group, content in known
        if any(
            part.capitalize() in words or part.upper() in words
            for person in group.people
            for name in person.names
            for part in name.words[1:] or name.words
        )
    ]
    shares = []
    for group, content in named:
        others = frozenset[str]().union(*(words for other, words in known if other is not group))
        shares.append((len(folded & content - others), group))
    shares.sort(key=lambda share: -share[0])
    second = shares[1][0] if len(shares) > 1 else 0
    if shares and shares[0][0] >= max(_SHARED, 2 * second):
        return shares[0][1]
    return None


def _document(passage: Passage) -> str:
    """From which document a passage was cut, or empty."""
    named = passage.title if _ADDRESS.fullmatch(passage.title) else ""
    return _PIECE.sub("", passage.source or named).strip()


def _documents(passages: Sequence[Passage], groups: Sequence[_Group]) -> dict[str, _Group]:
    """The one person that the passages of each document present."""
    found: dict[str, list[_Group]] = {}
    for group in groups:
        for n in group.members:
            if (document := _document(passages[n])) and group not in found.get(document, []):
                found.setdefault(document, []).append(group)
    return {document: named[0] for document, named in found.items() if len(named) == 1}


def _labels(
    groups: Sequence[_Group], passages: Sequence[Passage], titled: Iterable[int]
) -> list[str]:
    """A label for each group, which no other has."""
    given = set(titled)
    own = [next((passages[n].title for n in g.members if n in given), None) for g in groups]
    plain = [max((p.names[0].text for p in group.people), key=len, default="") for group in groups]
    often = Counter(
        plain_name(title) if title else name for title, name in zip(own, plain, strict=True)
    )
    taken = {title for title in own if title}
    labels = []
    for group, title, name in zip(groups, own, plain, strict=True):
        label = title or name or f"passage {group.members[0] + 1}"
        if title is None and name and often[name] > 1:
            what = next((p.role for p in group.people if p.role), "")
            born = next((p.life.born for p in group.people if p.life.born), None)
            tries = [
                what,
                f"{what}, born {born}".lstrip(", ") if born else "",
                *map(str, range(2, 999)),
            ]
            label = next(
                f"{name} ({one})" for one in tries if one and f"{name} ({one})" not in taken
            )
        taken.add(label)
        labels.append(label)
    return labels


def _presented(text: str, title: str = "") -> _Person | None:
    """The person that the first sentences of a passage present."""
    for start in _openings(text, title):
        lead = text[start : start + 600]
        names = lead_names(text[start:], title)
        if not names and (opening := mention_at(lead)) and _BRACKET.match(lead, opening.end):
            names = (opening.name,)  # "Ann Lee (born 1950), who sang, married"
        if not names:
            continue
        person = _described(lead, names)
        full = len(names[0].words) > 1
        if title or (person.roles and (full or not start)) or (full and person.life != NO_LIFE):
            return person
    return _Person((read_name(title),)) if title else None


def _openings(text: str, title: str) -> Iterator[int]:
    """Where a passage may present its person: at its first sentences."""
    if title:
        yield 0
        return
    starts = [start for start, _ in sentence_spans(text[:1200])[:_OPENINGS]]
    yield from dict.fromkeys([*(m.end() for m in _HEADED.finditer(text)), *starts])


def _described(lead: str, names: tuple[PersonName, ...]) -> _Person:
    """What the sentence with which a page begins says of its person."""
    plain = lead.lstrip("\ufeff \n\t'*\"“")
    spans = sentence_spans(plain)
    first = plain[: spans[0][1]] if spans else plain
    opening = mention_at(first)
    rest = first[opening.end :] if opening else first
    bracket = _BRACKET.search(rest[:200])  # "Ann Lee, known as A. Lee, (1845–1905) was"
    life = life_years(bracket[1]) if bracket else NO_LIFE
    after = rest[bracket.end() :] if bracket else rest
    if life == NO_LIFE and (said := _LIFE_SAID.search(after)):
        life = life_years(said[0])
    is_a = _IS.match(after)
    tokens = tokenize(after[is_a.end() :]) if is_a else []
    stop = next((k for k, t in enumerate(tokens) if t.low in _STOPS), len(tokens))
    roles, origins = descriptors(tokens, 0, stop)
    at = next((k for k, t in enumerate(tokens[:stop]) if t.low in roles), None)
    role = "" if at is None else tokens[at].low
    if at and (kind := tokens[at - 1]).text.islower() and kind.low not in _NO_KIND:
        role = f"{kind.low} {role}"  # "chess player"
    return _Person(names, life, roles, origins, role)


_NO_KIND = frozenset(
    ("a", "an", "the", "and", "or", "former", "retired", "late", "professional", "of", "also")
)
_STOPS = frozenset(("who", "which", "that", "best", "known", "for", "from", "in", "at", ";"))
