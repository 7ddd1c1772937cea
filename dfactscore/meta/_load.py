"""Loads labeled data in all supported formats."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from dfactscore._errors import InputError
from dfactscore._evidence.pages import open_pages
from dfactscore._util.message_text import near_file, near_miss
from dfactscore.meta._data_sets import Block, DataSet
from dfactscore.meta._labeled_records import (
    read_claims,
    read_felm,
    read_labels,
    read_pairs,
    read_qasem,
    read_stance,
    read_wice,
)

#: Kinds of labeled data, each with a description.
KINDS: Mapping[str, str] = {
    "felm": "responses in labeled segments, with links and reference texts",
    "wice": "claims with chunks of evidence, labeled as supported or not",
    "factcheck-stance": "claims with one piece of evidence, and its stance",
    "factcheck-claims": "claims, true or false, with the evidence of a stance file",
    "factscore-labels": "facts of biographies that people labeled",
    "qasem": "sentences, labeled relation by relation",
    "pairs": "claims with a document, labeled as supported or not",
}


def load_data(
    *data: str | tuple[str, str | Path] | DataSet,
    pages: Any = None,
    evidence: str | Path | None = None,
    irrelevant: Literal["error", "drop"] = "drop",
) -> list[DataSet]:
    """Reads labeled data.

    Args:
        *data: ``"KIND=PATH"``, or a kind and a path; if the path is a folder, all ``*.jsonl`` files
            in it are read.
        pages: Source of whole pages, for ``factscore-labels``; see
            `dfactscore._evidence.pages.open_pages`.
        evidence: Stance file, for ``factcheck-claims``.
        irrelevant: Whether to count irrelevant facts as errors or drop them.

    Returns:
        One set per file, in the order of `data`.

    Raises:
        InputError: If a kind is unknown, or a file cannot be read or has no usable record.
    """
    if not data:
        raise InputError("no data: give at least one KIND=PATH, such as felm=wk.jsonl")
    source = None if pages is None else open_pages(pages)
    sets: list[DataSet] = []
    skip = {os.path.realpath(p) for p in (pages, evidence) if isinstance(p, (str, Path))}
    for entry in data:
        if isinstance(entry, DataSet):
            sets.append(entry)
            continue
        kind, path = _named(entry)
        for file in _files(path, skip):
            sets.append(_read(kind, file, source, evidence, irrelevant))
    seen: set[tuple[str, str]] = set()
    for loaded in sets:
        if (loaded.kind, os.path.realpath(loaded.path)) in seen:
            raise InputError(f"{loaded.label} is given twice")
        seen.add((loaded.kind, os.path.realpath(loaded.path)))
    return sets


def _named(entry: str | tuple[str, str | Path]) -> tuple[str, Path]:
    kind, path = entry if isinstance(entry, tuple) else entry.partition("=")[::2]
    if not str(path):
        raise InputError(f"{kind!r}: expected KIND=PATH; the kinds are {', '.join(KINDS)}")
    if kind not in KINDS:
        raise InputError(
            f"no kind of data {kind!r}{near_miss(kind, KINDS)} (there are {', '.join(KINDS)})"
        )
    return kind, Path(path).expanduser()


def _files(path: Path, skip: set[str]) -> list[Path]:
    if not path.is_dir():
        if not path.exists():
            raise InputError(f"{path}: no such file{near_file(path)}")
        return [path]
    files = [f for f in sorted(path.glob("*.jsonl")) if os.path.realpath(f) not in skip]
    if not files:
        raise InputError(f"{path}: contains no files *.jsonl")
    return files


def _read(
    kind: str, path: Path, pages: Any, evidence: str | Path | None, irrelevant: Any
) -> DataSet:
    if kind == "felm":
        return read_felm(path)
    if kind == "wice":
        return read_wice(path)
    if kind == "factcheck-stance":
        return read_stance(path)
    if kind == "factcheck-claims":
        return read_claims(path, None if evidence is None else Path(evidence))
    if kind == "factscore-labels":
        return read_labels(path, pages, irrelevant)
    return read_qasem(path) if kind == "qasem" else read_pairs(path)


def blocks_of(data: Sequence[DataSet]) -> list[tuple[Block, tuple[tuple[DataSet, int], ...]]]:
    """The table's blocks: one per set and group, and one for all groups of a kind of data."""
    blocks: list[tuple[Block, tuple[tuple[DataSet, int], ...]]] = []
    for kind in dict.fromkeys(data_set.kind for data_set in data):
        sets = [data_set for data_set in data if data_set.kind == kind]
        parts: dict[str, list[tuple[DataSet, int]]] = {}
        for data_set in sets:
            for place, item in enumerate(data_set.items):
                name = item.group or (data_set.path.stem if len(sets) > 1 else "")
                parts.setdefault(name, []).append((data_set, place))
        for name, places in parts.items():
            blocks.append(_block(" ".join(filter(None, (kind, name))), places))
        all_places = [
            (data_set, place) for data_set in sets for place in range(len(data_set.items))
        ]
        if len(parts) > 1:
            blocks.append(_block(f"{kind} all", all_places))
        for name, kinds in sets[0].apart.items():
            firsts = [
                (data_set.items[place].segments[0], (data_set, place))
                for data_set, place in all_places
            ]
            members = [
                position for first, position in firsts if not first.error or first.kind in kinds
            ]
            blocks.append(_block(f"{kind} {name}", members))
    return blocks


def _block(
    name: str, places: list[tuple[DataSet, int]]
) -> tuple[Block, tuple[tuple[DataSet, int], ...]]:
    items = tuple(data_set.items[place] for data_set, place in places)
    return Block(name, items, places[0][0].levels), tuple(places)
