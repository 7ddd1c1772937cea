"""Scores completions with a model and journals the answers in a run folder."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, model_validator

from dfactscore._errors import InputError, RunError
from dfactscore._results.signature import signature_of
from dfactscore._util.files import write_text
from dfactscore._util.jsonl import write_json
from dfactscore._util.numbers import finite
from dfactscore._util.reporting import Progress
from dfactscore._util.roles import known_arguments, role_fault
from dfactscore._util.tables import csv_text
from dfactscore._util.tasks import run_sync
from dfactscore._util.validated import Count, Form, Text
from dfactscore.factor._contexts import (
    ItemReading,
    Retrieval,
    context_with,
    read_with_passage,
    score_by_strides,
)
from dfactscore.factor._factor_items import BadItem, FactorItem, item_fault, join
from dfactscore.factor._factor_results import (
    NORMALIZATIONS,
    FactorResults,
    Normalization,
    Policy,
    Scored,
    normalized,
    score_rows,
    summarize,
)
from dfactscore.factor._owners import owner_measures
from dfactscore.likelihood import Continuation, LikelihoodModel
from dfactscore.likelihood._continuations import unscored
from dfactscore.work import Asked, Finished, Journals, Later, Work, in_folder, run_async
from dfactscore.work._work_folder import versions

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


Readings = Callable[[FactorItem], Sequence[ItemReading]]
Open = Callable[[], Awaitable[LikelihoodModel]]
_JOURNAL = "samples"


@dataclass(frozen=True, kw_only=True)
class FactorOptions:
    """Options for `evaluate_factor`.

    Attributes:
        normalize: What to divide log-probabilities by.
        policy: Whether an item without a likelihood counts as wrong or is excluded.
        retrieval: Retrieves a passage to put before each prefix.
        brief: Whether to omit the tokens from the samples.
        confidence: Confidence level of the intervals.
        resamples: Number of bootstrap samples.
        seed: Random seed for resampling.
        concurrency: Number of items to score at the same time.
        context_tokens: Size in tokens of the model's context window, into which retrieved passages
            must fit.
    """

    normalize: Normalization = "token"
    policy: Policy = "unsupported"
    retrieval: Retrieval | None = None
    brief: bool = False
    confidence: float = 0.95
    resamples: int = 10_000
    seed: int = 0
    concurrency: int = 1
    context_tokens: int = 1024


def one_reading(item: FactorItem) -> Sequence[ItemReading]:
    """Reads an item with no text before its prefix."""
    return (ItemReading(item),)


@known_arguments
def evaluate_factor(
    items: Sequence[FactorItem],
    model: LikelihoodModel,
    *,
    options: FactorOptions | None = None,
    normalize: Normalization = "token",
    out: Path | str | None = None,  # run folder to write or resume; if None, nothing is written
    progress: Progress | None = None,
) -> FactorResults:
    """Scores a model on FACTOR (Muhlgay et al. 2024, arXiv 2307.06908).

    A model is right on an item if it assigns the true completion a higher likelihood than every
    false one.
    """
    chosen = options or FactorOptions(normalize=normalize)
    fault = role_fault(model, LikelihoodModel)
    if fault:
        raise InputError(f"model: {fault}")

    async def opened() -> LikelihoodModel:
        return model

    asking = Asking(items, opened, chosen, settings=model.settings)
    return run_sync(evaluate_factor_async(asking, None if out is None else Path(out), progress))


@dataclass(frozen=True)
class Asking:
    """Items and a model, along with their manifest entries."""

    items: Sequence[FactorItem]
    opened: Open
    options: FactorOptions = field(default_factory=FactorOptions)
    readings: Readings = one_reading
    settings: Mapping[str, Any] | None = None
    about: Mapping[str, Any] = field(default_factory=dict)
    source: Mapping[str, Any] = field(default_factory=dict)
    bad: Sequence[BadItem] = ()  # unusable records, for `errors.jsonl`
    asks: Callable[[ItemReading], Iterable[Asked]] = lambda reading: ()


async def evaluate_factor_async(
    asking: Asking, out: Path | None = None, progress: Progress | None = None
) -> FactorResults:
    """Like `evaluate_factor`, but opens the model only if it is needed."""
    work, place = factor_work(asking, out), None if out is None else in_folder(out)
    concurrency = asking.options.concurrency
    return await run_async(work, place, concurrency=concurrency, progress=progress)


@dataclass(frozen=True, kw_only=True)
class FactorWork(Work[ItemReading, FactorResults]):
    """The work of scoring items, each in its contexts."""

    asking: Asking
    open_model: Callable[[], Awaitable[Mapping[str, Any]]]

    @property
    def bad(self) -> Sequence[Mapping[str, Any]]:
        """The unusable records in the file."""
        return [asdict(record) for record in self.asking.bad]

    @property
    def order(self) -> Callable[[ItemReading], Any]:
        """Orders readings by context, so that one context follows another.

        This way, items that have the same text before the prefix are scored in succession, and a
        local model processes that text only once.
        """
        return lambda reading: (reading.context, reading.position)

    @property
    def opens(self) -> Callable[[], Awaitable[Mapping[str, Any]]]:
        """Opens the model and returns its settings."""
        return self.open_model

    @property
    def later(self) -> Sequence[str]:
        """The entry for the model's settings, if they are known only after the model is opened."""
        return ("model",) if self.asking.settings is None else ()


def factor_work(asking: Asking, out: Path | None = None) -> FactorWork:
    """The work of scoring items, each in its contexts."""
    options = asking.options
    model: LikelihoodModel | None = None

    async def opens() -> Mapping[str, Any]:
        nonlocal model
        model = await asking.opened()
        return {"model": dict(model.settings)}

    async def close() -> None:
        if model is not None:
            await model.aclose()

    async def do(reading: ItemReading, journals: Journals) -> None:
        assert model is not None
        scored = await _score(model, reading, options)
        if any(continuation.passing for continuation in scored.continuations):
            raise Later(scored.error)
        journals[_JOURNAL].append(_key(reading), sample(scored, brief=options.brief))

    known = {} if asking.settings is None else {"model": dict(asking.settings)}
    settings = {**_described(options), **asking.about, **known}

    def finish(finished: Finished[ItemReading]) -> FactorResults:
        more = {"settings": settings} if finished.files is None else finished.files.manifest
        manifest = {"command": COMMAND, "input": asking.source, "versions": versions(), **more}
        return replace(_results(finished, options, out), signature=signature_of(manifest))

    return FactorWork(
        name=COMMAND,
        settings=settings,
        items=list(_wanted(asking)),
        key=_key,
        label=lambda reading: reading.item.id,
        journals={_JOURNAL: SampleLine},
        do=do,
        finish=finish,
        asks=asking.asks,
        close=close,
        source=asking.source,
        asking=asking,
        open_model=opens,
    )


def _wanted(asking: Asking) -> Iterator[ItemReading]:
    for item in asking.items:
        if fault := item_fault(item):
            raise InputError(f"item {item.id!r}: {fault}")
        yield from asking.readings(item)


def _results(
    finished: Finished[ItemReading], options: FactorOptions, out: Path | None
) -> FactorResults:
    reasons = {failure.key: failure.reason for failure in finished.failed}
    scored = tuple(
        scored_from(line, reading.item)
        if (line := finished.journals[_JOURNAL].get(_key(reading))) is not None
        else _unscored(reading, reasons.get(_key(reading), ""))
        for reading in finished.items
    )
    summary = _summary(scored, finished.items, options)
    results = FactorResults(scored, summary, options.normalize, out)
    if finished.folder is not None:
        rows = score_rows(results.scored, results.normalize)
        write_text(finished.folder / "scores.csv", csv_text(rows))
        write_json(finished.folder / "summary.json", results.summary)
    return results


def _key(reading: ItemReading) -> str:
    return reading_key(reading.item, reading.context, reading.position)


def _unscored(reading: ItemReading, reason: str) -> Scored:
    several = tuple(unscored(reason or "not asked") for _ in reading.item.completions)
    return Scored(reading.item, reading.context, reading.position, several)


def _described(options: FactorOptions) -> dict[str, Any]:
    retrieval = options.retrieval
    settings: dict[str, Any] = {
        "normalize": options.normalize,
        "ties": "strict: a tie is wrong; accuracy_tie_credit shares the point",
        "policy": options.policy,
        "brief": options.brief,
    }
    if retrieval is not None:
        settings["retrieval"] = {
            "index": retrieval.retriever.manifest.corpus_hash,
            "query_tokens": retrieval.query_tokens,
            "doc_tokens": retrieval.doc_tokens,
            "exclude": retrieval.exclude,
            "stride": retrieval.stride,
        }
    return settings


def _summary(
    scored: Sequence[Scored], readings: Sequence[ItemReading], options: FactorOptions
) -> dict[str, Any]:
    shared: dict[str, Any] = {
        "by": options.normalize,
        "policy": options.policy,
        "confidence": options.confidence,
        "resamples": options.resamples,
        "seed": options.seed,
    }
    names = list(dict.fromkeys(one.context for one in scored))
    contexts = {c: summarize([one for one in scored if one.context == c], **shared) for c in names}
    first = next(iter(contexts.values())) if contexts else summarize([], **shared)
    several = {"contexts": contexts} if len(contexts) > 1 else {}
    return {**first, **several, **owner_measures(scored, readings, **shared)}


async def _score(model: LikelihoodModel, reading: ItemReading, options: FactorOptions) -> Scored:
    item, retrieval = reading.item, options.retrieval
    if retrieval is not None and retrieval.stride is not None:
        several, titles = await score_by_strides(model, retrieval, item, options.context_tokens)
        return Scored(item, "retrieved", "", tuple(several), titles)
    cut = 0
    if retrieval is not None:
        reading = await read_with_passage(model, retrieval, item, options.context_tokens)
    prefix = item.prefix if reading.prefix is None else reading.prefix
    pairs = [join(prefix, text) for text in item.completions]
    context, continuations = pairs[0][0], [text for _, text in pairs]
    if retrieval is not None:
        longest = max(continuations, key=len)
        context, cut = await context_with(
            model, reading.front, context, longest, options.context_tokens
        )
    else:
        context = reading.front + context
    results = list(await model.score(context, continuations))
    if len(results) != len(continuations):
        raise InputError(
            f"model: gave {len(results)} numbers for {len(continuations)} continuations"
        )
    if cut:
        results = [replace(result, dropped=result.dropped + cut) for result in results]
    return Scored(item, reading.context, reading.position, tuple(results), reading.passages)
