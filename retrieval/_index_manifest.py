"""The manifest of an index folder: corpus, encoder, settings, versions."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from dfactscore._util.files import dump_json
from dfactscore._util.validated import first_problem
from dfactscore.retrieval._errors import IndexFolderError
from dfactscore.retrieval._files import read_json, write_json
from dfactscore.retrieval._passage_file import PassageStore

IndexKind = Literal["bm25", "dense", "hybrid"]
_NAME = "manifest.json"
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """The record beside an index, by which mismatches are refused.

    Attributes:
        kind: The kind of content.
        passages: Number of passages.
        corpus_hash: Hash over all of them, in order.
        change_counter: SQLite's own count of changes to the passage file: cheap to compare.
        source: The source of the pages.
        snapshot: Date of the texts, or empty.
        splitting: The splitting of pages (`words`, `tail`), or empty for ready-made passages.
        encoder: Settings of the encoder, or empty.
        factory: FAISS factory string, or empty.
        recall: Mean part of the true top five that the dense index found when it was built.
        versions: Versions of the libraries that built it.
        build: The options that it was built with, and the hash of the source: a build that is
            asked for again is there already.
        added: Later additions: ``source``, ``sha256``, ``passages`` and, of those,
            ``repeated``, which were in the index before.
    """

    kind: IndexKind
    passages: int
    corpus_hash: str
    change_counter: int
    source: str = ""
    snapshot: str = ""
    splitting: dict[str, Any] = field(default_factory=dict)
    encoder: dict[str, Any] = field(default_factory=dict)
    factory: str = ""
    recall: float | None = None
    versions: dict[str, str] = field(default_factory=dict)
    build: dict[str, Any] = field(default_factory=dict)
    added: list[dict[str, Any]] = field(default_factory=list)

    def knows(self, source_hash: str) -> bool:
        """Whether a source of this hash was built from, or added."""
        known = {self.build.get("source_hash"), *(entry.get("sha256") for entry in self.added)}
        return bool(source_hash) and source_hash in known


def library_versions(*names: str) -> dict[str, str]:
    """Gives the installed versions of distributions; those that are missing are left out."""
    import importlib.metadata

    found: dict[str, str] = {}
    for name in names:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def change_counter(path: Path) -> int:
    """Reads the count of changes from an SQLite file's header (bytes 24 to 27)."""
    with path.open("rb") as file:
        return int.from_bytes(file.read(28)[24:], "big")


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Writes the manifest atomically.

    Args:
        folder: The index folder.
        manifest: Manifest to write.

    Raises:
        IndexFolderError: If it cannot be written.
    """
    write_json(folder / _NAME, {"format": _FORMAT, **asdict(manifest)})


def read_manifest(folder: str | Path) -> Manifest:
    """Reads the manifest of an index folder.

    Args:
        folder: The index folder.

    Returns:
        The manifest.

    Raises:
        IndexFolderError: If the folder is not a finished index, or of another version.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise IndexFolderError(
            f"{folder}: no such index; build one: dfactscore index build PAGES --out {folder}"
        )
    if not (folder / _NAME).exists():
        begun = (folder / "building.json").exists()
        hint = "unfinished; run the build again to resume" if begun else "not an index folder"
        raise IndexFolderError(f"{folder}: {hint} (it has no {_NAME})")
    record = read_json(folder / _NAME)
    if record.pop("format", None) != _FORMAT:
        if isinstance(record, dict) and isinstance(record.get("command"), str):
            raise IndexFolderError(
                f"{folder}: is not an index: 'dfactscore {record['command']}' made it; choose "
                "another folder"
            )
        raise IndexFolderError(f"{folder}: was written by another version; build it again")
    from pydantic import TypeAdapter, ValidationError

    unknown = sorted(set(record) - {field.name for field in fields(Manifest)})
    if unknown:
        raise IndexFolderError(
            f"{folder / _NAME}: damaged (no field is called {unknown[0]!r:.60}); build it again"
        )
    try:
        found: Manifest = TypeAdapter(Manifest).validate_json(dump_json(record), strict=True)
    except ValidationError as error:
        problem = first_problem(error)
        raise IndexFolderError(f"{folder / _NAME}: damaged ({problem}); build it again") from None
    return found


def check_corpus(folder: Path, manifest: Manifest, *, full: bool = False) -> PassageStore:
    """Opens the passages and refuses them if they are not those that were indexed.

    Args:
        folder: The index folder.
        manifest: Its manifest.
        full: Hash every passage again even if nothing seems to have changed.

    Returns:
        The passages.

    Raises:
        IndexFolderError: If they changed.
    """
    path = folder / "passages.sqlite"
    store = PassageStore(path)
    if (store.count, store.hash) != (manifest.passages, manifest.corpus_hash):
        raise IndexFolderError(
            f"{path}: holds {store.count} passages, the index was made of {manifest.passages}; "
            "if 'index add' was interrupted run it again, else rebuild the index"
        )
    # SQLite counts every transaction, so hashing is only needed where the count moved.
    changed = full or change_counter(path) != manifest.change_counter
    if changed and store.recomputed_hash() != manifest.corpus_hash:
        raise IndexFolderError(
            f"{path}: the passages were changed after the index was built; rebuild the index"
        )
    return store


def sizes_of(folder: Path) -> dict[str, int]:
    """Bytes on the disk by part of an index folder."""
    sizes: dict[str, int] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            part = path.relative_to(folder).parts[0].split(".")[0]
            sizes[part] = sizes.get(part, 0) + path.stat().st_size
    return sizes
