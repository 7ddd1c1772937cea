"""Progress of a long task: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from dfactscore._util.callbacks import Progress as CountProgress

_PLAIN_SECONDS = 5.0
_BEAT_SECONDS = 60.0  # without a result, from which on a line says what runs
_COLUMNS = 80
_BAR, _NOTE = 10, 38  # columns of a line with both; the label, counts and a time take the rest


@contextlib.contextmanager
def progress(
    label: str, *, quiet: bool = False, note: Callable[[], str] | None = None
) -> Iterator[CountProgress | None]:
    """A progress bar on a terminal, else a plain line now and then; one per minute with a note.

    Args:
        label: Description of the work.
        quiet: Show nothing.
        note: Further message, computed again each time.

    Yields:
        A function that takes how many are done and how many there are.
    """
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
    """Progress as a plain line now and then."""

    def __init__(self, label: str, note: Callable[[], str] | None) -> None:
        self._label, self._note = label, note
        self._last = self._begun = time.monotonic()
        self._known: tuple[int, int] | None = None

    def __call__(self, done: int, total: int) -> None:
        self._known = done, total
        if done == total or time.monotonic() - self._last >= _PLAIN_SECONDS:
            self._say(done, total)

    def beat(self) -> None:
        """Reports the state after a long silence."""
        if self._known is not None and time.monotonic() - self._last >= _BEAT_SECONDS:
            self._say(*self._known)

    def _say(self, done: int, total: int) -> None:
        self._last = time.monotonic()
        parts = [f"{self._label}: {done} of {total}"]
        if 0 < done < total:
            left = (self._last - self._begun) / done * (total - done)
            parts.append(f"about {left:.0f} s left")
        print(_fitting([*parts, *_parts(self._note)]), file=sys.stderr, flush=True)


def _parts(note: Callable[[], str] | None) -> list[str]:
    return [part for part in (note() if note else "").split(", ") if part]


def _fitting(parts: Sequence[str], columns: int = _COLUMNS) -> str:
    """The first parts, as many as a terminal of 80 columns shows in a line."""
    while len(line := ", ".join(parts)) > columns and len(parts) > 1:
        parts = parts[:-1]
    return line


@contextlib.contextmanager
def _beating(beat: Callable[[], None]) -> Iterator[None]:
    """Calls a function again and again, whatever this thread waits for."""
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
