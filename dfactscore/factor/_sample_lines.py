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
"""Returns the evaluation's name in its manifest."""


def reading_key(item: FactorItem, context: str, position: str) -> str:
    """The key of an item in a context: what would be asked, hashed."""
    parts = [item.id, item.prefix, list(item.completions), context, position]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]


def sample(one: Scored, *, brief: bool) -> dict[str, Any]:
    """The record of an item: all of its numbers, all four normalizations.

    Args:
        one: The item.
        brief: Leave out the single tokens.
    """
    completions = []
    labels = [{}, *one.item.contradictions]
    for text, label, found in zip(one.item.completions, labels, one.continuations, strict=True):
        named = {name: getattr(label, name, "") for name in ("type", "kind", "of")}
        record: dict[str, Any] = {"text": text, **{k: v for k, v in named.items() if v}}
        if not brief:
            record |= {"tokens": list(found.tokens), "logprobs": list(found.logprobs)}
        record |= {
            "n_tokens": len(found.tokens),
            "logprob": finite(found.logprob),
            "characters": found.characters,
            "bytes": found.bytes,
            "dropped": found.dropped,
            "alone": found.alone,
            "scores": {name: finite(normalized(found, name)) for name in NORMALIZATIONS},
        }
        if found.error:
            record["error"] = found.error
        completions.append(record)
    about: dict[str, Any] = {
        "id": one.item.id,
        "document": one.item.document,
        "context": one.context,
        "position": one.position,
        "passages": list(one.passages),
        "status": "error" if one.error else "scored",
        "completions": completions,
    }
    if one.item.extra:
        about["extra"] = dict(one.item.extra)
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
    """The form of a line of ``samples.jsonl``."""

    context: Text
    position: Text
    passages: list[Text]
    completions: list[_Completion] = Field(min_length=2)


def scored_from(record: Mapping[str, Any], item: FactorItem) -> Scored:
    """Reads what `sample` made; without single tokens there are as many equal ones.

    Raises:
        RunError: If the record is not of this item.
    """
    if len(record["completions"]) != len(item.completions):
        raise RunError(
            f"samples.jsonl: item {item.id!r}: {len(record['completions'])} completions, and it "
            f"has {len(item.completions)}; restore the file or start a new run"
        )
    continuations = []
    for found in record["completions"]:
        count, total = found["n_tokens"], found["logprob"]
        logprob = math.nan if total is None else float(total)
        tokens = tuple(found.get("tokens", [""] * count))
        values = tuple(found.get("logprobs", [logprob / count if count else 0.0] * count))
        continuations.append(
            Continuation(
                tokens,
                values,
                logprob,
                found["characters"],
                found["bytes"],
                found["dropped"],
                found["alone"],
                found.get("error", ""),
            )
        )
    return Scored(
        item,
        record["context"],
        record["position"],
        tuple(continuations),
        tuple(record["passages"]),
    )
