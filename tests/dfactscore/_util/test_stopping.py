"""A command that is stopped: one line, a status that names the signal, workers and files gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from dfactscore._util.stopping import stoppable

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows sends no signals")

SCRIPT = """
import os, signal, sys
from pathlib import Path
from dfactscore._util.files import atomic_path
from dfactscore._util.stopping import stoppable
from dfactscore._util.tasks import run_sync
{prepare}
async def work():
{work}
with stoppable("prog", "; more", last=True), atomic_path(Path(sys.argv[1]) / "out"):
    run_sync(work())
"""
WORK = {
    "at once": "    os.kill(os.getpid(), {number})\n    sum(range(10**5))",
    "waits": (
        "    import asyncio\n"
        "    asyncio.get_running_loop().call_later(0.05, os.kill, os.getpid(), {number})\n"
        "    await asyncio.sleep(60)"
    ),
}


@pytest.mark.parametrize("work", WORK)
@pytest.mark.parametrize(
    ("number", "prepare"),
    [
        (signal.SIGINT, "signal.signal(signal.SIGINT, signal.default_int_handler)"),
        (signal.SIGTERM, "signal.signal(signal.SIGINT, signal.default_int_handler)"),
        (signal.SIGTERM, "signal.signal(signal.SIGINT, signal.SIG_IGN)"),  # behind an "&"
        (signal.SIGHUP, "signal.signal(signal.SIGHUP, signal.SIG_DFL)"),
    ],
)
def test_one_line_and_the_status(tmp_path, number, prepare, work):
    script = SCRIPT.format(prepare=prepare, work=WORK[work].format(number=int(number)))
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (128 + number, "prog: stopped; more\n")
    assert list(tmp_path.iterdir()) == []


def test_what_is_ignored_stays_so(capsys):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as by nohup
    try:
        with stoppable("prog"):
            signal.raise_signal(signal.SIGHUP)
            assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    with pytest.raises(SystemExit) as end, stoppable("prog"):
        raise KeyboardInterrupt
    assert end.value.code == 130
    assert capsys.readouterr().err == "prog: stopped\n"


@pytest.mark.parametrize("program", ["dfactscore", "dfactscore.factscorer"])
def test_while_the_modules_of_a_command_are_read(program, tmp_path):
    """The first module that a command reads besides its own door sends the signal."""
    place = tmp_path / "sitecustomize.py"
    place.write_text(
        "import builtins, os, signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "real = builtins.__import__\n"
        "def reading(name, *more, **named):\n"
        "    if name in ('dfactscore._cli.app', 'dfactscore.factscorer._command'):\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "    return real(name, *more, **named)\n"
        "builtins.__import__ = reading\n"
    )
    path = os.pathsep.join([str(tmp_path), *sys.path])
    done = subprocess.run(
        [sys.executable, "-m", program, "--help"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    said = f"{'factscorer' if '.' in program else program}: stopped\n"
    assert (done.returncode, done.stdout, done.stderr) == (130, "", said)
