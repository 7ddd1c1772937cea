"""Converts stages of records to and from JSON for the journals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore._records import Document, Entity, FactSearch, SearchStep
from dfactscore._runs.biography_json import (
    Fetch,
    Keep,
    biography_from_json,
    facts_from_json,
    facts_to_json,
    groups_from_json,
    groups_to_json,
)
from dfactscore._scoring.record import STAGES, Record, Stage
from dfactscore.linking import SupportMatrix

_SEARCH_FIELDS = ("address", "date", "note", "time")  # of documents that a search found


def stage_to_json(stage: Stage, record: Record, keep: Keep) -> dict[str, Any]:
    """Converts a stage to a journal record."""
    if stage == "facts":
        return {"facts": facts_to_json(record.facts)}
    if stage == "groups":
        return groups_to_json(record.groups, record.reason)
    return matrix_to_json(record, keep)


def matrix_to_json(record: Record, keep: Keep) -> dict[str, Any]:
    """Converts the support matrix column by column: entity, digests of its documents, verdicts."""
    matrix = record.matrix
    assert matrix is not None
    return {
        "entities": [
            {
                "id": e.id,
                "label": e.label,
                "rank": e.rank,
                "aliases": list(e.aliases),
                **({} if e.bears is None else {"bears": e.bears}),
                "documents": [_document(d, keep) for d in e.documents],
                **matrix.column(i),
            }
            for i, e in enumerate(record.entities)
        ],
        "tells_entities_apart": record.tells_entities_apart,
        **({"searches": [_search(s) for s in record.searches]} if record.searches else {}),
    }


def _document(document: Document, keep: Keep) -> dict[str, Any]:
    search_fields = {
        name: getattr(document, name) for name in _SEARCH_FIELDS if getattr(document, name)
    }
    certainty = {"certainty": document.certainty} if document.certainty < 1 else {}
    return {"title": document.title, "text": keep(document.text), **search_fields, **certainty}


def _search(search: FactSearch) -> dict[str, Any]:
    steps = [
        {"query": s.query, "results": list(s.results), **({"entity": s.entity} if s.entity else {})}
        for s in search.steps
    ]
    return {"steps": steps, "ended": search.ended}


def searches_from_json(record: Mapping[str, Any]) -> tuple[FactSearch, ...]:
    """Reads the searches for evidence from a journal record."""
    return tuple(
        FactSearch(
            tuple(
                SearchStep(step["query"], tuple(step["results"]), step.get("entity", ""))
                for step in row["steps"]
            ),
            row["ended"],
        )
        for row in record.get("searches", ())
    )


def entities_from_json(record: Mapping[str, Any], fetch: Fetch) -> tuple[Entity, ...]:
    """Reads the entities from a journal record."""
    return tuple(
        Entity(
            e["id"],
            e["label"],
            tuple(
                Document(
                    d["title"],
                    fetch(d["text"]),
                    **{name: d.get(name, "") for name in _SEARCH_FIELDS},
                    certainty=d.get("certainty", 1.0),
                )
                for d in e["documents"]
            ),
            e["rank"],
            tuple(e["aliases"]),
            e.get("bears"),
        )
        for e in record["entities"]
    )


def matrix_from_json(record: Mapping[str, Any]) -> SupportMatrix:
    """Reads the support matrix from a journal record."""
    columns = record["entities"]
    ranks = [column["rank"] for column in columns]
    return SupportMatrix.from_columns([column["id"] for column in columns], columns, ranks)


def stages_problem(stages: Sequence[Mapping[str, Any] | None], links: object = None) -> str:
    """Returns why facts, groups and verdicts are inconsistent; empty if they are consistent."""
    facts, groups, cells = stages
    n_facts = 0 if facts is None else len(facts["facts"])
    groups = groups or {}
    if groups.get("groups") is not None:
        members = sorted(f for group in groups["groups"] for f in group["facts"])
        if members != list(range(n_facts)):
            return f"its groups do not hold each of {n_facts} facts once"
        if isinstance(links, list) and len(links) != len(groups["groups"]):
            return f"{len(links)} links of {len(groups['groups'])} groups"
    for column in (cells or {}).get("entities", ()):
        if len(column["status"]) != n_facts:
            return f"{len(column['status'])} verdicts about {n_facts} facts"
    return ""


def record_from_json(
    record: Mapping[str, Any],
    stages: Mapping[Stage, Mapping[str, Any] | None],
    fetch: Fetch,
) -> Record:
    """Restores a record from its row in the journal of biographies and the rows of its stages."""
    facts, groups, cells = (stages[name] for name in STAGES)
    return Record(
        biography=biography_from_json(record, fetch),
        key=record["key"],
        entities=() if cells is None else entities_from_json(cells, fetch),
        missing=tuple(record["missing"]),
        facts=() if facts is None else facts_from_json(facts["facts"]),
        groups=None if groups is None else groups_from_json(groups),
        matrix=None if cells is None else matrix_from_json(cells),
        searches=() if cells is None else searches_from_json(cells),
        status=record["status"],
        reason=record["reason"],
        tells_entities_apart=cells is None or cells["tells_entities_apart"],
        usage={name: row["usage"] for name, row in stages.items() if row and "usage" in row},
    )
