"""Detects the encoding of a text file while streaming it."""

from __future__ import annotations

import codecs
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import IO

from dfactscore._util.callbacks import MakeError

Opener = Callable[[], AbstractContextManager[IO[bytes]]]

_MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_BLOCK = 1 << 18


def encoding_of(opened: Opener, name: object, *, error: MakeError) -> str:
    """Detects UTF-8, UTF-16 with a byte order mark or (with a warning) Windows-1252."""
    # Returns Python's name for the encoding; `"utf-8-sig"` for UTF-8.
    with opened() as file:
        head = file.read(2)
    for mark, encoding in _MARKS:
        if head == mark and _first_fault(opened, encoding) is None:
            return encoding
    position = _first_fault(opened, "utf-8")
    if position is None:
        return "utf-8-sig"
    byte, line = position
    problem = f"{name}:{line}: not UTF-8 (byte {byte})"
    if _first_fault(opened, "cp1252") is not None:
        raise error(f"{problem}, nor UTF-16 or Windows-1252; save it as CSV UTF-8")

    warnings.warn(f"{problem}; read as Windows-1252", stacklevel=2)
    return "cp1252"


def _first_fault(opened: Opener, encoding: str) -> tuple[int, int] | None:
    """Returns the offset and line of the first byte that cannot be decoded, or None."""
    decoder = codecs.getincrementaldecoder(encoding)()
    offset, line = 0, 1
    with opened() as file:
        while True:
            block, pending = file.read(_BLOCK), len(decoder.getstate()[0])
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError as problem:
                at = problem.start - pending
                return offset + at, line + block.count(b"\n", 0, max(0, at))
            if not block:
                return None
            offset, line = offset + len(block), line + block.count(b"\n")
