"""Biographies from files and from memory: ALCE JSON, FActScore JSONL, own records, tables."""

from dfactscore.readers.columns import Columns
from dfactscore.readers.files import Reading, read_biographies, read_records
from dfactscore.readers.problems import BadRecord
from dfactscore.readers.records import biography_from_record

__all__ = [
    "BadRecord",
    "Columns",
    "Reading",
    "biography_from_record",
    "read_biographies",
    "read_records",
]
