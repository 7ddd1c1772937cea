"""Reads and writes the JSON files and arrays in an index folder."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._util import jsonl
from dfactscore._util.files import check_regular
from dfactscore.retrieval._errors import IndexFolderError

if TYPE_CHECKING:
    from numpy.typing import NDArray


#: Writes JSON atomically; raises IndexFolderError if that fails.
write_json = partial(jsonl.write_json, error=IndexFolderError)
_KINDS = {int: "a whole number", str: "a text", dict: "an object", list: "a list"}


def read_json(path: Path, **fields: type) -> dict[str, Any]:
    """Reads a JSON object."""
    value = jsonl.read_json(path, error=IndexFolderError)
    if not isinstance(value, dict):
        raise IndexFolderError(f"{path}: expected a JSON object; build the index again")
    for name, kind in fields.items():
        field: Any = value.get(name)
        fits = type(field) is kind
        if not fits or (kind is int and not 0 <= field < 2**48):
            description = "missing" if field is None else f"{field!r:.60}"
            raise IndexFolderError(
                f"{path}: {name} must be {_KINDS[kind]}, is {description}; build the index again"
            )
    return value


def load_array(path: Path, *, mapped: bool = True) -> NDArray[Any]:
    """Reads an array."""
    import numpy as np

    check_regular(path, error=IndexFolderError)
    try:
        array: NDArray[Any] = np.load(path, mmap_mode="r" if mapped else None, allow_pickle=False)
    except Exception as error:  # numpy parses the header as Python, which may raise anything
        raise IndexFolderError(
            f"{path}: missing, damaged or cut short ({error}); build the index again"
        ) from None
    return array
