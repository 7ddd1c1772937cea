"""Spools biographies to a temporary file, so that the input is never held in memory."""

from __future__ import annotations

import tempfile
import weakref
from abc import abstractmethod
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, overload

from dfactscore._errors import RunError
from dfactscore._readers.files import Keeper
from dfactscore._records import Biography, Verdict
from dfactscore._runs import record_json
from dfactscore._scoring.record import Record
from dfactscore._util.files import dump_json
from dfactscore._util.jsonl import parse_json
from dfactscore.linking import Evidence

_T = TypeVar("_T")
_HELD = 1 << 25  # bytes; less stays in memory


class _Made(Sequence[_T]):
    """A sequence whose items are made when they are asked for, each by its number."""

    @abstractmethod
    def _make(self, number: int) -> _T:
        """Makes an item."""

    def __iter__(self) -> Iterator[_T]:
        return map(self._make, range(len(self)))

    @overload
    def __getitem__(self, at: int) -> _T: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[_T]: ...

    def __getitem__(self, at: int | slice) -> _T | Sequence[_T]:
        numbers = range(len(self))[at]
        return self._make(numbers) if isinstance(numbers, int) else [*map(self._make, numbers)]


class BiographySpool(_Made[Biography], Keeper):
    """Biographies in the order in which they were appended.

    Memory holds the key and the position of each: 24 bytes. The file has no name where the
    system allows it, and is gone with the process.

    Attributes:
        of: The keys of the input they were drawn from, if they are a sample.
        snapshots: The dates of the texts retrieved for them.
        verdicts: Whether any of them came with verdicts.
    """

    def __init__(self, of: Sequence[str] = ()) -> None:
        self.of = of
        self._file = tempfile.SpooledTemporaryFile(max_size=_HELD)  # noqa: SIM115 (see below)
        self._close = weakref.finalize(self, self._file.close)
        self._starts = array("Q", [0])
        self._keys = bytearray()
        self._odd: dict[int, Biography] = {}
        self.snapshots: set[str] = set()
        self.verdicts = False

    def append(self, biography: Biography) -> None:
        """Takes one more.

        Raises:
            RunError: If the temporary file cannot be written.
        """
        self._keys += bytes.fromhex(record_json.biography_key(biography))
        if biography.extra.get("snapshot"):
            self.snapshots.add(str(biography.extra["snapshot"]))
        self.verdicts = self.verdicts or biography.verdicts is not None
        line = biography_line(biography)
        if line is None:
            self._odd[len(self)] = biography
        start = self._starts[-1]
        try:
            self._file.seek(start)
            self._file.write(line or b"")
        except OSError as error:
            raise RunError(
                f"{tempfile.gettempdir()}: {error.strerror}: the input does not fit; set TMPDIR to "
                "a folder with more room"
            ) from None
        self._starts.append(start + len(line or b""))

    def __len__(self) -> int:
        return len(self._starts) - 1

    def key(self, number: int) -> str:
        """The key of a biography, by its number."""
        return self._keys[16 * number : 16 * number + 16].hex()

    def line(self, number: int) -> bytes | None:
        """A biography as JSON; None if JSON does not have all of it."""
        if number in self._odd:
            return None
        start, end = self._starts[number], self._starts[number + 1]
        self._file.seek(start)
        return self._file.read(end - start)

    def _make(self, number: int) -> Biography:
        line = self.line(number)
        return self._odd[number] if line is None else biography_from_line(line)


class SpooledRecords(_Made[Record]):
    """Records of which nothing but the biography is filled, each made when it is asked for.

    Attributes:
        spool: The biographies.
    """

    def __init__(self, spool: BiographySpool) -> None:
        self.spool = spool

    def __len__(self) -> int:
        return len(self.spool)

    def _make(self, number: int) -> Record:
        return Record(self.spool[number], self.spool.key(number))


class SpooledKeys(_Made[str]):
    """The keys of spooled biographies.

    Args:
        spool: The biographies.
    """

    def __init__(self, spool: BiographySpool) -> None:
        self._spool = spool

    def __len__(self) -> int:
        return len(self._spool)

    def _make(self, number: int) -> str:
        return self._spool.key(number)


def biography_line(biography: Biography) -> bytes | None:
    """A biography with its stages as a line of JSON; None if JSON does not have all of it."""
    row = record_json.biography_to_json(biography, str)
    facts, groups, verdicts = biography.facts, biography.groups, biography.verdicts
    row["facts"] = None if facts is None else record_json.facts_to_json(facts)
    row["groups"] = None if groups is None else record_json.groups_to_json(groups, "")
    row["verdicts"] = (
        None if verdicts is None else {k: [*map(_cell, v)] for k, v in verdicts.items()}
    )
    if any(ids := [passage.id for passage in biography.passages]):
        row["passage_ids"] = ids
    if biography.extra:
        row["extra"] = dict(biography.extra)
    try:
        text = dump_json(row)
    except (TypeError, ValueError):
        return None
    if biography.extra and parse_json(text)["extra"] != row["extra"]:
        return None
    return f"{text}\n".encode()


def biography_from_line(line: bytes) -> Biography:
    """The biography of a line by `biography_line`."""
    row: Mapping[str, Any] = parse_json(line)
    plain = record_json.biography_from_json(row, str)
    verdicts = row["verdicts"]
    ids = row.get("passage_ids", ())
    passages = tuple(
        replace(passage, id=id) for passage, id in zip(plain.passages, ids, strict=False)
    )
    return replace(
        plain,
        passages=passages or plain.passages,
        facts=None if row["facts"] is None else record_json.facts_from_json(row["facts"]),
        groups=None if row["groups"] is None else record_json.groups_from_json(row["groups"]),
        verdicts=None
        if verdicts is None
        else {k: (*map(_verdict, v),) for k, v in verdicts.items()},
        extra=row.get("extra", {}),
    )


def _cell(verdict: Verdict) -> list[Any]:
    return [verdict.status, verdict.probability, verdict.evidence, verdict.conflict, verdict.sent]


def _verdict(cell: Sequence[Any]) -> Verdict:
    status, probability, *places, sent = cell
    evidence, conflict = (None if place is None else Evidence(*place) for place in places)
    return Verdict(status, probability, evidence, conflict, sent)
