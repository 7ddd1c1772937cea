"""The shipped examples: real people and ships that share a name.

The texts were written for this project and are under its license. See ``docs/examples.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dfactscore._errors import InputError
from dfactscore._util.files import shipped
from dfactscore._util.message_text import near_miss

__all__ = ["Example", "example", "example_names"]

_KINDS = {"people": "person", "ships": "ship"}
_PREFIXES = {"people": "", "ships": "ships_"}


@dataclass(frozen=True, slots=True)
class Example:
    """Paths of one shipped example; all files are JSONL in UTF-8.

    Attributes:
        name: ``"people"`` or ``"ships"``.
        kind: The kind of entities, in the singular.
        biographies: Texts with citations, and the passages they are based on.
        pages: The knowledge source, as ``{title, text, redirects?}``.
        gold: The true kind, facts, individuals, entities and scores of each biography.
    """

    name: str
    kind: str
    biographies: Path
    pages: Path
    gold: Path


def example_names() -> tuple[str, ...]:
    """Returns the names of the shipped examples."""
    return tuple(sorted(_KINDS))


def example(name: str = "people") -> Example:
    """Returns the files of a shipped example.

    Args:
        name: One of `example_names`.

    Raises:
        InputError: If there is no such example.

    Example:
        >>> example("ships").pages.name
        'ships_pages.jsonl'
    """
    if name not in _KINDS:
        near = near_miss(name, example_names(), cutoff=0.4, show=repr)
        raise InputError(f"no example {name!r}{near} (known: {', '.join(example_names())})")
    prefix = _PREFIXES[name]
    return Example(
        name=name,
        kind=_KINDS[name],
        biographies=shipped(__name__, f"{prefix}biographies.jsonl"),
        pages=shipped(__name__, f"{prefix}pages.jsonl"),
        gold=shipped(__name__, f"{prefix}gold.jsonl"),
    )
