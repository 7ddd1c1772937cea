"""Creates a study from run folders, and allocates its paragraphs to annotators."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import random
import sqlite3
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any, TypeVar

from dfactscore._errors import DFactScoreError, InputError, RunError
from dfactscore._evidence.pages import open_pages
from dfactscore._util.files import atomic_path, read_text
from dfactscore._util.message_text import near_miss
from dfactscore._util.sqlite import open_sqlite, sqlite_errors
from dfactscore.annotation._answer_files import read_rows
from dfactscore.annotation._paragraphs import RunParagraph, read_runs, sample_paragraphs
from dfactscore.annotation._study import ADJUDICATOR, SCHEMA, TABLES, Study, insert
from dfactscore.linking import CandidateMode

_K = TypeVar("_K", bound=Hashable)


def doubles_of(n: int, double: float) -> int:
    """The number of paragraphs with two annotators: ``ceil(double × n)`` in decimal arithmetic.

    Example:
        >>> doubles_of(100, 0.07), doubles_of(7, 0.1)
        (7, 1)
    """
    return min(n, math.ceil(Fraction(str(double)) * n))


def allocate(
    strata: Mapping[str, Sequence[_K]],
    annotators: Sequence[str],
    *,
    double: float = 0.1,
    seed: int = 0,
) -> dict[_K, tuple[str, ...]]:
    """Allocates one or two annotators to each paragraph.

    In each stratum (the paragraphs of one model), `doubles_of` paragraphs get two annotators, and
    the others get one. The loads of annotators differ by at most one, in total and in each stratum.
    Each double goes to the pair that has the fewest so far, among the pairs that keep the loads
    even.

    Example:
        >>> models = {m: [f"{m}{i}" for i in range(100)] for m in "xyz"}
        >>> found = allocate(models, ["ann", "ben", "cat"])
        >>> loads = Counter(name for names in found.values() for name in names)
        >>> sorted(loads.items()), sum(len(names) == 2 for names in found.values())
        ([('ann', 110), ('ben', 110), ('cat', 110)], 30)
    """
    rng = random.Random(f"allocation:{seed}")
    people = list(annotators)
    rng.shuffle(people)
    turn = 0
    doubles: Counter[str] = Counter()  # number of doubles per person
    used: Counter[tuple[str, str]] = Counter()  # and per pair
    allocation: dict[_K, tuple[str, ...]] = {}
    for stratum in sorted(strata):
        keys = list(strata[stratum])
        rng.shuffle(keys)
        n_double = doubles_of(len(keys), double) if len(people) > 1 else 0
        base, remainder = divmod(len(keys) + n_double, len(people))
        quota = dict.fromkeys(people, base)
        for i in range(remainder):  # the next people in turn get one more
            quota[people[(turn + i) % len(people)]] += 1
        turn = (turn + remainder) % len(people)
        shares = _shares(people, quota, n_double, doubles)
        for key in keys[:n_double]:
            pair = _pair(people, shares, used)
            used[pair] += 1
            doubles.update(pair)
            shares.subtract(pair)
            quota[pair[0]] -= 1
            quota[pair[1]] -= 1
            allocation[key] = pair
        singles = [name for name in people for _ in range(quota[name])]
        rng.shuffle(singles)
        allocation |= {k: (name,) for k, name in zip(keys[n_double:], singles, strict=True)}
    return allocation


def _shares(
    people: Sequence[str], quota: Mapping[str, int], n_double: int, doubles: Counter[str]
) -> Counter[str]:
    """The number of doubles for each person; some get an extra one if their load allows."""
    base, remainder = divmod(2 * n_double, len(people))
    shares = Counter(dict.fromkeys(people, base))
    able = [name for name in people if quota[name] > base]
    able.sort(key=lambda name: (doubles[name], -quota[name]))
    shares.update(able[:remainder])
    return shares


def _pair(
    people: Sequence[str], shares: Counter[str], used: Counter[tuple[str, str]]
) -> tuple[str, str]:
    """The pair with the fewest doubles, among those that leave partners for all other doubles."""
    remaining = shares.total() // 2
    must = {name for name in people if shares[name] == remaining}  # members of all remaining pairs
    pairs = [
        pair
        for pair in combinations(people, 2)
        if shares[pair[0]] > 0 and shares[pair[1]] > 0 and must <= set(pair)
    ]
    return min(pairs, key=lambda pair: (used[pair], -shares[pair[0]] - shares[pair[1]]))


ALONE = "annotator"  # name of the person in a study without names
_LONGEST_NAME = 60
_Place = tuple[str, str]
"""Run and record of a paragraph."""


@dataclass(frozen=True, slots=True)
class Created:
    """Contents of a new study."""

    path: Path
    paragraphs: Mapping[str, int]
    loads: Mapping[str, int]  # number of paragraphs per annotator, excluding qualifying ones
    doubles: int
    qualifying: int
    pageless: int
    skipped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Planned:
    """The contents of a new study."""

    paragraphs: Sequence[RunParagraph]
    people: Sequence[str]
    allocation: Mapping[_Place, tuple[str, ...]]
    known: Mapping[_Place, Mapping[str, Any]]
    settings: Mapping[str, Any]


def check_name(name: str) -> str:
    """Validates the name of an annotator."""
    name = name.strip()
    if not name or len(name) > _LONGEST_NAME or not name.isprintable() or "," in name:
        raise InputError(
            f"annotator {name[:80]!r}: expected 1 to {_LONGEST_NAME} printable characters, no comma"
        )
    if name.casefold() == ADJUDICATOR:
        raise InputError(f"annotator {name!r}: this is the adjudicator's name; choose another")
    return name


def init_study(
    runs: Sequence[str | Path],
    out: str | Path,
    *,
    annotators: Sequence[str] = (),
    double: float = 0.1,  # share of each model's paragraphs that get two annotators, in [0, 1]
    sample: int | None = None,  # maximum number of paragraphs per model
    candidates: CandidateMode | None = None,
    pages: str | Path | None = None,
    # Known answers, as written by `annotate export`. Everyone annotates these paragraphs first, and
    # they are left out of the study's results. The runs must contain them.
    qualify: str | Path | None = None,
    qualify_min: float = 0.7,
    show_automatic: bool = False,
    guidelines: str | Path | None = None,
    seed: int = 0,
) -> Created:
    """Creates a study from run folders, which are no longer needed afterwards."""
    out = Path(out)
    if not 0 <= double <= 1:
        raise InputError(f"--double {double:g} is not a share (0 to 1)")
    people = _people(annotators)
    skipped: Counter[str] = Counter()
    paragraphs = read_runs(
        [Path(run) for run in runs],
        candidates=candidates,
        source=None if pages is None else open_pages(pages),
        skipped=skipped,
    )
    known = {} if qualify is None else _known(Path(qualify), paragraphs)
    tasks = [paragraph for paragraph in paragraphs if paragraph.place not in known]
    tasks = tasks if sample is None else sample_paragraphs(tasks, sample, seed)
    strata = _by_stratum(tasks)
    allocation = allocate(strata, people, double=double, seed=seed)
    selected = [
        paragraph
        for paragraph in paragraphs
        if paragraph.place in allocation or paragraph.place in known
    ]
    settings: dict[str, Any] = {
        "seed": seed,
        "double": double if len(people) > 1 else 0,
        "sample": sample,
        "candidates": candidates or "as in the run",
        "qualify_min": qualify_min,
        "blind": not show_automatic,
        "runs": sorted({paragraph.run for paragraph in selected}),
    }
    if guidelines is not None:
        settings["guidelines"] = read_text(Path(guidelines), error=InputError)
    _make(out, _Planned(selected, people, allocation, known, settings))
    return Created(
        path=out,
        paragraphs={name: len(keys) for name, keys in strata.items()},
        loads={p: sum(p in names for names in allocation.values()) for p in people},
        doubles=sum(len(names) == 2 for names in allocation.values()),
        qualifying=len(known),
        pageless=sum(not paragraph.pages for paragraph in selected),
        skipped=dict(skipped),
    )


def _people(annotators: Sequence[str]) -> list[str]:
    people = [check_name(name) for name in annotators] or [ALONE]
    if len({name.casefold() for name in people}) < len(people):
        raise InputError(f"annotators {', '.join(people)}: a name is repeated")
    return people


def _by_stratum(tasks: Sequence[RunParagraph]) -> dict[str, list[_Place]]:
    strata: dict[str, list[_Place]] = {}
    for paragraph in tasks:
        strata.setdefault(paragraph.stratum, []).append(paragraph.place)
    return strata


def _make(out: Path, planned: _Planned) -> None:
    """Writes the file, or checks that the same command wrote the existing one."""
    if out.exists():
        _check_same(out, planned)
        return
    with atomic_path(out, error=InputError) as place:
        os.chmod(place, 0o600)  # the file reveals who gave which answers
        _write(place, planned)


def _check_same(path: Path, planned: _Planned) -> None:
    """Rejects an existing file unless the same command wrote it before being interrupted."""
    paragraphs, known = planned.paragraphs, planned.known
    answers = [
        json.dumps(known[paragraph.place]) for paragraph in paragraphs if paragraph.place in known
    ]
    try:
        with Study(path) as study, study.read() as db:
            names = [person.name for person in study.people() if person.role != ADJUDICATOR]
            rows = db.execute("SELECT known FROM item WHERE known IS NOT NULL ORDER BY id")
            existing = (study.key, study.settings, names, [row[0] for row in rows])
    except DFactScoreError:
        existing = None
    if existing != (study_key(paragraphs), planned.settings, [*planned.people], answers):
        raise InputError(f"{path}: exists already; choose another --out")


def _known(path: Path, paragraphs: Sequence[RunParagraph]) -> dict[_Place, dict[str, Any]]:
    """Reads the known answers, keyed by paragraph."""
    places = {paragraph.place: paragraph for paragraph in paragraphs}
    by_record: dict[str, list[_Place]] = {}
    for place in places:
        by_record.setdefault(place[1], []).append(place)
    known = {}
    for line, row in read_rows(path):
        options = by_record.get(row["item"], [])
        place = (row["run"], row["item"])
        if place not in places and len(options) == 1:
            place = options[0]
        if place not in places:
            near = near_miss(row["item"], by_record)
            raise InputError(f"{line}: item {row['item']!r} is not in the runs{near}")
        texts = [text for text, _ in places[place].facts]
        if [f["text"] for f in row["facts"]] != texts:
            raise InputError(f"{line}: item {row['item']!r}: its facts are not those of the run")
        if any(f["label"] is None for f in row["facts"]):
            raise InputError(f"{line}: item {row['item']!r}: a fact has no label")
        known[place] = row
    return known


def _write(path: Path, planned: _Planned) -> None:
    key = study_key(planned.paragraphs)
    created = datetime.now(UTC).isoformat(timespec="seconds")
    with (
        sqlite_errors(path, "cannot be written", error=RunError),
        contextlib.closing(open_sqlite(path, "journal_mode=MEMORY", "foreign_keys=ON")) as db,
    ):
        db.executescript(f"BEGIN;{TABLES}")
        texts = json.dumps(planned.settings, ensure_ascii=False)
        db.execute(
            "INSERT INTO study (id, key, schema, created, settings) VALUES (1, ?, ?, ?, ?)",
            (key, SCHEMA, created, texts),
        )
        roles = [(name, "annotator") for name in planned.people] + [(ADJUDICATOR, ADJUDICATOR)]
        insert(
            db,
            "annotator",
            [
                {"id": i, "name": name, "role": role, "revoked": 0, "released": 0}
                for i, (name, role) in enumerate(roles, 1)
            ],
        )
        _write_paragraphs(db, planned, key)
        _write_assignments(db, planned)
        db.execute("COMMIT")


def study_key(paragraphs: Sequence[RunParagraph]) -> str:
    """Twelve digits that identify the texts of a study."""
    total = hashlib.sha256()
    for paragraph in sorted(paragraphs, key=lambda paragraph: paragraph.place):
        parts = (
            paragraph.run,
            paragraph.record,
            paragraph.name,
            paragraph.text,
            paragraph.facts,
            sorted(paragraph.pages),
        )
        total.update(json.dumps(parts, ensure_ascii=False).encode("utf-8"))
    return total.hexdigest()[:12]


def _write_paragraphs(db: sqlite3.Connection, planned: _Planned, key: str) -> None:
    known, seed = planned.known, planned.settings["seed"]
    pages: dict[tuple[str, str], int] = {}
    items, facts, candidates = [], [], []
    texts = ("run", "record", "model", "stratum", "name", "text")
    for number, paragraph in enumerate(planned.paragraphs, 1):
        # Annotators see this id in URLs, so it must not reveal the run or model.
        public = hashlib.sha256(
            f"{seed}\0{key}\0{paragraph.run}\0{paragraph.record}".encode()
        ).hexdigest()[:12]
        items.append(
            {
                "id": number,
                "public": public,
                "kind": "qualify" if paragraph.place in known else "task",
                **{name: getattr(paragraph, name) for name in texts},
                "sentences": json.dumps(paragraph.sentences),
                "automatic": json.dumps(paragraph.automatic, ensure_ascii=False),
                "known": json.dumps(known[paragraph.place]) if paragraph.place in known else None,
            }
        )
        facts += [
            {"item_id": number, "position": i, "text": text, "sentence": sentence}
            for i, (text, sentence) in enumerate(paragraph.facts)
        ]
        candidates += [
            {"item_id": number, "page_id": pages.setdefault(page, len(pages) + 1), "rank": rank}
            for rank, page in enumerate(paragraph.pages)
        ]
    insert(db, "item", items)
    insert(db, "fact", facts)
    rows = [
        {"id": i, "title": title, "text": text, "digest": _page_digest(title, text)}
        for (title, text), i in pages.items()
    ]
    insert(db, "page", rows)
    insert(db, "candidate", candidates)


def _page_digest(title: str, text: str) -> str:
    return hashlib.sha256(f"{title}\0{text}".encode()).hexdigest()[:32]


def _write_assignments(db: sqlite3.Connection, planned: _Planned) -> None:
    """Assigns each annotator's paragraphs in random order, after the qualifying ones."""
    paragraphs, allocation = planned.paragraphs, planned.allocation
    numbers = {paragraph.place: number for number, paragraph in enumerate(paragraphs, 1)}
    rows = []
    for person, name in enumerate(planned.people, 1):
        qualifying = [
            numbers[paragraph.place]
            for paragraph in paragraphs
            if paragraph.place not in allocation
        ]
        assigned = [numbers[place] for place in numbers if name in allocation.get(place, ())]
        random.Random(f"order:{planned.settings['seed']}:{name}").shuffle(assigned)
        rows += [
            {"item_id": item, "annotator_id": person, "position": position}
            for position, item in enumerate([*qualifying, *assigned])
        ]
    insert(db, "assignment", rows)
