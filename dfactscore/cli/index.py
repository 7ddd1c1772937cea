"""`dfactscore index`: build, add to, describe, search and evaluate indexes; page stores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dfactscore.cli.app import app

if TYPE_CHECKING:
    from dfactscore.retrieval import Passage
    from dfactscore.retrieval.encoders import Encoder
    from dfactscore.retrieval.manifest import Manifest
    from dfactscore.retrieval.retriever import Hit, Retriever, SearchMethod

__all__ = ["index"]

index = typer.Typer(
    help="Build and search indexes of 100-word passages, and page stores.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(index, name="index")

_PAGES_HELP = ".jsonl {title, text}, DPR .tsv, Wikipedia .parquet, a folder of .txt, a page store."
Pages = Annotated[Path, typer.Argument(help=_PAGES_HELP, show_default=False)]
Folder = Annotated[Path, typer.Argument(help="Index folder.", show_default=False)]
Ready = Annotated[
    bool, typer.Option("--passages", help="The records are passages already: do not split them.")
]
EncoderName = Annotated[
    str,
    typer.Option(
        "--encoder",
        help="gtr-t5-base, -large, -xl, -xxl, a hub name or a local folder of a "
        "sentence-transformers model.",
    ),
]
Device = Annotated[str, typer.Option(help="auto, cpu, cuda, mps; several with commas.")]
Precision = Annotated[Literal["fp32", "fp16", "bf16"], typer.Option(help="What the model uses.")]
BatchSize = Annotated[int, typer.Option(min=1, help="Texts encoded at once.")]
MaxBytes = Annotated[int, typer.Option(min=1, help="Pages above this are set aside.")]
Method = Annotated[
    Literal["auto", "dense", "bm25", "hybrid", "title"],
    typer.Option(help="auto is the kind of the index."),
]
Form = Annotated[Literal["table", "json"], typer.Option("--format", help="How to print.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")]
TopK = Annotated[int, typer.Option("-k", min=1, help="Passages for each query.")]
_MAX = 4 * 2**20


class _SetAside:
    """Collects bad records, tells of the first few, and writes them all beside the result."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: list[dict[str, str]] = []

    def __call__(self, error: Any) -> None:
        from dfactscore.cli.output import message

        self.records.append({"where": error.where, "problem": error.problem})
        if len(self.records) <= 5:
            message(f"set aside: {error}")

    def finish(self) -> None:
        """Writes the list; leaves with status 1 if there is one."""
        from dfactscore._util.jsonl import write_jsonl
        from dfactscore.cli.output import message

        if self.records:
            write_jsonl(self.path, self.records)
            message(f"{len(self.records)} records were set aside: see {self.path}")
            raise typer.Exit(1)


def _encoder(name: str, device: str, precision: Any, batch_size: int) -> Encoder:
    from dfactscore.retrieval.encoders import GTREncoder, SentenceEncoder

    several = tuple(device.split(",")) if "," in device else ()
    kind = GTREncoder if name.startswith("gtr-t5-") else SentenceEncoder
    model = name.removeprefix("gtr-t5-") if kind is GTREncoder else name
    return kind(
        model,
        device="auto" if several else device,
        devices=several,
        precision=precision,
        batch_size=batch_size,
    )


def _passages(
    pages: Path, ready: bool, words: int, tail: Any, first: int, max_bytes: int, on_error: Any
) -> Iterator[Passage]:
    from dfactscore.retrieval.readers import read_pages, read_passages
    from dfactscore.retrieval.splitting import split_pages

    name = pages.name.removesuffix(".gz")
    if ready or name.endswith(".tsv"):
        return read_passages(pages, first=first, on_error=on_error)
    found = read_pages(pages, max_bytes=max_bytes, on_error=on_error)
    return split_pages(found, words=words, tail=tail, start=first)


def _reporter(quiet: bool) -> Callable[[str, int], None] | None:
    """Says now and then how far a step is, and how fast."""
    if quiet:
        return None
    import time

    from dfactscore.cli.output import message

    state: dict[str, Any] = {"step": "", "said": 0.0}

    def report(step: str, done: int) -> None:
        now = time.monotonic()
        if step != state["step"]:
            state.update(step=step, start=now, first=done, said=now)
        elif now - state["said"] >= 5:
            rate = (done - state["first"]) / (now - state["start"])
            message(f"{step}: {done:,} done, {rate:,.0f} a second")
            state["said"] = now

    return report


def _print_manifest(folder: Path, manifest: Manifest, form: str) -> None:
    import json
    from dataclasses import asdict

    record = {"folder": str(folder), **asdict(manifest), "bytes": _sizes(folder)}
    if form == "json":
        typer.echo(json.dumps(record, indent=2, ensure_ascii=False))
        return
    rows = [
        ("index", str(folder)),
        ("kind", manifest.kind),
        ("passages", f"{manifest.passages:,}"),
        ("source", manifest.source or "-"),
        ("snapshot", manifest.snapshot or "unknown"),
        ("split", ", ".join(f"{k} {v}" for k, v in manifest.splitting.items()) or "as given"),
    ]
    if manifest.kind != "bm25":
        shown = ("model", "dimension", "precision", "max_tokens")
        encoder = [f"{k} {manifest.encoder[k]}" for k in shown if k in manifest.encoder]
        rows += [("encoder", ", ".join(encoder)), ("faiss", manifest.factory)]
    rows.append(("disk", ", ".join(f"{k} {v / 1e6:,.1f} MB" for k, v in _sizes(folder).items())))
    rows.append(("made with", ", ".join(f"{k} {v}" for k, v in manifest.versions.items())))
    rows.append(("corpus", manifest.corpus_hash))
    for name, value in rows:
        typer.echo(f"{name:<10} {value}")


def _sizes(folder: Path) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            part = path.relative_to(folder).parts[0].split(".")[0]
            sizes[part] = sizes.get(part, 0) + path.stat().st_size
    return sizes


@index.command()
def build(
    pages: Pages,
    out: Annotated[Path, typer.Option("--out", "-o", help="Index folder; resumed if begun.")],
    kind: Annotated[
        Literal["bm25", "dense", "hybrid"], typer.Option(help="By words, by embeddings, or both.")
    ] = "bm25",
    words: Annotated[int, typer.Option(min=1, help="Words in a passage.")] = 100,
    tail: Annotated[
        Literal["short", "wrap"],
        typer.Option(help="Last passage of a page: short, or filled from its start as in DPR."),
    ] = "short",
    ready: Ready = False,
    encoder: EncoderName = "gtr-t5-large",
    device: Device = "auto",
    precision: Precision = "fp32",
    batch_size: BatchSize = 32,
    factory: Annotated[str, typer.Option(help="FAISS factory string; chosen by size.")] = "",
    vectors: Annotated[
        Literal["float32", "float16"], typer.Option(help="How embeddings are stored.")
    ] = "float32",
    shard_rows: Annotated[
        int, typer.Option(min=0, help="Vectors in one FAISS file; 0 for one file.")
    ] = 0,
    embeddings: Annotated[
        Path | None, typer.Option(help="Embeddings made elsewhere (.npy); needs --ids.")
    ] = None,
    ids: Annotated[Path | None, typer.Option(help="Passage ids of --embeddings, by line.")] = None,
    source: Annotated[str, typer.Option(help="Where the pages come from; recorded.")] = "",
    snapshot: Annotated[str, typer.Option(help="Date of the texts; recorded.")] = "",
    max_page_bytes: MaxBytes = _MAX,
    quiet: Quiet = False,
) -> None:
    """Build an index of passages; the same command resumes one that was interrupted."""
    from dfactscore.errors import InputError
    from dfactscore.retrieval.build import BuildOptions, build_index

    if (embeddings is None) != (ids is None):
        raise InputError("--embeddings and --ids go together: the table, and its passage ids")
    bad = _SetAside(out.with_name(out.name + ".errors.jsonl"))
    is_ready = ready or pages.name.removesuffix(".gz").endswith(".tsv")
    options = BuildOptions(
        kind=kind,
        factory=factory,
        vectors=vectors,
        shard_rows=shard_rows,
        source=source or pages.name,
        snapshot=snapshot,
        splitting=() if is_ready else (("words", words), ("tail", tail)),
    )
    manifest = build_index(
        _passages(pages, ready, words, tail, 1, max_page_bytes, bad),
        out,
        options,
        encoder=None if kind == "bm25" else _encoder(encoder, device, precision, batch_size),
        precomputed=None if embeddings is None or ids is None else (embeddings, ids),
        progress=_reporter(quiet),
    )
    _print_manifest(out, manifest, "table")
    bad.finish()


@index.command()
def add(
    folder: Folder,
    pages: Pages,
    ready: Ready = False,
    device: Device = "auto",
    batch_size: BatchSize = 32,
    max_page_bytes: MaxBytes = _MAX,
    quiet: Quiet = False,
) -> None:
    """Add pages to an index, split and encoded as it was built."""
    from dfactscore.retrieval.build import add_to_index
    from dfactscore.retrieval.encoders import encoder_from_settings
    from dfactscore.retrieval.manifest import read_manifest

    manifest = read_manifest(folder)
    bad = _SetAside(folder.with_name(folder.name + ".errors.jsonl"))
    encoder = None
    if manifest.kind != "bm25":
        several = tuple(device.split(",")) if "," in device else ()
        encoder = encoder_from_settings(
            manifest.encoder,
            device="auto" if several else device,
            devices=several,
            batch_size=batch_size,
        )
    split = {"words": 100, "tail": "short", **manifest.splitting}
    manifest = add_to_index(
        _passages(
            pages, ready, split["words"], split["tail"], manifest.passages + 1, max_page_bytes, bad
        ),
        folder,
        encoder=encoder,
        progress=_reporter(quiet),
    )
    _print_manifest(folder, manifest, "table")
    bad.finish()


@index.command()
def info(
    folder: Folder,
    verify: Annotated[bool, typer.Option(help="Hash every passage, open every file.")] = False,
    form: Form = "table",
) -> None:
    """Say what an index holds and how it was built."""
    from dfactscore.retrieval.build import verify_index
    from dfactscore.retrieval.manifest import read_manifest

    _print_manifest(folder, verify_index(folder) if verify else read_manifest(folder), form)
    if verify and form == "table":
        typer.echo("verified   every passage and file is as it was built")


@index.command()
def search(
    folder: Folder,
    query: Annotated[str, typer.Argument(help="A name; with --raw, any text.")],
    k: TopK = 5,
    method: Method = "auto",
    raw: Annotated[bool, typer.Option(help="Search for the text as it is.")] = False,
    template: Annotated[
        str, typer.Option(help="Query for a name, with {name} in it.")
    ] = "Tell me a bio of {name}",
    form: Form = "table",
) -> None:
    """Search an index for a name (with the paper's query) or for any text."""
    retriever = _open(folder)
    hits = _search(retriever, [query], k, method, "{name}" if raw else template)[0]
    if form == "json":
        import json

        rows = [
            {"rank": n, "score": round(h.score, 6), "id": h.passage.id, "title": h.passage.title}
            | {"text": h.passage.text}
            for n, h in enumerate(hits, start=1)
        ]
        typer.echo(json.dumps({"query": query, "hits": rows}, indent=2, ensure_ascii=False))
        return
    _print_hits(query, hits)


def _open(folder: Path) -> Retriever:
    from dfactscore.retrieval.retriever import Retriever

    return Retriever(folder)


def _search(
    retriever: Retriever, names: list[str], k: int, method: SearchMethod, template: str
) -> list[list[Hit]]:
    from dfactscore.errors import InputError

    try:
        return retriever.search_names(names, k, method=method, template=template)
    except ValueError as error:
        raise InputError(str(error)) from None


def _print_hits(query: str, hits: list[Hit]) -> None:
    import sys

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from dfactscore.retrieval.tokens import STOP_WORDS, tokenize

    if not hits:
        typer.echo(f"nothing found for '{query}'")
        return
    words = set(tokenize(query)) - STOP_WORDS
    table = Table(show_header=True, header_style="bold", pad_edge=False, expand=True)
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("title", ratio=1, overflow="fold")
    table.add_column("passage", ratio=4)
    color = sys.stdout.isatty()
    for rank, hit in enumerate(hits, start=1):
        cells = [_marked(text, words, color) for text in (hit.passage.title, hit.passage.text)]
        table.add_row(Text(str(rank)), Text(f"{hit.score:.4g}"), *cells)
    Console(width=None if color else 100, highlight=False).print(table)


def _marked(text: str, words: set[str], color: bool) -> Any:
    """Marks the words of the query: bold on a terminal, in [[brackets]] elsewhere."""
    import re

    from rich.text import Text

    from dfactscore.retrieval.tokens import tokenize

    marked = Text()
    for piece in re.split(r"(\w+(?:['’]\w+)*)", text):
        found = any(word in words for word in tokenize(piece))
        if found and not color:
            piece = f"[[{piece}]]"
        marked.append(piece, style="bold yellow" if found else "")
    return marked


@index.command()
def evaluate(
    folder: Folder,
    questions: Annotated[
        Path, typer.Argument(help="JSONL {name or query, relevant: [ids, titles]}")
    ],
    k: TopK = 5,
    method: Method = "auto",
    template: Annotated[
        str, typer.Option(help="Query for a name, with {name} in it.")
    ] = "Tell me a bio of {name}",
    form: Form = "table",
) -> None:
    """Measure recall@k, MRR@k and, for names, how many namesakes are in the top k."""
    from dataclasses import asdict

    from dfactscore.retrieval.evaluate import evaluate as score
    from dfactscore.retrieval.evaluate import read_questions

    asked = read_questions(questions)
    retriever = _open(folder)
    from dfactscore.retrieval.retriever import bio_query

    queries = [bio_query(q.name, template) if q.name else q.query for q in asked]
    found = _search(retriever, queries, k, method, "{name}")
    result = score(asked, [[hit.passage for hit in hits] for hits in found], k)
    if form == "json":
        import json

        typer.echo(json.dumps(asdict(result), indent=2))
        return
    used = retriever.manifest.kind if method == "auto" else method
    typer.echo(f"method     {used}")
    typer.echo(f"questions  {result.questions} ({result.judged} with relevant passages)")
    for label, value in (
        (f"recall@{k}", result.recall),
        (f"MRR@{k}", result.mrr),
        ("namesakes", result.namesakes),
    ):
        typer.echo(f"{label:<10} {'-' if value is None else format(value, '.4f')}")


@index.command()
def pages(
    pages: Pages,
    out: Annotated[Path, typer.Option("--out", "-o", help="File to write (.sqlite).")],
    source: Annotated[str, typer.Option(help="Where the pages come from; recorded.")] = "",
    snapshot: Annotated[str, typer.Option(help="Date of the texts; recorded.")] = "",
    max_page_bytes: MaxBytes = _MAX,
    quiet: Quiet = False,
) -> None:
    """Build a page store, to score against whole pages (dfactscore score --pages)."""
    from dfactscore.retrieval.readers import read_pages
    from dfactscore.retrieval.store import build_store

    report = _reporter(quiet)
    bad = _SetAside(out.with_name(out.name + ".errors.jsonl"))
    info = build_store(
        read_pages(pages, max_bytes=max_page_bytes, on_error=bad),
        out,
        source=source or pages.name,
        snapshot=snapshot,
        progress=None if report is None else lambda done: report("pages", done),
    )
    typer.echo(
        f"{out}: {info.pages:,} pages, {info.redirects:,} redirects "
        f"({info.dropped_redirects:,} led nowhere), snapshot {info.snapshot or 'unknown'}"
    )
    bad.finish()
