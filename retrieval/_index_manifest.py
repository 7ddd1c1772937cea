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
    """Metadata of an index, used to reject mismatches."""

    kind: IndexKind
    passages: int
    corpus_hash: str  # hash of all passages, in order
    # SQLite's change counter for the passage file, which is faster to compare than the hash.
    change_counter: int
    source: str = ""
    snapshot: str = ""  # date of the texts; empty if unknown
    # How the pages were split (`words`, `tail`); empty if the input was already passages.
    splitting: dict[str, Any] = field(default_factory=dict)
    encoder: dict[str, Any] = field(default_factory=dict)
    factory: str = ""  # FAISS factory string; empty if there is no dense index
    # Mean share of the true top five that the dense index found, measured when it was built.
    recall: float | None = None
    versions: dict[str, str] = field(default_factory=dict)
    build: dict[str, Any] = field(default_factory=dict)
    # Later additions, each with its `source`, its `sha256`, the number of `passages` and the number
    # of those that were already in the index (`repeated`).
    added: list[dict[str, Any]] = field(default_factory=list)

    def knows(self, source_hash: str) -> bool:
        """Whether the index contains a source with this hash."""
        hashes = {self.build.get("source_hash"), *(entry.get("sha256") for entry in self.added)}
        return bool(source_hash) and source_hash in hashes


def library_versions(*names: str) -> dict[str, str]:
    """Returns the versions of distributions, omitting those that are not installed."""
    import importlib.metadata

    versions: dict[str, str] = {}
    for name in names:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return versions


def change_counter(path: Path) -> int:
    """Reads the change counter from the header of an SQLite file (bytes 24 to 27)."""
    with path.open("rb") as file:
        return int.from_bytes(file.read(28)[24:], "big")


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Writes the manifest atomically."""
    write_json(folder / _NAME, {"format": _FORMAT, **asdict(manifest)})


def read_manifest(folder: str | Path) -> Manifest:
    """Reads the manifest of an index folder."""
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
        manifest: Manifest = TypeAdapter(Manifest).validate_json(dump_json(record), strict=True)
    except ValidationError as error:
        problem = first_problem(error)
        raise IndexFolderError(f"{folder / _NAME}: damaged ({problem}); build it again") from None
    return manifest


def check_corpus(folder: Path, manifest: Manifest, *, full: bool = False) -> PassageStore:
    """Opens the passages of an index and checks that they are the ones that were indexed."""
    # `full`: whether to hash every passage even if the file seems unchanged.
    path = folder / "passages.sqlite"
    store = PassageStore(path)
    if (store.count, store.hash) != (manifest.passages, manifest.corpus_hash):
        raise IndexFolderError(
            f"{path}: contains {store.count} passages, the index was made of {manifest.passages}; "
            "if 'index add' was interrupted run it again, else rebuild the index"
        )
    # SQLite counts every transaction, so the passages are only hashed if the counter has changed.
    changed = full or change_counter(path) != manifest.change_counter
    if changed and store.recomputed_hash() != manifest.corpus_hash:
        raise IndexFolderError(
            f"{path}: the passages were changed after the index was built; rebuild the index"
        )
    return store


def sizes_of(folder: Path) -> dict[str, int]:
    """Returns the size on disk, in bytes, of each part of an index folder."""
    sizes: dict[str, int] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            part = path.relative_to(folder).parts[0].split(".")[0]
            sizes[part] = sizes.get(part, 0) + path.stat().st_size
    return sizes
