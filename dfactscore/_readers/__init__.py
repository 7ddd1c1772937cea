"""Readers for biographies from files and memory: ALCE, FActScore, JSONL, tables, logs."""

from dfactscore._readers.files import Reading, read_biographies, read_records
from dfactscore._readers.record_fields import BadRecord, Columns
from dfactscore._readers.records import biography_from_record

__all__ = [
    "BadRecord",
    "Columns",
    "Reading",
    "biography_from_record",
    "read_biographies",
    "read_records",
]
