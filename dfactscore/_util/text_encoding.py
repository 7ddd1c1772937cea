"""Detects the encoding of a text file in a stream."""

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
    """UTF-8, UTF-16 where its mark begins the file, or, with a warning, Windows' own (cp1252).

    Args:
        opened: Opens the file, from its start.
        name: Its name in messages.
        error: Makes the error to raise.

    Returns:
        The encoding as Python calls it; of UTF-8 the one that drops a mark.

    Raises:
        Exception: Made by `error`, if it is in none of these.
    """
    with opened() as file:
        head = file.read(2)
    for mark, encoding in _MARKS:
        if head == mark and _first_wrong(opened, encoding) is None:
            return encoding
    found = _first_wrong(opened, "utf-8")
    if found is None:
        return "utf-8-sig"
    byte, line = found
    wrong = f"{name}:{line}: not UTF-8 (byte {byte})"
    if _first_wrong(opened, "cp1252") is not None:
        raise error(f"{wrong}, nor UTF-16 or Windows-1252; save it as CSV UTF-8")

    warnings.warn(f"{wrong}; read as Windows-1252", stacklevel=2)
    return "cp1252"


def _first_wrong(opened: Opener, encoding: str) -> tuple[int, int] | None:
    """The first byte that cannot be decoded, and its line; None if there is none."""
    decoder = codecs.getincrementaldecoder(encoding)()
    begun, lines = 0, 1
    with opened() as file:
        while True:
            block, kept = file.read(_BLOCK), len(decoder.getstate()[0])
            try:
                decoder.decode(block, final=not block)
            except UnicodeDecodeError as problem:
                at = problem.start - kept
                return begun + at, lines + block.count(b"\n", 0, max(0, at))
            if not block:
                return None
            begun, lines = begun + len(block), lines + block.count(b"\n")
