"""Computes a text's SAFE and D-SAFE scores from its support matrix, and their tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dfactscore._metrics import PAPER_KS, f1_key
from dfactscore._scoring import FactCounts, Record, cell_values, count_facts, linked_values
from dfactscore._scoring.matrix import Counts
from dfactscore._util.numbers import mean, percent
from dfactscore.engines._wrapping import OPEN
from dfactscore.linking._links import total

OpenSupport = Literal["linked", "namesake", "other", "unplaced"]


@dataclass(frozen=True, slots=True)
class SafeScores:
    """A text's scores, based on searched evidence.

    Scores are fractions in [0, 1]; the other fields are counts of facts.

    Attributes:
        n: Number of scored facts.
        safe: Share of facts that an open search supports; None if all its verdicts are unreadable.
        any: Share of facts that any column supports; None if there are no entity columns.
        d_safe: Share of facts supported by evidence about the linked entity; None if there are no
            entity columns.
        linked: Number of facts supported by both an open search and the linked entity.
        namesake: Number of facts supported by an open search and by another entity with the name,
            but not by the linked entity.
        other: Number of facts supported by an open search and, among entities, only by those with
            other names.
        unplaced: Number of facts supported by an open search but not by any entity.
        restricted: Number of facts supported only by a search about the linked entity.
        nothing: Number of facts for which searches found nothing.
        repeats: Number of facts that differ from an earlier fact only in case, spaces or
            punctuation.
        unreadable: Number of facts that could not be judged; they are included in `n` unless they
            are excluded from the scores.
        counts: Counts of verdicts for computing F1@K from the open search; None if `safe` is None.
        d_counts: Counts of verdicts for computing F1@K from evidence about the linked entities;
            None if `d_safe` is None.
        by: What `safe`, `any` and `d_safe` add up: ``"expected"`` support, or ``"verdicts"``.
        safe_verdicts: `safe` by verdicts.
        d_safe_verdicts: `d_safe` by verdicts.
    """

    n: int
    safe: float | None
    any: float | None
    d_safe: float | None
    linked: int
    namesake: int
    other: int
    unplaced: int
    restricted: int
    nothing: int
    repeats: int
    unreadable: int
    counts: FactCounts | None
    d_counts: FactCounts | None
    by: Counts = "verdicts"
    safe_verdicts: float | None = None
    d_safe_verdicts: float | None = None

    def f1_at(self, k: float) -> float | None:
        """F1@K based on the open search."""
        return None if self.counts is None else self.counts.f1_at(k)

    def d_f1_at(self, k: float) -> float | None:
        """F1@K based on evidence about the linked entities."""
        return None if self.d_counts is None else self.d_counts.f1_at(k)


def safe_scores(record: Record) -> SafeScores | None:
    """Scores a record judged by a `SearchVerifier`; None if the record has no scored facts.

    Args:
        record: The record, with scores.
    """
    if record.matrix is None or record.scores is None or not record.scores.n_facts:
        return None
    column = _open_column(record)
    if column is None:
        return None
    facts, matrix = list(record.scores.facts), record.decided
    values, cells = cell_values(record, "verdicts"), cell_values(record)
    has_entities = values.shape[1] > 1 and record.scores.dfs is not None
    kinds = [open_support(record, fact) for fact in facts]
    linked = np.array(linked_values(record, "verdicts"))
    worth = np.array(linked_values(record))
    counts = count_facts(record, values[:, column].tolist())
    judged = bool(matrix.readable[facts, column].any())
    nothing = sum(
        not any(step.results for step in record.searches[fact].steps)
        for fact in facts
        if fact < len(record.searches)
    )
    return SafeScores(
        n=len(facts),
        safe=_mean(cells[facts, column]) if judged else None,
        any=_mean(cells[facts].max(axis=1)) if has_entities else None,
        d_safe=_mean(worth[facts]) if has_entities else None,
        linked=kinds.count("linked"),
        namesake=kinds.count("namesake"),
        other=kinds.count("other"),
        unplaced=kinds.count("unplaced"),
        restricted=sum(bool(linked[f] and not values[f, column]) for f in facts)
        if has_entities
        else 0,
        nothing=nothing,
        repeats=counts.repeats,
        unreadable=int((~matrix.readable[facts, column]).sum()),
        counts=counts if judged else None,
        d_counts=count_facts(record, linked.tolist()) if has_entities else None,
        by=record.options.counts,
        safe_verdicts=_mean(values[facts, column]) if judged else None,
        d_safe_verdicts=_mean(linked[facts]) if has_entities else None,
    )


def _mean(values: NDArray[np.float64]) -> float:
    return float(total(values) / len(values))


def open_support(record: Record, fact: int) -> OpenSupport | None:
    """A fact's class, based on which entities support it; None if no open search supports it."""
    column = _open_column(record)
    if record.matrix is None or column is None:
        return None
    support = record.decided.support[fact]
    if not support[column]:
        return None
    link = _links(record)[fact] if record.links else None
    if link is not None and support[link]:
        return "linked"
    others = [c for c in np.flatnonzero(support).tolist() if c not in (column, link)]
    if any(c in record.named for c in others):
        return "namesake"
    return "other" if others else "unplaced"


def _open_column(record: Record) -> int | None:
    return next((i for i, e in enumerate(record.entities) if e.id == OPEN), None)


def _links(record: Record) -> list[int | None]:
    link_of: list[int | None] = [None] * len(record.facts)
    for group, link in zip(record.groups or (), record.links, strict=False):
        for fact in group.facts:
            link_of[fact] = link.entity
    return link_of


_SHARES = ("n", "safe", "any", "d_safe", "safe_verdicts", "d_safe_verdicts")
_COUNTS = (
    "linked",
    "namesake",
    "other",
    "unplaced",
    "restricted",
    "nothing",
    "repeats",
    "unreadable",
)


@dataclass(frozen=True, slots=True)
class SafeTable:
    """The scores of all texts in a run."""

    rows: tuple[Mapping[str, Any], ...]
    summary: Mapping[str, Any]  # mean scores over texts (None if undefined) and total counts


def safe_table(records: Iterable[Record]) -> SafeTable:
    """Scores records judged by a `SearchVerifier`."""
    rows, scored = [], []
    for record in records:
        s = safe_scores(record)
        row: dict[str, Any] = {"id": record.id, "name": record.name, "status": record.status}
        row |= dict.fromkeys(_SHARES)
        if s is not None:
            row |= {key: getattr(s, key) for key in _SHARES}
            scored.append(s)
        answered = record.status not in (
            "abstained",
            "no_answer",
            "failed",
            "no_facts",
            "not_english",
            "not_judged",
            "error",
        )
        for k in PAPER_KS:
            # F1@K is 0 for a text without facts, and undefined for a text that failed.
            silent = 0.0 if record.status in ("abstained", "no_facts") else None
            row[f1_key(k)] = s.f1_at(k) if s else silent
            row[f"d_{f1_key(k)}"] = s.d_f1_at(k) if s else silent
        row |= {key: getattr(s, key) if s else None for key in _COUNTS}
        row["outside"] = record.scores.outside if s and record.scores else None
        row["answered"] = answered
        rows.append(row)
    return SafeTable(tuple(rows), _summary(rows, scored))


def _summary(rows: Sequence[Mapping[str, Any]], scored: Sequence[SafeScores]) -> dict[str, Any]:
    judged_entities = [s for s in scored if s.d_safe is not None]
    summary: dict[str, Any] = {
        "texts": len(rows),
        "scored": sum(s.safe is not None for s in scored),
        "facts": sum(s.n for s in scored),
        "safe": mean([s.safe for s in scored]),
        "any": mean([s.any for s in judged_entities]),
        "d_safe": mean([s.d_safe for s in judged_entities]),
        "counts": "expected" if any(s.by == "expected" for s in scored) else "verdicts",
        "safe_verdicts": mean([s.safe_verdicts for s in scored]),
        "d_safe_verdicts": mean([s.d_safe_verdicts for s in judged_entities]),
    }
    for k in PAPER_KS:
        for name in (f1_key(k), f"d_{f1_key(k)}"):
            summary[name] = mean([row[name] for row in rows])
            summary[f"{name}_answered"] = mean([r[name] for r in rows if r["answered"]])
    for key in _COUNTS:
        summary[key] = sum(getattr(s, key) for s in scored)
    outside = [row["outside"] for row in rows if row["outside"] is not None]
    summary["outside"] = sum(outside) if outside else None
    if not judged_entities:
        for key in ("linked", "namesake", "other", "unplaced", "restricted"):
            summary[key] = None
    return summary


def summary_lines(table: SafeTable) -> list[tuple[str, str]]:
    """The label and value of each summary line."""
    s = table.summary
    facts = max(1, s["facts"])
    lines = [("SAFE (facts that an open search supports)", percent(s["safe"]))]
    if s["d_safe"] is not None:
        lines += [
            ("D-SAFE (by evidence about the linked person)", percent(s["d_safe"])),
            ("  any evidence at all", percent(s["any"])),
        ]
    if s["counts"] == "expected":
        shares = [s["safe_verdicts"], s["d_safe_verdicts"]]
        by_verdicts = " and ".join(percent(share) for share in shares if share is not None)
        lines.append(("  expected counts; by verdicts, as SAFE counts", by_verdicts))
    for k in PAPER_KS:
        name = f1_key(k)
        lines.append((f"F1@{k:g} by verdicts (answered only)", _both(s, name)))
        if s["d_safe"] is not None:
            lines.append((f"D-F1@{k:g} by verdicts (answered only)", _both(s, f"d_{name}")))
    if s["namesake"] is not None:
        lines += [
            ("open support: true of the linked person", f"{s['linked']} of {s['facts']} facts"),
            ("  only of a namesake", f"{s['namesake']} ({percent(s['namesake'] / facts)})"),
            ("  only of another page", str(s["other"])),
            ("  of no candidate's page", str(s["unplaced"])),
            ("supported only by searches about the person", str(s["restricted"])),
        ]
    lines += [
        ("facts without a search result", str(s["nothing"])),
        ("repeated facts", str(s["repeats"])),
    ]
    if s["outside"] is not None:
        lines.append(("facts that may be about people without a page", str(s["outside"])))
    if s["unreadable"]:
        lines.append(("facts that could not be judged", str(s["unreadable"])))
    lines.append(("scored", f"{s['scored']} of {s['texts']}"))
    return lines


def _both(summary: Mapping[str, Any], name: str) -> str:
    return f"{percent(summary[name])} ({percent(summary[f'{name}_answered'])})"
