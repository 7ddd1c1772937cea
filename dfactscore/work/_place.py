"""The location of a task's files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """The location of a task's files.

    Attributes:
        path: The folder, or the file if the task has a single journal.
        manifest: The path of the manifest.
        lock: The path of the lock, which is held by the process that writes the files.
        single: Whether `path` is the single journal.
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
        """Returns the path of a journal."""
        return self.path if self.single else self.path / f"{name}.jsonl"


def in_folder(folder: str | Path) -> Place:
    """Returns the location of a task whose manifest, journals and results are in a folder."""
    path = Path(folder)
    return Place(path, path / "manifest.json", path / ".lock")


def beside(file: str | Path) -> Place:
    """Returns the location of a single journal that is also the result; its manifest is beside it.

    Example:
        >>> place = beside("bios.jsonl")
        >>> str(place.manifest), str(place.lock), str(place.journal("lines"))
        ('bios.manifest.json', '.bios.jsonl.lock', 'bios.jsonl')
    """
    path = Path(file)
    manifest = path.with_suffix(".manifest.json")
    return Place(path, manifest, path.with_name(f".{path.name}.lock"), single=True)
