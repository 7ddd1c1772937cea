"""JSON files and arrays of an index folder."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._util import jsonl
from dfactscore._util.input_limits import check_regular
from dfactscore.retrieval._errors import IndexFolderError

if TYPE_CHECKING:
    from numpy.typing import NDArray


#: Writes JSON, whole or not at all; raises IndexFolderError if it cannot.
write_json = partial(jsonl.write_json, error=IndexFolderError)
_KINDS = {int: "a whole number", str: "a text", dict: "an object", list: "a list"}


def read_json(path: Path, **fields: type) -> dict[str, Any]:
    """Reads a JSON object.

    Args:
        path: The file.
        **fields: Required fields, each with its type; a number must not be negative.

    Returns:
        The object.

    Raises:
        IndexFolderError: If it is missing, damaged, not an object or lacks a field.
    """
    value = jsonl.read_json(path, error=IndexFolderError)
    if not isinstance(value, dict):
        raise IndexFolderError(f"{path}: expected a JSON object; build the index again")
    for name, kind in fields.items():
        found: Any = value.get(name)
        fits = type(found) is kind
        if not fits or (kind is int and not 0 <= found < 2**48):
            shown = "missing" if found is None else f"{found!r:.60}"
            raise IndexFolderError(
                f"{path}: {name} must be {_KINDS[kind]}, is {shown}; build the index again"
            )
    return value


def load_array(path: Path, *, mapped: bool = True) -> NDArray[Any]:
    """Reads an array.

    Args:
        path: An ``.npy`` file.
        mapped: Leave it on the disk until it is used.

    Raises:
        IndexFolderError: If it is missing, cut short or damaged.
    """
    import numpy as np

    check_regular(path, error=IndexFolderError)
    try:
        array: NDArray[Any] = np.load(path, mmap_mode="r" if mapped else None, allow_pickle=False)
    except Exception as error:  # a damaged header is read as Python, and fails in as many ways
        raise IndexFolderError(
            f"{path}: missing, damaged or cut short ({error}); build the index again"
        ) from None
    return array
