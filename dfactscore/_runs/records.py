"""Input records before judging: keys and dates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dfactscore._records import Biography
from dfactscore._runs.biography_spool import BiographySpool, SpooledKeys, SpooledRecords
from dfactscore._runs.record_json import biography_key
from dfactscore._scoring.record import Record


def begin_records(biographies: Iterable[Biography]) -> Sequence[Record]:
    """Records of which nothing but the biography is filled, with their keys.

    Those of a spool are made when they are asked for.
    """
    if isinstance(biographies, BiographySpool):
        return SpooledRecords(biographies)
    return [Record(biography, biography_key(biography)) for biography in biographies]


def record_keys(records: Sequence[Record]) -> Sequence[str]:
    """The keys of records, in order."""
    if isinstance(records, SpooledRecords):
        return SpooledKeys(records.spool)
    return [record.key for record in records]


def bring_verdicts(of: Sequence[Record] | Sequence[Biography]) -> bool:
    """Whether any of them came with verdicts that were made elsewhere."""
    spool = of.spool if isinstance(of, SpooledRecords) else of
    if isinstance(spool, BiographySpool):
        return spool.verdicts
    given = (one.biography if isinstance(one, Record) else one for one in spool)
    return any(biography.verdicts is not None for biography in given)


def snapshot_dates(records: Sequence[Record]) -> set[str]:
    """The dates of the texts retrieved for records, as far as they are known."""
    if isinstance(records, SpooledRecords):
        return records.spool.snapshots
    dates = (record.biography.extra.get("snapshot") for record in records)
    return {str(date) for date in dates if date}
