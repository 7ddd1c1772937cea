"""Exports a dataset as a folder for upload: splits, dataset card, license, checksums and audit."""

from __future__ import annotations

import hashlib
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from heapq import nsmallest
from itertools import combinations
from pathlib import Path
from typing import Any

from dfactscore._util.datasets_folder import write_card
from dfactscore._util.files import make_folder, sha256, why
from dfactscore._util.numbers import counted
from dfactscore._util.tables import csv_rows, csv_text
from dfactscore.ambigbio._dataset import save
from dfactscore.ambigbio._errors import AmbigBioError
from dfactscore.ambigbio._export import card_of, columns_of, without
from dfactscore.ambigbio._files import not_written, replace_file, write_records
from dfactscore.ambigbio._languages import Language
from dfactscore.ambigbio._listed_people import NameDecision
from dfactscore.ambigbio._people import occupation_in
from dfactscore.ambigbio._records import AmbigBio, AmbiguousName, Person
from dfactscore.ambigbio._titles import Site, page_url
from dfactscore.retrieval._documents import Page

_DEV = 0.2
_STRATA = (
    ("bearers", "int64"),
    ("popularity_ratio", "float64"),
    ("same_occupation", "bool"),
    ("same_era", "bool"),
)
_LONGEST_LIFE = 80
_AUDIT = ("page", "url", "kind", "found", "why", "right")
_ABOUT = """
`dev.jsonl` and `test.jsonl` have one name per line. A hash of the name puts a fifth into `dev`, so
that a name stays in its split in later releases. `strata` describes each name: the number of its
bearers (`bearers`), the ratio of page views between the two most viewed bearers
(`popularity_ratio`, only if page views were requested), whether two bearers share an occupation
(`same_occupation`), and whether two lived at the same time (`same_era`, null if years are missing).
`named` has lines about bearers without a page.
`ambigbio.jsonl` is the whole set as `dfactscore` reads it, and `SHA256SUMS` has the checksums."""
_LICENSE = """Labels, descriptions and texts are by the contributors to {wiki} and are licensed
under the Creative Commons Attribution-ShareAlike 4.0 International License (CC BY-SA 4.0):
https://creativecommons.org/licenses/by-sa/4.0/legalcode

Each row has the address (url) and the revision of its page, whose history names the authors.
Changes: markup was removed, and text was cut into fields.
"""


def split_of(name: str) -> str:
    """Returns the split that a name belongs to, based on its hash.

    Example:
        >>> split_of("John Harrow"), split_of("Ann Lee")
        ('test', 'test')
    """
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big")
    return "dev" if number < _DEV * 2**32 else "test"


def _life(person: Person) -> tuple[int, int] | None:
    if person.born is None and person.died is None:
        return None
    born = person.born if person.born is not None else (person.died or 0) - _LONGEST_LIFE
    return born, person.died if person.died is not None else born + _LONGEST_LIFE


def strata(name: AmbiguousName, language: Language) -> dict[str, Any]:
    """Describes how difficult a name is, based on the number and similarity of its bearers."""
    views = sorted((p.views for p in name.people if p.views is not None), reverse=True)
    lives = [life for person in name.people if (life := _life(person)) is not None]
    jobs = [occupation_in(p.short_description or p.description, language) for p in name.people]
    known = [job for job in jobs if job]
    return {
        "bearers": len(name.people),
        "popularity_ratio": views[0] / views[1] if len(views) > 1 and views[1] else None,
        "same_occupation": len(set(known)) < len(known),
        "same_era": any(a[0] <= b[1] and b[0] <= a[1] for a, b in combinations(lives, 2))
        if len(lives) > 1
        else None,
    }


def _row(name: AmbiguousName, language: Language, empty: Sequence[str]) -> dict[str, Any]:
    """Returns the record of a name in a split, omitting fields that are unknown for all people."""
    row = {**asdict(name), "strata": strata(name, language)}
    for table in (*row["people"], row["strata"]):
        for field in empty:
            table.pop(field, None)
    return row


def write_release(
    dataset: AmbigBio, folder: Path, *, language: Language, pages: Path | None = None
) -> None:
    """Writes a release to a folder."""
    make_folder(folder, error=not_written)
    _remove(folder / "SHA256SUMS")  # which says that the release is whole
    empty = () if dataset.header.popularity else ("views", "popularity_ratio")
    splits = {
        split: [name for name in dataset if split_of(name.name) == split]
        for split in ("dev", "test")
    }
    # An empty file would have no columns.
    data = {"names": {split: f"{split}.jsonl" for split, part in splits.items() if part}}
    columns = {"names": without((*columns_of(AmbiguousName), ("strata", _STRATA)), empty)}
    if pages is not None:
        data["pages"] = {"test": "pages.jsonl"}
        columns["pages"] = columns_of(Page)
    card = card_of(dataset, pages=pages is not None)
    card = replace(card, data=data, columns=columns, sections=(("Files", _ABOUT), *card.sections))
    # First, as it marks the folder as a dataset that the same command may finish.
    write_card(card, folder, error=not_written)
    for split, part in splits.items():
        if part:
            place = folder / f"{split}.jsonl"
            write_records(place, (_row(name, language, empty) for name in part))
        else:
            _remove(folder / f"{split}.jsonl")
    save(dataset, folder / "ambigbio.jsonl")
    if pages is not None:
        replace_file(folder / "pages.jsonl", lambda place: shutil.copyfile(pages, place))
    else:
        _remove(folder / "pages.jsonl")
    text = _LICENSE.format(wiki=dataset.header.wiki)
    replace_file(folder / "LICENSE", lambda place: place.write_text(text, "utf-8"))
    files = sorted(path for path in folder.iterdir() if path.name in _FILES)
    sums = "".join(f"{sha256(path, error=AmbigBioError)}  {path.name}\n" for path in files)
    replace_file(folder / "SHA256SUMS", lambda place: place.write_text(sums, "utf-8"))


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as problem:
        raise not_written(f"{path}: cannot be written ({why(problem)})") from None


_FILES = ("LICENSE", "README.md", "ambigbio.jsonl", "dev.jsonl", "pages.jsonl", "test.jsonl")


def _rows(
    dataset: AmbigBio, decisions: Sequence[NameDecision], number: int
) -> Iterator[Mapping[str, Any]]:
    site = Site(dataset.header.wiki, frozenset())
    by_title = {name.title: place for place, name in enumerate(dataset)}
    relevant = (one for one in decisions if one.title in by_title or one.refused)
    for one in nsmallest(number, relevant, key=lambda o: hashlib.sha256(o.title.encode()).digest()):
        about = {"page": one.title, "url": page_url(one.title, site)}
        place = by_title.get(one.title)
        for person in () if place is None else dataset.names[place].people:
            why = person.short_description or person.description
            yield {**about, "kind": "taken", "found": person.title, "why": why}
        for entry, why in (*one.refused, *one.dropped):
            yield {**about, "kind": "left", "found": entry, "why": why}


def write_audit(
    dataset: AmbigBio,
    decisions: Sequence[NameDecision],
    number: int,
    path: Path,
    *,
    overwrite: bool = False,
) -> None:
    """Draws name pages and writes their selected and left-out entries to a file for review.

    The annotator writes ``y`` or ``n`` in the column `right`, depending on whether a selected entry
    bears the name, or whether a left-out entry was left out correctly. Answers that are already in
    the file are kept.
    """
    columns = dict.fromkeys(_AUDIT)
    before = defaultdict[tuple[str, ...], list[dict[str, str]]](list)
    for row in _written(path, overwrite):
        columns |= dict.fromkeys(row)
        before[_line(row)].append(row)
    rows = [
        {**(same.pop(0) if (same := before[_line(row)]) else {}), **row}
        for row in _rows(dataset, decisions, number)
    ]
    lost = [row for left in before.values() for row in left if _has_answer(row)]
    if lost and not overwrite:
        raise AmbigBioError(
            f"{path}: has answers for {counted(len(lost), 'line')} not drawn now (the first: "
            f"{lost[0]['page']!r}, {lost[0]['found']!r}); rename the file to keep them, or give "
            "--overwrite to drop them"
        )
    text = csv_text(rows, columns)
    replace_file(path, lambda place: place.write_bytes(text.encode("utf-8", "replace")))


def _written(path: Path, overwrite: bool) -> list[dict[str, str]]:
    """Returns the lines of an existing audit; empty if the file is not an audit."""
    if not path.exists():
        return []
    try:
        return [row for _, row in csv_rows(path, _AUDIT, error=AmbigBioError)]
    except AmbigBioError:
        if overwrite:
            return []
        raise


def _line(row: Mapping[str, Any]) -> tuple[str, ...]:
    return row["page"], row["kind"], row["found"]


def _has_answer(row: Mapping[str, str]) -> bool:
    """Whether an annotator has filled in a line, under `right` or in an additional column."""
    return any(value.strip() for name, value in row.items() if name not in _AUDIT[:-1])


def audit_counts(path: Path) -> dict[str, tuple[int, int]]:
    """Counts the correct and total answers in an audit, for precision and for recall."""
    counts = {(kind, answer): 0 for kind in ("taken", "left") for answer in "yn"}
    for where, row in csv_rows(path, _AUDIT, error=AmbigBioError):
        answer = row["right"].strip().casefold()[:1]
        if not answer:
            continue
        if (row["kind"], answer) not in counts:
            raise AmbigBioError(
                f"{where}, right: {row['right']!r} of a line of kind {row['kind']!r}: write y or n"
            )
        counts[row["kind"], answer] += 1
    right, wrong, lost = counts["taken", "y"], counts["taken", "n"], counts["left", "n"]
    if not right + wrong:
        raise AmbigBioError(f"{path}: no line of kind 'taken' has an answer: write y or n in right")
    return {"precision": (right, right + wrong), "recall": (right, right + lost)}
