"""Writes many biographies into one resumable file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import Field

from dfactscore._errors import InputError
from dfactscore._util.role_answers import wrong_answer
from dfactscore._util.roles import role_fault
from dfactscore._util.validated import Count, Form, Text
from dfactscore.generation._records import generation_key, generation_record
from dfactscore.generation._request import Generation, Generator, Request
from dfactscore.work import (
    AsksModel,
    Finished,
    Journals,
    Later,
    Work,
    WouldAsk,
    beside,
    run_async,
    would_ask,
)

_JOURNAL = "biographies"


class _Passage(Form):
    title: Text
    text: Text


class _WrittenLine(Form):
    """Data read back from a biography that is in the file already."""

    name: Text
    output: Text
    passages: list[_Passage]
    finish_reason: Text
    retrieved_entities: list[Text] = Field(default_factory=list)
    usage: dict[Text, Count] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Written:
    """Result of `write_biographies`.

    Attributes:
        written: Biographies generated now.
        kept: Biographies that were in the file already.
        finish_reasons: The finish reasons of all of them.
        failed: Name and reason of those that are not in the file; another call tries them again.
        n_retrieved: Mean number of entities with the target name among a name's passages.
    """

    written: int
    kept: int
    finish_reasons: Mapping[str, int]
    failed: tuple[tuple[str, str], ...] = ()
    n_retrieved: float = 0.0
    usage: Mapping[str, int] = field(default_factory=dict)


async def write_biographies(
    requests: Sequence[Request],
    generator: Generator,
    out: str | Path,
    *,
    concurrency: int = 16,
    source: Mapping[str, Any] | None = None,
    progress: Callable[[Request, Generation], None] | None = None,
) -> Written:
    """Generates the missing biographies and puts the file into the order of the requests.

    Each biography is appended when it is there, so that a kill costs at most those in flight; the
    finished file is the same whether it was interrupted or not.

    Args:
        requests: Requests to write; ids must differ.
        generator: The generator.
        out: A ``.jsonl`` file; if it is there, it must come from the same settings.
        concurrency: Biographies at a time.
        source: Source of the names and passages, for the manifest.
        progress: Called after each biography.

    Raises:
        InputError: If ids repeat, the file is not JSONL or the generator is none.
        RunError: If the file holds biographies that these settings would not give, or another
            process is writing it.
    """
    fault = role_fault(generator, Generator)
    if fault:
        raise InputError(f"generator: {fault}")
    path = Path(out)
    if path.suffix.lower() != ".jsonl":
        raise InputError(f"{path}: biographies are written as .jsonl")
    repeated = [i for i, n in Counter(r.id for r in requests).items() if n > 1]
    if repeated:
        raise InputError(f"names: the id {repeated[0]!r} is used for {len(repeated)} or more names")
    work = _work(requests, generator, source or {}, progress)
    return await run_async(work, beside(path), concurrency=concurrency)


def _work(
    requests: Sequence[Request],
    generator: Generator,
    source: Mapping[str, Any],
    progress: Callable[[Request, Generation], None] | None,
) -> Work[Request, Written]:
    settings = dict(generator.settings)

    def key(request: Request) -> str:
        return generation_key(request, settings)

    async def do(request: Request, journals: Journals) -> None:
        generation = await _generate(generator, request)
        if progress is not None:
            progress(request, generation)
        if generation.finish_reason in ("error", "no_passages"):
            raise Later(generation.note or generation.finish_reason)
        record = generation_record(request, generation, generator)
        journals[_JOURNAL].append(key(request), record)

    def finish(found: Finished[Request]) -> Written:
        lines = (found.journals[_JOURNAL].get(key(request)) for request in requests)
        written = _summary([line for line in lines if line is not None], found)
        found.more.update(
            finish_reasons=dict(written.finish_reasons),
            retrieved_entities_mean=round(written.n_retrieved, 6),
            usage=dict(written.usage),
        )
        return written

    return Work(
        name="generate",
        settings=settings,
        items=requests,
        key=key,
        label=lambda r: r.name,
        journals={_JOURNAL: _WrittenLine},
        do=do,
        finish=finish,
        source=source,
        things="biographies",
        asks=generator.asks if isinstance(generator, AsksModel) else lambda request: (),
    )


def biographies_asked(
    requests: Sequence[Request],
    generator: Generator,
    out: Path,
    *,
    source: Mapping[str, Any] | None = None,
) -> WouldAsk:
    """Requests of `write_biographies`; nothing is asked, and nothing is written."""
    return would_ask(_work(requests, generator, source or {}, None), beside(out))


async def _generate(generator: Generator, request: Request) -> Generation:
    generation: object = await generator.generate(request)
    if not isinstance(generation, Generation):
        given = f"gave {generation!r:.60}"
        raise wrong_answer(generator, "generate", Generator, given, "a Generation")
    return generation


def _summary(records: Sequence[Mapping[str, Any]], found: Finished[Request]) -> Written:
    usage: Counter[str] = Counter()
    for record in records:
        usage.update(record.get("usage", {}))
    entities = [len(r.get("retrieved_entities", ())) for r in records]
    return Written(
        written=found.filled.fresh,
        kept=found.filled.kept,
        finish_reasons=dict(sorted(Counter(r["finish_reason"] for r in records).items())),
        failed=tuple((one.label, one.reason) for one in found.failed),
        n_retrieved=sum(entities) / len(entities) if entities else 0.0,
        usage=dict(usage),
    )
