"""Tables of SAFE scores: one row per text, and a summary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dfactscore._metrics import PAPER_KS, f1_key
from dfactscore._scoring import Record
from dfactscore._util.numbers import mean, percent
from dfactscore.safe._scores import SafeScores, safe_scores

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
        row |= dict.fromkeys(("n", "safe", "any", "d_safe"))
        if s is not None:
            row |= {key: getattr(s, key) for key in ("n", "safe", "any", "d_safe")}
            scored.append(s)
        answered = record.status not in (
            "abstained",
            "no_answer",
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
    for k in PAPER_KS:
        name = f1_key(k)
        lines.append((f"F1@{k:g} (answered only)", _both(s, name)))
        if s["d_safe"] is not None:
            lines.append((f"D-F1@{k:g} (answered only)", _both(s, f"d_{name}")))
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
