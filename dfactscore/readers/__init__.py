"""Biographies from files: ALCE JSON, FActScore JSONL, our own JSONL, CSV."""

from dfactscore.readers.files import Reading, read_biographies
from dfactscore.readers.problems import BadRecord
from dfactscore.readers.records import biography_from_record

__all__ = ["BadRecord", "Reading", "biography_from_record", "read_biographies"]
