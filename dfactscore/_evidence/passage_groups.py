"""Groups passages by person: those that introduce the person, and others about the same person."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

from dfactscore._evidence.introductions import IntroducedPerson, introduced_person
from dfactscore._evidence.titles import ADDRESS
from dfactscore._text.clean_text import fold_accents
from dfactscore._text.names import may_be_one
from dfactscore._text.person_names import PersonName, mention_at
from dfactscore.retrieval import Passage

PRESENTED, OF_DOCUMENT, OVERLAPPING, CONTINUED, ALONE = KINDS = (
    "presented", "of its document", "overlapping", "continued", "alone",
)  # fmt: skip
_PIECE = re.compile(
    r"(?:#|(?<![\s_:-])[\s_:-]++(?:chunk|part|page|p)[\s_:-]*+)\w*\d\Z", re.IGNORECASE
)
_CONTENT = re.compile(r"[^\W\d_]{4,}|\d{4}")
_DAY = re.compile(r"\b\d{1,2} [A-Z][a-z]+ \d{4}\b|\b[A-Z][a-z]+ \d{1,2}, \d{4}\b")
_DAY_WEIGHT = 4  # a shared date counts as much as this many shared words
_OTHERS = re.compile(  # words before the name of a relative or another person
    r"\b(?:father|mother|parents|brother|sister|siblings|son|daughter|children|wife|husband|widow|"
    r"uncle|aunt|nephew|niece|cousin|grand\w+|of|and|by|with|to|teammate),? (?:[a-z]+ ){0,2}\Z"
)
_SHARED = 5  # minimum shared words with a person's passages; also twice as many as with any other's
_RUN = 12  # consecutive words; only parts of one document share this many
_CAPITAL = re.compile(r"(?<![\w.'’-])[^\W\d_a-z]")


@dataclass(slots=True)
class PassageGroup:
    """The passages about one person."""

    people: list[IntroducedPerson] = field(default_factory=list)
    members: list[int] = field(default_factory=list)

    def matches(self, person: IntroducedPerson) -> bool:
        """Whether a description may refer to the person the group is about."""
        return bool(self.people) and all(person.may_be(other) for other in self.people)


def passage_groups(
    passages: Sequence[Passage], unknown: Sequence[int], titled: Iterable[int], *, separate: bool
) -> tuple[list[PassageGroup], dict[int, str]]:
    """Groups passages by person."""
    by_title: dict[str, PassageGroup] = {}
    for n in titled:
        group = by_title.setdefault(passages[n].title, PassageGroup())
        group.members.append(n)
        if person := introduced_person(passages[n].text, passages[n].title):
            group.people.append(person)
    groups = list(by_title.values())
    runs = _Runs([] if separate else [_runs(passage.text) for passage in passages])
    for group in groups:
        for n in group.members:
            runs.add(n, group)
    methods: dict[int, str] = {}
    for n in unknown:
        if separate or (person := introduced_person(passages[n].text)) is None:
            continue
        match = next((group for group in groups if group.matches(person)), None)
        if match is None and (neighbor := runs.overlapping(n)) is not None:
            match = None if any(map(person.conflicts, neighbor.people)) else neighbor
        if match is None:
            groups.append(match := PassageGroup())
        match.people.append(person)
        match.members.append(n)
        runs.add(n, match)
        methods[n] = PRESENTED
    others = [n for n in unknown if n not in methods]
    _place_others(passages, others, groups, methods, runs, separate=separate)
    return groups, methods


def _place_others(
    passages: Sequence[Passage],
    others: Sequence[int],
    groups: list[PassageGroup],
    methods: dict[int, str],
    runs: _Runs,
    *,
    separate: bool,
) -> None:
    """Adds the passages that introduce no one to the groups."""
    documents = {} if separate else _documents(passages, groups)
    contents = [] if separate else _own_words(passages, groups)
    first_with: dict[str, PassageGroup] = {}  # the first group with a passage of this text
    for known in groups:
        for m in known.members:
            first_with.setdefault(passages[m].text, known)
    for n in others:
        text = passages[n].text
        if (group := documents.get(_document(passages[n]))) is not None:
            methods[n] = OF_DOCUMENT
        elif not separate and (group := runs.overlapping(n)) is not None:
            methods[n] = OVERLAPPING
        elif (group := _continued(text, contents)) is not None:
            methods[n] = CONTINUED
        else:
            methods[n], group = ALONE, first_with.get(text)
        if group is None:
            groups.append(group := PassageGroup())
        group.members.append(n)
        first_with.setdefault(text, group)
        runs.add(n, group)


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    """Returns all sequences of `_RUN` consecutive words in a text."""
    words = text.casefold().split()
    return frozenset(tuple(words[k : k + _RUN]) for k in range(len(words) - _RUN + 1))


class _Runs:
    """The word sequences of passages, with the groups that have them."""

    def __init__(self, of_passages: Sequence[frozenset[tuple[str, ...]]]) -> None:
        self._of_passages = of_passages
        self._groups: dict[tuple[str, ...], list[PassageGroup]] = {}

    def add(self, n: int, group: PassageGroup) -> None:
        """Adds a passage that has been put into a group."""
        for run in self._of_passages[n] if self._of_passages else ():
            having = self._groups.setdefault(run, [])
            if len(having) < 2 and not any(group is other for other in having):
                having.append(group)  # a third group would change nothing

    def overlapping(self, n: int) -> PassageGroup | None:
        """Returns the group that shares a word sequence with a passage; None if not unique."""
        found: PassageGroup | None = None
        for run in self._of_passages[n]:
            for group in self._groups.get(run, ()):
                if found is not None and group is not found:
                    return None
                found = group
        return found


def _own_words(
    passages: Sequence[Passage], groups: Sequence[PassageGroup]
) -> list[tuple[PassageGroup, frozenset[str]]]:
    """Returns each introduced person's group with the words, years and dates only it has."""
    described = [group for group in groups if group.people]
    contents = [
        frozenset[str]().union(*(_words(fold_accents(passages[n].text)) for n in group.members))
        for group in described
    ]
    having = Counter(chain.from_iterable(contents))
    own = (frozenset(word for word in content if having[word] == 1) for content in contents)
    return list(zip(described, own, strict=True))


def _words(text: str) -> frozenset[str]:
    """Returns the words, years and dates in a text."""
    words = (word.casefold() for word in _CONTENT.findall(text))
    return frozenset((*words, *_DAY.findall(text)))


def _continued(
    text: str, contents: Sequence[tuple[PassageGroup, frozenset[str]]]
) -> PassageGroup | None:
    """Returns the group that shares with a passage a name and words found in no other group."""
    words = _words(fold_accents(text))
    mentions = _mentions(text)
    shares = []
    for group, content in contents:
        if not _names(group, mentions):
            continue
        shared = words & content
        shares.append((sum(_DAY_WEIGHT if " " in word else 1 for word in shared), group))
    shares.sort(key=lambda share: -share[0])
    second = shares[1][0] if len(shares) > 1 else 0
    if shares and shares[0][0] >= max(_SHARED, 2 * second):
        return shares[0][1]
    return None


def _mentions(text: str) -> tuple[PersonName, ...]:
    """Returns all possible names in a text, leaving out those of relatives if possible."""
    places = [m.start() for m in _CAPITAL.finditer(text)]
    first = [p for p in places if not _OTHERS.search(text[max(0, p - 40) : p])] or places
    mentions = (mention_at(text[place : place + 80]) for place in first)
    return tuple(
        dict.fromkeys(mention.name for mention in mentions if mention and mention.name.words)
    )


def _names(group: PassageGroup, mentions: Sequence[PersonName]) -> bool:
    """Whether the first mention that shares a word with the person's names may refer to them."""
    names = [name for person in group.people for name in person.names]
    words = {word for name in names for word in name.words if len(word) > 2}
    first = next((mention for mention in mentions if not words.isdisjoint(mention.words)), None)
    return first is not None and any(may_be_one(first, name) for name in names)


def _document(passage: Passage) -> str:
    """Returns the name of the document that contains a passage; empty if it is unknown."""
    address = passage.title if ADDRESS.fullmatch(passage.title) else ""
    return _PIECE.sub("", passage.source or address).strip()


def _documents(
    passages: Sequence[Passage], groups: Sequence[PassageGroup]
) -> dict[str, PassageGroup]:
    """Returns, for each document whose passages all belong to one group, that group."""
    groups_by_document: dict[str, list[PassageGroup]] = {}
    for group in groups:
        for n in group.members:
            if (document := _document(passages[n])) and group not in groups_by_document.get(
                document, []
            ):
                groups_by_document.setdefault(document, []).append(group)
    return {
        document: owners[0] for document, owners in groups_by_document.items() if len(owners) == 1
    }
