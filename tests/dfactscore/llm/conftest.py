"""The stub server as a process of its own, and shorthand around it."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent


class StubHandle:
    """A running stub: its address, its counts and its settings."""

    def __init__(self, port: int) -> None:
        self.root = f"http://127.0.0.1:{port}"
        self.base_url = f"{self.root}/v1"

    def stats(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.root}/_stats") as reply:
            return json.load(reply)

    def set(self, **settings: Any) -> None:
        data = json.dumps({"reset": True, **settings}).encode()
        request = urllib.request.Request(f"{self.root}/_control", data=data, method="POST")
        urllib.request.urlopen(request).read()


@pytest.fixture(scope="session")
def stub_process() -> Iterator[StubHandle]:
    pytest.importorskip("aiohttp", reason="the stub server needs aiohttp")
    command = [sys.executable, str(HERE / "stub_server.py")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield StubHandle(int(process.stdout.readline()))
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def stub(stub_process: StubHandle) -> StubHandle:
    stub_process.set()
    return stub_process
