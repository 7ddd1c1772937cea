"""Standard streams that are closed, full or unable to encode a character."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dfactscore.examples import example

_TEXT = "Łukasz \u202eż … ≠ é \x1b[2J │──┼\ta\rb"
_PRINTS = f"""
import sys
from pathlib import Path
from dfactscore._util.standard_streams import standard_streams, write, write_data

with standard_streams("tool"):
    print({_TEXT!r})
    write("\\x1b[1mbold\\x1b[0m\\n", styled=True)
    print("note", file=sys.stderr)
    write_data('{{"a": "Łé≠"}}\\n')
    Path(sys.argv[1]).write_text("whole")
    raise SystemExit(int(sys.argv[2]))
"""
needs_shell = pytest.mark.skipif(os.name == "nt", reason="redirections of a POSIX shell")


def _run(tmp_path: Path, redirection: str = "", status: int = 0, **environment: str):
    """Runs a small command; returns its exit status, standard output and standard error."""
    script, file = tmp_path / "tool.py", tmp_path / "file"
    script.write_text(_PRINTS, "utf-8")
    line = f'"{sys.executable}" "{script}" "{file}" {status} {redirection}'
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"],
        capture_output=True,
        timeout=60,
        env={**os.environ, **environment},
    )
    assert file.read_text() == "whole"
    return done.returncode, done.stdout, done.stderr.decode()


@needs_shell
@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("utf-8", "Łukasz \\u202eż … ≠ é \\x1b[2J │──┼\ta\\rb"),
        ("cp1252", "\\u0141ukasz \\u202e\\u017c … != é \\x1b[2J |--+\ta\\rb"),
        ("cp437", "\\u0141ukasz \\u202e\\u017c ... != é \\x1b[2J │──┼\ta\\rb"),
        ("latin-1", "\\u0141ukasz \\u202e\\u017c ... != é \\x1b[2J |--+\ta\\rb"),
        ("ascii", "\\u0141ukasz \\u202e\\u017c ... != \\xe9 \\x1b[2J |--+\ta\\rb"),
    ],
)
def test_any_encoding_prints_text_readably_and_data_as_utf_8(tmp_path, encoding, shown):
    status, out, err = _run(tmp_path, PYTHONIOENCODING=encoding)
    text, styled, data, end = out.split(b"\n")
    assert (status, err, end) == (0, "note\n", b"")
    assert text.decode(encoding) == shown
    assert styled == b"\x1b[1mbold\x1b[0m"
    assert json.loads(data.decode("utf-8")) == {"a": "Łé≠"}


@needs_shell
@pytest.mark.parametrize(
    ("redirection", "reason"),
    [
        pytest.param(
            ">/dev/full",
            "No space left on device",
            marks=pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full"),
        ),
        (">&-", "it is closed"),
        (">&- <&-", "it is closed"),
    ],
)
def test_a_failed_standard_output_costs_one_line_and_no_file(tmp_path, redirection, reason):
    status, out, err = _run(tmp_path, redirection)
    assert (status, out) == (1, b"")
    assert err == f"note\ntool: standard output: cannot be written ({reason})\n"
    assert _run(tmp_path, redirection, status=2)[0] == 2


@needs_shell
def test_a_reader_that_has_gone_costs_no_line(tmp_path):
    assert _run(tmp_path, "| true")[::2] == (1, "note\n")


@needs_shell
@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full", "2>&- <&-"])
def test_a_failed_standard_error_costs_nothing(tmp_path, redirection):
    if "full" in redirection and not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    status, out, _ = _run(tmp_path, redirection)
    assert status == 0
    assert b"note" not in out


@needs_shell
@pytest.mark.slow
@pytest.mark.parametrize("redirection", [">&-", ">/dev/full", "| true"])
@pytest.mark.parametrize("command", ["demo --out", "score {} --out"])
def test_a_run_is_whole_whatever_standard_output_is(tmp_path, command, redirection):
    line = command.format(example("people").biographies)
    whole, other = tmp_path / "whole", tmp_path / "other"
    for folder, to, expected in ((whole, "", 0), (other, redirection, 1)):
        done = subprocess.run(
            ["bash", "-c", f'set -o pipefail; "$0" -m dfactscore {line} "$1" {to}', sys.executable,
             str(folder)],
            capture_output=True,
            timeout=600,
        )  # fmt: skip
        assert done.returncode == expected, done.stderr
        assert b"Traceback" not in done.stderr
    files = {p.name: p.read_bytes() for p in whole.iterdir() if p.name != "timing.json"}
    assert files == {p.name: p.read_bytes() for p in other.iterdir() if p.name != "timing.json"}
