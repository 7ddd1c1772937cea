"""Determines the owners of passages: the people the passages are about.

The owner replaces a title that is not a name, such as the name of a file. Passages have the same
owner if their names may refer to one person and their years, roles and nationalities agree.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, count
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
    """Determines the owners of passages, and counts how often each method was used."""

    def __init__(self, choice: OwnerChoice = "auto") -> None:
        self.choice = choice
        self._kinds: Counter[str] = Counter()
        self._texts = 0
        self._passages = 0

    def __call__(self, biography: Biography) -> Biography:
        """Returns the biography, using the owner of each passage as the passage's title."""
        self._passages += len(biography.passages)
        owned = with_owners(biography, self.choice)
        kinds = [passage.owner for passage in owned.passages if passage.owner]
        self._texts += bool(kinds)
        self._kinds.update(kinds)
        return owned

    def __iter__(self) -> Iterator[str]:
        """Yields one-line messages for the user."""
        if self._texts:
            assigned = self._kinds.total()
            phrases = (
                (PRESENTED, "by their introduction"),
                (OF_DOCUMENT, "by their document"),
                (OVERLAPPING, "by an overlap"),
                (CONTINUED, "by a shared name and words"),
                (ALONE, "as separate people"),
            )
            parts = ", ".join(
                f"{self._kinds[kind]} {phrase}" for kind, phrase in phrases if self._kinds[kind]
            )
            yield (
                f"assigned {assigned} of {counted(self._passages, 'passage')} to people by content "
                f"({parts}); --entities titles (entities='titles' in Python) uses titles instead"
            )


def with_owners(biography: Biography, choice: OwnerChoice = "auto") -> Biography:
    """Returns a biography, using the owner of each passage as the passage's title.

    The field `Passage.owner` contains the method used to determine the owner.
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
    known = set(range(len(passages))).difference(unknown)
    titled = {n: p for n, p in enumerate(passages) if n in known and p.text.strip()}
    groups, methods = passage_groups(passages, unknown, titled, separate=choice == "titles")
    labels = _labels(groups, passages, titled)
    owned = list(passages)
    for label, group in zip(labels, groups, strict=True):
        for n in group.members:
            if n not in titled:
                owned[n] = replace(passages[n], title=label, owner=methods[n])
    return replace(biography, passages=tuple(owned))


def owner_lines(biography: Biography) -> Iterator[str]:
    """Yields one line about the owner of each passage."""
    for number, passage in enumerate(biography.passages, 1):
        if passage.owner:
            yield f"{biography.id}: passage {number}: {passage.title} ({passage.owner})"


def owner_methods(entity: Entity) -> str:
    """Returns the methods that assigned an entity's passages; empty if their titles did.

    Example:
        >>> from dfactscore._records import Document
        >>> owner_methods(Entity("Ann", "Ann", (Document("Ann", "Ann sang.", note="presented"),)))
        'passages: 1 presented'
    """
    notes = Counter(d.note for d in entity.documents if d.note in KINDS)
    return f"passages: {', '.join(f'{n} {kind}' for kind, n in notes.items())}" if notes else ""


def _labels(
    groups: Sequence[PassageGroup], passages: Sequence[Passage], titled: Iterable[int]
) -> list[str]:
    """Returns a unique label for each group."""
    titled_indexes = set(titled)
    titles = [
        next((passages[n].title for n in g.members if n in titled_indexes), None) for g in groups
    ]
    names = [max((p.names[0].text for p in group.people), key=len, default="") for group in groups]
    counts = Counter(
        plain_name(title) if title else name for title, name in zip(titles, names, strict=True)
    )
    used_labels = {title for title in titles if title}
    numbers: dict[str, Iterator[int]] = defaultdict(partial(count, 2))
    labels = []
    for group, title, name in zip(groups, titles, names, strict=True):
        label = title or name or f"passage {group.members[0] + 1}"
        if title is None and name and counts[name] > 1:
            role = next((p.role for p in group.people if p.role), "")
            born = next((p.life.born for p in group.people if p.life.born), None)
            qualifiers = chain(
                [role, f"{role}, born {born}".lstrip(", ") if born else ""],
                map(str, numbers[name]),
            )
            label = next(
                f"{name} ({qualifier})"
                for qualifier in qualifiers
                if qualifier and f"{name} ({qualifier})" not in used_labels
            )
        used_labels.add(label)
        labels.append(label)
    return labels
