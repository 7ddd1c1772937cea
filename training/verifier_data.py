"""The measurement data of the built-in verifier, as pairs of a sentence and documents."""

from __future__ import annotations

import json
import re
import zlib
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDS = 5
KINDS = ("fact_entity", "nli", "wrong_page", "contrast", "original", "human")
_CITATION = re.compile(r"\s*\[\d+\]")
_TITLE = re.compile(r"(?:^|\n)Title: ")

Documents = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Pair:
    """One sentence against the documents of one entity.

    `kind` is an index into `KINDS`. A wrong-page pair is a fact that the judge found supported by
    its own page, set against another page of the same name: most are not supported there, some are
    ("X was American"), and no one has labelled them; those that are labelled supported there too
    are left out. `contrast.py` makes the contrast pairs, of several sorts, says which of their
    words are wrong, and gives their originals again. Pairs that people labelled have no name. The
    sort of a fact–entity pair is the model that wrote it.
    """

    name: str
    fact: str
    documents: Documents
    label: int
    kind: int
    title: str = ""
    own: str = ""
    sort: str = ""
    wrong: tuple[str, ...] = ()


def fold_of(name: str) -> int:
    """The fold of a name: the same for every script and machine."""
    return zlib.crc32(name.encode()) % FOLDS


def group_of(pair: Pair) -> str:
    """The group never split between folds: the name, or the claim or page of a pair without one."""
    return pair.name or pair.own


def read(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def pages(data: Path) -> dict[str, dict[str, Documents]]:
    """The retrieved passages by name and title, in retrieval order."""
    found: dict[str, dict[str, Documents]] = defaultdict(dict)
    for row in read(data / "dfactscore" / "passages.jsonl"):
        own = found[row["name"]]
        own[row["title"]] = (*own.get(row["title"], ()), (row["title"], row["text"]))
    return found


def split_passages(text: str) -> Documents:
    """Splits the "Title: A …, Title: B …" lines of the NLI pairs into documents."""
    pieces = (piece.partition("\n") for piece in _TITLE.split(text) if piece.strip())
    return tuple((title, body) for title, _, body in pieces)


def plain(fact: str) -> str:
    """The fact without case and marks, by which two writings of it are one."""
    return " ".join(re.findall(r"\w+", fact.lower()))


def load_pairs(data: Path, names: set[str] | None = None) -> list[Pair]:
    """All pairs of the two training sets, and the wrong-page pairs made from the first."""
    source = pages(data)
    pairs = []
    rows = read(data / "dfactscore" / "fact_entity_pairs.jsonl")
    said = {(row["name"], row["title"], plain(row["fact"])) for row in rows if row["supported"]}
    for row in rows:
        name, own = row["name"], row["title"]
        if names is not None and name not in names:
            continue
        label = int(row["supported"])
        pairs.append(Pair(name, row["fact"], source[name][own], label, 0, own, own, row["model"]))
        if label:
            for title, documents in source[name].items():
                if title != own and (name, title, plain(row["fact"])) not in said:
                    pairs.append(Pair(name, row["fact"], documents, 0, 2, title, own))
    for row in read(data / "dfactscore" / "nli_pairs.jsonl"):
        if names is None or row["name"] in names:
            claim = _CITATION.sub("", row["claim"])
            pairs.append(Pair(row["name"], claim, split_passages(row["passage"]), row["label"], 1))
    return pairs


def known_names(data: Path) -> list[str]:
    return sorted({row["name"] for row in read(data / "dfactscore" / "nli_pairs.jsonl")})
