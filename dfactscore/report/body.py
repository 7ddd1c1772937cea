"""What the report holds of one biography."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dfactscore.linking import link_groups, support_counts
from dfactscore.mixing.biography import BiographyMixing, named_columns
from dfactscore.records import Evidence
from dfactscore.report.documents import ReportDocuments
from dfactscore.report.offsets import Utf16
from dfactscore.scoring.scored import Scored
from dfactscore.scoring.stages import Judged

__all__ = ["body", "list_row"]

_CODES = "snuxe"  # supported, not supported, unparsed, refused, error: the order of STATUSES


def list_row(scored: Scored, mixing: BiographyMixing | None) -> list[Any]:
    """The biography's row of the list; the script knows the columns by their place."""
    s = scored.scores
    return [
        scored.id,
        scored.name,
        scored.judged.status,
        _short(s.fs if s else None),
        _short(s.dfs if s else None),
        s.n_bio if s else None,
        s.n_ent if s else None,
        s.n_facts if s else len(scored.judged.facts),
        s.category if s else None,
        mixing.mixed if mixing else None,
        scored.judged.biography.model or None,
    ]


def body(
    scored: Scored, mixing: BiographyMixing | None, documents: ReportDocuments
) -> dict[str, Any]:
    """Paragraph, facts, groups, links, matrix and evidence, as JSON values.

    Args:
        scored: The biography.
        mixing: Its mixing, where it has a D-FS.
        documents: Collects the evidence.
    """
    judged, scores = scored.judged, scored.scores
    biography = judged.biography
    matrix = scored.matrix if judged.matrix is not None else None
    offset = Utf16(biography.text)
    named = set(named_columns(scored))
    return {
        "text": biography.text,
        "reason": judged.reason or (scores.dfs_reason if scores else ""),
        "offTarget": scored.off_target,
        "oneGroup": _short(scores.dfs_one_group) if scores else None,
        "coverage": _short(scores.coverage) if scores else None,
        "scored": list(scores.facts) if scores else [],
        "facts": [
            {
                "t": f.text,
                "s": None if f.span is None else [offset(f.span[0]), offset(f.span[1])],
                **({"l": f.label} if f.label else {}),
            }
            for f in judged.facts
        ],
        "entities": [
            {
                "id": e.id,
                "label": e.label,
                "named": i in named,
                "candidate": i in scored.candidate_columns,
                "documents": [documents.number(d) for d in e.documents],
            }
            for i, e in enumerate(judged.entities)
        ],
        "groups": _groups(scored),
        "status": (
            []
            if matrix is None
            else ["".join(_CODES[c] for c in row) for row in matrix.status.tolist()]
        ),
        "probability": (
            [] if matrix is None else [[_short(p) for p in row] for row in matrix.probability]
        ),
        **_places(judged, documents),
        "lost": (
            None
            if mixing is None
            else {
                "same": list(mixing.lost.same_name),
                "other": list(mixing.lost.other_page),
                "conflict": list(mixing.lost.link_conflict),
            }
        ),
        "switches": sorted({f for g in mixing.groups for f in g.switches}) if mixing else [],
    }


def _places(judged: Judged, documents: ReportDocuments) -> dict[str, Any]:
    """Where the evidence of each cell stands, and what contradicts the fact, if anything does."""
    matrix = judged.matrix
    if matrix is None:
        return {"evidence": []}

    def places(at: Callable[[int, int], Evidence | None]) -> list[list[list[int] | None]]:
        return [
            [documents.place(e.documents, at(f, i)) for i, e in enumerate(judged.entities)]
            for f in range(len(judged.facts))
        ]

    found = {"evidence": places(matrix.evidence_at)}
    return found if matrix.conflict is None else {**found, "conflict": places(matrix.conflict_at)}


def _groups(scored: Scored) -> list[dict[str, Any]]:
    groups, scores = scored.judged.groups, scored.scores
    if groups is None or scores is None or len(scores.links) != len(groups):
        return []
    other = "argmax" if scored.options.link == "hungarian" else "hungarian"
    mask = np.zeros(len(scored.matrix.entities), dtype=bool)
    mask[list(scored.candidate_columns)] = True
    counts = support_counts(scored.matrix.support, [g.facts for g in groups])
    compared = {
        method: link_groups(counts, method=method, ranks=scored.matrix.ranks, candidates=mask)
        for method in ("argmax", "hungarian")
    }
    rows = []
    for g, (group, link) in enumerate(zip(groups, scores.links, strict=True)):
        rows.append(
            {
                "label": group.label,
                "facts": list(group.facts),
                "bears": group.bears_name,
                "link": link.entity,
                "runnerUp": link.runner_up,
                "counts": [int(n) for n in counts[g]],
                "otherLink": compared[other][g].entity,
            }
        )
    return rows


def _short(value: float | None) -> float | None:
    if value is None or math.isnan(value):
        return None
    return round(float(value), 4)
