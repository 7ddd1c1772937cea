"""`dfactscore generate`: biographies of ambiguous names from retrieved passages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dfactscore.cli.app import app

if TYPE_CHECKING:
    from dfactscore.generation.request import Generator, Request
    from dfactscore.generation.writing import Written

__all__ = ["generate"]


@app.command()
def generate(
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Biographies, .jsonl; the same command resumes it.")
    ],
    names: Annotated[
        Path | None, typer.Option(help="Names: AmbigBio .jsonl, .csv, .tsv or .txt.")
    ] = None,
    passages: Annotated[
        Path | None,
        typer.Option(help="Passages per name (.jsonl, ALCE .json) instead of --index."),
    ] = None,
    index: Annotated[
        Path | None, typer.Option(help="Index folder to retrieve passages from.")
    ] = None,
    top: Annotated[int, typer.Option("--top", "-k", min=1, help="Passages for a name.")] = 5,
    generator: Annotated[
        Literal["llm", "extractive"], typer.Option(help="A model, or sentences of the passages.")
    ] = "llm",
    mode: Annotated[
        Literal["one-entity", "mixing"], typer.Option(help="What extractive strings together.")
    ] = "one-entity",
    sentences: Annotated[int, typer.Option(min=1, help="Most sentences of extractive.")] = 6,
    model: Annotated[
        str | None, typer.Option(help="Model name at the endpoint, or a .gguf file.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="OpenAI-compatible endpoint ($OPENAI_BASE_URL).")
    ] = None,
    instruction: Annotated[str, typer.Option(help="vanilla, careful or a text file.")] = "vanilla",
    demos: Annotated[
        str, typer.Option(help="ambiguous, unambiguous, disambiguating, none or a YAML file.")
    ] = "ambiguous",
    shots: Annotated[int, typer.Option(min=0, help="Demonstrations shown.")] = 2,
    template: Annotated[
        Path | None, typer.Option(help="Own prompt template (see docs/generation.md).")
    ] = None,
    layout: Annotated[
        Literal["single", "turns"], typer.Option(help="Demonstrations in one message, or as turns.")
    ] = "single",
    temperature: Annotated[float, typer.Option(min=0, help="Sampling temperature.")] = 1.0,
    top_p: Annotated[float, typer.Option(min=0, max=1, help="Nucleus sampling.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Sent with each request.")] = 1,
    max_tokens: Annotated[int, typer.Option(min=1, help="Most tokens of a biography.")] = 512,
    context: Annotated[
        int | None,
        typer.Option(min=64, help="Context of the model in tokens; passages are cut to fit."),
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, help="Requests under way at once.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N names.")] = None,
    alce: Annotated[
        Path | None, typer.Option(help="Write the biographies in ALCE's format as well (.json).")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Write one biography a name from its retrieved passages, with citations."""
    from dfactscore.cli.output import message, progress
    from dfactscore.generation.writing import write_biographies
    from dfactscore.waiting import run_sync

    requests = load_requests(names, passages, index, top=top)[:limit]
    writer = make_generator(
        generator,
        mode=mode,
        sentences=sentences,
        model=model,
        base_url=base_url,
        instruction=instruction,
        demos=demos,
        shots=shots,
        template=template,
        layout=layout,
        temperature=temperature,
        top_p=top_p,
        seed=seed,
        max_tokens=max_tokens,
        context=context,
        concurrency=concurrency,
    )
    with progress("writing", quiet=quiet) as bar:
        done = 0

        def count(*_: Any) -> None:
            nonlocal done
            done += 1
            if bar is not None:
                bar(done, len(requests))

        written = run_sync(
            write_biographies(requests, writer, out, concurrency=concurrency or 16, progress=count)
        )
    if alce is not None:
        _write_alce(out, alce, writer)
    _report(written, out, len(requests))
    for name, reason in written.failed[:20]:
        message(f"not written: {name}: {reason}")
    if len(written.failed) > 20:
        message(f"not written: {len(written.failed) - 20} more")
    if written.failed:
        raise typer.Exit(1)


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

        return retrieve(read_names(names), index, k=top)
    if passages is None:
        raise InputError("generate: give --index DIR with --names FILE, or --passages FILE")
    found = {r.name: replace(r, passages=r.passages[:top]) for r in read_requests(passages)}
    if names is None:
        return list(found.values())
    return [found.get(r.name, r) for r in read_names(names)]


def make_generator(kind: str, **options: Any) -> Generator:
    """The generator that the options describe.

    Raises:
        InputError: If an option cannot be used, or an LLM is wanted and none named.
    """
    from dfactscore.errors import InputError

    if kind == "extractive":
        from dfactscore.generation.extractive import ExtractiveGenerator

        return ExtractiveGenerator(options["mode"], sentences=options["sentences"])
    from dfactscore.generation.demonstration import load_demonstrations
    from dfactscore.generation.llm import LLMGenerator
    from dfactscore.generation.model import open_client
    from dfactscore.generation.prompt import load_prompt

    if options["model"] is None:
        raise InputError("generate: --model NAME is missing (or use --generator extractive)")
    prompt = load_prompt(
        instruction=options["instruction"],
        demonstrations=load_demonstrations(options["demos"], shots=options["shots"]),
        template=options["template"],
        layout=options["layout"],
    )
    sampling = ("base_url", "temperature", "top_p", "seed", "context", "concurrency")
    client = open_client(options["model"], **{k: options[k] for k in sampling})
    return LLMGenerator(
        client, prompt, max_tokens=options["max_tokens"], context=options["context"]
    )


def _write_alce(out: Path, alce: Path, writer: Generator) -> None:
    import json

    from dfactscore.generation.records import alce_json
    from dfactscore.runs.files import atomic_write, dump_json

    records = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    with atomic_write(alce) as file:
        file.write(dump_json(alce_json(records, settings=dict(writer.settings)), indent=1) + "\n")


def _report(written: Written, out: Path, asked: int) -> None:
    ends = ", ".join(f"{n} {reason}" for reason, n in written.finish_reasons.items())
    print(f"{written.written + written.kept} of {asked} biographies in {out} ({ends or 'none'})")
    if written.kept:
        print(f"{written.kept} were there already")
    print(f"entities with the target name among the passages: {written.n_retrieved:.1f} on average")
    if written.usage:
        tokens = ", ".join(f"{v} {k.replace('_', ' ')}" for k, v in written.usage.items())
        print(f"tokens: {tokens}")
