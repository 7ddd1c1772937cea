"""How records look in the journals."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from dfactscore._util.files import dump_json
from dfactscore.records import (
    Biography,
    Citation,
    Document,
    Entity,
    Evidence,
    Fact,
    FactGroup,
    Verdict,
)
from dfactscore.retrieval import Passage
from dfactscore.scoring.stages import Judged

__all__ = [
    "biography_from_json",
    "biography_key",
    "biography_to_json",
    "facts_from_json",
    "facts_to_json",
    "groups_from_json",
    "groups_to_json",
    "sha256",
    "verdicts_from_json",
    "verdicts_to_json",
]

Keep = Callable[[str], str]
Fetch = Callable[[str], str]


def sha256(text: str) -> str:
    """Hex digest of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def biography_key(biography: Biography) -> str:
    """What a biography's stages are kept under: its id and everything that is judged."""
    content = biography_to_json(biography, sha256)
    content["stages"] = {
        "facts": None if biography.facts is None else facts_to_json(biography.facts),
        "groups": None if biography.groups is None else groups_to_json(biography.groups, ""),
        "verdicts": {e: _verdict_rows(v) for e, v in (biography.verdicts or {}).items()},
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
        "passages": [{"title": p.title, "text": keep(p.text)} for p in biography.passages],
        "links": None if biography.links is None else list(biography.links),
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
        passages=tuple(Passage(p["title"], fetch(p["text"])) for p in record["passages"]),
        links=None if record["links"] is None else tuple(record["links"]),
    )


def facts_to_json(facts: tuple[Fact, ...]) -> list[dict[str, Any]]:
    """Facts as objects; absent fields are left out."""
    return [
        {
            "text": f.text,
            **({} if f.sentence is None else {"sentence": f.sentence}),
            **({} if f.span is None else {"span": list(f.span)}),
            **({} if f.label is None else {"label": f.label}),
        }
        for f in facts
    ]


def facts_from_json(rows: list[dict[str, Any]]) -> tuple[Fact, ...]:
    """The facts of a journal record."""
    return tuple(
        Fact(
            r["text"], r.get("sentence"), tuple(r["span"]) if "span" in r else None, r.get("label")
        )
        for r in rows
    )


def groups_to_json(groups: tuple[FactGroup, ...] | None, reason: str) -> dict[str, Any]:
    """Groups, or why there are none."""
    if groups is None:
        return {"groups": None, "reason": reason}
    rows = [{"facts": list(g.facts), "label": g.label, "bears_name": g.bears_name} for g in groups]
    return {"groups": rows}


def groups_from_json(record: Mapping[str, Any]) -> tuple[tuple[FactGroup, ...] | None, str]:
    """The groups of a journal record, or the reason why there are none."""
    rows = record["groups"]
    if rows is None:
        return None, record["reason"]
    return tuple(FactGroup(tuple(r["facts"]), r["label"], r["bears_name"]) for r in rows), ""


def verdicts_to_json(judged: Judged, keep: Keep) -> dict[str, Any]:
    """Entities, their documents by hash, and one row of verdicts each."""
    return {
        "entities": [
            {
                "id": e.id,
                "label": e.label,
                "rank": e.rank,
                "aliases": list(e.aliases),
                "documents": [{"title": d.title, "text": keep(d.text)} for d in e.documents],
                **_verdict_rows(row),
            }
            for e, row in zip(judged.entities, judged.verdicts, strict=True)
        ],
        "tells_entities_apart": judged.tells_entities_apart,
    }


def _verdict_rows(verdicts: Any) -> dict[str, Any]:
    return {
        "status": [v.status for v in verdicts],
        "probability": [v.probability for v in verdicts],
        "evidence": [None if v.evidence is None else list(v.evidence) for v in verdicts],
    }


def verdicts_from_json(
    record: Mapping[str, Any], fetch: Fetch
) -> tuple[tuple[Entity, ...], tuple[tuple[Verdict, ...], ...]]:
    """The entities and verdicts of a journal record."""
    entities = []
    rows = []
    for e in record["entities"]:
        documents = tuple(Document(d["title"], fetch(d["text"])) for d in e["documents"])
        entities.append(Entity(e["id"], e["label"], documents, e["rank"], tuple(e["aliases"])))
        rows.append(
            tuple(
                Verdict(status, probability, None if evidence is None else Evidence(*evidence))
                for status, probability, evidence in zip(
                    e["status"], e["probability"], e["evidence"], strict=True
                )
            )
        )
    return tuple(entities), tuple(rows)
