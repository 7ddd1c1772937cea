"""Building an index folder, and adding to one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._util.callbacks import StepProgress
from dfactscore._util.files import (
    atomic_path,
    dump_json,
    make_folder,
    remove_leftovers,
)
from dfactscore._util.jsonl import parse_json
from dfactscore._util.lock import WriteLock
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
    """Settings of an index build.

    Attributes:
        kind: ``"bm25"``, ``"dense"`` or both, ``"hybrid"``.
        factory: FAISS factory string; empty for the smallest index that reaches `recall`.
        recall: Part of the true top five that the dense index finds, at least; measured
            (`dfactscore.retrieval._choice`).
        vectors: The storage type of embeddings; None for float16 if candidates are re-ranked, and
            float32 if the search is exact.
        shard_rows: Vectors in one FAISS file, for corpora above memory; 0 for one file.
        seed: Draws the training sample.
        source: The source of the pages; recorded.
        snapshot: Date of the texts; recorded. Empty for that of the latest page.
        splitting: The splitting of pages; recorded.
        source_hash: Hash of what the pages come from With
            it a build that is finished is recognized when it is asked for again, and so is a
            source that is added twice.
    """

    kind: IndexKind = "bm25"
    factory: str = ""
    recall: float = 0.95
    vectors: Literal["float32", "float16"] | None = None
    shard_rows: int = 0
    seed: int = 0
    source: str = ""
    snapshot: str = ""
    splitting: tuple[tuple[str, Any], ...] = ()
    source_hash: str = ""


def check_place(folder: str | Path, options: BuildOptions) -> None:
    """Refuses a folder that is in the way, before an encoder is loaded for it.

    Args:
        folder: The folder of the index.
        options: As in `build_index`.

    Raises:
        IndexFolderError: If it holds something else, or an index with other options.
    """
    folder, wanted = Path(folder), parse_json(dump_json(asdict(options)))
    finished = options.source_hash and (folder / "manifest.json").exists()
    if finished and not _differ(read_manifest(folder).build, wanted):
        return
    _check_folder(folder)
    if (folder / _NOTE).exists():
        _check_begun(folder, wanted)


def _check_folder(folder: Path) -> None:
    """Refuses a folder in which no index can be begun or resumed."""
    if (folder / "manifest.json").exists():
        raise IndexFolderError(
            f"{folder}: holds a finished index; use 'index add', or choose another folder"
        )
    if not folder.is_dir():
        return
    others = [path.name for path in folder.iterdir() if not path.name.startswith(".")]
    if others and not (folder / _NOTE).exists():
        raise IndexFolderError(
            f"{folder}: is not empty ({', '.join(sorted(others)[:3])}) and no index was begun in "
            "it; choose another folder"
        )


def _wanted(options: BuildOptions, encoder: Encoder | None) -> dict[str, Any]:
    """Returns the settings as they will be read again: tuples are lists."""
    wanted = {**asdict(options), "encoder": dict(encoder.settings) if encoder else {}}
    # Vectors of texts that are padded otherwise differ by 1e-7.
    wanted["batch_size"] = getattr(encoder, "batch_size", None)
    return dict(parse_json(dump_json(wanted)))


def _differ(begun: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    """Returns the settings that differ at a resumed build; those an earlier release lacks match."""
    known = {**{name: wanted.get(name) for name in ("batch_size", "recall")}, **begun}
    return [name for name, value in wanted.items() if known.get(name) != value]


def _finished(folder: Path, options: BuildOptions, encoder: Encoder | None) -> Manifest | None:
    """The manifest of the same build, if it is done."""
    if not options.source_hash or not (folder / "manifest.json").exists():
        return None
    manifest = read_manifest(folder)
    wanted = _wanted(options, encoder)
    same = manifest.build.keys() <= wanted.keys() and not _differ(manifest.build, wanted)
    return manifest if same else None


def _begin(folder: Path, options: BuildOptions, encoder: Encoder | None) -> None:
    """Notes what is being built, so that a resumed build cannot mix two."""
    wanted = _wanted(options, encoder)
    note = folder / _NOTE
    if note.exists():
        _check_begun(folder, wanted)
    else:
        write_json(note, wanted)


def _check_begun(folder: Path, wanted: dict[str, Any]) -> None:
    """Refuses a build that was begun with other settings."""
    begun = read_json(folder / _NOTE)
    for name in _differ(begun, wanted):
        raise IndexFolderError(
            f"{folder}: was begun with {name} {begun.get(name)!r}, not {wanted[name]!r}; finish "
            "it with that, or delete the folder to start again"
        )


def _embed(
    store: PassageStore,
    folder: Path,
    encoder: Encoder,
    dtype: Literal["float32", "float16"],
    executor: Executor,
    progress: StepProgress | None,
) -> Embeddings:

    if isinstance(encoder, SentenceEncoder) and encoder.devices:
        executor = encoder.pool() if isinstance(executor, SerialExecutor) else executor
    return write_embeddings(
        folder / "embeddings",
        encoder,
        lambda start, stop: [passage_text(p) for p in store.range(start, stop)],
        store.count,
        corpus=store.hash,
        dtype=dtype,
        executor=executor,
        progress=progress,
    )


def _build_bm25(
    store: PassageStore, folder: Path, executor: Executor, progress: StepProgress | None
) -> None:

    build_bm25(
        map(passage_text, store),
        folder / "bm25",
        corpus=store.hash,
        executor=executor,
        progress=progress,
    )


def _build_dense(
    vectors: Embeddings,
    folder: Path,
    options: BuildOptions,
    encoder: Encoder,
    executor: Executor,
    progress: StepProgress | None,
) -> ChosenIndex:
    """Builds the FAISS files, and notes what the encoder makes of fixed texts."""
    import numpy as np

    chosen = build_by_recall(
        vectors,
        folder / "dense",
        factory=options.factory,
        recall=options.recall,
        seed=options.seed,
        shard_rows=options.shard_rows,
        executor=executor,
        progress=progress,
    )
    with atomic_path(folder / "probe.npy", error=IndexFolderError) as place, place.open("wb") as f:
        np.save(f, probe(encoder), allow_pickle=False)
    return chosen


def _stored_as(factory: str, rows: int) -> Literal["float32", "float16"]:
    """Exact vectors where they are all that is searched, else half of their size."""
    exact = factory == "Flat" or (not factory and rows <= FLAT_ROWS)
    return "float32" if exact else "float16"


def _need_encoder(kind: IndexKind, encoder: Encoder | None) -> None:
    if kind != "bm25" and encoder is None:
        raise IndexFolderError(f"an index of kind '{kind}' needs an encoder")
    if encoder is not None:
        check_encoder(encoder)


def _started(passages: Iterable[Passage]) -> Iterable[Passage]:
    """The same passages; a source that cannot be read, or has none, begins no folder.

    Raises:
        IndexFolderError: If there are none.
    """
    rest = iter(passages)
    first = list(islice(rest, 1))
    if not first:
        raise IndexFolderError("the source contains no passages")
    return chain(first, rest)


def build_index(
    passages: Iterable[Passage],
    folder: str | Path,
    options: BuildOptions = BuildOptions(),
    *,
    encoder: Encoder | None = None,
    precomputed: tuple[Path, Path] | None = None,
    dates: LatestDate | None = None,
    executor: Executor = SERIAL,
    progress: StepProgress | None = None,
) -> Manifest:
    """Builds an index folder; killed, the same call resumes where it stopped.

    With `BuildOptions.source_hash`, a build that is finished is left as it is.

    Args:
        passages: The passages, in a fixed order, ids unique.
        folder: The folder: new, or one whose build was interrupted.
        options: Kind and settings.
        encoder: Needed for dense and hybrid.
        precomputed: Embeddings made elsewhere by that encoder (``.npy``) and the file of their
            passage ids, instead of encoding.
        dates: Timestamps of the pages, for a snapshot that the options do not give.
        executor: Encodes, fills FAISS files and counts words for BM25, in blocks
            (`dfactscore.open_executor`); the files are those that one process writes.
        progress: Called with the step (``"store"``, ``"encode"``, ``"train"``, ``"add"``,
            ``"bm25"``) and how many are done.

    Returns:
        The manifest.

    Raises:
        IndexFolderError: If the folder holds something else, the passages are unusable, or
            something cannot be written.
        EncoderError: If the encoder gives unusable vectors.
    """
    folder = Path(folder)
    _need_encoder(options.kind, encoder)
    if (done := _finished(folder, options, encoder)) is not None:
        (folder / _NOTE).unlink(missing_ok=True)
        return done
    _check_folder(folder)
    passages = _started(passages)
    make_folder(folder, error=IndexFolderError)
    with WriteLock(folder / ".lock", str(folder), error=IndexFolderError):
        _check_folder(folder)
        return _build(passages, folder, options, encoder, precomputed, dates, executor, progress)


def _build(
    passages: Iterable[Passage],
    folder: Path,
    options: BuildOptions,
    encoder: Encoder | None,
    precomputed: tuple[Path, Path] | None,
    dates: LatestDate | None,
    executor: Executor,
    progress: StepProgress | None,
) -> Manifest:
    _begin(folder, options, encoder)
    path = folder / "passages.sqlite"
    append_passages(passages, path, progress=progress)
    set_change_counter(path, PassageStore(path).count)
    store, chosen = PassageStore(path), None
    if options.kind != "bm25" and encoder is not None:
        dtype = options.vectors or _stored_as(options.factory, store.count)
        if precomputed is None:
            vectors = _embed(store, folder, encoder, dtype, executor, progress)
        else:
            vectors = import_embeddings(
                *precomputed, store, folder / "embeddings", encoder, dtype=dtype
            )
        chosen = _build_dense(vectors, folder, options, encoder, executor, progress)
    if options.kind != "dense":
        _build_bm25(store, folder, executor, progress)
    manifest = Manifest(
        kind=options.kind,
        passages=store.count,
        corpus_hash=store.hash,
        change_counter=change_counter(path),
        source=options.source,
        snapshot=options.snapshot or (dates.date if dates else ""),
        splitting=dict(options.splitting),
        encoder=dict(encoder.settings) if encoder else {},
        factory=chosen.plan.factory if chosen else "",
        recall=chosen.recall if chosen else None,
        versions=library_versions("dfactscore", "numpy", "faiss-cpu"),
        build=_wanted(options, encoder),
    )
    write_manifest(folder, manifest)
    (folder / _NOTE).unlink(missing_ok=True)
    remove_leftovers(folder)
    return manifest


def add_to_index(
    passages: Iterable[Passage],
    folder: str | Path,
    *,
    encoder: Encoder | None = None,
    executor: Executor = SERIAL,
    progress: StepProgress | None = None,
    source: str = "",
    source_hash: str = "",
) -> Manifest:
    """Adds passages to a finished index; killed, the same call resumes.

    The dense index takes them without training again; BM25, whose weights depend on the whole
    corpus, is rebuilt from the stored passages.

    Args:
        passages: More passages; their ids must be new.
        folder: The index.
        encoder: The index's encoder; needed for dense and hybrid.
        executor: As in `build_index`.
        progress: As in `build_index`.
        source: Their source; recorded.
        source_hash: Hash of that; a source that the index has is not added again.

    Returns:
        The new manifest; its last `added` says how many of the passages repeat earlier ones.

    Raises:
        IndexFolderError: If the passages are unusable or something cannot be written.
        EncoderError: If it is another encoder.
    """
    folder = Path(folder)
    read_manifest(folder)  # before a lock is put into something else
    with WriteLock(folder / ".lock", str(folder), error=IndexFolderError):
        manifest = read_manifest(folder)
        if manifest.knows(source_hash):
            return manifest
        return _add(passages, folder, manifest, encoder, executor, progress, source, source_hash)


def _add(
    passages: Iterable[Passage],
    folder: Path,
    manifest: Manifest,
    encoder: Encoder | None,
    executor: Executor,
    progress: StepProgress | None,
    source: str,
    source_hash: str,
) -> Manifest:
    _need_encoder(manifest.kind, encoder)
    path = folder / "passages.sqlite"
    if manifest.kind != "bm25" and encoder is not None:
        known = load_array(folder / "probe.npy", mapped=False)
        check_same_encoder(encoder, known, str(manifest.encoder.get("model", "")))
    append_passages(passages, path, after=manifest.passages, progress=progress)
    set_change_counter(path, PassageStore(path).count)
    store = PassageStore(path)
    entry = {
        "source": source,
        "sha256": source_hash,
        "passages": store.count - manifest.passages,
        "repeated": store.repeated(manifest.passages),
    }
    if manifest.kind != "bm25" and encoder is not None:
        dtype = read_json(folder / "embeddings" / "embeddings.json", dtype=str)["dtype"]
        vectors = _embed(store, folder, encoder, dtype, executor, progress)
        add_to_dense(vectors, folder / "dense", executor=executor, progress=progress)
    if manifest.kind != "dense":
        _build_bm25(store, folder, executor, progress)
    manifest = replace(
        manifest,
        passages=store.count,
        corpus_hash=store.hash,
        change_counter=change_counter(path),
        added=[*manifest.added, entry],
    )
    write_manifest(folder, manifest)
    remove_leftovers(folder)
    return manifest


def verify_index(folder: str | Path) -> Manifest:
    """Reads everything again: hashes every passage, opens every index file.

    Args:
        folder: The index.

    Returns:
        The manifest, if all is well.

    Raises:
        IndexFolderError: If something changed or is damaged.
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    check_corpus(folder, manifest, full=True)
    Retriever(folder).close()
    return manifest
