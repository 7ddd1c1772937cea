from __future__ import annotations

import errno
import subprocess
import sys
import threading

import pytest

from dfactscore._errors import RunError
from dfactscore._util.files import WriteLock

HOLD = """
import sys
from pathlib import Path
from dfactscore._util.files import WriteLock
with WriteLock(Path(sys.argv[1]), "it"):
    print("held", flush=True)
    sys.stdin.read()
"""
COUNT = """
import sys
from pathlib import Path
from dfactscore._errors import RunError
from dfactscore._util.files import WriteLock
lock, number = Path(sys.argv[1]), Path(sys.argv[2])
done = 0
while done < 100:
    try:
        with WriteLock(lock, "it"):
            number.write_text(str(int(number.read_text()) + 1))
            done += 1
    except RunError:
        pass
"""


def test_others_are_kept_out_until_it_is_released(tmp_path):
    path = tmp_path / ".lock"
    refused = pytest.raises(RunError, match=r"^bios\.jsonl: another process is writing it$")
    with WriteLock(path, "bios.jsonl"), refused:
        WriteLock(path, "bios.jsonl")
    assert not path.exists() or path.read_bytes() == b""
    lock = WriteLock(path, "bios.jsonl")
    lock.release()
    lock.release()
    with WriteLock(path, "bios.jsonl"):
        lock.release()
        with refused:
            WriteLock(path, "bios.jsonl")


def test_what_one_thread_takes_another_may_give_back(tmp_path):
    lock = WriteLock(tmp_path / ".lock", "it")
    thread = threading.Thread(target=lock.release)
    thread.start()
    thread.join()
    with WriteLock(tmp_path / ".lock", "it"):
        pass


def test_a_killed_process_holds_nothing(tmp_path):
    path = tmp_path / ".lock"
    command = [sys.executable, "-c", HOLD, str(path)]
    other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout is not None
    assert other.stdout.readline() == b"held\n"
    with pytest.raises(RunError, match="another process"):
        WriteLock(path, "it")
    other.kill()
    other.wait()
    with WriteLock(path, "it"):
        pass


def test_two_processes_never_have_it_at_once(tmp_path):
    number = tmp_path / "number"
    number.write_text("0")
    command = [sys.executable, "-c", COUNT, str(tmp_path / ".lock"), str(number)]
    for process in [subprocess.Popen(command) for _ in range(2)]:
        assert process.wait(60) == 0
    assert number.read_text() == "200"


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match=r"^it: cannot be written \((Not a dir|File exists)"):
        WriteLock(tmp_path / "file" / ".lock", "it")


def test_a_drive_without_locks_keeps_nobody_out(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")

    def unable(*_):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", unable)
    with WriteLock(tmp_path / ".lock", "it"), WriteLock(tmp_path / ".lock", "it"):
        pass
