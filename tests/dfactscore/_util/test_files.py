from __future__ import annotations

import os
import subprocess
import sys

import pytest

from dfactscore._errors import RunError
from dfactscore._util.files import atomic_path, atomic_write, is_leftover, make_folder, write_text

WRITE = """
import sys
from pathlib import Path
from dfactscore._util.files import atomic_write
with atomic_write(Path(sys.argv[1])) as file:
    file.write("half")
    file.flush()
    print("writing", flush=True)
    sys.stdin.read()
"""


class Refused(Exception):
    pass


def test_the_old_file_stays_until_the_new_one_is_whole(tmp_path):
    path = tmp_path / "x"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), atomic_write(path) as file:
        file.write(str(1 / 0))
    assert path.read_text() == "old"
    with pytest.raises(ZeroDivisionError), atomic_path(path) as place:
        place.write_bytes(bytes(1 // 0))
    assert [p.name for p in tmp_path.iterdir()] == ["x"]
    write_text(path, "a\r\nb\u2028c\ud800")
    assert path.read_bytes() == b"a\r\nb\xe2\x80\xa8c\\ud800"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask")
@pytest.mark.parametrize("mask", [0o022, 0o077, 0o027])
def test_the_umask_counts(tmp_path, mask):
    before = os.umask(mask)
    try:
        write_text(tmp_path / "x", "text")
    finally:
        os.umask(before)
    assert (tmp_path / "x").stat().st_mode & 0o777 == 0o666 & ~mask


def test_what_a_killed_process_leaves_is_known(tmp_path):
    path = tmp_path / "scores.csv"
    other = subprocess.Popen(
        [sys.executable, "-c", WRITE, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert other.stdout is not None
    assert other.stdout.readline() == b"writing\n"
    other.kill()
    other.wait()
    (left,) = tmp_path.iterdir()
    assert is_leftover(left.name)
    assert not any(map(is_leftover, ["scores.csv", ".lock", ".hidden.tmp", "x.tmp", ".x.12345678"]))
    others = [tmp_path / name for name in (".other.csv.12345678.tmp", ".scores.csv.tmp")]
    for other_file in others:
        other_file.touch()
    write_text(path, "whole")  # the next writer of the same file removes it
    assert sorted(tmp_path.iterdir()) == sorted([path, *others])


def test_writers_of_one_file_do_not_meet(tmp_path):
    path = tmp_path / "x"
    with atomic_write(path) as first, atomic_write(path) as second:
        first.write("first")
        second.write("second")
    assert path.read_text() == "first"
    assert [p.name for p in tmp_path.iterdir()] == ["x"]


def test_a_long_name(tmp_path):
    write_text(tmp_path / ("é" * 120), "text")
    with pytest.raises(Refused, match="File name too long"):
        write_text(tmp_path / ("x" * 300), "text", error=Refused)


def test_unusable_folders(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot be written"):
        make_folder(tmp_path / "file" / "run")
    with pytest.raises(RunError, match="file: is a file, not a folder; choose another --out"):
        make_folder(tmp_path / "file")
    with pytest.raises(RunError, match="cannot be written"), atomic_write(tmp_path / "no" / "x"):
        pass
    with pytest.raises(Refused, match="cannot be written"):
        write_text(tmp_path / "no" / "x", "", error=Refused)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no named pipes in folders")
def test_what_is_not_a_file_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Refused, match="pipe: is not a file"):
        write_text(tmp_path / "pipe", "", error=Refused)
    assert [p.is_fifo() for p in tmp_path.iterdir()] == [True]
