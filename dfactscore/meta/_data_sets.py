"""Labeled data: responses in segments, with labels and reference texts, and their description."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from dfactscore._readers.record_fields import BadRecord
from dfactscore._records import Document
from dfactscore._util.numbers import number, percent

Merge = Literal["worst", "best"]


@dataclass(frozen=True, slots=True)
class Segment:
    """A labeled piece of a response.

    Attributes:
        text: The text exactly as in the file, including spaces.
        error: Whether people found an error in it.
        kind: Type of the error (in stance data, the stance); empty if unknown.
        claim: False if the segment asserts nothing: a list number, or text without letters or
            digits.
    """

    text: str
    error: bool
    kind: str = ""
    claim: bool = True


@dataclass(frozen=True, slots=True)
class Item:
    """One response.

    Attributes:
        id: Id, unique within the data set and group.
        cluster: Id of a cluster, such as a claim or a source, whose items the bootstrap always
            draws together.
        segments: The labeled pieces, in order.
        question: The prompt, or empty.
        response: The full text.
        name: The name of the person or thing that the response is about, or empty.
        documents: Reference texts, in order; may be empty.
        links: Web addresses of references.
        search: Whether the documents are whole web pages, from which passages are selected;
            otherwise each document serves as evidence in full.
        each: Whether facts are judged against each document separately and the best verdict counts;
            if False, they are judged against all documents together.
        group: Part of the data set that gets its own block in tables, such as a domain or a
            dataset.
    """

    id: str
    cluster: str
    segments: tuple[Segment, ...]
    question: str = ""
    response: str = ""
    name: str = ""
    documents: tuple[Document, ...] = ()
    links: tuple[str, ...] = ()
    search: bool = False
    each: bool = False
    group: str = ""

    @property
    def has_text(self) -> bool:
        """Whether the item has reference texts."""
        return bool(self.documents)


@dataclass(frozen=True, slots=True)
class LabelLevel:
    """A unit that is counted."""

    name: str  # name of the unit, such as `"segment"`
    # The rule for merging smaller units: the larger unit is an error if any of its parts is
    # (`"worst"`) or if all are (`"best"`); None for the smallest units.
    merge: Merge | None = None
    by: Literal["item", "cluster"] = "item"


@dataclass(frozen=True, slots=True)
class Block:
    """Items that are scored together and get their own rows in the table."""

    name: str  # name, such as `"felm wk"`
    items: tuple[Item, ...]
    levels: tuple[LabelLevel, ...]


@dataclass(frozen=True)
class DataSet:
    """Labeled data from one file.

    Attributes:
        kind: One of `dfactscore.meta.KINDS`.
        path: The file.
        items: The good records, in order.
        levels: Units that are counted, smallest first.
        digest: SHA-256 of the file.
        bad: Records that were skipped because they are invalid.
        odd: Notes, one line each, on unusual records that were used.
        facts: Additional figures for `describe`, by name.
        apart: Extra blocks, by name; each contains the correct items and the errors of the given
            kinds.
        needs: A phrase that names the missing evidence and the option that supplies it; empty if
            none is missing.
    """

    kind: str
    path: Path
    items: tuple[Item, ...]
    levels: tuple[LabelLevel, ...]
    digest: str = ""
    bad: tuple[BadRecord, ...] = ()
    odd: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    apart: Mapping[str, Sequence[str]] = field(default_factory=dict)
    needs: str = ""

    @property
    def label(self) -> str:
        """The set's name in messages: its kind and path."""
        return f"{self.kind}={self.path}"

    def groups(self) -> dict[str, tuple[Item, ...]]:
        """The items of each group, in file order."""
        by_group: dict[str, list[Item]] = {}
        for item in self.items:
            by_group.setdefault(item.group, []).append(item)
        return {group: tuple(items) for group, items in by_group.items()}

    def key(self, item: Item) -> str:
        """An item's key within this set."""
        return f"{item.group}/{item.id}" if item.group else item.id


def describe(data: Sequence[DataSet]) -> list[dict[str, Any]]:
    """Summarizes the contents of each set and group in counts, as JSON values."""
    # One mapping per set and group, including the number of errors among larger units if the set
    # has such units.
    return [
        _counts(data_set, group, items)
        for data_set in data
        for group, items in data_set.groups().items()
    ]


def _counts(data_set: DataSet, group: str, items: tuple[Item, ...]) -> dict[str, Any]:
    segments = [segment for item in items for segment in item.segments]
    clusters: dict[str, list[bool]] = {}
    for item in items:
        clusters.setdefault(item.cluster, []).extend(s.error for s in item.segments)
    counts: dict[str, Any] = {
        "kind": data_set.kind,
        "group": group,
        "file": data_set.path.name,
        "responses": len(items),
        "unit": data_set.levels[0].name,
        "units": len(segments),
        "errors": sum(s.error for s in segments),
        "clusters": len(clusters),
        "no_claim": sum(not s.claim for s in segments),
        "with_links": sum(bool(item.links) for item in items),
        "with_text": sum(item.has_text for item in items),
    }
    counts |= _counts_of_larger(data_set, items, list(clusters.values()))
    if any(s.kind for s in segments):
        kinds = Counter(s.kind or "untyped" for s in segments if s.error)
        counts["error_types"] = dict(kinds.most_common())
    facts = data_set.facts.get(group)
    if isinstance(facts, Mapping):
        counts |= facts
    elif not any(isinstance(value, Mapping) for value in data_set.facts.values()):
        counts |= data_set.facts
    counts["odd"] = list(data_set.odd)
    counts["bad"] = [str(bad) for bad in data_set.bad]
    if data_set.needs:
        counts["needs"] = data_set.needs
    return counts


def _counts_of_larger(
    data_set: DataSet, items: Sequence[Item], clusters: Sequence[Sequence[bool]]
) -> dict[str, int]:
    """Counts larger units that are errors: responses with any error, clusters with only errors."""
    counts = {}
    wrong = [any(s.error for s in item.segments) for item in items]
    for level in data_set.levels[1:]:
        merged = wrong if level.by == "item" else list(map(all, clusters))
        counts[f"error_{level.name}s"] = sum(merged)
    counts["error_responses_with_text"] = sum(
        w and item.has_text for w, item in zip(wrong, items, strict=True)
    )
    return counts


_SHARES = frozenset({"unanimous"})


def describe_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """The counts as lines of text."""
    lines = []
    for row in rows:
        lines.append(" ".join(filter(None, (row["kind"], row["group"], f"({row['file']})"))))
        for key, value in row.items():
            if key in ("kind", "group", "file", "unit", "odd", "bad", "needs"):
                continue
            name = f"{row['unit']}s" if key == "units" else key.replace("_", " ")
            if isinstance(value, Mapping):
                lines.append(f"  {name:<28} " + ", ".join(f"{k} {v}" for k, v in value.items()))
            elif key in _SHARES:
                lines.append(f"  {name:<28} {percent(value)} %")
            elif isinstance(value, float) or value is None:
                lines.append(f"  {name:<28} {number(value, digits=3)}")
            else:
                lines.append(f"  {name:<28} {value:,}")
        lines += [f"  odd: {note}" for note in row["odd"]]
        lines += [f"  skipped: {bad}" for bad in row["bad"]]
        if needs := row.get("needs"):
            lines.append(f"  no evidence ({needs})")
        lines.append("")
    return "\n".join(lines)
