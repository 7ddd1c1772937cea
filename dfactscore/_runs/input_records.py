"""An input's records before judging, and their keys, dates and verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dfactscore._records import Biography
from dfactscore._runs.biography_json import biography_key
from dfactscore._runs.biography_spool import BiographySpool, SpooledKeys, SpooledRecords
from dfactscore._scoring.record import Record


def begin_records(biographies: Iterable[Biography]) -> Sequence[Record]:
    """Creates records that hold only a biography and its key.

    Records from a spool are created each time they are read.
    """
    if isinstance(biographies, BiographySpool):
        return SpooledRecords(biographies)
    return [Record(biography, biography_key(biography)) for biography in biographies]


def record_keys(records: Sequence[Record]) -> Sequence[str]:
    """Returns the keys of records, in order."""
    if isinstance(records, SpooledRecords):
        return SpooledKeys(records.spool)
    return [record.key for record in records]


def bring_verdicts(items: Sequence[Record] | Sequence[Biography]) -> bool:
    """Whether any biography came with verdicts from elsewhere."""
    spool = items.spool if isinstance(items, SpooledRecords) else items
    if isinstance(spool, BiographySpool):
        return spool.verdicts
    biographies = (item.biography if isinstance(item, Record) else item for item in spool)
    return any(biography.verdicts is not None for biography in biographies)


def snapshot_dates(records: Sequence[Record]) -> set[str]:
    """Returns the known snapshot dates of the texts retrieved for the records."""
    if isinstance(records, SpooledRecords):
        return records.spool.snapshots
    dates = (record.biography.extra.get("snapshot") for record in records)
    return {str(date) for date in dates if date}
