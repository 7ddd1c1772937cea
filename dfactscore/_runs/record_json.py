"""Records as JSON in the journals."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dfactscore._records import (
    Biography,
    Citation,
    Document,
    Entity,
    Fact,
    FactGroup,
    FactSearch,
    SearchStep,
)
from dfactscore._scoring.matrix import verdict_column
from dfactscore._scoring.record import STAGES, Record, Stage
from dfactscore._util.files import dump_json
from dfactscore.linking import SupportMatrix
from dfactscore.retrieval import Passage

# Fields of a document from a search.
_FOUND = ("address", "date", "note", "time")
_OF_FACT = ("text", "sentence", "span", "label", "revision")

Keep = Callable[[str], str]
Fetch = Callable[[str], str]


def sha256(text: str) -> str:
    """Hex digest of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def biography_key(biography: Biography) -> str:
    """Returns the key of a biography's stages: its id and all judged text."""
    content = biography_to_json(biography, sha256)
    content["stages"] = {
        "facts": None if biography.facts is None else facts_to_json(biography.facts),
        "groups": None if biography.groups is None else groups_to_json(biography.groups, ""),
        "verdicts": {e: verdict_column(v) for e, v in (biography.verdicts or {}).items()},
    }
    return sha256(dump_json(content))[:32]


def biography_to_json(biography: Biography, keep: Keep) -> dict[str, Any]:
    """A biography without its stages; its passages are kept once, by hash.

    Args:
        biography: The biography.
        keep: Keeps a text and returns its hash.
    """
    return {
        "id": biography.id,
        "name": biography.name,
        "model": biography.model,
        "text": biography.text,
        "raw": biography.raw,
        "citations": [[c.position, list(c.numbers)] for c in biography.citations],
        "passages": [
            {"title": p.title, "text": keep(p.text), **({"owner": p.owner} if p.owner else {})}
            for p in biography.passages
        ],
        "links": None if biography.links is None else list(biography.links),
        **({"candidates": list(biography.candidates)} if biography.candidates else {}),
    }


def biography_from_json(record: Mapping[str, Any], fetch: Fetch) -> Biography:
    """The biography of a journal record."""
    return Biography(
        id=record["id"],
        name=record["name"],
        model=record["model"],
        text=record["text"],
        raw=record["raw"],
        citations=tuple(Citation(p, tuple(n)) for p, n in record["citations"]),
        passages=tuple(
            Passage(p["title"], fetch(p["text"]), owner=p.get("owner", ""))
            for p in record["passages"]
        ),
        links=None if record["links"] is None else tuple(record["links"]),
        candidates=tuple(record.get("candidates") or ()),
    )


def facts_to_json(facts: tuple[Fact, ...]) -> list[dict[str, Any]]:
    """Facts as objects; absent fields are left out."""
    return [
        {name: value for name in _OF_FACT if (value := getattr(fact, name)) is not None}
        for fact in facts
    ]


def facts_from_json(rows: list[dict[str, Any]]) -> tuple[Fact, ...]:
    """The facts of a journal record."""
    return tuple(
        Fact(r["text"], r.get("sentence"), span and tuple(span), r.get("label"), r.get("revision"))
        for r in rows
        for span in [r.get("span")]
    )


def groups_to_json(groups: tuple[FactGroup, ...] | None, reason: str) -> dict[str, Any]:
    """Groups, or why there are none."""
    if groups is None:
        return {"groups": None, "reason": reason}
    rows = [{"facts": list(g.facts), "label": g.label, "bears_name": g.bears_name} for g in groups]
    return {"groups": rows}


def groups_from_json(record: Mapping[str, Any]) -> tuple[FactGroup, ...] | None:
    """The groups of a journal record; None if grouping failed."""
    rows = record["groups"]
    if rows is None:
        return None
    return tuple(FactGroup(tuple(r["facts"]), r["label"], r["bears_name"]) for r in rows)


def stage_to_json(stage: Stage, record: Record, keep: Keep) -> dict[str, Any]:
    """The line of a stage in its journal."""
    if stage == "facts":
        return {"facts": facts_to_json(record.facts)}
    if stage == "groups":
        return groups_to_json(record.groups, record.reason)
    return matrix_to_json(record, keep)


def matrix_to_json(record: Record, keep: Keep) -> dict[str, Any]:
    """Entities with their documents by hash, and each one's column of the matrix."""
    matrix = record.matrix
    assert matrix is not None
    return {
        "entities": [
            {
                "id": e.id,
                "label": e.label,
                "rank": e.rank,
                "aliases": list(e.aliases),
                "documents": [_document(d, keep) for d in e.documents],
                **matrix.column(i),
            }
            for i, e in enumerate(record.entities)
        ],
        "tells_entities_apart": record.tells_entities_apart,
        **({"searches": [_search(s) for s in record.searches]} if record.searches else {}),
    }


def _document(document: Document, keep: Keep) -> dict[str, str]:
    more = {name: getattr(document, name) for name in _FOUND if getattr(document, name)}
    return {"title": document.title, "text": keep(document.text), **more}


def _search(search: FactSearch) -> dict[str, Any]:
    steps = [
        {"query": s.query, "results": list(s.results), **({"entity": s.entity} if s.entity else {})}
        for s in search.steps
    ]
    return {"steps": steps, "ended": search.ended}


def searches_from_json(record: Mapping[str, Any]) -> tuple[FactSearch, ...]:
    """Returns the searches for evidence, from a journal record."""
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
    """The entities of a journal record."""
    return tuple(
        Entity(
            e["id"],
            e["label"],
            tuple(
                Document(d["title"], fetch(d["text"]), *(d.get(name, "") for name in _FOUND))
                for d in e["documents"]
            ),
            e["rank"],
            tuple(e["aliases"]),
        )
        for e in record["entities"]
    )


def matrix_from_json(record: Mapping[str, Any]) -> SupportMatrix:
    """The support matrix of a journal record."""
    columns = record["entities"]
    ranks = [column["rank"] for column in columns]
    return SupportMatrix.from_columns([column["id"] for column in columns], columns, ranks)


def stages_problem(stages: Sequence[Mapping[str, Any] | None], links: object = None) -> str:
    """Why lines of facts, groups and verdicts do not fit one biography; empty if they do."""
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
    """A record of the journal of biographies with what the other journals hold of it."""
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
