"""Passages by person: those that present one, and those that belong to one of these."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from dfactscore._evidence.presented import PresentedPerson, presented
from dfactscore._evidence.titles import ADDRESS
from dfactscore._text.accents import fold_accents
from dfactscore._text.person_names import PersonName, mention_at
from dfactscore._text.same_person import may_be_one
from dfactscore.retrieval import Passage

PRESENTED, OF_DOCUMENT, OVERLAPPING, CONTINUED, ALONE = KINDS = (
    "presented", "of its document", "overlapping", "continued", "alone",
)  # fmt: skip
_PIECE = re.compile(
    r"(?:#|(?<![\s_:-])[\s_:-]++(?:chunk|part|page|p)[\s_:-]*+)\w*\d\Z", re.IGNORECASE
)
_CONTENT = re.compile(r"[^\W\d_]{4,}|\d{4}")
_DAY = re.compile(r"\b\d{1,2} [A-Z][a-z]+ \d{4}\b|\b[A-Z][a-z]+ \d{1,2}, \d{4}\b")
_WORTH = 4  # words, of a day that two passages share
_OTHERS = re.compile(  # a relative, or someone beside the person
    r"\b(?:father|mother|parents|brother|sister|siblings|son|daughter|children|wife|husband|widow|"
    r"uncle|aunt|nephew|niece|cousin|grand\w+|of|and|by|with|to|teammate),? (?:[a-z]+ ){0,2}\Z"
)
_SHARED = 5  # words that a passage must share with one person's passages, and twice the others'
_RUN = 12  # words in a row that only pieces of one document share
_CAPITAL = re.compile(r"(?<![\w.'’-])[^\W\d_a-z]")


@dataclass(slots=True)
class PassageGroup:
    """The passages of one person.

    Attributes:
        people: The description of the person in each passage that presents them.
        members: Places of the passages.
    """

    people: list[PresentedPerson] = field(default_factory=list)
    members: list[int] = field(default_factory=list)

    def takes(self, person: PresentedPerson) -> bool:
        """Whether a person may be the one of the group."""
        return bool(self.people) and all(person.may_be(other) for other in self.people)


def passage_groups(
    passages: Sequence[Passage], unknown: Sequence[int], titled: Iterable[int], *, alone: bool
) -> tuple[list[PassageGroup], dict[int, str]]:
    """The passages by person, and how each was found.

    Args:
        passages: In order of retrieval.
        unknown: Places of those whose titles name no one.
        titled: Places of the others.
        alone: Whether each unknown passage is a group of its own, unless its text is another's.
    """
    by_title: dict[str, PassageGroup] = {}
    for n in titled:
        group = by_title.setdefault(passages[n].title, PassageGroup())
        group.members.append(n)
        if person := presented(passages[n].text, passages[n].title):
            group.people.append(person)
    groups = list(by_title.values())
    runs = [] if alone else [_runs(passage.text) for passage in passages]
    ways: dict[int, str] = {}
    for n in unknown:
        if alone or (person := presented(passages[n].text)) is None:
            continue
        found = next((group for group in groups if group.takes(person)), None)
        if found is None and (near := _overlapping(n, groups, runs)) is not None:
            found = None if any(map(person.conflicts, near.people)) else near
        if found is None:
            groups.append(found := PassageGroup())
        found.people.append(person)
        found.members.append(n)
        ways[n] = PRESENTED
    others = [n for n in unknown if n not in ways]
    _place_others(passages, others, groups, ways, runs, alone=alone)
    return groups, ways


def _place_others(
    passages: Sequence[Passage],
    others: Sequence[int],
    groups: list[PassageGroup],
    ways: dict[int, str],
    runs: Sequence[frozenset[tuple[str, ...]]],
    *,
    alone: bool,
) -> None:
    """Adds passages that present no one to the groups."""
    documents = {} if alone else _documents(passages, groups)
    known = [] if alone else [(g, _content(passages, g.members)) for g in groups if g.people]
    for n in others:
        text = passages[n].text
        same = (g for g in groups if any(passages[m].text == text for m in g.members))
        if (group := documents.get(_document(passages[n]))) is not None:
            ways[n] = OF_DOCUMENT
        elif not alone and (group := _overlapping(n, groups, runs)) is not None:
            ways[n] = OVERLAPPING
        elif (group := _continued(text, known)) is not None:
            ways[n] = CONTINUED
        else:
            ways[n], group = ALONE, next(same, None)
        if group is None:
            groups.append(group := PassageGroup())
        group.members.append(n)


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    """All runs of so many words of a text."""
    words = text.casefold().split()
    return frozenset(tuple(words[k : k + _RUN]) for k in range(len(words) - _RUN + 1))


def _overlapping(
    n: int, groups: Sequence[PassageGroup], runs: Sequence[frozenset[tuple[str, ...]]]
) -> PassageGroup | None:
    """The one group with a passage that has words in a row with another."""
    sharing = [g for g in groups if any(not runs[n].isdisjoint(runs[m]) for m in g.members)]
    return sharing[0] if len(sharing) == 1 else None


def _content(passages: Sequence[Passage], members: Iterable[int]) -> frozenset[str]:
    """The words of some passages."""
    texts = (fold_accents(passages[n].text) for n in members)
    return frozenset[str]().union(*map(_words, texts))


def _words(text: str) -> frozenset[str]:
    """Words, years and days of a text."""
    words = (word.casefold() for word in _CONTENT.findall(text))
    return frozenset((*words, *_DAY.findall(text)))


def _continued(
    text: str, known: Sequence[tuple[PassageGroup, frozenset[str]]]
) -> PassageGroup | None:
    """The page that a passage continues: it names the person, and has words of no other page."""
    words = _words(fold_accents(text))
    mentions = _mentions(text)
    shares = []
    for group, content in known:
        if not _names(group, mentions):
            continue
        others = frozenset[str]().union(*(own for other, own in known if other is not group))
        shared = words & content - others
        shares.append((sum(_WORTH if " " in word else 1 for word in shared), group))
    shares.sort(key=lambda share: -share[0])
    second = shares[1][0] if len(shares) > 1 else 0
    if shares and shares[0][0] >= max(_SHARED, 2 * second):
        return shares[0][1]
    return None


def _mentions(text: str) -> tuple[PersonName, ...]:
    """All that a text may name."""
    places = [m.start() for m in _CAPITAL.finditer(text)]
    first = [p for p in places if not _OTHERS.search(text[max(0, p - 40) : p])] or places
    found = (mention_at(text[place : place + 80]) for place in first)
    return tuple(dict.fromkeys(mention.name for mention in found if mention and mention.name.words))


def _names(group: PassageGroup, mentions: Sequence[PersonName]) -> bool:
    """Whether the first mention with a name of a group's person may be that person."""
    names = [name for person in group.people for name in person.names]
    words = {word for name in names for word in name.words if len(word) > 2}
    first = next((mention for mention in mentions if not words.isdisjoint(mention.words)), None)
    return first is not None and any(may_be_one(first, name) for name in names)


def _document(passage: Passage) -> str:
    """From which document a passage was cut, or empty."""
    named = passage.title if ADDRESS.fullmatch(passage.title) else ""
    return _PIECE.sub("", passage.source or named).strip()


def _documents(
    passages: Sequence[Passage], groups: Sequence[PassageGroup]
) -> dict[str, PassageGroup]:
    """The one person that the passages of each document present."""
    found: dict[str, list[PassageGroup]] = {}
    for group in groups:
        for n in group.members:
            if (document := _document(passages[n])) and group not in found.get(document, []):
                found.setdefault(document, []).append(group)
    return {document: named[0] for document, named in found.items() if len(named) == 1}
