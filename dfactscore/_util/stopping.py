"""Ends a command cleanly on Ctrl-C, SIGTERM or SIGHUP."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator

_SIGNALS = ("SIGTERM", "SIGHUP")  # handled like SIGINT
_received: list[int] = []


@contextlib.contextmanager
def stoppable(program: str, more: str = "", *, last: bool = False) -> Iterator[None]:
    """Ends the process with a one-line message and an exit status on Ctrl-C, SIGTERM or SIGHUP.

    The status is 128 plus the signal number, for example 130 for Ctrl-C. All three raise
    `KeyboardInterrupt` in the block, so that workers stop and temporary files are removed.
    """
    in_main = threading.current_thread() is threading.main_thread()
    known = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)] if in_main else []
    # Ignored signals stay ignored (nohup), and other handlers stay in place.
    handled = [number for number in known if signal.getsignal(number) is signal.SIG_DFL]
    for number in handled:
        signal.signal(number, _stop)
    try:
        yield
    except KeyboardInterrupt:
        number = _received.pop() if _received else signal.SIGINT
        print(f"{program}: stopped{more}", file=sys.stderr)
        raise SystemExit(128 + number) from None
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)
        if last and in_main:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def _stop(number: int, _: object) -> None:
    _received[:] = [number]
    raise KeyboardInterrupt
