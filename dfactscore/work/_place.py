"""The place of a task's files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a work's files.

    Attributes:
        path: Its name in messages: the folder, or the file.
        manifest: The manifest.
        lock: The lock of the one who writes.
        single: Whether `path` is a file, the one journal of the work.
    """

    path: Path
    manifest: Path
    lock: Path
    single: bool = False

    @property
    def folder(self) -> Path:
        """The folder in which everything is."""
        return self.path.parent if self.single else self.path

    def journal(self, name: str) -> Path:
        """The file of a journal."""
        return self.path if self.single else self.path / f"{name}.jsonl"


def in_folder(folder: str | Path) -> Place:
    """A folder of its own: manifest, journals and what is made of them."""
    path = Path(folder)
    return Place(path, path / "manifest.json", path / ".lock")


def beside(file: str | Path) -> Place:
    """A file of lines that is its own journal, with the manifest beside it.

    Example:
        >>> place = beside("bios.jsonl")
        >>> str(place.manifest), str(place.lock), str(place.journal("lines"))
        ('bios.manifest.json', '.bios.jsonl.lock', 'bios.jsonl')
    """
    path = Path(file)
    manifest = path.with_suffix(".manifest.json")
    return Place(path, manifest, path.with_name(f".{path.name}.lock"), single=True)
