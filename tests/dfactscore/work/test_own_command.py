"""The command of `docs/extending.md`: it estimates, resumes, asks again and refuses other input."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from counting_server import CountingServer
from typer.testing import CliRunner

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture
def app(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    yield __import__("own_command").app
    sys.modules.pop("own_command", None)


@pytest.fixture
def server():
    found = CountingServer()
    found.answer = lambda prompt: json.dumps({"neutral": "great" not in prompt})
    yield found
    found.close()


def test_a_command_of_ones_own(app, server, tmp_path):
    assert len((EXAMPLES / "own_command.py").read_text().splitlines()) <= 120
    texts, out = tmp_path / "texts.jsonl", tmp_path / "judged"
    rows = [{"name": f"Ann {n}", "output": f"Ann {n} was great." * (n % 2) or "Ann swam."}
            for n in range(4)]  # fmt: skip
    texts.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def run(*words):
        line = [texts, "--model", "m", "--base-url", server.base_url, "--no-cache", *words]
        return CliRunner().invoke(app, [*map(str, line), "-q"])

    found = run("--dry-run", "--format", "json")
    assert json.loads(found.stdout)[-1]["calls"] == 4  # with the probe; equal texts once
    assert not server.calls
    assert run("--limit", 2, "--out", out).exit_code == 0
    asked = server.calls
    found = run("--out", out, "--format", "json")
    assert [*json.loads(found.stdout).values()] == [True, False, True, False]
    assert server.calls - asked <= 3
    assert json.loads((out / "manifest.json").read_text())["status"] == "complete"
    assert [row.split()[-1] for row in run("--out", out).stdout.splitlines()[1:]] == [
        "yes", "no", "yes", "no",
    ]  # fmt: skip
    server.answer = lambda prompt: "perhaps"
    texts.write_text(texts.read_text().replace("swam", "ran"))
    assert "holds another run" in str(run("--out", out).exception)
    assert run("--out", tmp_path / "new").exit_code == 1
    assert "give --model NAME" in str(CliRunner().invoke(app, [str(texts)]).exception)
