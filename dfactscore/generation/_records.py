"""Generated biographies as JSON, in our format and in ALCE's."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from dfactscore.generation._request import Generation, Generator, Request
from dfactscore.generation._retrieved import same_name_entities

_ALWAYS = frozenset({"id", "name", "output"})
QUESTION = "Tell me a bio of {name}"
"""The paper's query (section 2.2)."""


def generation_key(request: Request, settings: Mapping[str, Any]) -> str:
    """Returns a hash of all inputs that can affect an output: name, passages, settings."""
    passages = [[p.title, p.text] for p in request.passages]
    content = [request.id, request.name, passages, settings]
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def generation_record(
    request: Request, generation: Generation, generator: Generator
) -> dict[str, Any]:
    """Creates one line of a file of biographies, in a format that `dfactscore._readers` can read.

    The fields are ``id``, ``name``, ``output`` (with citations), ``passages``, ``model``,
    ``finish_reason``, ``retrieved_entities`` (titles that bear the name) and, if not empty,
    ``trims``, ``provenance``, ``usage``, ``note`` and ``uncut``.
    """
    record: dict[str, Any] = {
        "id": request.id,
        "name": request.name,
        "output": generation.output,
        "model": generator.name,
        "finish_reason": generation.finish_reason,
        "retrieved_entities": list(same_name_entities(request.name, request.passages)),
        "trims": [asdict(t) for t in generation.trims],
        "provenance": [asdict(p) for p in generation.provenance],
        "usage": dict(generation.usage),
        "note": generation.note,
        "uncut": generation.uncut,
    }
    record = {k: v for k, v in record.items() if v not in ([], {}, "") or k in _ALWAYS}
    passages = [{"title": p.title, "text": p.text, "id": p.id} for p in request.passages]
    record["passages"] = [{k: v for k, v in p.items() if v or k != "id"} for p in passages]
    return {**record, **{k: v for k, v in request.extra.items() if k not in record}}


def alce_json(
    records: Iterable[Mapping[str, Any]], *, settings: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Converts biographies to ALCE's format (Gao et al. 2023).

    The id and model are added to ALCE's fields so that scores computed from the file include them.
    """
    data = [
        {
            **{key: record[key] for key in ("id", "model") if record.get(key)},
            "question": QUESTION.format(name=record["name"]),
            "output": record["output"],
            "docs": [{"title": p["title"], "text": p["text"]} for p in record["passages"]],
        }
        for record in records
    ]
    return {"args": dict(settings or {}), "data": data}
