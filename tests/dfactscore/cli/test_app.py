from __future__ import annotations

import subprocess
import sys

import pytest

from dfactscore import __version__
from dfactscore.cli.app import main


def test_version(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["dfactscore", "--version"])
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code
    assert capsys.readouterr().out == f"dfactscore {__version__}\n"


def test_python_m(tmp_path):
    command = [sys.executable, "-m", "dfactscore", "report", str(tmp_path / "none")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert done.stderr == f"dfactscore: {tmp_path / 'none'}: no such run folder\n"
