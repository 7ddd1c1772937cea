"""Paths that are not files, or have no end, are refused by name before reading."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import zipfile

import pytest

from dfactscore._util import files as input_limits
from dfactscore._util.files import open_bytes, read_bytes, read_text
from dfactscore._util.jsonl import iter_lines, read_json
from dfactscore._util.settings import read_yaml
from dfactscore._util.sqlite import open_sqlite, sqlite_errors
from dfactscore._util.tables import read_table


class Refused(Exception):
    pass


def _sqlite(path, error):
    with sqlite_errors(path, "cannot be read", error=error):
        open_sqlite(path, read_only=True)


READERS = {
    "bytes": read_bytes,
    "text": read_text,
    "lines": lambda path, error: list(iter_lines(path, error=error)),
    "json": read_json,
    "yaml": read_yaml,
    "csv": lambda path, error: list(read_table(path, error=error)),
    "parquet": lambda path, error: list(read_table(path, error=error)),
    "xlsx": lambda path, error: list(read_table(path, error=error)),
    "sqlite": _sqlite,
}
posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")


@posix
@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("kind", ["pipe", "zeros", "nothing", "folder"])
def test_every_reader_refuses_what_is_not_a_file(tmp_path, name, kind):
    path = tmp_path / f"x.{name}"
    if kind == "pipe":
        os.mkfifo(path)  # whoever opened it would wait for ever
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero" if kind == "zeros" else "/dev/null")
    with pytest.raises(Refused) as caught:
        READERS[name](path, error=Refused)
    assert str(caught.value).startswith(f"{path}: ")
    what = {"pipe": "a named pipe", "folder": "a folder"}.get(kind, "a device")
    assert what in str(caught.value)


@posix
def test_a_pipe_of_the_shell_is_read():
    script = (
        "import sys; from pathlib import Path; from dfactscore._util.jsonl import iter_lines; "
        "print([line.raw for line in iter_lines(Path(sys.argv[1]), error=ValueError)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "/dev/stdin"],
        input=b"a\nb\n",
        capture_output=True,
        check=True,
    )
    assert done.stdout == b"[b'a\\n', b'b\\n']\n"


@pytest.mark.parametrize("name", ["lines", "csv"])
def test_a_line_without_an_end_has_a_number(tmp_path, monkeypatch, name):
    monkeypatch.setattr(input_limits, "LONGEST_LINE", 300_000)
    path = tmp_path / f"x.{name}"
    whole = b"a,b\n" + b"x" * 299_990 + b"\n" + b"y,z\n"
    path.write_bytes(whole)
    READERS[name](path, error=Refused)
    path.write_bytes(whole + b"z" * 400_000)
    with pytest.raises(Refused, match=r":4: longer than"):
        READERS[name](path, error=Refused)


@pytest.mark.parametrize("name", ["bytes", "text", "json", "xlsx"])
def test_a_file_that_is_held_whole_has_a_limit(tmp_path, monkeypatch, name):
    path = tmp_path / f"x.{name}"
    with path.open("wb") as file:
        file.truncate(5 << 20)
    monkeypatch.setenv("DFACTSCORE_LARGEST_FILE", "4")
    with pytest.raises(Refused, match=r"4 MiB .* DFACTSCORE_LARGEST_FILE=8 reads"):
        READERS[name](path, error=Refused)
    monkeypatch.setenv("DFACTSCORE_LARGEST_FILE", "8")
    if name == "bytes":
        assert len(read_bytes(path, error=Refused)) == 5 << 20


@pytest.mark.parametrize("name", ["bytes", "lines"])
def test_what_unpacks_to_hundreds_of_times_its_size(tmp_path, monkeypatch, name):
    monkeypatch.setenv("DFACTSCORE_LARGEST_FILE", "1")
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(b"{}\n" * 300_000))  # not a mebibyte
    assert READERS[name](path, error=Refused)
    path.write_bytes(gzip.compress(b"{}\n" * 400_000))
    with pytest.raises(Refused, match=r"x\.jsonl\.gz: (larger than|unpacks to)"):
        READERS[name](path, error=Refused)
    path.write_bytes(gzip.compress(b"{}\n" + os.urandom(1 << 20).replace(b"\n", b"")))
    with open_bytes(path, error=Refused) as file:
        assert file.readline() == b"{}\n"


def test_a_sheet_that_unpacks_to_gigabytes(tmp_path, monkeypatch):
    monkeypatch.setenv("DFACTSCORE_LARGEST_FILE", "1")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("xl/worksheets/sheet1.xml", b"\0" * (3 << 20))
    (tmp_path / "x.xlsx").write_bytes(packed.getvalue())
    with pytest.raises(Refused, match=r"x\.xlsx: unpacks to 3 MiB, larger than"):
        list(read_table(tmp_path / "x.xlsx", error=Refused))
