"""Runs a command that kills itself: within the write of a line, or before its manifest exists.

    python self_killer.py line:2 dfactscore score …
    python self_killer.py manifest dfactscore score …

This is a separate process, since a fork of a process with threads can deadlock.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any


def status_of(moment: str, argv: list[str]) -> int:
    """Returns the exit status of a command that kills itself; negative for a signal.

    Args:
        moment: `line:N`, within the write after N writes, or `manifest`.
        argv: The command.
    """
    return subprocess.run(
        [sys.executable, __file__, moment, *argv],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=300,
        check=False,
    ).returncode


def _die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _die_while_writing(after: int) -> None:
    from dfactscore.work._journal import Journal

    write, count = Journal.extend, 0

    def extend(self: Journal, lines: Any) -> None:
        nonlocal count
        lines = list(lines)
        if lines and (count := count + 1) > after:
            os.write(self._file.fileno(), lines[0][1][:10])
            _die()
        write(self, lines)

    Journal.extend = extend  # type: ignore[method-assign]


def _run(moment: str, argv: list[str]) -> None:
    from dfactscore._cli.app import main
    from dfactscore.work import _work_folder

    if moment == "manifest":
        _work_folder.write_manifest = _die
    else:
        _die_while_writing(int(moment.removeprefix("line:")))
    sys.argv = argv
    main()


if __name__ == "__main__":
    _run(sys.argv[1], sys.argv[2:])
