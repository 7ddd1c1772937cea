"""Made-up labeled data and a model's stub that counts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from counting_server import CountingServer

from dfactscore._cli.app import main


@pytest.fixture
def command(monkeypatch, capsys):
    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["dfactscore", *map(str, arguments)])
        with pytest.raises(SystemExit) as done:
            main()
        out, err = capsys.readouterr()
        return int(done.value.code or 0), out, err

    return run


def record(number: int, **changes: Any) -> dict[str, Any]:
    """A record in FELM's form: the first of three segments is wrong in every second record."""
    wrong = number % 2 == 0
    return {
        "index": str(number),
        "domain": "wk",
        "source": "made",
        "prompt": f"Who built mill {number}?",
        "response": f"Mill {number} was built in {1800 + number}. 2. It stands in Leeds.",
        "segmented_response": [f"Mill {number} was built in {1800 + number}.", "2.",
                               "It stands in Leeds."],
        "labels": [not wrong, True, True],
        "comment": ["", "", ""],
        "type": ["knowledge_error" if wrong else None, None, None],
        "ref": ["https://example.org/mill"],
        "ref_contents": [f"Mill {number} was built in {1800 + number + wrong}. It is in Leeds."]
        if number % 3
        else "",
        **changes,
    }  # fmt: skip


@pytest.fixture
def felm(tmp_path: Path) -> Callable[..., Path]:
    """Writes made-up records in FELM's form."""

    def write(count: int = 12, *more: object, name: str = "wk.jsonl", **changes: Any) -> Path:
        path = tmp_path / name
        lines = [json.dumps(record(number, **changes)) for number in range(count)]
        lines += [one if isinstance(one, str) else json.dumps(one) for one in more]
        path.write_text("\n".join(lines) + "\n" if lines else "", "utf-8")
        return path

    return write


@pytest.fixture
def made() -> Callable[..., dict[str, Any]]:
    return record


@pytest.fixture
def stub() -> Iterator[CountingServer]:
    made = CountingServer()
    yield made
    made.close()


@pytest.fixture
def llm(stub: CountingServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    monkeypatch.setenv("DFACTSCORE_BACKOFF", "0.01")
    return ["--model", "stub", "--base-url", stub.base_url, "--cache", tmp_path / "answers.sqlite",
            "--quiet"]  # fmt: skip
