"""Biographies as JSON: in journals, in spools and as keys."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dfactscore._records import Biography, Citation, Fact, FactGroup, OwnedText, Ownership, Verdict
from dfactscore._scoring.matrix import verdict_column
from dfactscore._util.files import dump_json
from dfactscore._util.jsonl import parse_json
from dfactscore.linking import Evidence
from dfactscore.retrieval import Passage

_MAX_FIELD = 2000  # length of a field of the input that a run keeps, in characters
_FACT_FIELDS = ("text", "sentence", "span", "label", "revision")

Keep = Callable[[str], str]
"""Stores a text and returns its digest."""
Fetch = Callable[[str], str]
"""Returns the text of a digest."""


def sha256(text: str) -> str:
    """Returns the SHA-256 hex digest of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def biography_key(biography: Biography) -> str:
    """Returns the key of a biography in the journals: a hash of its id and all judged text."""
    content = biography_to_json(biography, sha256)
    content.pop("owners", None)  # found from the passages, by settings that the manifest holds
    content.pop("extra", None)  # not judged
    content["stages"] = {
        "facts": None if biography.facts is None else facts_to_json(biography.facts),
        "groups": None if biography.groups is None else groups_to_json(biography.groups, ""),
        "verdicts": {e: verdict_column(v) for e, v in (biography.verdicts or {}).items()},
    }
    return sha256(dump_json(content))[:32]


def biography_to_json(biography: Biography, keep: Keep) -> dict[str, Any]:
    """Converts a biography without its stages to JSON; passages are stored once, by digest."""
    return {
        "id": biography.id,
        "name": biography.name,
        "model": biography.model,
        "text": biography.text,
        "raw": biography.raw,
        "citations": [[c.position, list(c.numbers)] for c in biography.citations],
        "passages": [{"title": p.title, "text": keep(p.text)} for p in biography.passages],
        **({} if biography.owners is None else {"owners": _owners_to_json(biography.owners)}),
        "links": None if biography.links is None else list(biography.links),
        **({"candidates": list(biography.candidates)} if biography.candidates else {}),
        **({"extra": extra} if (extra := _short_fields(biography.extra)) else {}),
    }


def _short_fields(extra: Mapping[str, Any]) -> dict[str, Any]:
    """Returns other fields of the input, such as its question, that are kept with a run."""
    return {
        field: value
        for field, value in extra.items()
        if (isinstance(value, str) and len(value) <= _MAX_FIELD) or isinstance(value, bool | int)
    }


def biography_from_json(record: Mapping[str, Any], fetch: Fetch) -> Biography:
    """Reads the biography from a journal record."""
    return Biography(
        id=record["id"],
        name=record["name"],
        model=record["model"],
        text=record["text"],
        raw=record["raw"],
        citations=tuple(Citation(p, tuple(n)) for p, n in record["citations"]),
        passages=tuple(Passage(p["title"], fetch(p["text"])) for p in record["passages"]),
        owners=_owners_from_json(record["owners"]) if "owners" in record else None,
        links=None if record["links"] is None else tuple(record["links"]),
        candidates=tuple(record.get("candidates") or ()),
        extra=record.get("extra") or {},
    )


def _owners_to_json(owners: Ownership) -> dict[str, Any]:
    """Converts the owners of passages to JSON."""
    texts = [[t.passage, t.span, dict(t.owners), t.method, t.reason] for t in owners.texts]
    return {"texts": texts, "named": list(owners.named), "different": list(owners.different)}


def _owners_from_json(record: Mapping[str, Any]) -> Ownership:
    """Reads the owners of passages from a journal record."""
    return Ownership(
        tuple(OwnedText(n, span and tuple(span), *rest) for n, span, *rest in record["texts"]),
        tuple(record["named"]),
        tuple((a, b, p, why) for a, b, p, why in record["different"]),
    )


def facts_to_json(facts: tuple[Fact, ...]) -> list[dict[str, Any]]:
    """Converts facts to objects, omitting fields that are None."""
    return [
        {name: value for name in _FACT_FIELDS if (value := getattr(fact, name)) is not None}
        for fact in facts
    ]


def facts_from_json(rows: list[dict[str, Any]]) -> tuple[Fact, ...]:
    """Reads the facts from a journal record."""
    return tuple(
        Fact(r["text"], r.get("sentence"), span and tuple(span), r.get("label"), r.get("revision"))
        for r in rows
        for span in [r.get("span")]
    )


def groups_to_json(groups: tuple[FactGroup, ...] | None, reason: str) -> dict[str, Any]:
    """Converts groups, or the reason why grouping failed, to JSON."""
    if groups is None:
        return {"groups": None, "reason": reason}
    rows = [{"facts": list(g.facts), "label": g.label, "bears_name": g.bears_name} for g in groups]
    return {"groups": rows}


def groups_from_json(record: Mapping[str, Any]) -> tuple[FactGroup, ...] | None:
    """Reads the groups from a journal record; None if grouping failed."""
    rows = record["groups"]
    if rows is None:
        return None
    return tuple(FactGroup(tuple(r["facts"]), r["label"], r["bears_name"]) for r in rows)


def biography_line(biography: Biography) -> bytes | None:
    """Returns a biography and its stages as a line of JSON; None if JSON cannot represent them."""
    row = biography_to_json(biography, str)
    facts, groups, verdicts = biography.facts, biography.groups, biography.verdicts
    row["facts"] = None if facts is None else facts_to_json(facts)
    row["groups"] = None if groups is None else groups_to_json(groups, "")
    row["verdicts"] = (
        None if verdicts is None else {k: [*map(_verdict_to_json, v)] for k, v in verdicts.items()}
    )
    if any(ids := [passage.id for passage in biography.passages]):
        row["passage_ids"] = ids
    if biography.extra:
        row["extra"] = dict(biography.extra)
    try:
        text = dump_json(row)
    except (TypeError, ValueError):
        return None
    if biography.extra and parse_json(text)["extra"] != row["extra"]:
        return None
    return f"{text}\n".encode()


def biography_from_line(line: bytes) -> Biography:
    """Reads a biography from a line written by `biography_line`."""
    row: Mapping[str, Any] = parse_json(line)
    plain = biography_from_json(row, str)
    verdicts = row["verdicts"]
    ids = row.get("passage_ids", ())
    passages = tuple(
        replace(passage, id=id) for passage, id in zip(plain.passages, ids, strict=False)
    )
    return replace(
        plain,
        passages=passages or plain.passages,
        facts=None if row["facts"] is None else facts_from_json(row["facts"]),
        groups=None if row["groups"] is None else groups_from_json(row["groups"]),
        verdicts=None
        if verdicts is None
        else {k: (*map(_verdict_from_json, v),) for k, v in verdicts.items()},
        extra=row.get("extra", {}),
    )


def _verdict_to_json(verdict: Verdict) -> list[Any]:
    places = verdict.evidence, verdict.conflict
    return [verdict.status, verdict.probability, *places, verdict.sent, verdict.reason]


def _verdict_from_json(cell: Sequence[Any]) -> Verdict:
    status, probability, *places, sent, reason = cell
    evidence, conflict = (None if place is None else Evidence(*place) for place in places)
    return Verdict(status, probability, evidence, conflict, sent, reason)
