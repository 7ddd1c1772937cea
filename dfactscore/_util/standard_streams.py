"""The standard streams of a command, which may be closed, full or unable to encode a character."""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import os
import sys
from collections.abc import Iterator
from typing import IO, Any

from dfactscore._util.message_text import without_controls

_REPLACED = "dfactscore-replaced"
# Signs of our own tables and sentences; letters are escaped, since a similar one would be wrong.
_SIGNS = {"≠": "!=", "…": "...", "–": "-", "—": "-", "’": "'", "±": "+-", "×": "x", "→": "->"}


def _replaced(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replaces signs that an encoding lacks by similar ones, and escapes other characters."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    sign = error.object[error.start]
    if "\u2500" <= sign <= "\u257f":  # lines of tables
        return ("|" if sign in "│┃║" else "-" if sign in "─━═" else "+"), error.start + 1
    if sign in _SIGNS:
        return _SIGNS[sign], error.start + 1
    error.end = error.start + 1
    return codecs.backslashreplace_errors(error)


codecs.register_error(_REPLACED, _replaced)


class _Kept(io.RawIOBase):
    """A raw stream that keeps its first failure and drops what is written after it."""

    def __init__(self, raw: Any) -> None:
        super().__init__()
        self._raw = raw  # None if the stream was closed before the command started
        self.failure: OSError | None = None

    def write(self, data: Any) -> int:
        if self.failure is None and len(data):
            try:
                if self._raw is None:
                    raise OSError(errno.EBADF, os.strerror(errno.EBADF))
                return int(self._raw.write(data) or 0)
            except OSError as failure:
                self.failure = failure
        return len(data)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        if self._raw is None:
            raise io.UnsupportedOperation("fileno")
        return int(self._raw.fileno())

    def isatty(self) -> bool:
        return self._raw is not None and bool(self._raw.isatty())


class _Stream(io.TextIOWrapper):
    """A text stream that escapes the characters that its encoding lacks."""

    def __init__(self, old: Any, *, escapes: bool) -> None:
        buffer = getattr(old, "buffer", None)
        self._kept = _Kept(getattr(buffer, "raw", buffer))
        self._escapes = escapes  # whether `write` escapes control characters, too
        super().__init__(
            io.BufferedWriter(self._kept),
            encoding=getattr(old, "encoding", None) or "utf-8",
            errors=_REPLACED,
            line_buffering=True,
        )

    @property
    def failure(self) -> OSError | None:
        return self._kept.failure

    def write(self, text: str) -> int:
        return super().write(on_terminal(text) if self._escapes else text)

    def write_styled(self, text: str) -> None:
        super().write(text)


def on_terminal(text: str) -> str:
    r"""Escapes control characters, except line breaks and tabs.

    Example:
        >>> on_terminal("a\tb\n\x1b[2J")
        'a\tb\n\\x1b[2J'
    """
    return "\t".join(map(without_controls, text.split("\t")))


@contextlib.contextmanager
def standard_streams(program: str) -> Iterator[None]:
    """Lets a command finish whatever its standard streams are.

    Characters that an encoding lacks and control characters are escaped. If standard output is
    closed or full, the command finishes its files, prints one line and ends with status 1; if its
    reader has gone (``| head``), it prints nothing.
    """
    old = sys.stdout, sys.stderr
    _reserve_descriptors()
    # Only real streams; those of tests and notebooks encode and keep everything.
    if sys.stdout is None or sys.stdout is sys.__stdout__:
        sys.stdout = _Stream(sys.stdout, escapes=True)
    if sys.stderr is None or sys.stderr is sys.__stderr__:
        sys.stderr = _Stream(sys.stderr, escapes=False)  # progress bars move the cursor
    try:
        yield
    except SystemExit as end:
        if not end.code:
            _check_written(program)
        raise
    else:
        _check_written(program)
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        sys.stdout, sys.stderr = old


def write(text: str, *, styled: bool = False) -> None:
    """Writes text for people to standard output."""
    stream = sys.stdout
    if styled and isinstance(stream, _Stream):
        stream.write_styled(text)
    else:
        stream.write(text)
    stream.flush()


def write_data(text: str) -> None:
    """Writes JSON, CSV or another format of files to standard output: as UTF-8 unless shown."""
    stream: IO[str] = sys.stdout
    if not isinstance(stream, _Stream) or stream.isatty():
        stream.write(text)
    else:
        stream.flush()
        stream.buffer.write(text.encode("utf-8", "backslashreplace"))
    stream.flush()


def _check_written(program: str) -> None:
    sys.stdout.flush()
    failure = getattr(sys.stdout, "failure", None)
    if failure is None:
        return
    if failure.errno != errno.EPIPE:
        reason = "it is closed" if failure.errno == errno.EBADF else failure.strerror
        print(f"{program}: standard output: cannot be written ({reason})", file=sys.stderr)
    raise SystemExit(1)


def _reserve_descriptors() -> None:
    """Opens closed standard descriptors, which files opened later would otherwise get."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)
