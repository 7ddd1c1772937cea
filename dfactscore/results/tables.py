"""Rows and tables that people read."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, overload

from dfactscore._util.csv_text import csv_text, without_guard
from dfactscore._util.files import open_bytes
from dfactscore._util.numbers import Mean, number, percent
from dfactscore.errors import RunError
from dfactscore.measures.table import aligned, labeled
from dfactscore.metrics import PAPER_KS, f1_at_k, f1_key
from dfactscore.scoring import Summary, count_facts, fact_values, linked_values
from dfactscore.scoring.category import CATEGORY_LABELS
from dfactscore.scoring.record import Record
from dfactscore.scoring.summary import summarize_records

__all__ = [
    "COLUMNS",
    "StoredRows",
    "f1_means",
    "score_row",
    "scores_csv",
    "summary_rows",
    "summary_table",
    "tabulate",
]

COLUMNS = (
    "id",
    "name",
    "fs",
    "dfs",
    "kept",
    "dfs_one_group",
    "n_bio",
    "n_ent",
    "n_facts",
    "category",
    "mixed_groups",
    "coverage",
    "status",
    "coverage_fs",
    "n_bio_named",
    "n_ent_named",
    "shared_links",
    "n_candidates",
    "off_target",
    "fs_low",
    "fs_high",
    "dfs_low",
    "dfs_high",
    "model",
    "reason",
    "n_supported",
    "n_unsupported",
    "n_linked",
    "repeats",
    *map(f1_key, PAPER_KS),
    "contradicted",
    "not_stated",
)


_WHOLE = 0.95  # of a text; less is said in the summary
_FAULTS = {
    "lost_sentences": "sentences without a fact of theirs",
    "not_in_text": "facts dropped, not in the text",
    "moved": "facts listed under a wrong sentence",
    "repaired": "groupings repaired",
}
_TEXTS = frozenset({"id", "name", "category", "status", "model", "reason"})


def score_row(record: Record) -> dict[str, Any]:
    """One row of ``scores.csv``: scores are fractions, None where there is none."""
    biography, s = record.biography, record.scores
    row: dict[str, Any] = dict.fromkeys(COLUMNS)
    row |= {"id": biography.id, "name": biography.name, "model": biography.model or None}
    row |= {"status": record.status, "n_facts": len(record.facts)}
    row["reason"] = record.reason or (s.dfs_reason if s else "") or None
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
    """What F1@K is made of: relevant facts that are supported, that are not, by the linked one."""
    if record.matrix is None or record.scores is None or not record.scores.n_facts:
        return {}
    keep = record.options.keep_repeats
    counts = count_facts(record, fact_values(record))
    found: dict[str, Any] = {
        "n_supported": counts.all_supported if keep else counts.supported,
        "n_unsupported": counts.all_others if keep else counts.others,
        "repeats": counts.repeats,
    }
    if record.links:
        linked = count_facts(record, linked_values(record))
        found["n_linked"] = linked.all_supported if keep else linked.supported
    for k in PAPER_KS:
        found[f1_key(k)] = counts.f1_at(k, keep_repeats=keep)
    return found


def tabulate(records: Iterable[Record], *, n_bad: int = 0) -> tuple[list[dict[str, Any]], Summary]:
    """Rows and means of scored records, which pass by one at a time and are not held.

    Args:
        records: In the order of the input.
        n_bad: Records of the input that could not be read.
    """
    rows: list[dict[str, Any]] = []

    def passing() -> Iterator[Record]:
        for record in records:
            rows.append(score_row(record))
            yield record

    means = summarize_records(passing(), n_bad=n_bad)
    return rows, means


def f1_means(
    rows: Iterable[Mapping[str, Any]], ks: Iterable[float]
) -> dict[float, tuple[float | None, float | None]]:
    """F1@K over all texts, an abstention counted as 0, and over the texts that answer.

    Args:
        rows: The rows of ``scores.csv``.
        ks: The K.
    """
    found = {k: (Mean(), Mean()) for k in ks}
    for row in rows if found else ():
        silent = row["status"] in ("abstained", "no_facts")
        for k, (every, answering) in found.items():
            value = 0.0 if silent else _f1(row, k)
            every.add(value)
            if not silent:
                answering.add(value)
    return {k: (every.value, answering.value) for k, (every, answering) in found.items()}


def _f1(row: Mapping[str, Any], k: float) -> float | None:
    if row.get("n_supported") is None:
        return None
    return f1_at_k(row["n_supported"], row["n_unsupported"], k)


def scores_csv(rows: Iterable[Mapping[str, Any]], *, header: bool = True) -> str:
    """The rows of ``scores.csv`` as CSV."""
    return csv_text(rows, COLUMNS, header=header)


class StoredRows(Sequence[Mapping[str, Any]]):
    """The rows of a ``scores.csv``, read one at a time whenever they are asked for.

    Args:
        path: The file, as a run wrote it.
        count: How many rows it has.
    """

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
    """What a row held that a cell was written of."""
    if not cell:
        return None
    if column in _TEXTS:
        return without_guard(cell)
    if cell in ("true", "false"):
        return cell == "true"
    return int(cell) if cell.lstrip("-").isdigit() else float(cell)


def summary_rows(summary: Summary) -> list[tuple[str, str]]:
    """Label and value of each line of the summary, in percent where it is a share."""
    s = summary
    rows = [
        ("FActScore", percent(s.fs)),
        ("D-FActScore", percent(s.dfs)),
        ("  what is left of FActScore (D-FS / FS)", percent(s.kept)),
        (f"  gap{_gap_of(s)}", percent(s.gap)),
        ("  all facts in one group (lower bound)", percent(s.dfs_one_group)),
        ("FActScore, D-FActScore over facts", f"{percent(s.fs_micro)}, {percent(s.dfs_micro)}"),
    ]
    for label, bounds in (("FActScore", s.fs_bounds), ("D-FActScore", s.dfs_bounds)):
        if bounds is not None:
            rows.append((f"{label}, bounds", f"{percent(bounds[0])} to {percent(bounds[1])}"))
    rows += [
        ("biographies a text (bear the name)", _pair(s.n_bio, s.n_bio_named)),
        ("entities a text (bear the name)", _pair(s.n_ent, s.n_ent_named)),
        ("mixed (people of one name)", percent(s.mixed)),
        *((CATEGORY_LABELS[kind], percent(share)) for kind, share in s.categories.items()),
        ("facts a text", number(s.n_facts, digits=1)),
        ("coverage (FActScore)", f"{percent(s.coverage)} ({percent(s.coverage_fs)})"),
        ("response rate", percent(s.response_rate)),
        ("scored", f"{s.n_scored} of {s.n}"),
    ]
    if s.contradicted is not None and s.not_stated is not None:
        counts = f"{s.contradicted}, {s.not_stated}"
        rows.append(("unsupported facts: contradicted, not stated", counts))
    if len(s.models) > 1:
        rows.append(("models averaged (compare --rows model)", str(len(s.models))))
    others = {k: n for k, n in s.statuses.items() if k != "scored"}
    rows += [(f"  {status.replace('_', ' ')}", str(n)) for status, n in others.items()]
    if s.text_coverage is not None and s.text_coverage < _WHOLE:
        rows.append(("sentences with facts (others were lost)", percent(s.text_coverage)))
    rows += [(f"  {_FAULTS[kind]}", str(n)) for kind, n in s.faults.items()]
    if s.off_target:
        rows.append(("off target (no one bears the name)", str(s.off_target)))
    if s.without_candidates:
        rows.append(("without a candidate", str(s.without_candidates)))
    if s.shared_links:
        rows.append(("several groups linked to one entity", str(s.shared_links)))
    return rows


def _gap_of(s: Summary) -> str:
    """What it is the difference of: both scores of the same texts, with a digit more."""
    if s.fs_both is None or s.dfs is None:
        return ""
    return f" ({100 * s.fs_both:.2f} − {100 * s.dfs:.2f}, {_count(s.n_both)})"


def _count(texts: int) -> str:
    return "1 text" if texts == 1 else f"{texts} texts"


def summary_table(summary: Summary) -> str:
    """The summary as aligned lines of plain text."""
    rows = ((label, f"{value:>7}") for label, value in summary_rows(summary))
    return aligned(labeled(rows, left=True))


def _pair(value: float | None, named: float | None) -> str:
    return f"{number(value)} ({number(named)})"
