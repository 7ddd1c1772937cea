"""Ends a command cleanly on Ctrl-C, SIGTERM or a closed terminal."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator

_SIGNALS = ("SIGTERM", "SIGHUP")  # besides SIGINT
_came: list[int] = []  # which of them


@contextlib.contextmanager
def stoppable(program: str, more: str = "", *, last: bool = False) -> Iterator[None]:
    """Ends what is stopped in one line, with 128 and the signal's number: 130 for Ctrl-C.

    SIGTERM and SIGHUP are met as Ctrl-C is: workers are ended, temporary files removed.

    Args:
        program: The start of the line.
        more: The line's note on work that is kept.
        last: Nothing follows in this process, which a later Ctrl-C then ends without a word.

    Raises:
        SystemExit: If it is stopped.
    """
    ours = threading.current_thread() is threading.main_thread()
    known = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)] if ours else []
    # Ignored signals stay ignored (nohup), and other handlers are left alone.
    taken = [number for number in known if signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, _stop)
    try:
        yield
    except KeyboardInterrupt:
        number = _came.pop() if _came else signal.SIGINT
        print(f"{program}: stopped{more}", file=sys.stderr)
        raise SystemExit(128 + number) from None
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)
        if last and ours:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def _stop(number: int, _: object) -> None:
    _came[:] = [number]
    raise KeyboardInterrupt
