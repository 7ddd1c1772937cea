"""Reports to callers and users: types of callbacks, log lines, and progress."""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

MakeError = Callable[[str], Exception]
"""Makes an exception from a one-line message, as an exception class does."""
Log = Callable[[str], None]
"""A callback for messages to the user, one line at a time."""
Progress = Callable[[int, int], None]
"""A callback for progress: the number of finished items, and of all items."""
StepProgress = Callable[[str, int], None]
"""A callback for progress without a known total: the step's name, the number of finished items."""


def no_log(line: str) -> None:
    """Ignores a message."""


_WARNING = "warning: "


def log_lines(logger: logging.Logger, lines: Iterable[str]) -> None:
    """Logs lines that begin with ``warning:`` as warnings, and other lines as information."""
    for line in lines:
        level = logging.WARNING if line.startswith(_WARNING) else logging.INFO
        logger.log(level, "%s", line.removeprefix(_WARNING))


_PLAIN_SECONDS = 5.0
_BEAT_SECONDS = 60.0  # after which a line is printed even without a new result
_COLUMNS = 80
_BAR, _NOTE = 10, 38  # in columns; the label, counts and time take up the other columns


@contextlib.contextmanager
def progress(
    label: str, *, quiet: bool = False, note: Callable[[], str] | None = None
) -> Iterator[Progress | None]:
    """Shows a progress bar on a terminal, or else a plain line every few seconds."""
    if quiet:
        yield None
        return
    if not sys.stderr.isatty():
        lines = _PlainProgress(label, note)
        with _beating(lines.beat) if note else contextlib.nullcontext():
            yield lines
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Note(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(_fitting(_parts(note), _NOTE), no_wrap=True)

    bar_of = BarColumn(bar_width=_BAR if note else 40)
    columns = (TextColumn(label), bar_of, MofNCompleteColumn(), TimeRemainingColumn(), Note())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


class _PlainProgress:
    """Prints progress as plain lines."""

    def __init__(self, label: str, note: Callable[[], str] | None) -> None:
        self._label, self._note = label, note
        self._last = self._begun = time.monotonic()
        self._known: tuple[int, int] | None = None

    def __call__(self, done: int, total: int) -> None:
        self._known = done, total
        if done == total or time.monotonic() - self._last >= _PLAIN_SECONDS:
            self._say(done, total)

    def beat(self) -> None:
        """Prints the latest progress again if nothing has been printed for a while."""
        if self._known is not None and time.monotonic() - self._last >= _BEAT_SECONDS:
            self._say(*self._known)

    def _say(self, done: int, total: int) -> None:
        self._last = time.monotonic()
        parts = [f"{self._label}: {done} of {total}"]
        if 0 < done < total:
            seconds = (self._last - self._begun) / done * (total - done)
            parts.append(f"about {seconds:.0f} s left")
        print(_fitting([*parts, *_parts(self._note)]), file=sys.stderr, flush=True)


def _parts(note: Callable[[], str] | None) -> list[str]:
    return [part for part in (note() if note else "").split(", ") if part]


def _fitting(parts: Sequence[str], columns: int = _COLUMNS) -> str:
    """Joins as many parts, from the first on, as fit into the given number of columns."""
    while len(line := ", ".join(parts)) > columns and len(parts) > 1:
        parts = parts[:-1]
    return line


@contextlib.contextmanager
def _beating(beat: Callable[[], None]) -> Iterator[None]:
    """Calls a function at regular intervals in another thread."""
    stopped = threading.Event()

    def run() -> None:
        while not stopped.wait(_BEAT_SECONDS / 4):
            beat()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()
