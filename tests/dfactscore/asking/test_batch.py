"""The Batch API: stages travel as jobs, and whoever leaves can come back."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import openai
import pytest

from dfactscore.asking.batch import BatchTransport, _parts
from dfactscore.asking.cache import AnswerCache
from dfactscore.asking.errors import ModelError
from dfactscore.asking.session import LLMSession
from dfactscore.asking.settings import GGUFModel, OpenAIModel
from dfactscore.errors import InputError

COMMAND = "from dfactscore.cli.app import main; main()"
FAST = {"batch": True, "batch_poll": 0.05}


def test_stages_are_jobs_and_the_scores_are_the_same(job, stub, contents) -> None:
    clean = job("clean")
    stub.set()
    batched = job("batched", **FAST)
    stats = stub.stats()
    # One job of decompositions, one of groupings and verifications.
    assert stats["batches"] == 2
    assert stats["repeated"] == 0
    assert (batched / "scores.csv").read_bytes() == (clean / "scores.csv").read_bytes()


def test_faults_in_a_job_go_into_the_next_one(job, stub) -> None:
    clean = job("clean")
    stub.set(rate=0.3, kinds=["500", "broken", "count"])
    batched = job("batched", **FAST)
    assert sum(stub.stats()["faults"].values()) > 5
    assert (batched / "scores.csv").read_bytes() == (clean / "scores.csv").read_bytes()


def test_answers_are_shared_with_single_requests(job, stub, tmp_path: Path) -> None:
    job("one", cache=tmp_path / "shared.sqlite")
    stub.set()
    job("two", cache=tmp_path / "shared.sqlite", **FAST)
    assert stub.stats()["batches"] == 0


@pytest.mark.slow
def test_leaving_and_coming_back_pays_once(stub, biographies: Path, tmp_path: Path) -> None:
    stub.set(batch_delay=3.0)
    config = tmp_path / "job.yaml"
    config.write_text(
        f"input: {biographies}\nout: {tmp_path / 'run'}\nengine: llm\nmodel: stub-a\n"
        f"base_url: {stub.base_url}\ncache: {tmp_path / 'c.sqlite'}\nbatch: true\n"
        "batch_poll: 0.1\n"
    )
    command = [sys.executable, "-c", COMMAND, "score", "--config", str(config)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    limit = time.monotonic() + 60
    while stub.stats()["batches"] == 0:
        assert time.monotonic() < limit
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGKILL)
    process.wait()
    stub_before = stub.stats()
    assert stub_before["batches"] == 1
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "already running, 12 of its answers are used" in done.stderr
    stats = stub.stats()
    assert stats["batches"] == 2
    assert stats["repeated"] == 0


def test_an_endpoint_without_batches_is_named(tmp_path: Path, stub) -> None:
    model = OpenAIModel("m", base_url=stub.base_url.replace("/v1", "/v2"))

    async def run() -> None:
        transport = BatchTransport(model, poll=0.01, say=lambda line: None)
        try:
            await transport.send({"model": "m", "messages": []})
        finally:
            await transport.aclose()

    with pytest.raises(ModelError, match="404"):
        asyncio.run(run())


def test_a_job_that_fails_says_why(stub) -> None:
    class State:
        id = "b1"
        status = "failed"
        output_file_id = error_file_id = None
        errors = None

    transport = BatchTransport(
        OpenAIModel("m", base_url=stub.base_url), poll=0.01, say=lambda line: None
    )

    async def run() -> None:
        async def retrieve(job):
            return State()

        transport.http.package().batches.retrieve = retrieve  # type: ignore[method-assign]
        try:
            await transport.send({"model": "m", "messages": []})
        finally:
            await transport.aclose()

    with pytest.raises(ModelError, match=r"batch job batch-\d+ failed: no reason given"):
        asyncio.run(run())


def test_jobs_are_cut_to_the_providers_limit() -> None:
    parts = _parts({str(i): {"x": i} for i in range(100_001)})
    assert [len(part) for part in parts] == [50_000, 50_000, 1]
    assert _parts({}) == []


def test_a_local_file_has_no_batches(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(b"GGUF")
    session = LLMSession(cache=False, batch=True)
    with pytest.raises(InputError, match="--batch needs an endpoint"):
        session.client(GGUFModel(path))


def test_jobs_are_noted_in_the_cache(tmp_path: Path, stub) -> None:
    cache = AnswerCache(tmp_path / "c.sqlite")
    transport = BatchTransport(OpenAIModel("m", base_url=stub.base_url), cache=cache)
    transport._note("j1", ["a", "b"])
    transport._note("j2", ["c"])
    assert transport._noted() == {"j1": {"a", "b"}, "j2": {"c"}}
    transport._note("j1", None)
    other = BatchTransport(OpenAIModel("n", base_url=stub.base_url), cache=cache)
    other._note("j3", ["d"])
    assert transport._noted() == {"j2": {"c"}, "j3": {"d"}}


def noted(tmp_path: Path, stub) -> dict[str, set[str]]:
    cache = AnswerCache(tmp_path / "c.sqlite")
    try:
        return BatchTransport(OpenAIModel("m", base_url=stub.base_url), cache=cache)._noted()
    finally:
        cache.close()


def test_an_expired_job_is_sent_again_for_what_it_left(job, stub, tmp_path: Path) -> None:
    clean = job("clean")
    stub.set(batch_ends=["expired"])
    batched = job("batched", cache=tmp_path / "c.sqlite", **FAST)
    stats = stub.stats()
    assert stats["batches"] == 3
    assert stats["repeated"] == 0  # Nothing that was answered is asked twice.
    assert (batched / "scores.csv").read_bytes() == (clean / "scores.csv").read_bytes()
    assert noted(tmp_path, stub) == {}


def test_a_cancelled_job_stops_the_run_and_keeps_its_answers(job, stub, tmp_path: Path) -> None:
    stub.set(batch_ends=["cancelled"])
    with pytest.raises(ModelError, match=r"was cancelled with 6 requests unanswered; run the same"):
        job("run", cache=tmp_path / "c.sqlite", **FAST)
    job("run", cache=tmp_path / "c.sqlite", **FAST)
    stats = stub.stats()
    assert stats["by_stage"]["decompose"] == 12
    assert stats["repeated"] == 0


def leave(job, stub, tmp_path: Path) -> None:
    """Starts a run in another process and kills it when its first job is under way."""
    stub.set(batch_delay=1.0)
    bios = tmp_path / "bios.json"
    command = [sys.executable, "-c", COMMAND, "score", str(bios), "--engine", "llm", "--batch",
               "--model", "stub-a", "--base-url", stub.base_url, "--quiet",
               "--out", str(tmp_path / "run"), "--cache", str(tmp_path / "c.sqlite")]  # fmt: skip
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    limit = time.monotonic() + 60
    while not (stub.stats()["batches"] and noted(tmp_path, stub)):
        assert time.monotonic() < limit
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.mark.slow
def test_a_job_that_is_gone_is_sent_again(job, stub, tmp_path: Path, capsys) -> None:
    leave(job, stub, tmp_path)
    cache = AnswerCache(tmp_path / "c.sqlite")
    endpoint = f"batch:{stub.base_url}:"
    ((name, names),) = cache.notes(endpoint).items()
    cache.set_note(endpoint + name, None)
    cache.set_note(endpoint + "batch-404", names)
    cache.close()
    job("run", cache=tmp_path / "c.sqlite", **FAST)
    assert "batch-404 no longer exists; its requests are sent again" in capsys.readouterr().err
    assert noted(tmp_path, stub) == {}


@pytest.mark.slow
def test_requests_that_come_late_find_their_job(job, stub, tmp_path: Path, monkeypatch) -> None:
    leave(job, stub, tmp_path)
    from dfactscore.asking import batch

    send = batch.BatchTransport.send
    count = [0]

    async def late(self, body):
        count[0] += 1
        if count[0] <= 12:
            await asyncio.sleep(0.2 * count[0])  # Longer than the quiet after which a job is sent.
        return await send(self, body)

    monkeypatch.setattr(batch.BatchTransport, "send", late)
    job("run", cache=tmp_path / "c.sqlite", **FAST)
    assert stub.stats()["by_stage"]["decompose"] == 12
    assert stub.stats()["repeated"] == 0


def test_a_key_that_dies_while_a_job_is_watched_stops_at_once(stub) -> None:
    transport = BatchTransport(OpenAIModel("m", base_url=stub.base_url), poll=60, say=str)

    async def run() -> None:
        async def retrieve(job):
            stub_error = httpx.Response(401, request=httpx.Request("GET", stub.base_url))
            raise openai.AuthenticationError("no", response=stub_error, body=None)

        transport.http.package().batches.retrieve = retrieve  # type: ignore[method-assign]
        try:
            await asyncio.wait_for(transport.send({"model": "m", "messages": []}), 20)
        finally:
            await transport.aclose()

    with pytest.raises(ModelError, match="is not accepted"):
        asyncio.run(run())
