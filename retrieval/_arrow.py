"""Reads records from Parquet and Arrow files, and folders written by Hugging Face `datasets`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dfactscore._util.input_limits import check_regular
from dfactscore._util.jsonl import read_json
from dfactscore.retrieval._errors import MissingExtraError, SourceError

_SUFFIXES = (".parquet", ".arrow")
_STATE = "state.json"


def arrow_files(path: Path) -> list[Path]:
    """Lists the files that make up a table: the file itself, or the files in a folder, in order.

    A folder comes from `datasets.save_to_disk` (its ``state.json`` lists the files in order; splits
    are sorted by name) or from the hub (Parquet files, possibly in subfolders), or simply contains
    such files.
    """
    if not path.is_dir():
        check_regular(path, error=SourceError)
        return [path]
    states = sorted(path.rglob(_STATE))
    if not states:
        return sorted(f for f in path.rglob("*") if f.suffix in _SUFFIXES and f.is_file())
    paths: list[Path] = []
    for state in states:
        try:
            listed = read_json(state, error=SourceError)["_data_files"]
            files = [state.parent / str(entry["filename"]) for entry in listed]
        except (KeyError, TypeError) as error:
            raise SourceError(
                f"{state}: not the state of a saved data set ({type(error).__name__}: {error})"
            ) from None
        for file in files:
            if not file.is_file() or not file.resolve().is_relative_to(path.resolve()):
                raise SourceError(f"{state}: names {file.name}, which is not in the folder")
        paths += files
    return paths


def arrow_records(path: Path, columns: Iterable[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the rows of a table, each with its file and row number."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as _  # noqa: F401
    except ImportError:
        raise MissingExtraError("Reading Parquet and Arrow", "parquet") from None
    names = list(columns)
    for file in arrow_files(path):
        try:
            row = 0
            for batch in _batches(file, names):
                for record in batch.to_pylist():
                    row += 1
                    yield f"{file}:row {row}", record
        except (OSError, ValueError, pa.ArrowException) as error:
            if isinstance(error, SourceError):
                raise
            kind = "Arrow" if file.suffix == ".arrow" else "Parquet"
            raise SourceError(f"{file}: not readable as {kind} ({error})") from None


def _batches(file: Path, names: list[str]) -> Iterator[Any]:
    if file.suffix == ".arrow":
        yield from _arrow_batches(file, names)
        return
    import pyarrow.parquet as pq

    table = pq.ParquetFile(file)
    columns = _columns(file, table.schema_arrow.names, names)
    yield from table.iter_batches(batch_size=1024, columns=columns)


def _arrow_batches(file: Path, names: list[str]) -> Iterator[Any]:
    import pyarrow as pa

    with pa.memory_map(str(file)) as mapped:
        try:  # `datasets` writes streams; other programs write files, with a final index
            reader: Any = pa.ipc.open_stream(mapped)
            batches: Iterable[Any] = reader
        except pa.ArrowInvalid:
            mapped.seek(0)
            reader = pa.ipc.open_file(mapped)
            batches = (reader.get_batch(n) for n in range(reader.num_record_batches))
        columns = _columns(file, reader.schema.names, names)
        for batch in batches:
            for start in range(0, batch.num_rows, 1024):
                yield batch.slice(start, 1024).select(columns)


def _columns(file: Path, names: list[str], columns: list[str]) -> list[str]:
    if not {"title", "text"} <= set(names):
        raise SourceError(f"{file}: has the columns {', '.join(names)}; title and text are needed")
    return [name for name in names if name in columns]
