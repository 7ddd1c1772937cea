from __future__ import annotations

import http.server
import platform
import re
import subprocess
import sys

import pytest
from loopback import Loopback

from dfactscore import __version__
from dfactscore._cli.app import main


def test_version(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["dfactscore", "--version"])
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"dfactscore {__version__}"
    assert second.startswith(f"Python {platform.python_version()} on ")
    assert "; extras: " in second


def run(monkeypatch, capsys, *arguments):
    monkeypatch.setattr("sys.argv", ["dfactscore", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    return end.value.code or 0, *capsys.readouterr()


class Models(http.server.BaseHTTPRequestHandler):
    """An endpoint with two models; one path leads elsewhere."""

    seen = []

    def do_GET(self):
        self.seen.append((self.path, self.headers.get("Authorization")))
        moved = self.path.startswith("/moved")
        self.send_response(302 if moved else 200)
        if moved:
            self.send_header("Location", "/v1/models")
        self.end_headers()
        self.wfile.write(b'{"data": [{"id": "small"}, {"id": "large"}]}')

    def log_message(self, *_):
        pass


def test_doctor(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    code, out, _ = run(monkeypatch, capsys, "doctor")
    assert code == 0
    for words in ("extra xlsx ", "built-in engine    works", "none yet", "not tested"):
        assert words in out
    server = Loopback(Models)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-key")
    try:
        code, out, err = run(monkeypatch, capsys, "doctor", "--base-url", f"{server.url}/v1")
        assert (code, Models.seen) == (0, [("/v1/models", "Bearer sk-secret-key")])
        assert "answers; models: small, large" in out
        code, moved, err = run(monkeypatch, capsys, "doctor", "--base-url", f"{server.url}/moved")
        assert (code, len(Models.seen)) == (1, 2)  # the key is taken nowhere else
        assert "answered 302: not an address that answers requests" in moved
    finally:
        server.close()
    assert "sk-secret-key" not in out + moved + err
    code, out, _ = run(monkeypatch, capsys, "doctor", "--base-url", "http://127.0.0.1:9/v1")
    assert code == 1
    assert "cannot be reached" in out


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"[" * 100_000, "the response is not JSON"),
        (b'{"data": [' + b" " * 5_000_000, "more than 4 MiB"),
        (b'{"data": null}', "not with a list of models"),
        (b'{"data": [{"id": "\\u001b[2Jred sk-secret\\u002dkey"}]}', "models: [2Jred ***"),
    ],
)
def test_doctor_reads_what_a_server_says_with_care(monkeypatch, capsys, body, said):
    class Odd(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = Loopback(Odd)
    try:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-key")
        _, out, _ = run(monkeypatch, capsys, "doctor", "--base-url", f"{server.url}/v1")
    finally:
        server.close()
    assert said in out


def test_missing_extras_come_with_the_command(monkeypatch, capsys):
    from dfactscore._cli import doctor, installed

    monkeypatch.setattr(installed, "extras", lambda: {"plot": [], "xlsx": ["openpyxl"]})
    monkeypatch.setattr(doctor, "_engine", lambda: "works")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    _, out, _ = run(monkeypatch, capsys, "doctor")
    assert "extras: plot\n" in out
    assert re.search(r"extra xlsx +not installed \(openpyxl\): pip install .*xlsx", out)


def test_extras_are_those_of_users():
    from dfactscore._cli.installed import extras

    found = extras()
    assert {"plot", "parquet", "xlsx", "wikipedia"} <= set(found)
    assert not {"test", "dev", "docs"} & set(found)


def test_the_shell_completes(monkeypatch, capsys):
    monkeypatch.setenv("_DFACTSCORE_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "dfactscore sc")
    monkeypatch.setenv("COMP_CWORD", "1")
    script = "from dfactscore._cli.app import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.argv = ['dfactscore']; {script}"],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert "score" in done.stdout.split()


def test_python_m(tmp_path):
    command = [sys.executable, "-m", "dfactscore", "report", str(tmp_path / "none")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr == f"dfactscore: {tmp_path / 'none'}: no such run folder\n"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(24, "Too many open files", "x.jsonl"), "x.jsonl: cannot be used (Too many open"),
        (PermissionError(13, "Permission denied", "x"), "x: cannot be used (Permission denied); "),
        (OSError(28, "No space left on device"), "cannot be used (No space left on device); what"),
    ],
)
def test_a_fault_of_the_system_is_one_line(monkeypatch, capsys, error, said):
    def fail():
        raise error

    monkeypatch.setattr("dfactscore._cli.installed.python_line", fail)
    status, _, err = run(monkeypatch, capsys, "doctor")
    assert status == 2
    assert err.startswith(f"dfactscore: {said}")
    assert err.count("\n") == 1
