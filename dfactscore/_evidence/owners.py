"""Owners of passages: titles that name no one are replaced by the person that a passage presents.

Passages of one person go together: the names may be one person's, and years, roles and
nationalities do not conflict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from dfactscore._evidence.passage_groups import (
    ALONE,
    CONTINUED,
    KINDS,
    OF_DOCUMENT,
    OVERLAPPING,
    PRESENTED,
    PassageGroup,
    passage_groups,
)
from dfactscore._evidence.titles import names_no_one
from dfactscore._records import Biography, Entity
from dfactscore._text.names import plain_name
from dfactscore._util.numbers import counted
from dfactscore.retrieval import Passage

OwnerChoice = Literal["auto", "titles", "passages"]


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
                (OVERLAPPING, "by the passage that they overlap"),
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


def with_owners(biography: Biography, choice: OwnerChoice = "auto") -> Biography:
    """A biography with its owner as each passage's title; `Passage.owner` says how it is known.

    Args:
        biography: With passages in order of retrieval.
        choice: The passages to read; see `Owners`.
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
    groups, ways = passage_groups(passages, unknown, titled, alone=choice == "titles")
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
    """Returns how the owner of an entity's passages was determined; empty if titles name it.

    Example:
        >>> from dfactscore._records import Document
        >>> how_found(Entity("Ann", "Ann", (Document("Ann", "Ann sang.", note="presented"),)))
        'passages: 1 presented'
    """
    notes = Counter(d.note for d in entity.documents if d.note in KINDS)
    return f"passages: {', '.join(f'{n} {kind}' for kind, n in notes.items())}" if notes else ""


def _labels(
    groups: Sequence[PassageGroup], passages: Sequence[Passage], titled: Iterable[int]
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
