"""Tables of an exported run: biographies, facts, entities."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from dfactscore._results.result import Result
from dfactscore._results.tables import COLUMNS, score_row
from dfactscore._scoring import Record, fact_values, linked_values

Kind = Literal["text", "whole", "number", "truth", "texts", "wholes"]


@dataclass(frozen=True, slots=True)
class RunTable:
    """A table in the export."""

    columns: Mapping[str, Kind]
    rows: Callable[[Record], Iterator[dict[str, Any]]]


def _biographies(record: Record) -> Iterator[dict[str, Any]]:
    yield {**score_row(record), "text": record.biography.text}


def _facts(record: Record) -> Iterator[dict[str, Any]]:
    result, scores = Result(record), record.scores
    judged = scores is not None and record.matrix is not None
    fs = fact_values(record) if judged else []
    dfs = linked_values(record) if judged and scores and scores.dfs is not None else []
    for i, shown in enumerate(result.facts):
        fact = shown.fact
        group = None if shown.group is None else result.groups[shown.group]
        start, end = fact.span or (None, None)
        yield {
            "id": record.id,
            "name": record.name,
            "fact": i,
            "text": fact.text,
            "sentence": fact.sentence,
            "start": start,
            "end": end,
            "label": fact.label,
            "group": shown.group,
            "individual": None if group is None else group.label,
            "linked_entity": None if group is None else group.entity,
            "supported": None if group is None else group.entity in shown.supported_by,
            "standing": shown.standing if judged else None,
            "why_not": shown.why_not if judged else None,
            "supported_by": list(shown.supported_by),
            "evidence": shown.evidence,
            "conflict": shown.conflict,
            "probability": shown.probability,
            "counted": scores is not None and i in scores.facts,
            "fs": fs[i] if fs else None,
            "dfs": dfs[i] if dfs else None,
        }


def _entities(record: Record) -> Iterator[dict[str, Any]]:
    result = Result(record)
    for column, entity in enumerate(record.entities):
        yield {
            "id": record.id,
            "name": record.name,
            "entity": entity.id,
            "label": entity.label,
            "rank": entity.rank,
            "candidate": column in record.candidate_columns,
            "bears_name": column in record.named,
            "linked_groups": [g for g, x in enumerate(result.groups) if x.entity == entity.id],
            "supported_facts": sum(entity.id in fact.supported_by for fact in result.facts),
            "documents": len(entity.documents),
            "addresses": list(dict.fromkeys(d.address for d in entity.documents if d.address)),
        }


def _of_scores(column: str) -> Kind:
    if column in ("id", "name", "category", "status", "model", "reason"):
        return "text"
    if column == "off_target":
        return "truth"
    counts = ("mixed_groups", "shared_links", "repeats", "contradicted", "not_stated", "outside")
    # The number of supported facts is a sum of probabilities with `counts: expected`.
    if column in counts or (column.startswith("n_") and column not in _SUMS):
        return "whole"
    return "number"


_SUMS = ("n_supported", "n_unsupported", "n_linked")
TABLES: Mapping[str, RunTable] = {
    "biographies": RunTable({**{c: _of_scores(c) for c in COLUMNS}, "text": "text"}, _biographies),
    "facts": RunTable(
        {
            "id": "text", "name": "text", "fact": "whole", "text": "text", "sentence": "whole",
            "start": "whole", "end": "whole", "label": "text", "group": "whole",
            "individual": "text", "linked_entity": "text", "supported": "truth",
            "standing": "text", "why_not": "text", "supported_by": "texts",
            "evidence": "text", "conflict": "text",
            "probability": "number", "counted": "truth", "fs": "number", "dfs": "number",
        },
        _facts,
    ),
    "entities": RunTable(
        {
            "id": "text", "name": "text", "entity": "text", "label": "text", "rank": "whole",
            "candidate": "truth", "bears_name": "truth", "linked_groups": "wholes",
            "supported_facts": "whole", "documents": "whole", "addresses": "texts",
        },
        _entities,
    ),
}  # fmt: skip
