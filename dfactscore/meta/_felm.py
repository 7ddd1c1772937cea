"""Reads FELM (Chen et al. 2023): questions and a model's answers, split into labeled segments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dfactscore._readers.problems import RecordError
from dfactscore._records import Document
from dfactscore._util.numbers import counted
from dfactscore._util.printable import short_repr
from dfactscore.meta._data_sets import DataSet, Item, LabelLevel, Segment
from dfactscore.meta._record_reading import Notes, field_of, read_records, texts_of

_LIST_NUMBER = re.compile(r"(?:\s|\\n)*\d+[.)](?:\s|\\n)*")


def asserts(text: str) -> bool:
    r"""Whether a segment asserts anything, that is, is more than a list number or punctuation.

    Example:
        >>> [asserts(text) for text in ("2.", "3. \\n", "\\]", "$4 * 3 = 17$", "Sure!")]
        [False, False, False, True, True]
    """
    return any(map(str.isalnum, text)) and not _LIST_NUMBER.fullmatch(text)


def read_felm(path: Path) -> DataSet:
    """Reads JSON lines in FELM's format; `docs/meta.md` lists the fields."""
    records = read_records(
        path, lambda record, _, notes: _item(record, path.stem, notes), identity="index"
    )
    return records.data("felm", path, LabelLevel("segment"), LabelLevel("response", "worst"))


def _item(record: Mapping[str, Any], domain: str, notes: Notes) -> Item:
    index = record.get("index")
    if not isinstance(index, (str, int)) or isinstance(index, bool) or not str(index):
        raise RecordError("index", f"expected a text, found {short_repr(index)}")
    texts, labels = _segments(record)
    group = record.get("domain", domain)
    if not isinstance(group, str):
        raise RecordError("domain", f"expected a text, found {short_repr(group)}")
    response = record.get("response")
    if not isinstance(response, str) or response.strip() == "NaN":
        notes["responses are NaN; their segments are joined instead"] += 1
        response = " ".join(texts)
    links, documents = texts_of(record, "ref"), texts_of(record, "ref_contents")
    if documents and len(links) != len(documents):
        notes["records have different numbers of links and texts; the texts are used"] += 1
    kinds = _types(record, labels, notes)
    return Item(
        id=str(index),
        cluster=str(index),
        segments=tuple(
            Segment(text, not label, kind, asserts(text))
            for text, label, kind in zip(texts, labels, kinds, strict=True)
        ),
        question=field_of(record, "prompt", str),
        response=response,
        documents=tuple(Document("", text) for text in documents),
        links=links,
        search=True,
        group=group,
    )


def _segments(record: Mapping[str, Any]) -> tuple[list[str], list[bool]]:
    """The segments, and whether each is right."""
    texts = field_of(record, "segmented_response", list)
    if not texts or not all(isinstance(text, str) for text in texts):
        raise RecordError(
            "segmented_response", f"expected a list of texts, found {short_repr(texts)}"
        )
    labels = field_of(record, "labels", list)
    for label in labels:
        if not isinstance(label, bool):
            raise RecordError("labels", f"expected true or false, found {short_repr(label)}")
    if len(labels) != len(texts):
        raise RecordError(
            "labels", f"{counted(len(labels), 'label')} for {counted(len(texts), 'segment')}"
        )
    return texts, labels


def _types(record: Mapping[str, Any], labels: list[bool], notes: Notes) -> list[str]:
    """The type of each segment's error; empty if missing, or if the segment is right."""
    value = record.get("type")
    values = value if isinstance(value, list) else []
    if not all(kind is None or isinstance(kind, str) for kind in values):
        raise RecordError("type", f"expected a list of texts, found {short_repr(value)}")
    kinds = [(kind or "").strip() for kind in values[: len(labels)]]
    kinds += [""] * (len(labels) - len(kinds))
    for i, (label, kind) in enumerate(zip(labels, kinds, strict=True)):
        if label and kind:
            notes["segments without an error have an error type, which is ignored"] += 1
            kinds[i] = ""
    return kinds
