"""Builds index folders and adds passages to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._util.files import WriteLock, atomic_path, dump_json, make_folder, remove_leftovers
from dfactscore._util.jsonl import parse_json
from dfactscore._util.reporting import StepProgress
from dfactscore._util.sqlite import set_change_counter
from dfactscore.retrieval._bm25 import build_bm25
from dfactscore.retrieval._choice import build_by_recall
from dfactscore.retrieval._dense import add_to_dense
from dfactscore.retrieval._documents import LatestDate, Passage, passage_text
from dfactscore.retrieval._embeddings import write_embeddings
from dfactscore.retrieval._encoders import SentenceEncoder, check_encoder, check_same_encoder, probe
from dfactscore.retrieval._errors import IndexFolderError
from dfactscore.retrieval._factory import FLAT_ROWS
from dfactscore.retrieval._files import load_array, read_json, write_json
from dfactscore.retrieval._index_manifest import (
    IndexKind,
    Manifest,
    change_counter,
    check_corpus,
    library_versions,
    read_manifest,
    write_manifest,
)
from dfactscore.retrieval._passage_file import PassageStore, append_passages
from dfactscore.retrieval._precomputed import import_embeddings
from dfactscore.retrieval._retriever import Retriever
from dfactscore.work._executors import SERIAL, Executor, SerialExecutor

if TYPE_CHECKING:
    from dfactscore.retrieval._choice import ChosenIndex
    from dfactscore.retrieval._embeddings import Embeddings
    from dfactscore.retrieval._encoders import Encoder


_NOTE = "building.json"


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """Settings for building an index."""

    kind: IndexKind = "bm25"  # `"bm25"`, `"dense"`, or `"hybrid"` for both
    # FAISS factory string; if empty, the smallest index that reaches `recall` is built.
    factory: str = ""
    # Minimum measured recall of the dense index: the share of the true top five that it must find
    # (see `dfactscore.retrieval._choice`).
    recall: float = 0.95
    # Storage type for the embeddings. If None, float16 is used when candidates are re-ranked, and
    # float32 when the search is exact.
    vectors: Literal["float32", "float16"] | None = None
    # Maximum number of vectors in one FAISS file, for corpora larger than memory; 0 means a single
    # file.
    shard_rows: int = 0
    seed: int = 0
    source: str = ""
    # Date of the texts, recorded in the manifest; if empty, the date of the latest page is used.
    snapshot: str = ""
    splitting: tuple[tuple[str, Any], ...] = ()
    # Hash of the source of the pages. If given, repeating a finished build or addition changes
    # nothing.
    source_hash: str = ""


def check_place(folder: str | Path, options: BuildOptions) -> None:
    """Rejects an unusable folder before an encoder is loaded."""
    folder, settings = Path(folder), parse_json(dump_json(asdict(options)))
    finished = options.source_hash and (folder / "manifest.json").exists()
    if finished and not _differences(read_manifest(folder).build, settings):
        return
    _check_folder(folder)
    if (folder / _NOTE).exists():
        _check_begun(folder, settings)


def _check_folder(folder: Path) -> None:
    """Rejects a folder in which a build can be neither started nor resumed."""
    if (folder / "manifest.json").exists():
        raise IndexFolderError(
            f"{folder}: contains a finished index; use 'index add', or choose another folder"
        )
    if not folder.is_dir():
        return
    others = [path.name for path in folder.iterdir() if not path.name.startswith(".")]
    if others and not (folder / _NOTE).exists():
        raise IndexFolderError(
            f"{folder}: is not empty ({', '.join(sorted(others)[:3])}) and no index was started in "
            "it; choose another folder"
        )


def _settings_of(options: BuildOptions, encoder: Encoder | None) -> dict[str, Any]:
    """Returns the settings as they are stored in JSON, with tuples as lists."""
    settings = {**asdict(options), "encoder": dict(encoder.settings) if encoder else {}}
    # Different padding changes vectors by about 1e-7.
    settings["batch_size"] = getattr(encoder, "batch_size", None)
    return dict(parse_json(dump_json(settings)))


def _differences(begun: dict[str, Any], settings: dict[str, Any]) -> list[str]:
    """Lists the settings that differ in a resumed build, ignoring those older releases lack."""
    recorded = {**{name: settings.get(name) for name in ("batch_size", "recall")}, **begun}
    return [name for name, value in settings.items() if recorded.get(name) != value]


def _finished(folder: Path, options: BuildOptions, encoder: Encoder | None) -> Manifest | None:
    """Returns the manifest if the same build has already finished."""
    if not options.source_hash or not (folder / "manifest.json").exists():
        return None
    manifest = read_manifest(folder)
    settings = _settings_of(options, encoder)
    same = manifest.build.keys() <= settings.keys() and not _differences(manifest.build, settings)
    return manifest if same else None


def _begin(folder: Path, options: BuildOptions, encoder: Encoder | None) -> None:
    """Records the settings so that a resumed build cannot mix different ones."""
    settings = _settings_of(options, encoder)
    note = folder / _NOTE
    if note.exists():
        _check_begun(folder, settings)
    else:
        write_json(note, settings)


def _check_begun(folder: Path, settings: dict[str, Any]) -> None:
    """Rejects an interrupted build that was started with other settings."""
    begun = read_json(folder / _NOTE)
    for name in _differences(begun, settings):
        raise IndexFolderError(
            f"{folder}: was started with {name} {begun.get(name)!r}, not {settings[name]!r}; "
            "finish it with that, or delete the folder to start again"
        )


@dataclass(frozen=True, slots=True)
class _Build:
    """A folder that is built or added to, and what embeds and indexes its passages."""

    folder: Path
    encoder: Encoder | None
    executor: Executor
    progress: StepProgress | None

    @property
    def passages(self) -> Path:
        """The file of the passages."""
        return self.folder / "passages.sqlite"


def _stored(build: _Build, passages: Iterable[Passage], after: int = 0) -> PassageStore:
    """Stores passages after those that the folder contains, and opens the store."""
    append_passages(passages, build.passages, after=after, progress=build.progress)
    set_change_counter(build.passages, PassageStore(build.passages).count)
    return PassageStore(build.passages)


def _embed(
    build: _Build, encoder: Encoder, store: PassageStore, dtype: Literal["float32", "float16"]
) -> Embeddings:
    executor = build.executor
    if isinstance(encoder, SentenceEncoder) and encoder.devices:
        executor = encoder.pool() if isinstance(executor, SerialExecutor) else executor
    return write_embeddings(
        build.folder / "embeddings",
        encoder,
        lambda start, stop: [passage_text(p) for p in store.range(start, stop)],
        store.count,
        corpus=store.hash,
        dtype=dtype,
        executor=executor,
        progress=build.progress,
    )


def _build_bm25(build: _Build, store: PassageStore) -> None:
    build_bm25(
        map(passage_text, store),
        build.folder / "bm25",
        corpus=store.hash,
        executor=build.executor,
        progress=build.progress,
    )


def _build_dense(
    build: _Build, encoder: Encoder, vectors: Embeddings, options: BuildOptions
) -> ChosenIndex:
    """Builds the FAISS files and records the encoder's vectors for fixed texts."""
    import numpy as np

    chosen = build_by_recall(
        vectors,
        build.folder / "dense",
        factory=options.factory,
        recall=options.recall,
        seed=options.seed,
        shard_rows=options.shard_rows,
        executor=build.executor,
        progress=build.progress,
    )
    probed = build.folder / "probe.npy"
    with atomic_path(probed, error=IndexFolderError) as place, place.open("wb") as f:
        np.save(f, probe(encoder), allow_pickle=False)
    return chosen


def _storage_type(factory: str, rows: int) -> Literal["float32", "float16"]:
    """Returns float32 for exact search; otherwise float16, which halves the size."""
    exact = factory == "Flat" or (not factory and rows <= FLAT_ROWS)
    return "float32" if exact else "float16"


def _need_encoder(kind: IndexKind, encoder: Encoder | None) -> None:
    if kind != "bm25" and encoder is None:
        raise IndexFolderError(f"an index of kind '{kind}' needs an encoder")
    if encoder is not None:
        check_encoder(encoder)


def _nonempty(passages: Iterable[Passage]) -> Iterable[Passage]:
    """Reads the first passage before returning the stream; a bad source thus creates no folder."""
    stream = iter(passages)
    first = list(islice(stream, 1))
    if not first:
        raise IndexFolderError("the source contains no passages")
    return chain(first, stream)


def build_index(
    passages: Iterable[Passage],
    folder: str | Path,
    options: BuildOptions = BuildOptions(),
    *,
    encoder: Encoder | None = None,  # encoder; required for dense and hybrid indexes
    # Embeddings (`.npy`) from the same encoder and a file with their passage ids, to use instead of
    # encoding the passages.
    precomputed: tuple[Path, Path] | None = None,
    dates: LatestDate | None = None,
    # Executor (see `dfactscore.open_executor`) that encodes passages, fills FAISS files and counts
    # words for BM25, in blocks; the resulting files are the same for every executor.
    executor: Executor = SERIAL,
    # Called with the name of the step (`"store"`, `"encode"`, `"train"`, `"add"`, `"bm25"`) and the
    # number of passages done.
    progress: StepProgress | None = None,
) -> Manifest:
    """Builds an index folder; if interrupted, the same call resumes the build.

    If `BuildOptions.source_hash` is given, a finished build is left unchanged.
    """
    folder = Path(folder)
    _need_encoder(options.kind, encoder)
    if (manifest := _finished(folder, options, encoder)) is not None:
        (folder / _NOTE).unlink(missing_ok=True)
        return manifest
    _check_folder(folder)
    passages = _nonempty(passages)
    make_folder(folder, error=IndexFolderError)
    with WriteLock(folder / ".lock", str(folder), error=IndexFolderError):
        _check_folder(folder)
        build = _Build(folder, encoder, executor, progress)
        return _build(build, passages, options, precomputed, dates)


def _build(
    build: _Build,
    passages: Iterable[Passage],
    options: BuildOptions,
    precomputed: tuple[Path, Path] | None,
    dates: LatestDate | None,
) -> Manifest:
    folder, encoder = build.folder, build.encoder
    _begin(folder, options, encoder)
    store, chosen = _stored(build, passages), None
    if options.kind != "bm25" and encoder is not None:
        dtype = options.vectors or _storage_type(options.factory, store.count)
        if precomputed is None:
            vectors = _embed(build, encoder, store, dtype)
        else:
            vectors = import_embeddings(
                *precomputed, store, folder / "embeddings", encoder, dtype=dtype
            )
        chosen = _build_dense(build, encoder, vectors, options)
    if options.kind != "dense":
        _build_bm25(build, store)
    manifest = Manifest(
        kind=options.kind,
        passages=store.count,
        corpus_hash=store.hash,
        change_counter=change_counter(build.passages),
        source=options.source,
        snapshot=options.snapshot or (dates.date if dates else ""),
        splitting=dict(options.splitting),
        encoder=dict(encoder.settings) if encoder else {},
        factory=chosen.plan.factory if chosen else "",
        recall=chosen.recall if chosen else None,
        versions=library_versions("dfactscore", "numpy", "faiss-cpu"),
        build=_settings_of(options, encoder),
    )
    write_manifest(folder, manifest)
    (folder / _NOTE).unlink(missing_ok=True)
    remove_leftovers(folder)
    return manifest


def add_to_index(
    passages: Iterable[Passage],
    folder: str | Path,
    *,
    encoder: Encoder | None = None,  # index's encoder; required for dense and hybrid indexes
    executor: Executor = SERIAL,
    progress: StepProgress | None = None,
    source: str = "",
    source_hash: str = "",
) -> Manifest:
    """Adds passages to a finished index; if interrupted, the same call resumes.

    The dense index is not retrained. BM25 is rebuilt from the stored passages, because its weights
    depend on the whole corpus.
    """
    # Returns the new manifest; the last item of its `added` counts the passages that repeat earlier
    # ones.
    folder = Path(folder)
    read_manifest(folder)  # before a lock is written to the folder
    with WriteLock(folder / ".lock", str(folder), error=IndexFolderError):
        manifest = read_manifest(folder)
        if manifest.knows(source_hash):
            return manifest
        build = _Build(folder, encoder, executor, progress)
        return _add(build, passages, manifest, source, source_hash)


def _add(
    build: _Build, passages: Iterable[Passage], manifest: Manifest, source: str, source_hash: str
) -> Manifest:
    folder, encoder = build.folder, build.encoder
    _need_encoder(manifest.kind, encoder)
    if manifest.kind != "bm25" and encoder is not None:
        recorded_probe = load_array(folder / "probe.npy", mapped=False)
        check_same_encoder(encoder, recorded_probe, str(manifest.encoder.get("model", "")))
    store = _stored(build, passages, after=manifest.passages)
    entry = {
        "source": source,
        "sha256": source_hash,
        "passages": store.count - manifest.passages,
        "repeated": store.repeated(manifest.passages),
    }
    if manifest.kind != "bm25" and encoder is not None:
        dtype = read_json(folder / "embeddings" / "embeddings.json", dtype=str)["dtype"]
        vectors = _embed(build, encoder, store, dtype)
        add_to_dense(vectors, folder / "dense", executor=build.executor, progress=build.progress)
    if manifest.kind != "dense":
        _build_bm25(build, store)
    manifest = replace(
        manifest,
        passages=store.count,
        corpus_hash=store.hash,
        change_counter=change_counter(build.passages),
        added=[*manifest.added, entry],
    )
    write_manifest(folder, manifest)
    remove_leftovers(folder)
    return manifest


def verify_index(folder: str | Path) -> Manifest:
    """Checks an index by hashing every passage and opening every index file."""
    folder = Path(folder)
    manifest = read_manifest(folder)
    check_corpus(folder, manifest, full=True)
    Retriever(folder).close()
    return manifest
