"""Reads and writes the lines of ``samples.jsonl``."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, model_validator

from dfactscore._errors import RunError
from dfactscore._util.numbers import finite
from dfactscore._util.validated import Count, Form, Text
from dfactscore.factor._factor_items import FactorItem
from dfactscore.factor._summary import Scored
from dfactscore.factor._verdicts import NORMALIZATIONS, normalized
from dfactscore.likelihood import Continuation

COMMAND = "factor score"
"""The name of the command in manifests."""


def reading_key(item: FactorItem, context: str, position: str) -> str:
    """The key for an item in a context: a hash of the item's texts and the context."""
    parts = [item.id, item.prefix, list(item.completions), context, position]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]


def sample(scored: Scored, *, brief: bool) -> dict[str, Any]:
    """The line for an item, including its scores under all four normalizations."""
    completions = []
    labels = [{}, *scored.item.contradictions]
    for text, label, continuation in zip(
        scored.item.completions, labels, scored.continuations, strict=True
    ):
        named = {name: getattr(label, name, "") for name in ("type", "kind", "of")}
        record: dict[str, Any] = {"text": text, **{k: v for k, v in named.items() if v}}
        if not brief:
            record |= {"tokens": list(continuation.tokens), "logprobs": list(continuation.logprobs)}
        record |= {
            "n_tokens": len(continuation.tokens),
            "logprob": finite(continuation.logprob),
            "characters": continuation.characters,
            "bytes": continuation.bytes,
            "dropped": continuation.dropped,
            "alone": continuation.alone,
            "scores": {name: finite(normalized(continuation, name)) for name in NORMALIZATIONS},
        }
        if continuation.error:
            record["error"] = continuation.error
        completions.append(record)
    about: dict[str, Any] = {
        "id": scored.item.id,
        "document": scored.item.document,
        "context": scored.context,
        "position": scored.position,
        "passages": list(scored.passages),
        "status": "error" if scored.error else "scored",
        "completions": completions,
    }
    if scored.item.extra:
        about["extra"] = dict(scored.item.extra)
    return about


class _Completion(Form):
    n_tokens: Annotated[int, Field(ge=0, le=1_000_000)]
    logprob: float | None
    characters: Count
    bytes: Count
    dropped: Count
    alone: Count | None
    tokens: list[Text] = Field(default_factory=list)
    logprobs: list[float] = Field(default_factory=list)
    error: Text = ""

    @model_validator(mode="after")
    def _as_many(self) -> _Completion:
        for name, given in (("tokens", self.tokens), ("logprobs", self.logprobs)):
            if given and len(given) != self.n_tokens:
                raise ValueError(f"has {len(given)} {name} and n_tokens {self.n_tokens}")
        return self


class SampleLine(Form):
    """The format of a line in ``samples.jsonl``."""

    context: Text
    position: Text
    passages: list[Text]
    completions: list[_Completion] = Field(min_length=2)


def scored_from(record: Mapping[str, Any], item: FactorItem) -> Scored:
    """Reads a line made by `sample`; missing tokens are replaced with as many identical ones."""
    if len(record["completions"]) != len(item.completions):
        raise RunError(
            f"samples.jsonl: item {item.id!r}: {len(record['completions'])} completions, and it "
            f"has {len(item.completions)}; restore the file or start a new run"
        )
    continuations = []
    for line in record["completions"]:
        count, total = line["n_tokens"], line["logprob"]
        logprob = math.nan if total is None else float(total)
        tokens = tuple(line.get("tokens", [""] * count))
        values = tuple(line.get("logprobs", [logprob / count if count else 0.0] * count))
        continuations.append(
            Continuation(
                tokens,
                values,
                logprob,
                line["characters"],
                line["bytes"],
                line["dropped"],
                line["alone"],
                line.get("error", ""),
            )
        )
    return Scored(
        item,
        record["context"],
        record["position"],
        tuple(continuations),
        tuple(record["passages"]),
    )
