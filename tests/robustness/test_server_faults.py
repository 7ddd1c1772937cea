"""Servers that break HTTP, JSON or their own format: an honest status, and little memory.

The faults are those of `server_faults.py`, which runs a whole command with each.
"""

from __future__ import annotations

import asyncio
import time
import tracemalloc

import pytest
import server_faults

from dfactscore._asking.cache import AnswerCache
from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import AnswerError, CallError, ModelError, Request
from dfactscore._asking.probe import Capabilities
from dfactscore._asking.replies import read_reply
from dfactscore._asking.settings import OpenAIModel
from dfactscore._asking.transport import Transient

pytest.importorskip("aiohttp", reason="the good answers are those of the stub server")
KEY = "sk-canary0123456789abcdef"
QUESTION = "Page: Ann\n\nAnn was born.\n\nFacts:\n1. Ann was born."
REQUEST = Request("verify", (("user", QUESTION),), "verify@1", 99)


@pytest.fixture(scope="module")
def server():
    found = server_faults.FaultServer()
    yield found
    found.close()


def ask(server, fault, *, base_url="", cache=None, **model):
    """The answer's text, or the error that was raised."""
    server.set(fault)
    settings = {"timeout": 0.5, "retries": 0, "backoff": 0.01, **model}
    client = ChatClient(OpenAIModel("m", base_url=base_url or server.base_url, **settings))
    client.cache = cache
    client._able = Capabilities()

    async def one():
        try:
            return await client.ask(REQUEST, lambda answer: answer.text)
        except (CallError, AnswerError, ModelError) as error:
            return error
        finally:
            await client.aclose()

    return asyncio.run(one())


def was_met(server):
    """Whether the server sent the fault; a busy machine may be late."""
    for _ in range(200):
        if server.faults:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("name", sorted(server_faults.FAULTS))
def test_every_fault_is_an_answer_or_a_reason(server, monkeypatch, name):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    found = ask(server, server_faults.FAULTS[name])
    assert was_met(server)
    if isinstance(found, Exception):
        said = str(found)
        assert said.strip()
        assert len(said.splitlines()) == 1
        assert KEY not in said


def test_there_are_as_many_faults_as_were_tried():
    assert len(server_faults.FAULTS) >= 93


@pytest.mark.parametrize("name", ["gzip bomb of 2.5 GB", "300 MB of blanks"])
def test_what_is_endless_is_not_read(server, name):
    tracemalloc.start()
    found = ask(server, server_faults.FAULTS[name], timeout=20.0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(found, CallError)
    assert "sends more than 4 MiB" in str(found)
    assert peak < 60e6


@pytest.mark.parametrize("name", [name for name in server_faults.FAULTS if "elsewhere" in name])
def test_prompts_go_to_no_other_host(server, name):
    found = ask(server, server_faults.FAULTS[name])
    assert isinstance(found, ModelError)
    assert "leads to another host" in str(found)


def test_a_redirect_on_the_same_host_is_followed(server):
    redirect = server_faults._status("307 Temporary Redirect", Location="/v1/chat/completions")
    turns = []

    def once(body):
        turns.append(1)
        yield from redirect(body) if len(turns) == 1 else [server_faults.http(body)]

    assert isinstance(ask(server, once), str)
    assert len(turns) == 2


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://127.0.0.1:99999/v1", "'http://127.0.0.1:99999/v1' is not an address"),
        ("http://[::1/v1", "'http://[::1/v1' is not an address"),
        ("http://user:password@host:0/v1", "'http://host:0/v1' is not an address"),
    ],
)
def test_an_address_that_cannot_be_one(url, said):
    from dfactscore._errors import InputError

    with pytest.raises(InputError) as caught:
        OpenAIModel("m", base_url=url)
    assert said in str(caught.value)


def test_credentials_in_the_address_are_used_and_not_shown(server, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    url = server.base_url.replace("http://", "http://user:long-password@")
    with pytest.MonkeyPatch.context() as patch:
        seen = []
        read = server._read

        def reading(connection):
            data = connection.recv(65536, 2)  # a look that leaves it there
            seen.append(data)
            return read(connection)

        patch.setattr(server, "_read", reading)
        assert isinstance(ask(server, None, base_url=url), str)
    assert b"basic dxnlcjpsb25nlxbhc3n3b3jk" in seen[0].lower()
    assert KEY.encode() not in seen[0]


def test_a_key_in_the_address_or_the_parameters_is_blotted_out(server, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    url = f"{server.base_url}?api-version=2026&token=another-secret-of-mine"
    more = {"user": KEY, "metadata": {"x": ["another-secret-of-mine"]}}
    model = OpenAIModel("m", base_url=url, parameters=more)
    client = ChatClient(model)
    assert client.settings["parameters"] == {"user": "***", "metadata": {"x": ["***"]}}
    in_path = OpenAIModel("m", base_url=f"http://127.0.0.1/{KEY}/v1")
    assert in_path.endpoint == "http://127.0.0.1/***/v1"
    cache = AnswerCache(tmp_path / "c.sqlite")
    assert isinstance(ask(server, None, base_url=url, cache=cache, parameters=more), str)
    (record,) = cache.records()
    cache.close()
    assert record["request"]["user"] == "***"
    assert not [p for p in tmp_path.iterdir() if b"another-secret" in p.read_bytes()]


@pytest.mark.parametrize(
    "results",
    [
        {"prompt_filter_results": [
            {"prompt_index": 0, "content_filter_results": {"hate": {"filtered": True}}}
        ]},
        {"promptFeedback": {"blockReason": "SAFETY"}},
        {"content_filter_result": {"jailbreak": {"filtered": True, "detected": True}}},
    ],
)  # fmt: skip
def test_a_filtered_prompt_without_choices_is_refused(server, results):
    fault = server_faults._reply(lambda reply: {**reply, "choices": [], **results})
    assert isinstance(ask(server, fault), str)
    assert read_reply({"choices": [], **results}).ending == "refused"


def test_no_choices_without_a_filter_are_a_fault():
    harmless = {
        "prompt_filter_results": [{"content_filter_results": {"hate": {"filtered": False}}}]
    }
    with pytest.raises(Transient, match="no choices"):
        read_reply({"choices": [], **harmless})


@pytest.mark.parametrize(
    "message",
    [
        {"refusal": "I can't help with that.", "content": None},
        {"content": [{"type": "refusal", "refusal": "I can't help with that."}]},
    ],
)
def test_a_refusal_has_a_field_of_its_own(message):
    answer = read_reply({"choices": [{"message": message, "finish_reason": "stop"}]})
    assert (answer.ending, answer.refusal) == ("refused", "I can't help with that.")


@pytest.mark.parametrize("status", ["424 Failed Dependency", "498 Capacity Exceeded", "499 Closed"])
def test_statuses_that_pass(server, status):
    fault = server_faults._status(status, {"error": {"message": "try again"}})
    turns = []

    def once(body):
        turns.append(1)
        yield from fault(body) if len(turns) == 1 else [server_faults.http(body)]

    assert isinstance(ask(server, once, retries=1), str)
    assert len(turns) == 2


def test_a_login_page_stops_the_run_and_is_named(server):
    page = b"\n<!DOCTYPE html><html><head><title>Sign in &amp; go</title></head>secret</html>"
    fault = server_faults._whole(lambda body: server_faults.http(page))
    error = ask(server, fault, retries=2)
    assert isinstance(error, ModelError)
    assert "a web page came ('Sign in & go'), 3 attempts, instead of JSON" in str(error)
    assert "secret" not in str(error)


def test_the_first_retry_after_a_timeout_is_said(server, caplog):
    client_log = caplog.at_level("INFO", logger="dfactscore")
    with client_log, pytest.MonkeyPatch.context() as patch:
        patch.setattr("dfactscore._asking.client._SILENCE", 0.1)
        error = ask(server, server_faults._silence, retries=2, timeout=0.3)
    assert isinstance(error, (CallError, ModelError))
    said = [line for line in caplog.messages if "trying again" in line]
    assert len(said) == 1
    assert said[0].endswith("; --timeout SECONDS changes how long it waits (now 0.3)")
