"""The place of a task's files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a work's files.

    Attributes:
        path: The folder, or the file if the work has a single journal.
        manifest: The path of the manifest.
        lock: The path of the lock, which the writing process holds.
        single: Whether `path` is the file of the single journal.
    """

    path: Path
    manifest: Path
    lock: Path
    single: bool = False

    @property
    def folder(self) -> Path:
        """The folder of the files."""
        return self.path.parent if self.single else self.path

    def journal(self, name: str) -> Path:
        """The path of a journal."""
        return self.path if self.single else self.path / f"{name}.jsonl"


def in_folder(folder: str | Path) -> Place:
    """A folder for the manifest, the journals and the results of a work."""
    path = Path(folder)
    return Place(path, path / "manifest.json", path / ".lock")


def beside(file: str | Path) -> Place:
    """A single journal that is also the result, with its manifest in the same folder.

    Example:
        >>> place = beside("bios.jsonl")
        >>> str(place.manifest), str(place.lock), str(place.journal("lines"))
        ('bios.manifest.json', '.bios.jsonl.lock', 'bios.jsonl')
    """
    path = Path(file)
    manifest = path.with_suffix(".manifest.json")
    return Place(path, manifest, path.with_name(f".{path.name}.lock"), single=True)
