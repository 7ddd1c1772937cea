"""An input's biographies, kept in a temporary file rather than in memory."""

from __future__ import annotations

import tempfile
import weakref
from abc import abstractmethod
from array import array
from collections.abc import Iterator, Sequence
from typing import TypeVar, overload

from dfactscore._errors import RunError
from dfactscore._readers.files import BiographyStore
from dfactscore._records import Biography
from dfactscore._runs.biography_json import biography_from_line, biography_key, biography_line
from dfactscore._scoring.record import Record

_T = TypeVar("_T")
_MAX_IN_MEMORY = 1 << 25  # bytes; a larger spool goes to disk


class _LazySequence(Sequence[_T]):
    """A sequence that creates an item each time it is read."""

    @abstractmethod
    def _item(self, number: int) -> _T:
        """Creates the item at an index from 0."""

    def __iter__(self) -> Iterator[_T]:
        return map(self._item, range(len(self)))

    @overload
    def __getitem__(self, at: int) -> _T: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[_T]: ...

    def __getitem__(self, at: int | slice) -> _T | Sequence[_T]:
        numbers = range(len(self))[at]
        return self._item(numbers) if isinstance(numbers, int) else [*map(self._item, numbers)]


class BiographySpool(_LazySequence[Biography], BiographyStore):
    """Biographies in the order in which they were appended.

    Only the key and the position of each biography (24 bytes) are kept in memory. If the system
    allows it, the file has no name. The file disappears when the process ends.
    """

    def __init__(self, input_keys: Sequence[str] = ()) -> None:
        self.input_keys = input_keys
        self._file = tempfile.SpooledTemporaryFile(max_size=_MAX_IN_MEMORY)  # noqa: SIM115 (below)
        self._close = weakref.finalize(self, self._file.close)
        self._starts = array("Q", [0])
        self._keys = bytearray()
        self._not_in_json: dict[int, Biography] = {}
        self.snapshots: set[str] = set()
        self.verdicts = False

    def append(self, biography: Biography) -> None:
        """Adds a biography."""
        self._keys += bytes.fromhex(biography_key(biography))
        if biography.extra.get("snapshot"):
            self.snapshots.add(str(biography.extra["snapshot"]))
        self.verdicts = self.verdicts or biography.verdicts is not None
        line = biography_line(biography)
        if line is None:
            self._not_in_json[len(self)] = biography
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
        """Returns the key of the biography at an index."""
        return self._keys[16 * number : 16 * number + 16].hex()

    def line(self, number: int) -> bytes | None:
        """Returns the biography at an index as JSON; None if JSON cannot represent it."""
        if number in self._not_in_json:
            return None
        start, end = self._starts[number], self._starts[number + 1]
        self._file.seek(start)
        return self._file.read(end - start)

    def _item(self, number: int) -> Biography:
        line = self.line(number)
        return self._not_in_json[number] if line is None else biography_from_line(line)


class SpooledRecords(_LazySequence[Record]):
    """Records of spooled biographies, with only the biography filled in."""

    def __init__(self, spool: BiographySpool) -> None:
        self.spool = spool

    def __len__(self) -> int:
        return len(self.spool)

    def _item(self, number: int) -> Record:
        return Record(self.spool[number], self.spool.key(number))


class SpooledKeys(_LazySequence[str]):
    """The keys of spooled biographies."""

    def __init__(self, spool: BiographySpool) -> None:
        self._spool = spool

    def __len__(self) -> int:
        return len(self._spool)

    def _item(self, number: int) -> str:
        return self._spool.key(number)
