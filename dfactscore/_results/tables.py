"""The rows of ``scores.csv`` and their means."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, overload

from dfactscore._errors import RunError
from dfactscore._metrics import PAPER_KS, f1_at_k, f1_key
from dfactscore._scoring import Summary, count_facts, fact_values, linked_values
from dfactscore._scoring.answer_classes import answer_kind
from dfactscore._scoring.record import Record
from dfactscore._scoring.summary import summarize_records
from dfactscore._util.files import open_bytes
from dfactscore._util.numbers import Mean
from dfactscore._util.tables import csv_text, without_guard

COLUMNS = (
    "id", "name", "fs", "dfs", "kept", "dfs_one_group", "n_bio", "n_ent", "n_facts", "category",
    "mixed_groups", "coverage", "status", "coverage_fs", "n_bio_named", "n_ent_named",
    "shared_links", "n_candidates", "off_target", "fs_low", "fs_high", "dfs_low", "dfs_high",
    "model", "reason", "n_supported", "n_unsupported", "n_linked", "repeats",
    *map(f1_key, PAPER_KS), "contradicted", "not_stated", "outside", "fs_verdicts", "dfs_verdicts",
    "dfs_owned", "unsure_groups", "answer", "n_evidence", "n_told", "entity_recall",
    "entity_precision",
)  # fmt: skip
_TEXTS = frozenset({"id", "name", "category", "status", "model", "reason", "answer"})


def score_row(record: Record) -> dict[str, Any]:
    """Returns a row of ``scores.csv``; scores are fractions, and missing values are None."""
    biography, s = record.biography, record.scores
    row: dict[str, Any] = dict.fromkeys(COLUMNS)
    row |= {"id": biography.id, "name": biography.name, "model": biography.model or None}
    row |= {"status": record.status, "n_facts": len(record.facts)}
    row["reason"] = record.reason or (s.dfs_reason if s else "") or None
    row["answer"] = answer_kind(record)
    if s is None:
        return row
    for name in COLUMNS:
        if hasattr(s, name):
            row[name] = getattr(s, name)
    row |= {"n_candidates": len(record.candidate_columns), "off_target": record.off_target}
    row |= _counts(record)
    for name, bounds in (("fs", s.fs_bounds), ("dfs", s.dfs_bounds)):
        if bounds is not None:
            row[f"{name}_low"], row[f"{name}_high"] = bounds
    return row


def _counts(record: Record) -> dict[str, Any]:
    """Returns the counts for F1@K, and F1@K itself."""
    if record.matrix is None or record.scores is None or not record.scores.n_facts:
        return {}
    keep = record.options.keep_repeats
    counts = count_facts(record, fact_values(record, "verdicts"))
    row: dict[str, Any] = {"repeats": counts.repeats}
    if record.scores.fs is not None:
        row["n_supported"] = round(counts.all_supported if keep else counts.supported)
        row["n_unsupported"] = round(counts.all_others if keep else counts.others)
    if record.links and record.scores.dfs is not None:
        linked = count_facts(record, linked_values(record, "verdicts"))
        row["n_linked"] = round(linked.all_supported if keep else linked.supported)
    for k in PAPER_KS if record.scores.fs is not None else ():
        row[f1_key(k)] = counts.f1_at(k, keep_repeats=keep)
    return row


def tabulate(records: Iterable[Record], *, n_bad: int = 0) -> tuple[list[dict[str, Any]], Summary]:
    """Returns the rows and means of scored records, which are read one by one and not kept."""
    rows: list[dict[str, Any]] = []

    def collect_rows() -> Iterator[Record]:
        for record in records:
            rows.append(score_row(record))
            yield record

    means = summarize_records(collect_rows(), n_bad=n_bad)
    return rows, means


def f1_means(
    rows: Iterable[Mapping[str, Any]], ks: Iterable[float]
) -> dict[float, tuple[float | None, float | None]]:
    """Computes mean F1@K over all texts (abstentions count as 0), and over answered texts only."""
    means = {k: (Mean(), Mean()) for k in ks}
    for row in rows if means else ():
        if row.get("fs_low") is not None and row.get("n_supported") is None:
            return dict.fromkeys(means, (None, None))  # a mean would leave out texts with bounds
        silent = row["status"] in ("abstained", "no_facts")
        for k, (every, answering) in means.items():
            value = 0.0 if silent else _f1(row, k)
            every.add(value)
            if not silent:
                answering.add(value)
    return {k: (every.value, answering.value) for k, (every, answering) in means.items()}


def _f1(row: Mapping[str, Any], k: float) -> float | None:
    if row.get("n_supported") is None:
        return None
    return f1_at_k(row["n_supported"], row["n_unsupported"], k)


def scores_csv(rows: Iterable[Mapping[str, Any]], *, header: bool = True) -> str:
    """Formats the rows of ``scores.csv`` as CSV."""
    return csv_text(rows, COLUMNS, header=header)


class StoredRows(Sequence[Mapping[str, Any]]):
    """The rows of a ``scores.csv``, read from the file on each access."""

    def __init__(self, path: Path, count: int) -> None:
        self._path, self._count = path, count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        with (
            open_bytes(self._path, error=RunError) as file,
            io.TextIOWrapper(file, "utf-8", newline="") as lines,
        ):
            for row in csv.DictReader(lines):
                yield {name: _value(name, cell) for name, cell in row.items()}

    @overload
    def __getitem__(self, at: int) -> Mapping[str, Any]: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Mapping[str, Any]]: ...

    def __getitem__(self, at: int | slice) -> Mapping[str, Any] | Sequence[Mapping[str, Any]]:
        if isinstance(at, slice):
            return tuple(islice(self, *at.indices(self._count)))
        number = range(self._count)[at]
        return next(islice(self, number, None))


def _value(column: str, cell: str) -> Any:
    """Parses the value of a cell."""
    if not cell:
        return None
    if column in _TEXTS:
        return without_guard(cell)
    if cell in ("true", "false"):
        return cell == "true"
    return int(cell) if cell.lstrip("-").isdigit() else float(cell)
