"""`dfactscore generate`: biographies of ambiguous names from retrieved passages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dfactscore.cli import llm_options as llm
from dfactscore.cli.app import app

if TYPE_CHECKING:
    from dfactscore.generation.request import Generator, Request
    from dfactscore.generation.writing import Written

__all__ = ["generate", "load_requests"]


@app.command()
def generate(
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Biographies, .jsonl; the same command resumes it.")
    ],
    names: Annotated[
        Path | None, typer.Option(help="Names: AmbigBio .jsonl, .csv, .tsv or .txt.")
    ] = None,
    index: Annotated[
        Path | None, typer.Option(help="Index folder to retrieve passages from.")
    ] = None,
    passages: Annotated[
        Path | None,
        typer.Option(help="Passages per name (.jsonl, ALCE .json) instead of an index."),
    ] = None,
    top: Annotated[int, typer.Option("--top", "-k", min=1, help="Passages for a name.")] = 5,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N names.")] = None,
    generator: Annotated[
        Literal["llm", "extractive"] | None,
        typer.Option(help="A language model (the default), or sentences of the passages."),
    ] = None,
    mode: Annotated[
        Literal["one-entity", "mixing"] | None,
        typer.Option(help="Whose sentences extractive strings together."),
    ] = None,
    sentences: Annotated[int | None, typer.Option(help="Most sentences of extractive (6).")] = None,
    entities: Annotated[
        int | None, typer.Option(help="Most entities that --mode mixing mixes (2).")
    ] = None,
    instruction: Annotated[
        str | None, typer.Option(help="vanilla (the default), careful or a text file.")
    ] = None,
    demos: Annotated[
        str | None,
        typer.Option(help="ambiguous (the default), unambiguous, disambiguating, none or a file."),
    ] = None,
    shots: Annotated[int | None, typer.Option(help="Demonstrations shown (2).")] = None,
    template: Annotated[
        Path | None, typer.Option(help="A prompt template of your own (docs/generation.md).")
    ] = None,
    layout: Annotated[
        Literal["single", "turns"] | None,
        typer.Option(help="All in one message (the default), or a turn per demonstration."),
    ] = None,
    model: llm.Model = None,
    base_url: llm.BaseUrl = None,
    api_key_env: llm.ApiKeyEnv = None,
    gguf: llm.Gguf = None,
    threads: Annotated[int | None, typer.Option(help="Threads for --gguf.")] = None,
    temperature: Annotated[
        float | None, typer.Option(min=0, help="1 by default, as in the paper.")
    ] = None,
    top_p: Annotated[float | None, typer.Option(help="0.95 by default, as in the paper.")] = None,
    seed: Annotated[int | None, typer.Option(help="Sent with every request (1).")] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="Most tokens of a biography (512).")
    ] = None,
    context: Annotated[
        int | None, typer.Option(help="The model's context in tokens; passages are cut to fit.")
    ] = None,
    concurrency: llm.Concurrency = None,
    requests_per_minute: llm.RequestsPerMinute = None,
    tokens_per_minute: llm.TokensPerMinute = None,
    timeout: llm.Timeout = None,
    retries: llm.Retries = None,
    cache: llm.Cache = None,
    no_cache: llm.NoCache = None,
    prices: llm.Prices = None,
    max_cost: llm.MaxCost = None,
    max_calls: llm.MaxCalls = None,
    alce: Annotated[
        Path | None, typer.Option(help="Write the biographies in ALCE's format as well (.json).")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Write one biography a name from its retrieved passages, with citations."""
    given = {name: value for name, value in locals().items() if name in _CONFIGURED}
    from dfactscore._util.files import make_folder
    from dfactscore._util.tasks import run_sync
    from dfactscore.cli.output import message, progress
    from dfactscore.engines.llm.client.session import LLMSession
    from dfactscore.generation.config import make_generator, validated
    from dfactscore.generation.writing import write_biographies

    config = validated(given, "generate")
    if config.generator == "llm":
        config.chat_model()  # a mistake in it is told before anything is read
    if alce is not None:
        make_folder(alce.parent)
    requests = load_requests(names, passages, index, top=top)[:limit]
    session = None
    if config.generator == "llm":
        session = LLMSession(
            cache=False if no_cache else cache,
            prices=prices,
            max_cost=max_cost,
            max_calls=max_calls,
        )
    read = {"names": names, "passages": passages, "index": index}
    source = {key: path.name for key, path in read.items() if path is not None}
    try:
        writer = make_generator(config, session)
        with progress("writing", quiet=quiet) as bar:
            done = 0

            def count(*_: Any) -> None:
                nonlocal done
                done += 1
                if bar is not None:
                    bar(done, len(requests))

            async def work() -> Written:
                try:
                    return await write_biographies(
                        requests,
                        writer,
                        out,
                        concurrency=config.at_once,
                        source={**source, "top": top, "limit": limit},
                        progress=count,
                    )
                finally:
                    if session is not None:
                        await session.aclose()

            written = run_sync(work())
    finally:
        if session is not None:
            session.close()
    if alce is not None:
        _write_alce(out, alce, writer)
    _report(written, out, len(requests))
    for name, reason in written.failed[:20]:
        message(f"not written: {name}: {reason}")
    if len(written.failed) > 20:
        message(f"not written: {len(written.failed) - 20} more")
    if written.failed:
        raise typer.Exit(1)


_CONFIGURED = frozenset({
    "generator", "mode", "sentences", "entities", "instruction", "demos", "shots", "template",
    "layout", "model", "base_url", "api_key_env", "gguf", "threads", "temperature", "top_p",
    "seed", "max_tokens", "context", "concurrency", "requests_per_minute", "tokens_per_minute",
    "timeout", "retries",
})  # fmt: skip


def load_requests(
    names: Path | None, passages: Path | None, index: Path | None, *, top: int
) -> list[Request]:
    """The names with their passages, from a file or an index.

    Raises:
        InputError: If neither passages nor an index are given, or no name has any.
    """
    from dataclasses import replace

    from dfactscore.errors import InputError
    from dfactscore.generation.sources import read_names, read_requests

    if passages is not None and index is not None:
        raise InputError("generate: give either --passages or --index, not both")
    if index is not None:
        if names is None:
            raise InputError("generate: --index needs --names FILE")
        from dfactscore.generation.retrieving import retrieve

        return retrieve(read_names(names), index, top=top)
    if passages is None:
        raise InputError("generate: give --index DIR with --names FILE, or --passages FILE")
    found = {r.name: replace(r, passages=r.passages[:top]) for r in read_requests(passages)}
    if names is None:
        return list(found.values())
    return [found.get(r.name, r) for r in read_names(names)]


def _write_alce(out: Path, alce: Path, writer: Generator) -> None:
    from dfactscore._util.jsonl import read_jsonl, write_json
    from dfactscore.errors import RunError
    from dfactscore.generation.records import alce_json

    records = (record for _, record in read_jsonl(out, error=RunError))
    write_json(alce, alce_json(records, settings=dict(writer.settings)), indent=1)


def _report(written: Written, out: Path, asked: int) -> None:
    ends = ", ".join(f"{n} {reason}" for reason, n in written.finish_reasons.items())
    print(f"{written.written + written.kept} of {asked} biographies in {out} ({ends or 'none'})")
    if written.kept:
        print(f"{written.kept} were there already")
    print(f"entities with the target name among the passages: {written.n_retrieved:.1f} on average")
    if written.usage:
        tokens = ", ".join(f"{v} {k.replace('_', ' ')}" for k, v in written.usage.items())
        print(f"tokens: {tokens}")
