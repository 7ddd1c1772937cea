"""Computes statistics of a dataset, and differences between two datasets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import median

from dfactscore.ambigbio._records import AmbigBio, AmbiguousName

PAPER_MEAN = 4.6
"""Entities per name in the paper's AmbigBio (section 2.1), including things."""


@dataclass(frozen=True, slots=True)
class DatasetSummary:
    """Statistics of a dataset."""

    names: int
    people: int
    distinct_people: int
    mean: float
    median: float
    most: tuple[str, int]
    per_name: dict[int, int]
    with_primary: int
    with_years: int  # number of people whose year of birth or death is known
    evidence: dict[str, int]
    aliases: int
    views: int | None  # number of page views, summed over people; None if not requested
    # Mean number of pages listed on a disambiguation page, including pages about things, counted as
    # in the paper; None if unknown.
    mean_entities: float | None = None


def summarize(dataset: AmbigBio) -> DatasetSummary:
    """Computes the statistics of a dataset."""
    sizes, shown, count = Counter[int](), Counter[str](), Counter[str]()
    pages, most = set[int](), ("", 0)
    for name in dataset:
        sizes[len(name.people)] += 1
        most = max(most, (name.name, len(name.people)), key=lambda one: one[1])
        count["listing"] += name.entities is not None
        count["listed"] += name.entities or 0
        count["primary"] += any(person.primary for person in name.people)
        for person in name.people:
            pages.add(person.page_id)
            shown[person.evidence] += 1
            count["years"] += person.born is not None or person.died is not None
            count["aliases"] += len(person.aliases)
            count["viewed"] += person.views is not None
            count["views"] += person.views or 0
    return DatasetSummary(
        names=len(dataset),
        people=shown.total(),
        distinct_people=len(pages),
        mean=shown.total() / len(dataset) if sizes else 0.0,
        median=float(median(sizes.elements())) if sizes else 0.0,
        most=most,
        per_name=dict(sorted(sizes.items())),
        with_primary=count["primary"],
        with_years=count["years"],
        evidence=dict(sorted(shown.items())),
        aliases=count["aliases"],
        views=count["views"] if count["viewed"] else None,
        mean_entities=count["listed"] / count["listing"] if count["listing"] else None,
    )


def histogram(counts: dict[int, int], width: int = 40) -> str:
    """Formats a histogram as text, one line per value.

    Example:
        >>> print(histogram({2: 4, 3: 1}, width=4))
           2  4 ████
           3  1 █
    """
    most = max(counts.values(), default=1)
    digits = len(str(most))
    return "\n".join(
        f"{value:4}  {count:{digits}} {'█' * max(1, round(width * count / most))}"
        for value, count in sorted(counts.items())
    )


@dataclass(frozen=True, slots=True)
class NameChange:
    """The changes to a name that is in both datasets."""

    name: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    moved: tuple[tuple[str, str], ...]  # old and new titles of pages that were moved
    edited: tuple[str, ...]  # titles of pages whose revision differs
    described: tuple[str, ...]  # titles of people whose entry on the disambiguation page differs

    def __bool__(self) -> bool:
        return any((self.added, self.removed, self.moved, self.edited, self.described))


@dataclass(frozen=True, slots=True)
class Changes:
    """The differences between two datasets."""

    settings: dict[str, tuple[object, object]]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[NameChange, ...]


def _change(old: AmbiguousName, new: AmbiguousName) -> NameChange:
    before = {person.page_id: person for person in old.people}
    after = {person.page_id: person for person in new.people}
    common = [(before[key], after[key]) for key in before if key in after]
    return NameChange(
        name=new.name,
        added=tuple(person.title for key, person in after.items() if key not in before),
        removed=tuple(person.title for key, person in before.items() if key not in after),
        moved=tuple((a.title, b.title) for a, b in common if a.title != b.title),
        edited=tuple(b.title for a, b in common if a.revision != b.revision),
        described=tuple(
            b.title
            for a, b in common
            if (a.label, a.description, a.born, a.died) != (b.label, b.description, b.born, b.died)
        ),
    )


def compare(old: AmbigBio, new: AmbigBio) -> Changes:
    """Compares two datasets, identifying people by page id."""
    fields = ("wiki", "language", "snapshot", "seed", "asked", "listed", "popularity", "draw")
    pairs = {key: (getattr(old.header, key), getattr(new.header, key)) for key in fields}
    changes = (_change(name, new[name.name]) for name in old if name.name in new)
    return Changes(
        settings={key: pair for key, pair in pairs.items() if pair[0] != pair[1]},
        added=tuple(name.name for name in new if name.name not in old),
        removed=tuple(name.name for name in old if name.name not in new),
        changed=tuple(change for change in changes if change),
    )
