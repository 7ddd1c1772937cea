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
        text: The text as in the file, with its spaces.
        error: Whether people found an error in it.
        kind: Type of the error (in stance data, the stance); empty if unknown.
        claim: False if it asserts nothing: a list number, or a text without letters and digits.
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
        cluster: The bootstrap draws items of one cluster together: its id, a claim or a source.
        segments: The labeled pieces, in order.
        question: The prompt, or empty.
        response: The full text.
        name: The name of the person or thing that the response is about, or empty.
        documents: Reference texts, in order; may be empty.
        links: Links to references.
        search: Whether the documents are whole web pages, from which passages are selected;
            otherwise each document is evidence as a whole.
        each: Whether facts are judged against each document separately, and the best verdict
            counts; otherwise against all documents together.
        group: Part of the data set with a separate block in tables: a domain, a dataset.
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
        """Whether it has reference texts."""
        return bool(self.documents)


@dataclass(frozen=True, slots=True)
class LabelLevel:
    """A unit of the counts.

    Attributes:
        name: Name of the unit, such as ``"segment"``.
        merge: The rule that merges smaller units: an error if any is an error (``"worst"``), or
            if all are (``"best"``); None for the smallest units.
        by: Whether a unit consists of the segments of an item or of a cluster.
    """

    name: str
    merge: Merge | None = None
    by: Literal["item", "cluster"] = "item"


@dataclass(frozen=True, slots=True)
class Block:
    """Items that are scored together, in separate rows of the table.

    Attributes:
        name: Name, such as ``"felm wk"``.
        items: Items in the order of the files.
        levels: Units of the counts, the smallest first.
    """

    name: str
    items: tuple[Item, ...]
    levels: tuple[LabelLevel, ...]


@dataclass(frozen=True)
class DataSet:
    """Labeled data from one file.

    Attributes:
        kind: One of `dfactscore.meta.KINDS`.
        path: The file.
        items: The good records, in order.
        levels: Units of the counts, the smallest first.
        digest: SHA-256 of the file.
        bad: Records that were skipped.
        odd: Notes on unusual records that were used, one line each.
        facts: More figures for `describe`, by name.
        apart: Extra blocks by name: each contains the correct items and errors of these kinds.
        needs: The missing evidence and the option that gives it; empty if evidence is there.
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
        """Its name in messages: kind and path."""
        return f"{self.kind}={self.path}"

    def groups(self) -> dict[str, tuple[Item, ...]]:
        """The items of each group, in the order of the file."""
        by_group: dict[str, list[Item]] = {}
        for item in self.items:
            by_group.setdefault(item.group, []).append(item)
        return {group: tuple(items) for group, items in by_group.items()}

    def key(self, item: Item) -> str:
        """Key of an item within this set."""
        return f"{item.group}/{item.id}" if item.group else item.id
