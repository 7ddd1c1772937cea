"""Derives table columns from the dataset's record types, for Parquet and dataset cards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

#: Names and types: ``"string"``, ``"int64"``, ``"float64"``, ``"bool"``; ``[type]`` is a list, and
#: a tuple holds the columns of a nested row.
Columns = tuple[tuple[str, Any], ...]
_TYPES = {str: "string", int: "int64", float: "float64", bool: "bool"}


def columns_of(record: type) -> Columns:
    """Derives table columns from the fields of a dataclass.

    Example:
        >>> from dfactscore.ambigbio._records import Popularity
        >>> columns_of(Popularity)[:2]
        (('start', 'string'), ('end', 'string'))
    """
    hints = get_type_hints(record)
    return tuple((field.name, _type(hints[field.name])) for field in fields(record))


def _type(hint: Any) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):  # every column may be null
        return _type(next(kind for kind in arguments if kind is not type(None)))
    if origin is Literal:
        return "string"
    if origin is tuple:
        return [_type(arguments[0])]
    return _TYPES.get(hint) or columns_of(hint)


def without(columns: Columns, names: Iterable[str]) -> Columns:
    """Removes columns, including from nested rows."""
    dropped = frozenset(names)

    def inner(kind: Any) -> Any:
        if isinstance(kind, list):
            return [inner(kind[0])]
        return without(kind, dropped) if isinstance(kind, tuple) else kind

    return tuple((name, inner(kind)) for name, kind in columns if name not in dropped)


def arrow_fields(columns: Columns) -> list[tuple[str, Any]]:
    """Converts columns to Arrow fields."""
    import pyarrow as pa

    simple = {"string": pa.string(), "int64": pa.int64(), "float64": pa.float64()}

    def arrow(kind: Any) -> Any:
        if isinstance(kind, list):
            return pa.list_(arrow(kind[0]))
        if isinstance(kind, tuple):
            return pa.struct([(name, arrow(inner)) for name, inner in kind])
        return simple.get(kind, pa.bool_())

    return [(name, arrow(kind)) for name, kind in columns]
