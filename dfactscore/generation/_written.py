"""Writes biographies to a file, resumes an unfinished one, and serves `dfactscore generate`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from pydantic import Field

from dfactscore._asking.session import LLMSession, closing
from dfactscore._errors import InputError, RunError
from dfactscore._util.files import check_output, make_folder, refuse_input
from dfactscore._util.jsonl import read_jsonl, write_json
from dfactscore._util.reporting import Progress
from dfactscore._util.roles import role_fault
from dfactscore._util.tasks import run_sync, wrong_answer
from dfactscore._util.usage import Usage
from dfactscore._util.validated import Count, Form, Text
from dfactscore.generation._config import GenerateSettings, make_generator
from dfactscore.generation._llm import AnswerGenerator, read_prompts
from dfactscore.generation._request import (
    Generation,
    Generator,
    Request,
    alce_json,
    generation_key,
    generation_record,
)
from dfactscore.generation._request_files import load_requests
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
    """The fields read from existing lines of the file."""

    name: Text
    output: Text
    passages: list[_Passage]
    finish_reason: Text
    retrieved_entities: list[Text] = Field(default_factory=list)
    usage: dict[Text, Count] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Written:
    """The result of `write_biographies`.

    Attributes:
        written: The number of new biographies.
        kept: Number of biographies that the file already contained.
        finish_reasons: The number of biographies by finish reason.
        failed: Name and reason for each missing biography; another call retries these.
        n_retrieved: The mean number of entities with the target name among the passages.
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
    """Generates the missing biographies and sorts the file in request order.

    Each biography is appended as soon as it is complete, so an interruption loses only those in
    progress. An interrupted and resumed call produces the same file as an uninterrupted one.

    Args:
        requests: The requests, each with a different id.
        generator: The generator.
        out: A ``.jsonl`` file; an existing one must have the same settings.
        concurrency: The number of biographies generated concurrently.
        source: The source of the names and passages, as recorded in the manifest.
        progress: Called after each biography.

    Raises:
        InputError: If ids are repeated, the file is not JSONL, or the generator lacks a method.
        RunError: If the file contains biographies generated with other settings, or another process
            is writing to it.
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

    def finish(finished: Finished[Request]) -> Written:
        lines = (finished.journals[_JOURNAL].get(key(request)) for request in requests)
        written = _summary([line for line in lines if line is not None], finished)
        finished.more.update(
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
    """Estimates the requests that `write_biographies` would send, without sending any."""
    return would_ask(_work(requests, generator, source or {}, None), beside(out))


async def _generate(generator: Generator, request: Request) -> Generation:
    generation: object = await generator.generate(request)
    if not isinstance(generation, Generation):
        problem = f"gave {generation!r:.60}"
        raise wrong_answer(generator, "generate", Generator, problem, "a Generation")
    return generation


def _summary(records: Sequence[Mapping[str, Any]], finished: Finished[Request]) -> Written:
    usage: Counter[str] = Counter()
    for record in records:
        usage.update(record.get("usage", {}))
    entities = [len(r.get("retrieved_entities", ())) for r in records]
    return Written(
        written=finished.filled.fresh,
        kept=finished.filled.kept,
        finish_reasons=dict(sorted(Counter(r["finish_reason"] for r in records).items())),
        failed=tuple((failure.label, failure.reason) for failure in finished.failed),
        n_retrieved=sum(entities) / len(entities) if entities else 0.0,
        usage=dict(usage),
    )


def begin(settings: GenerateSettings, *, overwrite: bool) -> tuple[Path, list[Request]]:
    """Returns the file to write and the requests for it: prompts, or names with their passages."""
    out, read = settings.out, (settings.names, settings.passages, settings.index)
    if out is None:
        raise InputError("generate: give --out FILE (.jsonl)")
    if settings.generator == "llm":
        settings.chat_model()  # reports a mistake before any file is read
    if settings.alce is not None:
        make_folder(settings.alce.parent)
        check_output(settings.alce, "alce", inputs=(*read, out), force=overwrite, named="--alce")
    refuse_input(out, read)
    if settings.questions is None:
        return out, load_requests(settings)
    if settings.generator != "llm":
        raise InputError("generate: --questions needs --generator llm")
    return out, read_prompts(settings.questions)[: settings.limit]


def estimate(
    settings: GenerateSettings, requests: list[Request], out: Path, session: LLMSession | None
) -> tuple[Usage, int]:
    """Returns an estimate of the remaining requests, and the number of names without passages."""
    writer, source = _writer(settings, session), _source(settings)
    usage = biographies_asked(requests, writer, out, source=source).usage
    named = requests if settings.questions is None else []
    return usage, sum(not any(p.text.strip() for p in r.passages) for r in named)


def write(
    settings: GenerateSettings,
    requests: list[Request],
    out: Path,
    session: LLMSession | None,
    *,
    progress: Progress | None = None,
) -> Written:
    """Writes the missing biographies; with ``--alce``, also writes them in ALCE's format."""
    writer, done, total = _writer(settings, session), count(1), len(requests)
    if progress is not None:
        progress(0, total)
    work = write_biographies(
        requests,
        writer,
        out,
        concurrency=settings.at_once,
        source=_source(settings),
        progress=None if progress is None else lambda *_: progress(next(done), total),
    )
    written = run_sync(closing(session, work))
    if settings.alce is not None:
        records = (record for _, record in read_jsonl(out, error=RunError))
        write_json(settings.alce, alce_json(records, settings=dict(writer.settings)), indent=1)
    return written


def _source(settings: GenerateSettings) -> dict[str, Any]:
    """Returns the input's manifest entry."""
    read = {key: getattr(settings, key) for key in ("names", "passages", "index", "questions")}
    files = {key: path.name for key, path in read.items() if path is not None}
    return {**files, "top": settings.top, "limit": settings.limit}


def _writer(settings: GenerateSettings, session: LLMSession | None) -> Generator:
    if settings.questions is None or session is None:
        return make_generator(settings, session)
    return AnswerGenerator(session.client(settings.chat_model()), max_tokens=settings.max_tokens)
