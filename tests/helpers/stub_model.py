"""The stub server in a separate process, with helper functions."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
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
        """Changes settings and resets all counts."""
        self.change(reset=True, **settings)

    def change(self, **settings: Any) -> None:
        """Changes settings and keeps the counts."""
        data = json.dumps(settings).encode()
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


_PLACES = ("Aberdeen", "Bergen", "Cordoba", "Dresden", "Evora", "Florence", "Gdansk", "Halifax")
_WORK = ("botanist", "sculptor", "goalkeeper", "judge", "composer", "admiral", "baker", "surgeon")


def made_up(count: int) -> dict[str, Any]:
    """Makes biographies in ALCE's form, each of two namesakes, with passages of two pages."""
    items = []
    for n in range(count):
        name = f"Robin {'ABCDEFGHIJKLMNOP'[n % 16]}.{n} Vale"
        place, other = _PLACES[n % 8], _PLACES[(n * 3 + 1) % 8]
        work, second = _WORK[n % 8], _WORK[(n * 5 + 2) % 8]
        output = (
            f"{name} ({1900 + n}-{1970 + n}) was a {work} born in {place} [1]. He later moved to "
            f"{other}, where he taught {n + 3} pupils [2]. Another {name} is a {second} who won "
            f"the medal of {other} in {1980 + n} [3]."
        )
        docs = [
            (f"{name} ({work})", f"{name} was a {work} born in {place} in {1900 + n}."),
            (f"{name} ({work})", f"He moved to {other} and taught {n + 3} pupils there."),
            (f"{name} ({second})", f"{name} is a {second}. The medal of {other} went to Robin."),
        ]
        items.append(
            {
                "question": f"Tell me a bio of {name}",
                "output": output,
                "docs": [{"title": t, "text": x} for t, x in docs],
            }
        )
    return {"data": items}


@pytest.fixture
def biographies(tmp_path: Path) -> Path:
    """A file with twelve made-up biographies."""
    path = tmp_path / "bios.json"
    path.write_text(json.dumps(made_up(12)), "utf-8")
    return path


@pytest.fixture
def job(stub: StubHandle, biographies: Path, tmp_path: Path) -> Callable[..., Path]:
    """Scores the biographies with the stub into a folder and returns the folder."""

    def score(out: str = "run", *, fails: bool = False, **settings: Any) -> Path:
        from dfactscore._cli.output import logs_shown
        from dfactscore._cli.score import run_job
        from dfactscore._jobs.settings import Config
        from dfactscore._util.settings import load

        flags = {
            "input": biographies,
            "out": tmp_path / out,
            "engine": "llm",
            "model": "stub-a",
            "base_url": stub.base_url,
            "cache": tmp_path / f"{out}.sqlite",
            "backoff": 0.02,
            "timeout": 5.0,
            **settings,
        }
        with logs_shown():
            failed = run_job(load(Config, flags, None, {}), form="json", quiet=True)
        assert failed is fails
        return tmp_path / out

    return score


@pytest.fixture
def write_biographies(tmp_path: Path) -> Callable[[int], Path]:
    """Writes a number of made-up biographies to a file."""

    def write(count: int) -> Path:
        path = tmp_path / f"bios-{count}.json"
        path.write_text(json.dumps(made_up(count)), "utf-8")
        return path

    return write


@pytest.fixture
def contents() -> Callable[[Path], dict[str, bytes]]:
    """Returns the bytes of a run, without parts that depend on its history."""

    def read(folder: Path) -> dict[str, bytes]:
        files = {p.name: p.read_bytes() for p in sorted(folder.iterdir())}
        files.pop("timing.json", None)
        manifest = json.loads(files["manifest.json"])
        manifest.pop("total", None)  # counts all sessions; a killed session made additional calls
        return {**files, "manifest.json": json.dumps(manifest).encode()}

    return read
