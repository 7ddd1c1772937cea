"""`dfactscore index`: build, extend, describe, search and evaluate indexes; build page stores."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import argument, command, option
from dfactscore._cli.output import columns_of, lines_or_json, message, print_json, write, write_data
from dfactscore._cli.root import group
from dfactscore._errors import InputError
from dfactscore._util.files import digest
from dfactscore._util.jsonl import write_jsonl
from dfactscore._util.message_text import without_controls
from dfactscore._util.numbers import counted
from dfactscore._util.reporting import StepProgress
from dfactscore.measures._table import Column, Table, aligned
from dfactscore.retrieval._settings import (
    AddSettings,
    EvaluateSettings,
    IndexSettings,
    InfoSettings,
    PagesSettings,
    SearchSettings,
)

if TYPE_CHECKING:
    from dfactscore.retrieval._evaluate import Question
    from dfactscore.retrieval._index_manifest import Manifest
    from dfactscore.retrieval._retriever import Hit, Retriever


_ALL_BAD = 1000  # if this many records at the start are unusable, the file is refused

index = group("index")

Pages = Annotated[
    Path,
    argument(
        ".jsonl {title, text}, DPR .tsv, Wikipedia .parquet or .arrow, a folder of these or of "
        ".txt, or a page store."
    ),
]
Folder = Annotated[Path, argument("Index folder.")]
Questions = Annotated[
    Path,
    argument("JSONL {name or query, relevant: [ids, titles]}, or .txt with one name per line."),
]


def _digest(pages: Path, read: Callable[[Callable[[Any], None]], Iterator[Any]]) -> str:
    """Returns the hash of a file after checking that not all of its first records are unusable."""
    from dfactscore.retrieval._errors import SourceError

    errors: list[Any] = []

    def note(error: Any) -> None:
        errors.append(error)
        if len(errors) == _ALL_BAD:
            raise SourceError(f"{errors[0]}; the first {_ALL_BAD} records are unusable")

    next(read(note), None)
    return digest(pages, error=SourceError)


class _Skipped:
    """Collects unusable records, prints the first few, and writes all of them to a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records: list[dict[str, str]] = []

    def __call__(self, error: Any) -> None:
        self.records.append({"where": error.where, "problem": error.problem})
        if len(self.records) <= 5:
            message(f"skipped record: {error}")

    def finish(self) -> None:
        """Writes the collected records and exits with status 1 if there are any."""
        if self.records:
            write_jsonl(self.path, self.records)
            message(f"{counted(len(self.records), 'record')} skipped: see {self.path}")
            raise typer.Exit(1)


def _reporter(quiet: bool) -> StepProgress | None:
    """Returns a callback that prints progress and speed every few seconds."""
    if quiet:
        return None

    state: dict[str, Any] = {"step": "", "said": 0.0}

    def report(step: str, done: int) -> None:
        now = time.monotonic()
        if step != state["step"]:
            state.update(step=step, start=now, first=done, said=now)
        elif now - state["said"] >= 5:
            rate = (done - state["first"]) / (now - state["start"])
            message(f"{step}: {done:,} done, {rate:,.0f} per second")
            state["said"] = now

    return report


def _print_manifest(folder: Path, manifest: Manifest, form: str) -> None:
    from dfactscore.retrieval._index_manifest import sizes_of

    sizes = sizes_of(folder)
    rows = [
        ("index", str(folder)),
        ("kind", manifest.kind),
        ("passages", f"{manifest.passages:,}"),
        ("source", manifest.source or "-"),
        ("snapshot", manifest.snapshot or "unknown"),
        ("split", ", ".join(f"{k} {v}" for k, v in manifest.splitting.items()) or "as given"),
    ]
    if manifest.kind != "bm25":
        keys = ("model", "dimension", "precision", "max_tokens")
        encoder = [f"{k} {manifest.encoder[k]}" for k in keys if k in manifest.encoder]
        rows += [("encoder", ", ".join(encoder)), ("faiss", manifest.factory)]
        if manifest.recall is not None:
            rows.append(("recall@5", f"{manifest.recall:.3f} of the exact search, at the build"))
    rows.append(("disk", ", ".join(f"{k} {v / 1e6:,.1f} MB" for k, v in sizes.items())))
    rows.append(("made with", ", ".join(f"{k} {v}" for k, v in manifest.versions.items())))
    rows.append(("corpus", manifest.corpus_hash))
    record = {"folder": str(folder), **asdict(manifest), "bytes": sizes}
    lines_or_json(form, record, [_under(rows)])


def _under(rows: Iterable[tuple[str, str]]) -> str:
    """Formats names and values in two columns."""
    return aligned(Table((Column(left=True, width=10), Column(left=True)), tuple(rows)), gap=" ")


@command(index, IndexSettings)
def build(settings: IndexSettings, *, pages: Pages, quiet: opt.Quiet = False) -> None:
    """Build an index of passages, or resume an interrupted build."""
    from dfactscore.retrieval._build import BuildOptions, build_index, check_place
    from dfactscore.retrieval._documents import LatestDate
    from dfactscore.work._executors import open_executor

    out = settings.out
    settings.use_threads()
    embeddings, ids = settings.embeddings, settings.ids
    if (embeddings is None) != (ids is None):
        raise InputError("give --embeddings and --ids together: the table and its passage ids")
    bad = _Skipped(out.with_name(out.name + ".errors.jsonl"))
    split = (("words", settings.words), ("tail", settings.tail))
    options = BuildOptions(
        kind=settings.kind,
        factory=settings.factory,
        recall=settings.recall,
        vectors=settings.vectors,
        shard_rows=settings.shard_rows,
        source=settings.source or pages.name,
        snapshot=settings.snapshot,
        splitting=() if settings.are_passages(pages) else split,
        source_hash=_digest(
            pages, lambda bad: settings.read_passages(pages, words=100, tail="short", on_error=bad)
        ),
    )
    check_place(out, options)
    encoder = None
    if settings.kind != "bm25":
        encoder = settings.open_encoder(settings.encoder_named())
    existed, dates = (out / "manifest.json").exists(), LatestDate()
    with open_executor(settings.workers, settings.on) as executor:
        manifest = build_index(
            settings.read_passages(
                pages, words=settings.words, tail=settings.tail, on_error=bad, dates=dates
            ),
            out,
            options,
            encoder=encoder,
            precomputed=None if embeddings is None or ids is None else (embeddings, ids),
            dates=dates,
            executor=executor,
            progress=_reporter(quiet),
        )
    if existed:
        message(f"{out}: this index was finished before")
    _print_manifest(out, manifest, "table")
    if manifest.recall is not None and manifest.recall < settings.recall:
        message(
            f"warning: the index finds {manifest.recall:.3f} of the true top five, less than "
            f"--recall {settings.recall:g}; omit --factory, or give 'IVF…,SQ8' or 'Flat'"
        )
    bad.finish()


@command(index, AddSettings)
def add(settings: AddSettings, *, folder: Folder, pages: Pages, quiet: opt.Quiet = False) -> None:
    """Add pages to an index, with its own splitting and encoder.

    A source that the index already contains is not added again.
    """
    from dfactscore.retrieval._build import add_to_index
    from dfactscore.retrieval._index_manifest import read_manifest
    from dfactscore.work._executors import open_executor

    manifest = read_manifest(folder)
    source_hash = _digest(
        pages, lambda bad: settings.read_passages(pages, words=100, tail="short", on_error=bad)
    )
    if manifest.knows(source_hash):
        message(f"{pages}: is in the index already")
        _print_manifest(folder, manifest, "table")
        return
    bad = _Skipped(folder.with_name(folder.name + ".errors.jsonl"))
    encoder = None if manifest.kind == "bm25" else settings.open_encoder(manifest.encoder)
    split = {"words": 100, "tail": "short", **manifest.splitting}
    first = manifest.passages + 1
    with open_executor(settings.workers, settings.on) as executor:
        manifest = add_to_index(
            settings.read_passages(
                pages, words=split["words"], tail=split["tail"], first=first, on_error=bad
            ),
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
            "before, so a search can find them twice"
        )
    _print_manifest(folder, manifest, "table")
    bad.finish()


@command(index, InfoSettings)
def info(settings: InfoSettings, *, folder: Folder, form: opt.ShortFormat = "table") -> None:
    """Show what an index contains and how it was built."""
    from dfactscore.retrieval._build import verify_index
    from dfactscore.retrieval._index_manifest import read_manifest

    verify = settings.verify
    _print_manifest(folder, verify_index(folder) if verify else read_manifest(folder), form)
    if verify and form == "table":
        print(_under([("verified", "all passages and files are unchanged")]))


@command(index, SearchSettings)
def search(
    settings: SearchSettings,
    *,
    folder: Folder,
    query: Annotated[str | None, argument("A name; with --raw, any text.")] = None,
    form: Annotated[
        Literal["table", "json", "trec"],
        option("Output", "Table, JSON, or a run in TREC format.", "--format"),
    ] = "table",
) -> None:
    """Search an index for a name or for any text.

    For a name, the command uses the paper's query.
    """
    if (query is None) == (settings.queries is None):
        raise InputError("index search: give either a query or --queries FILE")
    if query is not None and not query.strip():
        raise InputError("index search: the query is empty")
    from dfactscore.retrieval._evaluate import Question, read_questions, trec_ids, trec_lines

    settings.use_threads()
    file = settings.queries
    queries = [Question(name=query or "")] if file is None else read_questions(file)
    keys = trec_ids(queries)
    _, results = _search(
        folder, settings, queries, "{name}" if settings.raw else settings.query_template
    )
    for key, question, hits in zip(keys, queries, results, strict=True):
        name, rows = question.name or question.query, list(map(_hit_row, count(1), hits))
        if form == "trec":
            for line in trec_lines(key, [(hit.passage.id, float(hit.score)) for hit in hits]):
                write_data(f"{line}\n")
        elif form == "json" and file is None:
            print_json({"query": name, "hits": rows})
        elif form == "json":
            print_json({"id": key, "query": name, "hits": rows}, indent=None)
        else:
            if file is not None:
                print(name)
            _print_hits(name, hits)


def _hit_row(rank: int, hit: Hit) -> dict[str, Any]:
    passage = {"id": hit.passage.id, "title": hit.passage.title, "text": hit.passage.text}
    return {"rank": rank, "score": round(hit.score, 6), **passage}


def _search(
    folder: Path,
    settings: SearchSettings | EvaluateSettings,
    queries: list[Question],
    template: str,
) -> tuple[Retriever, list[list[Hit]]]:
    """Returns the index and the hits for each question."""
    from dfactscore.retrieval._retriever import Retriever, bio_query

    retriever = Retriever(folder)
    template = "{name}" if settings.method == "title" else template
    try:
        texts = [
            bio_query(q.name, template) if q.name else bio_query(q.query, "{name}") for q in queries
        ]
        return retriever, retriever.search(texts, settings.k, method=settings.method)
    except ValueError as error:
        raise InputError(str(error)) from None


def _print_hits(query: str, hits: list[Hit]) -> None:
    from rich.table import Table
    from rich.text import Text

    from dfactscore.measures._rendering import drawn
    from dfactscore.retrieval._tokens import STOP_WORDS, tokenize

    if not hits:
        print(f"nothing found for '{query}'")
        return
    words = set(tokenize(query)) - STOP_WORDS
    table = Table(show_header=True, header_style="bold", pad_edge=False, expand=True)
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("title", ratio=1, overflow="fold")
    table.add_column("passage", ratio=4)
    color = sys.stdout.isatty()
    for rank, hit in enumerate(hits, start=1):
        title = _marked(hit.passage.title, words if color else set(), color)
        cells = [title, _marked(hit.passage.text, words, color)]
        table.add_row(Text(str(rank)), Text(f"{hit.score:.4g}"), *cells)
    text = drawn(lambda console: console.print(table), width=columns_of(), color=color)
    write(text, styled=color)


def _marked(text: str, words: set[str], color: bool) -> Any:
    """Marks the query's words, in bold on a terminal and in [[brackets]] elsewhere."""
    from rich.text import Text

    from dfactscore.retrieval._tokens import tokenize

    marked = Text()
    for piece in re.split(r"(\w+(?:['’]\w+)*)", without_controls(text)):
        matches = any(word in words for word in tokenize(piece))
        if matches and not color:
            piece = f"[[{piece}]]"
        marked.append(piece, style="bold yellow" if matches else "")
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
    from dfactscore.retrieval._evaluate import evaluate as score
    from dfactscore.retrieval._evaluate import read_questions, with_qrels

    k = settings.k
    queries = read_questions(questions)
    if settings.qrels is not None:
        queries = with_qrels(queries, settings.qrels)
    settings.use_threads()
    retriever, results = _search(folder, settings, queries, settings.query_template)
    result = score(queries, [[hit.passage for hit in hits] for hits in results], k)
    used = retriever.manifest.kind if settings.method == "auto" else settings.method
    measures = ((f"recall@{k}", result.recall), (f"MRR@{k}", result.mrr))
    rows = [
        ("method", used),
        ("questions", f"{result.questions} ({result.judged} with relevant passages)"),
        *(
            (label, "-" if value is None else format(value, ".4f"))
            for label, value in (*measures, ("namesakes", result.namesakes))
        ),
    ]
    lines_or_json(form, asdict(result), [_under(rows)])


@command(index, PagesSettings)
def pages(settings: PagesSettings, *, pages: Pages, quiet: opt.Quiet = False) -> None:
    """Build a page store for dfactscore score --pages."""
    from dfactscore.retrieval._readers import read_pages
    from dfactscore.retrieval._store import build_store

    out = settings.out
    existed = out.exists()
    bad = _Skipped(out.with_name(out.name + ".errors.jsonl"))
    info = build_store(
        read_pages(pages, max_bytes=settings.max_page_bytes, on_error=bad),
        out,
        source=settings.source or pages.name,
        snapshot=settings.snapshot,
        progress=_reporter(quiet),
        source_hash=_digest(
            pages, lambda bad: read_pages(pages, max_bytes=settings.max_page_bytes, on_error=bad)
        ),
    )
    if existed:
        message(f"{out}: this page store was finished before")
    print(
        f"{out}: {counted(info.pages, 'page', form=',')}, "
        f"{counted(info.redirects, 'redirect', form=',')} "
        f"({info.dropped_redirects:,} without a target), snapshot {info.snapshot or 'unknown'}"
    )
    bad.finish()
