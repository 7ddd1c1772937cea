"""The report's data for one biography."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dfactscore._evidence.owners import owner_methods
from dfactscore._report.documents import ReportDocuments
from dfactscore._report.offsets import Utf16
from dfactscore._report.summary import taken_for_one
from dfactscore._scoring.category import kind_label
from dfactscore._scoring.matrix import matrix_values
from dfactscore._scoring.record import Record
from dfactscore.engines._builtin.group.grouper import explain
from dfactscore.engines._corpus import OPEN
from dfactscore.linking import Evidence, LinkMethod, link_groups, support_counts
from dfactscore.mixing._biography import BiographyMixing

_CODES = "snuxe"  # supported, not supported, unparsed, refused, error: the order of STATUSES


def list_row(record: Record, mixing: BiographyMixing | None) -> list[Any]:
    """Returns a biography's row in the list; the script reads the columns by index.

    Scores are not rounded here because the page rounds them, in the same way as the terminal.
    """
    s = record.scores
    return [
        record.id,
        record.name,
        record.status,
        s.fs if s else None,
        s.dfs if s else None,
        s.n_bio if s else None,
        s.n_ent if s else None,
        s.n_facts if s else len(record.facts),
        kind_label(s.category, mixed=s.mixed_groups, n_ent=s.n_ent) if s and s.category else None,
        taken_for_one(mixing) if mixing else None,
        record.biography.model or None,
        bool(s and s.thin),
    ]


def body(
    record: Record,
    mixing: BiographyMixing | None,  # biography's mixing; None if there is no D-FS
    documents: ReportDocuments,
    *,
    explained: bool = False,
) -> dict[str, Any]:
    """Returns the paragraph, facts, groups, links, matrix and evidence as JSON values."""
    biography, scores = record.biography, record.scores
    offset = Utf16(biography.text)
    return {
        "text": biography.text,
        "reason": record.reason or (scores.dfs_reason if scores else ""),
        "offTarget": record.off_target,
        **({"expected": True} if record.options.counts == "expected" else {}),
        "scored": list(scores.facts) if scores else [],
        "facts": [
            {
                "t": f.text,
                "s": None if f.span is None else [offset(f.span[0]), offset(f.span[1])],
                **({"l": f.label} if f.label else {}),
            }
            for f in record.facts
        ],
        "standing": list(record.standing),
        **({"whyNot": list(record.why_not)} if any(record.why_not) else {}),
        "entities": [
            {
                "id": e.id,
                "label": e.label,
                "named": i in record.named,
                "candidate": i in record.candidate_columns,
                "documents": [documents.number(d) for d in e.documents],
                **({"how": how} if (how := owner_methods(e)) else {}),
            }
            for i, e in enumerate(record.entities)
        ],
        "groups": _groups(record),
        **_matrix(record, documents),
        **_mixed(mixing),
        **({"clauses": _clauses(record)} if explained else {}),
        **(_searched(record) if record.searches else {}),
    }


def _mixed(mixing: BiographyMixing | None) -> dict[str, Any]:
    """Returns the cost of the mixing, and the facts at which groups switch between people."""
    if mixing is None:
        return {"lost": None, "switches": []}
    lost = {
        "same": list(mixing.lost.same_name),
        "other": list(mixing.lost.other_page),
        "conflict": list(mixing.lost.link_conflict),
    }
    return {"lost": lost, "switches": sorted({f for g in mixing.groups for f in g.switches})}


def _searched(record: Record) -> dict[str, Any]:
    """Returns the evidence searches in column ``(open)``: the queries and results for each fact."""
    column = next((i for i, e in enumerate(record.entities) if e.id == OPEN), None)
    documents = () if column is None else record.entities[column].documents
    return {
        "open": column,
        "results": [[d.title, d.address, d.date, d.note, d.time] for d in documents],
        "searches": [
            {
                "ended": search.ended,
                "steps": [[s.query, list(s.results), s.entity] for s in search.steps],
            }
            for search in record.searches
        ],
    }


def _clauses(record: Record) -> list[dict[str, Any]]:
    """Returns the built-in grouper's analysis of the paragraph."""
    biography = record.biography
    return [
        {
            "t": clause.text,
            "who": [clause.individual, *clause.passing],
            "label": clause.label,
            "rule": clause.rule,
            "says": clause.says,
            "cues": list(clause.cues),
        }
        for clause in explain(biography.text, biography.name)
        if clause.text
    ]


def _matrix(record: Record, documents: ReportDocuments) -> dict[str, Any]:
    """Returns the cells: their status, probability, evidence position and contradictions."""
    if record.matrix is None:
        return {"status": [], "probability": [], "evidence": []}
    matrix = record.decided

    def places(at: Callable[[int, int], Evidence | None]) -> list[list[list[int] | None]]:
        return [
            [documents.place(e.documents, at(f, i)) for i, e in enumerate(record.entities)]
            for f in range(len(record.facts))
        ]

    cells = {
        "status": ["".join(_CODES[c] for c in row) for row in matrix.status.tolist()],
        "probability": [[_short(p) for p in row] for row in matrix.probability.tolist()],
        "evidence": places(matrix.evidence_at),
    }
    return cells if matrix.conflict is None else {**cells, "conflict": places(matrix.conflict_at)}


def _groups(record: Record) -> list[dict[str, Any]]:
    groups, links = record.groups, record.links
    if not groups or not links:
        return []
    other_method: LinkMethod = "argmax" if record.options.link == "hungarian" else "hungarian"
    mask = np.zeros(len(record.entities), dtype=bool)
    mask[list(record.candidate_columns)] = True
    matrix = record.decided
    values = matrix_values(matrix, counts=record.options.counts)
    counts = support_counts(values, [g.facts for g in groups])
    compared = link_groups(counts, method=other_method, ranks=matrix.ranks, candidates=mask)
    return [
        {
            "label": group.label,
            "facts": list(group.facts),
            "bears": group.bears_name,
            "link": link.entity,
            "runnerUp": link.runner_up,
            "counts": np.round(counts[g], 1).tolist(),
            "otherLink": compared[g].entity,
            **({"outside": list(record.outside[g])} if any(record.outside[g : g + 1]) else {}),
        }
        for g, (group, link) in enumerate(zip(groups, links, strict=True))
    ]


def _short(value: float | None) -> float | None:
    if value is None or math.isnan(value):
        return None
    return round(float(value), 4)
