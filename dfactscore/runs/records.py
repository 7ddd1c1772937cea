"""The records of an input before they are judged, and their keys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dfactscore.records import Biography
from dfactscore.runs.serial import biography_key
from dfactscore.scoring.record import Record

__all__ = ["begin_records", "record_keys"]


def begin_records(biographies: Iterable[Biography]) -> Sequence[Record]:
    """Records of which nothing but the biography is filled, with their keys."""
    return [Record(biography, biography_key(biography)) for biography in biographies]


def record_keys(records: Sequence[Record]) -> Iterable[str]:
    """The keys of records, in order; may be read several times."""
    return [record.key for record in records]
