"""Writes folders for ``datasets.load_dataset``: one Parquet file per configuration, and a card."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._util.files import (
    atomic_path,
    is_leftover,
    make_folder,
    read_bytes,
    refuse_input,
    write_text,
)
from dfactscore._util.reporting import MakeError

_FILE = "test-00000-of-00001.parquet"
_ROWS = 10_000  # per row group, the largest part of a table held in memory


@dataclass(frozen=True, slots=True)
class Card:
    """The README of a dataset."""

    title: str
    license: str  # Hub's identifier of the license, such as `"cc-by-sa-4.0"` or `"unknown"`
    language: str
    tags: Sequence[str]  # keywords for the Hub's search
    size: int
    configs: Sequence[str]
    intro: str
    sections: Sequence[tuple[str, str]]
    data: Mapping[str, Mapping[str, str]] | None = None
    # Names and types of the columns in a configuration whose files do not specify types: `"string"`
    # and the like, a list of one type, or a tuple of columns.
    columns: Mapping[str, Sequence[tuple[str, Any]]] = field(default_factory=dict)

    def __str__(self) -> str:
        import yaml

        data = self.data or {name: {"test": f"{name}/{_FILE}"} for name in self.configs}
        front: dict[str, Any] = {
            "pretty_name": self.title,
            "license": self.license,
            "language": [self.language],
            "task_categories": ["text-generation"],
            "tags": list(self.tags),
            "size_categories": [_size_category(self.size)],
            "configs": [
                {
                    "config_name": name,
                    **({"default": True} if number == 0 else {}),
                    "data_files": [{"split": split, "path": path} for split, path in files.items()],
                }
                for number, (name, files) in enumerate(data.items())
            ],
        }
        if self.columns:
            front["dataset_info"] = [
                {"config_name": name, "features": [_feature(*column) for column in columns]}
                for name, columns in self.columns.items()
            ]
        head = yaml.safe_dump(front, sort_keys=False, allow_unicode=True)
        parts = [f"---\n{head}---", f"# {self.title}", self.intro.strip()]
        parts += [f"## {heading}\n\n{text.strip()}" for heading, text in self.sections]
        return "\n\n".join(parts) + "\n"


def check_folder(folder: Path, *, inputs: Iterable[Path] = (), force: bool = False) -> None:
    """Rejects a folder that the command reads, or that contains files unrelated to a dataset."""
    refuse_input(folder, inputs)
    if not folder.exists() or force:
        return
    if not folder.is_dir():
        raise InputError(f"{folder}: is a file; --out names a folder")
    card = folder / "README.md"
    start = b"---\npretty_name:"
    has_card = card.is_file() and read_bytes(card, error=InputError).startswith(start)
    # The card is written last, so an interrupted command leaves tables but no card.
    unfinished = all(
        path.is_dir() or path.name == _FILE or is_leftover(path.name) for path in folder.rglob("*")
    )
    if not (has_card or unfinished):
        raise InputError(
            f"{folder}: contains files that were not written by this command; choose another "
            "--out, or give --overwrite to write beside them"
        )


def table_file(folder: Path, config: str) -> Path:
    """Returns the path of a configuration's Parquet file."""
    return folder / config / _FILE


def write_table(
    rows: Iterable[Mapping[str, Any]],
    fields: Sequence[tuple[str, Any]],
    folder: Path,
    config: str,
    *,
    error: MakeError,
) -> int:
    """Writes the rows of a configuration in batches."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema, path, remaining, count = pa.schema(fields), table_file(folder, config), iter(rows), 0
    make_folder(path.parent, error=error)
    with (
        atomic_path(path, error=error) as place,
        pq.ParquetWriter(place, schema, compression="zstd") as writer,
    ):
        while batch := [dict(row) for row in islice(remaining, _ROWS)]:
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
            count += len(batch)
    return count


def write_card(card: Card, folder: Path, *, error: MakeError) -> None:
    """Writes the card as the folder's README."""
    make_folder(folder, error=error)
    write_text(folder / "README.md", str(card), error=error)


def _feature(name: str, kind: Any) -> dict[str, Any]:
    """Describes a column in the format of the Hub's dataset cards."""
    if isinstance(kind, tuple):
        return {"name": name, "struct": [_feature(*column) for column in kind]}
    if isinstance(kind, list):
        inner = _feature("", kind[0])
        return {"name": name, "list": inner.get("struct", inner.get("dtype"))}
    return {"name": name, "dtype": kind}


def _size_category(rows: int) -> str:
    """Returns the Hub's size category for a number of rows.

    Example:
        >>> _size_category(999), _size_category(1000), _size_category(25_000)
        ('n<1K', '1K<n<10K', '10K<n<100K')
    """
    names = ["n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M"]
    return names[min(sum(rows >= 10**power for power in (3, 4, 5, 6)), len(names) - 1)]
