"""An append-only JSONL file that survives kills."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, BinaryIO

from dfactscore._errors import RunError
from dfactscore._util.files import atomic_write, dump_json
from dfactscore._util.jsonl import JSONError, iter_lines, parse_json
from dfactscore._util.key_table import KeyTable
from dfactscore._util.validated import Form, misfit


class Journal:
    """Records by key; each is one line, written at once and flushed.

    Only keys and places are held in memory. A last line that was cut by a kill is dropped when the
    journal is opened; a line that cannot be read anywhere else is an error.

    Args:
        path: The file; it need not be there.
        form: Form of its lines, besides the key.
        read_only: Do not touch the file.

    Raises:
        RunError: If the file cannot be read or holds a line that does not fit.
    """

    def __init__(
        self, path: Path, form: type[Form] | None = None, *, read_only: bool = False
    ) -> None:
        self.path = path
        self._form = form
        self._places = KeyTable()
        self._reader: BinaryIO | None = None
        try:
            size = self._scan()
            if read_only:
                return
            self._file = open(path, "ab", buffering=0)  # noqa: SIM115 (closed by close())
            if self._file.tell() != size:
                self._file.truncate(size)
        except OSError as error:
            raise RunError(f"{path}: {error.strerror}") from None

    def _scan(self) -> int:
        end = 0
        if not self.path.exists():
            return 0
        for line in iter_lines(self.path, error=RunError):
            if not line.raw.endswith(b"\n"):
                break
            record = read_line(line.raw, line.where)
            key = record.get("key")
            if not isinstance(key, str):
                raise _damaged(line.where, "it has no key")
            problem = misfit(self._form, record) if self._form else None
            if problem:
                raise _damaged(line.where, problem)
            self._places.put(key, line.start, len(line.raw))
            end = line.start + len(line.raw)
        return end

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def __len__(self) -> int:
        return len(self._places)

    def keys(self) -> Iterator[str]:
        """The keys in the order of the file."""
        return iter(self._places)

    def get(self, key: str) -> dict[str, Any] | None:
        """The record of a key, or None."""
        line = self.line(key)
        return None if line is None else read_line(line, self.path)

    def line(self, key: str) -> bytes | None:
        """As `get`, as bytes of the file."""
        place = self._places.get(key)
        if place is None:
            return None
        if self._reader is None:
            self._reader = open(self.path, "rb")  # noqa: SIM115 (closed by close())
        self._reader.seek(place[0])
        return self._reader.read(place[1])

    def records(self, keys: Iterable[str]) -> Iterator[dict[str, Any] | None]:
        """The records of several keys, in their order; the file is opened once."""
        for line in self.lines(keys):
            yield None if line is None else read_line(line, self.path)

    def lines(self, keys: Iterable[str]) -> Iterator[bytes | None]:
        """As `records`, each as bytes of the file."""
        if not self.path.exists():
            yield from (None for _ in keys)
            return
        with open(self.path, "rb") as file:
            for key in keys:
                place = self._places.get(key)
                if place is None:
                    yield None
                else:
                    file.seek(place[0])
                    yield file.read(place[1])

    def number(self, key: str) -> int | None:
        """A number for each key that does not change while others are added."""
        return self._places.number(key)

    def append(self, key: str, record: dict[str, Any]) -> None:
        """Writes a record; a key that is there already gets the new record.

        Raises:
            RunError: If it cannot be written (a full disk); nothing half-written counts.
        """
        self.extend([(key, journal_line(key, record))])

    def extend(self, lines: Iterable[tuple[str, bytes]]) -> None:
        """Writes lines that are made already, all at once; see `append`.

        Raises:
            RunError: If they cannot be written (a full disk); none of them counts.
        """
        lines = list(lines)
        data = lines[0][1] if len(lines) == 1 else b"".join(line for _, line in lines)
        offset = self._file.seek(0, os.SEEK_END)
        try:
            written = self._file.write(data)
            while written < len(data):
                written += self._file.write(data[written:])
        except OSError as error:
            self._file.truncate(offset)
            raise RunError(f"{self.path}: {error.strerror}; what was done so far is kept") from None
        for key, line in lines:
            self._places.put(key, offset, len(line))
            offset += len(line)

    def forget(self, key: str) -> None:
        """Treats a record as not there; its line goes when the file is settled."""
        self._places.forget(key)

    def settle(self, keys: Iterable[str]) -> None:
        """Rewrites the file with these keys in this order, if it holds anything else.

        Args:
            keys: Read twice, each time from the first.
        """
        size = self._file.seek(0, os.SEEK_END)
        pairs = zip_longest(self._places, self._known(keys))
        if all(old == new for old, new in pairs) and size == self._places.total():
            return
        places = KeyTable()
        offset = 0
        with open(self.path, "rb") as old, atomic_write(self.path) as new:
            for key in self._known(keys):
                start, length = self._places.get(key) or (0, 0)
                old.seek(start)
                new.write(old.read(length).decode("utf-8"))
                places.put(key, offset, length)
                offset += length
        self.close()
        self._file = open(self.path, "ab", buffering=0)  # noqa: SIM115 (closed by close())
        self._places = places

    def _known(self, keys: Iterable[str]) -> Iterator[str]:
        return (key for key in keys if key in self._places)

    def close(self) -> None:
        """Closes the file."""
        self._file.close()
        if self._reader is not None:
            self._reader.close()
            self._reader = None


class MemoryJournal:
    """A journal in memory, whose appended lines are passed to another journal.

    Attributes:
        forgotten: Keys that were there and were forgotten.
    """

    def __init__(self) -> None:
        self._lines: dict[str, bytes] = {}
        self._given: dict[str, bytes] = {}
        self.forgotten: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._lines or key in self._given

    def give(self, key: str, line: bytes) -> None:
        """Adds a line that is not passed on."""
        self._given[key] = line

    def get(self, key: str) -> dict[str, Any] | None:
        """The record of a key, or None."""
        line = self._lines.get(key) or self._given.get(key)
        return None if line is None else read_line(line, "a line that was sent")

    def append(self, key: str, record: dict[str, Any]) -> None:
        """Takes a record; a key that is there already gets the new record."""
        self._lines[key] = journal_line(key, record)

    def forget(self, key: str) -> None:
        """Treats a record as not there."""
        if key in self:
            self._lines.pop(key, None)
            self._given.pop(key, None)
            self.forgotten.append(key)

    def taken(self) -> list[tuple[str, bytes]]:
        """Returns the appended lines by key, in the order of the keys' first lines."""
        return list(self._lines.items())


def journal_line(key: str, record: dict[str, Any]) -> bytes:
    """A record's line in a journal."""
    return (dump_json({"key": key, **record}) + "\n").encode("utf-8")


def read_line(line: bytes, where: object) -> dict[str, Any]:
    """The record of a line.

    Raises:
        RunError: If it is not a line of a journal; `where` names the place.
    """
    try:
        record = parse_json(line)
    except JSONError as error:
        raise _damaged(where, error) from None
    if not isinstance(record, dict):
        raise _damaged(where, "expected an object")
    return record


def _damaged(where: object, problem: object) -> RunError:
    return RunError(f"{where}: not a line of a journal ({problem}); restore it or start a new run")
