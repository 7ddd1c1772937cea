"""Labeled responses in segments, with their source texts."""

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
    """A piece of a response that people labeled.

    Attributes:
        text: As in the file, never stripped.
        error: Whether people found an error in it.
        kind: Type of the error, or what else tells errors apart (a stance); empty if unknown.
        claim: False if nothing is asserted: a list number, or neither letter nor digit.
    """

    text: str
    error: bool
    kind: str = ""
    claim: bool = True


@dataclass(frozen=True, slots=True)
class Item:
    """One response.

    Attributes:
        id: Unique within its data set and group.
        cluster: The group drawn together with it in a bootstrap: its own id, a claim, a source.
        segments: Its labeled pieces, in order.
        question: The prompt, or empty.
        response: The whole text.
        name: The name that it is about, or empty.
        documents: Reference texts, in order; none if there is no text.
        links: Links to references.
        search: Whether passages are selected from the documents, which are whole web pages; else
            each of them is evidence as it is.
        each: Whether each document is judged alone and the best one counts; else all together.
        group: Part of its data set that has a block of its own: a domain, a dataset.
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
        """Whether there is a reference text to judge it against."""
        return bool(self.documents)


@dataclass(frozen=True, slots=True)
class LabelLevel:
    """Something that is counted.

    Attributes:
        name: Its unit, such as ``"segment"``.
        merge: The rule that merges smaller units: an error if any has one (``"worst"``), or if all
            have one (``"best"``); None for the smallest units.
        by: The parts of a unit of this level: the segments of an item, or of a cluster.
    """

    name: str
    merge: Merge | None = None
    by: Literal["item", "cluster"] = "item"


@dataclass(frozen=True, slots=True)
class Block:
    """Items that have rows of their own in the table.

    Attributes:
        name: Such as ``"felm wk"``.
        items: In the order of the files.
        levels: The smallest unit first.
    """

    name: str
    items: tuple[Item, ...]
    levels: tuple[LabelLevel, ...]


@dataclass(frozen=True)
class DataSet:
    """Labeled data that were read from one file.

    Attributes:
        kind: One of `dfactscore.meta.KINDS`.
        path: The file.
        items: The good records, in order.
        levels: The units of the counts, the smallest first.
        digest: SHA-256 of the file.
        bad: Records that were skipped.
        odd: Notes on unusual records that were used, one line each.
        facts: Further figures for `describe`, by name.
        apart: Kinds of error against which correct items are counted once more, by block name.
        needs: The fields missing for judging with evidence, or empty.
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
        """Its name in tables and messages."""
        return f"{self.kind}={self.path}"

    def groups(self) -> dict[str, tuple[Item, ...]]:
        """The items of each group, groups in the order of the file."""
        found: dict[str, list[Item]] = {}
        for item in self.items:
            found.setdefault(item.group, []).append(item)
        return {group: tuple(items) for group, items in found.items()}

    def key(self, item: Item) -> str:
        """Key of an item within this set."""
        return f"{item.group}/{item.id}" if item.group else item.id
