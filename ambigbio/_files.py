"""Atomically written output files of the builder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dfactscore._util.files import atomic_path, atomic_write, dump_json, make_folder
from dfactscore.ambigbio._errors import AmbigBioError


def not_written(problem: str) -> AmbigBioError:
    """Returns the error to raise if a file cannot be written."""
    return AmbigBioError(
        f"{problem}: make room or give another path, and run the same command again; fetched "
        "data are kept"
    )


def replace_file(path: Path, write: Callable[[Path], object]) -> None:
    """Writes a file under a temporary name, then moves it into place."""
    make_folder(path.parent, error=not_written)
    with atomic_path(path, error=not_written) as temporary:
        write(temporary)


@contextmanager
def writing_records(path: Path) -> Iterator[Callable[[Any], None]]:
    """Opens a JSONL file for records; the file only appears once all records are written."""
    make_folder(path.parent, error=not_written)
    with atomic_write(path, error=not_written) as file:

        def write(record: Any) -> None:
            value = dict(record) if isinstance(record, Mapping) else asdict(record)
            # Readers refuse half a surrogate pair, which wikis do not send.
            file.write(dump_json(value, keep_surrogates=False) + "\n")

        yield write


def write_records(path: Path, records: Iterable[Any]) -> int:
    """Writes dataclasses or mappings as JSONL and returns the number written."""
    count = 0
    with writing_records(path) as write:
        for record in records:
            write(record)
            count += 1
    return count
