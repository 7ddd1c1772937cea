"""Labeled data: responses in segments, with labels and reference texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from dfactscore._readers.problems import BadRecord
from dfactscore._records import Document

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
