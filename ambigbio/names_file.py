"""Lists of names: CSV, TSV or text."""

from __future__ import annotations

from pathlib import Path

from dfactscore.ambigbio.errors import AmbigBioError
from dfactscore.text.name_lists import listed_names

__all__ = ["read_names"]


def read_names(path: Path | str, column: str | None = None) -> list[str]:
    """The names of a list, each once, in order.

    Args:
        path: ``.csv``, ``.tsv``, a file whose lines have tabs, or any other with one name a line.
            A text file's empty lines and those that begin with ``#`` are left out. Names may
            stand in queries ("Tell me a bio of …") and in lists (``['…']``), as in the table that
            the paper's authors released.
        column: Heading or 1-based number of the column; by default the one headed ``name`` (or
            ``title``, ``entity``, ``topic`` …), else the first.

    Raises:
        AmbigBioError: The file cannot be read, or contains no names.
    """
    return listed_names(Path(path), column, error=AmbigBioError)
