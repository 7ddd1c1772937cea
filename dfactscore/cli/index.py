"""`dfactscore index`: build, add to, describe, search and evaluate indexes; page stores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dfactscore._util.callbacks import StepProgress
from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import argument, command, option
from dfactscore.cli.root import app
from dfactscore.retrieval.settings import (
    AddSettings,
    EvaluateSettings,
    IndexSettings,
    InfoSettings,
    PagesSettings,
    SearchSettings,
)

if TYPE_CHECKING:
    from dfactscore.retrieval import Passage
    from dfactscore.retrieval.encoders import Encoder
    from dfactscore.retrieval.evaluate import Question
    from dfactscore.retrieval.index_manifest import Manifest
    from dfactscore.retrieval.retriever import Hit, Retriever

__all__ = ["index"]

index = typer.Typer(
    help="Build and search indexes of passages, and page stores.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(index, name="index")

Pages = Annotated[
    Path,
    argument(
        ".jsonl {title, text}, DPR .tsv, Wikipedia .parquet or .arrow, a folder of these or of "
        ".txt, or a page store."
    ),
]
Folder = Annotated[Path, argument("Index folder.")]
Questions = Annotated[
    Path, argument("JSONL {name or query, relevant: [ids, titles]}, or .txt with a name a line.")
]


class _Skipped:
    """Collects bad records, reports the first few, and writes all of them beside the result."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: list[dict[str, str]] = []

    def __call__(self, error: Any) -> None:
        from dfactscore.cli.output import message

        self.records.append({"where": error.where, "problem": error.problem})
        if len(self.records) <= 5:
            message(f"skipped record: {error}")

    def finish(self) -> None:
        """Writes the list; leaves with status 1 if there is one."""
        from dfactscore._util.jsonl import write_jsonl
        from dfactscore.cli.output import message

        if self.records:
            write_jsonl(self.path, self.records)
            message(f"{len(self.records)} records were skipped: see {self.path}")
            raise typer.Exit(1)


def _encoder(settings: IndexSettings) -> Encoder:
    from dfactscore.retrieval.encoders import GTREncoder, SentenceEncoder

    kind = GTREncoder if settings.encoder.startswith("gtr-t5-") else SentenceEncoder
    name = settings.encoder.removeprefix("gtr-t5-") if kind is GTREncoder else settings.encoder
    return kind(
        name,
        **_devices(settings.device),
        precision=settings.precision,
        batch_size=settings.batch_size,
    )


def _devices(device: str) -> dict[str, Any]:
    several = tuple(device.split(",")) if "," in device else ()
    return {"device": "auto" if several else device, "devices": several}


def _passages(
    settings: AddSettings, pages: Path, words: int, tail: Any, first: int, on_error: Any
) -> Iterator[Passage]:
    from dfactscore.retrieval.readers import read_pages, read_passages
    from dfactscore.retrieval.splitting import split_pages

    name = pages.name.removesuffix(".gz")
    if settings.ready or name.endswith(".tsv"):
        return read_passages(pages, first=first, on_error=on_error)
    found = read_pages(pages, max_bytes=settings.max_page_bytes, on_error=on_error)
    return split_pages(found, words=words, tail=tail, start=first)


def _reporter(quiet: bool) -> StepProgress | None:
    """Reports progress and speed every few seconds."""
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
    from dataclasses import asdict

    from dfactscore.cli.output import print_json

    record = {"folder": str(folder), **asdict(manifest), "bytes": _sizes(folder)}
    if form == "json":
        print_json(record)
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


@command(index, IndexSettings)
def build(settings: IndexSettings, *, pages: Pages, quiet: opt.Quiet = False) -> None:
    """Build an index of passages, or resume an interrupted build."""
    from dfactscore._util.files import digest
    from dfactscore.cli.output import message
    from dfactscore.errors import InputError
    from dfactscore.retrieval.build import BuildOptions, build_index
    from dfactscore.retrieval.errors import SourceError
    from dfactscore.workers import open_executor

    out = settings.out
    _use_threads(settings.threads)
    embeddings, ids = settings.embeddings, settings.ids
    if (embeddings is None) != (ids is None):
        raise InputError("give --embeddings and --ids together: the table and its passage ids")
    bad = _Skipped(out.with_name(out.name + ".errors.jsonl"))
    is_ready = settings.ready or pages.name.removesuffix(".gz").endswith(".tsv")
    options = BuildOptions(
        kind=settings.kind,
        factory=settings.factory,
        vectors=settings.vectors,
        shard_rows=settings.shard_rows,
        source=settings.source or pages.name,
        snapshot=settings.snapshot,
        splitting=() if is_ready else (("words", settings.words), ("tail", settings.tail)),
        source_hash=digest(pages, error=SourceError),
    )
    there = (out / "manifest.json").exists()
    with open_executor(settings.workers, settings.on) as executor:
        manifest = build_index(
            _passages(settings, pages, settings.words, settings.tail, 1, bad),
            out,
            options,
            encoder=None if settings.kind == "bm25" else _encoder(settings),
            precomputed=None if embeddings is None or ids is None else (embeddings, ids),
            executor=executor,
            progress=_reporter(quiet),
        )
    if there:
        message(f"{out}: this index was finished before")
    _print_manifest(out, manifest, "table")
    bad.finish()


@command(index, AddSettings)
def add(settings: AddSettings, *, folder: Folder, pages: Pages, quiet: opt.Quiet = False) -> None:
    """Add pages to an index, split and encoded as it was built.

    A source that the index has is not added again.
    """
    from dfactscore._util.files import digest
    from dfactscore.cli.output import message
    from dfactscore.retrieval.build import add_to_index
    from dfactscore.retrieval.encoders import encoder_from_settings
    from dfactscore.retrieval.errors import SourceError
    from dfactscore.retrieval.index_manifest import read_manifest
    from dfactscore.workers import open_executor

    manifest = read_manifest(folder)
    source_hash = digest(pages, error=SourceError)
    if manifest.knows(source_hash):
        message(f"{pages}: is in the index already")
        _print_manifest(folder, manifest, "table")
        return
    bad = _Skipped(folder.with_name(folder.name + ".errors.jsonl"))
    encoder = None
    if manifest.kind != "bm25":
        encoder = encoder_from_settings(
            manifest.encoder,
            **_devices(settings.device),
            batch_size=settings.batch_size,
        )
    split = {"words": 100, "tail": "short", **manifest.splitting}
    first = manifest.passages + 1
    with open_executor(settings.workers, settings.on) as executor:
        manifest = add_to_index(
            _passages(settings, pages, split["words"], split["tail"], first, bad),
            folder,
            encoder=encoder,
            executor=executor,
            progress=_reporter(quiet),
            source=pages.name,
            source_hash=source_hash,
        )
    entry = manifest.added[-1]
    if entry["repeated"]:
        message(
            f"warning: {entry['repeated']:,} of {entry['passages']:,} passages were in the index "
            "before, and can be found twice now"
        )
    _print_manifest(folder, manifest, "table")
    bad.finish()


@command(index, InfoSettings)
def info(settings: InfoSettings, *, folder: Folder, form: opt.ShortFormat = "table") -> None:
    """Show what an index contains and how it was built."""
    from dfactscore.retrieval.build import verify_index
    from dfactscore.retrieval.index_manifest import read_manifest

    verify = settings.verify
    _print_manifest(folder, verify_index(folder) if verify else read_manifest(folder), form)
    if verify and form == "table":
        typer.echo("verified   all passages and files are unchanged")


@command(index, SearchSettings)
def search(
    settings: SearchSettings,
    *,
    folder: Folder,
    query: Annotated[str | None, argument("A name; with --raw, any text.")] = None,
    form: Annotated[
        Literal["table", "json", "trec"],
        option("Output", "Table, JSON, or a run in TREC's form.", "--format"),
    ] = "table",
) -> None:
    """Search an index for a name or for any text.

    A name is searched for with the paper's query.
    """
    from dfactscore.errors import InputError

    if (query is None) == (settings.queries is None):
        raise InputError("index search: give either a query or --queries FILE")
    if query is not None and not query.strip():
        raise InputError("index search: the query is empty")
    _use_threads(settings.threads)
    retriever = _open(folder)
    template = "{name}" if settings.raw else settings.template
    if query is None or form == "trec":
        _search_many(retriever, settings, query, template, form)
        return
    hits = _search(retriever, settings, [query], template)[0]
    if form == "json":
        from dfactscore.cli.output import print_json

        rows = [
            {"rank": n, "score": round(h.score, 6), "id": h.passage.id, "title": h.passage.title}
            | {"text": h.passage.text}
            for n, h in enumerate(hits, start=1)
        ]
        print_json({"query": query, "hits": rows})
        return
    _print_hits(query, hits)


def _search_many(
    retriever: Retriever,
    settings: SearchSettings,
    query: str | None,
    template: str,
    form: str,
) -> None:
    from dfactscore.cli.output import print_json
    from dfactscore.retrieval.evaluate import Question, read_questions, trec_ids, trec_lines
    from dfactscore.retrieval.retriever import bio_query

    file = settings.queries
    asked = [Question(name=query or "")] if file is None else read_questions(file)
    texts = [bio_query(q.name, template) if q.name else q.query for q in asked]
    keys = trec_ids(asked)
    found_of_all = _search(retriever, settings, texts, "{name}")
    for key, one, hits in zip(keys, asked, found_of_all, strict=True):
        if form == "trec":
            ranking = [(hit.passage.id, float(hit.score)) for hit in hits]
            for line in trec_lines(key, ranking):
                typer.echo(line)
        elif form == "json":
            found = [{"rank": n, "score": round(h.score, 6), "id": h.passage.id,
                      "title": h.passage.title, "text": h.passage.text}
                     for n, h in enumerate(hits, 1)]  # fmt: skip
            asked_for = {"id": key, "query": one.name or one.query}
            print_json({**asked_for, "hits": found}, indent=None)
        else:
            typer.echo(one.name or one.query)
            _print_hits(one.name or one.query, hits)


def _use_threads(threads: int | None) -> None:
    """Keeps the libraries that search and encode to so many threads."""
    if threads is None:
        return
    import os

    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = str(threads)
    os.environ.setdefault("KMP_BLOCKTIME", "0")  # no spinning while others want the core
    import faiss

    faiss.omp_set_num_threads(threads)
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(threads)


def _open(folder: Path) -> Retriever:
    from dfactscore.retrieval.retriever import Retriever

    return Retriever(folder)


def _search(
    retriever: Retriever,
    settings: SearchSettings | EvaluateSettings,
    names: list[str],
    template: str,
) -> list[list[Hit]]:
    from dfactscore.errors import InputError

    try:
        return retriever.search_names(names, settings.k, method=settings.method, template=template)
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


@command(index, EvaluateSettings)
def evaluate(
    settings: EvaluateSettings,
    *,
    folder: Folder,
    questions: Questions,
    form: opt.ShortFormat = "table",
) -> None:
    """Measure recall@k, MRR@k and same-name entities in the top k."""
    from dataclasses import asdict

    from dfactscore.retrieval.evaluate import evaluate as score
    from dfactscore.retrieval.evaluate import read_questions

    k = settings.k
    asked = read_questions(questions)
    if settings.qrels is not None:
        asked = _judged(asked, settings.qrels)
    _use_threads(settings.threads)
    retriever = _open(folder)
    from dfactscore.retrieval.retriever import bio_query

    queries = [bio_query(q.name, settings.template) if q.name else q.query for q in asked]
    found = _search(retriever, settings, queries, "{name}")
    result = score(asked, [[hit.passage for hit in hits] for hits in found], k)
    if form == "json":
        from dfactscore.cli.output import print_json

        print_json(asdict(result))
        return
    used = retriever.manifest.kind if settings.method == "auto" else settings.method
    typer.echo(f"method     {used}")
    typer.echo(f"questions  {result.questions} ({result.judged} with relevant passages)")
    for label, value in (
        (f"recall@{k}", result.recall),
        (f"MRR@{k}", result.mrr),
        ("namesakes", result.namesakes),
    ):
        typer.echo(f"{label:<10} {'-' if value is None else format(value, '.4f')}")


def _judged(asked: list[Question], qrels: Path) -> list[Question]:
    """The questions with what a file in TREC's form calls relevant."""
    from dataclasses import replace

    from dfactscore.errors import InputError
    from dfactscore.retrieval.evaluate import read_qrels, trec_ids

    judged = read_qrels(qrels)
    keys = trec_ids(asked)
    if not set(keys) & set(judged):
        raise InputError(
            f"{qrels}: judges the queries {', '.join(list(judged)[:3])} …, and the questions are "
            f"{', '.join(keys[:3])} …: give the questions the field 'id'"
        )
    return [
        replace(question, relevant=judged.get(key, ()))
        for question, key in zip(asked, keys, strict=True)
    ]


@command(index, PagesSettings)
def pages(settings: PagesSettings, *, pages: Pages, quiet: opt.Quiet = False) -> None:
    """Build a page store, for dfactscore score --pages."""
    from dfactscore._util.files import digest
    from dfactscore.cli.output import message
    from dfactscore.retrieval.errors import SourceError
    from dfactscore.retrieval.readers import read_pages
    from dfactscore.retrieval.store import build_store

    out = settings.out
    there = out.exists()
    bad = _Skipped(out.with_name(out.name + ".errors.jsonl"))
    info = build_store(
        read_pages(pages, max_bytes=settings.max_page_bytes, on_error=bad),
        out,
        source=settings.source or pages.name,
        snapshot=settings.snapshot,
        progress=_reporter(quiet),
        source_hash=digest(pages, error=SourceError),
    )
    if there:
        message(f"{out}: this page store was finished before")
    typer.echo(
        f"{out}: {info.pages:,} pages, {info.redirects:,} redirects "
        f"({info.dropped_redirects:,} without a target), snapshot {info.snapshot or 'unknown'}"
    )
    bad.finish()
