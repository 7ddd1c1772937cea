"""Made-up labeled data, a cache folder of the test's own, and a model's stub that counts."""

from __future__ import annotations

import json
import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from dfactscore.cli.app import main


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("DFACTSCORE_CACHE", raising=False)
    return tmp_path / "cache"


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


class Stub:
    """A chat endpoint that answers by a function and counts what it is asked."""

    def __init__(self) -> None:
        self.calls = 0
        self.prompts: Counter[str] = Counter()
        self.faults = 0.0
        self.finish = "stop"
        self.forms = True
        self.answer: Callable[[str], str] = lambda prompt: "ALL_CORRECT"
        self._random = random.Random(0)
        self._lock = threading.Lock()
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                status, body = stub.respond(json.loads(self.rfile.read(length)))
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/v1"

    def respond(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        prompt = "\n".join(message["content"] for message in body["messages"])
        if "response_format" in body and not self.forms:
            return 400, {"error": {"message": "response_format is not supported"}}
        if "This checks the form" in prompt:
            return 200, self.completion('{"1": true, "2": false}')
        with self._lock:
            if self._random.random() < self.faults:
                return 500, {"error": {"message": "busy"}}
            self.calls += 1
            self.prompts[prompt] += 1
        return 200, self.completion(self.answer(prompt), self.finish)

    @staticmethod
    def completion(text: str, finish: str = "stop") -> dict[str, Any]:
        message = {"role": "assistant", "content": text}
        usage = {"prompt_tokens": 100, "completion_tokens": 5}
        return {"choices": [{"message": message, "finish_reason": finish}], "usage": usage}


@pytest.fixture
def stub() -> Iterator[Stub]:
    made = Stub()
    yield made
    made.server.shutdown()
    made.server.server_close()


@pytest.fixture
def llm(stub: Stub, tmp_path: Path) -> list[object]:
    return ["--model", "stub", "--base-url", stub.base_url, "--cache", tmp_path / "answers.sqlite",
            "--backoff", "0.01", "--quiet"]  # fmt: skip
