"""Where requests go, with which key, and what a refusal means: against a server that notes both."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from loopback import Loopback, sent_json

from dfactscore._asking.messages import CallError, ModelError, as_chat_reply, joined_stream
from dfactscore._asking.refusals import connection_hint
from dfactscore._asking.replies import read_reply
from dfactscore._asking.settings import OpenAIModel
from dfactscore._asking.transport import HTTPTransport, Rejected, Transient
from dfactscore._errors import InputError

GOOD = {"choices": [{"message": {"content": "True"}, "finish_reason": "stop"}]}
KEY = "sk-canary0123456789abcdef"


class Noting:
    """A server that notes where requests go and with which headers.

    Attributes:
        answer: Makes status and body of a request's body.
        seen: Path, headers and body of each request.
    """

    def __init__(self) -> None:
        self.answer = lambda body: (200, GOOD)
        self.seen: list[tuple[str, dict[str, str], Any]] = []
        noting = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = sent_json(self)
                headers = {name.lower(): value for name, value in self.headers.items()}
                noting.seen.append((self.path, headers, body))
                status, said = noting.answer(body)
                data = json.dumps(said).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self.server = Loopback(Handler)
        self.url = self.server.url


@pytest.fixture
def server(monkeypatch) -> Iterator[Noting]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    found = Noting()
    yield found
    found.server.close()


def send(url: str, **more) -> Any:
    transport = HTTPTransport(OpenAIModel("m", base_url=url, **more))

    async def one():
        try:
            return await transport.send({"model": "m", "messages": []})
        finally:
            await transport.aclose()

    return asyncio.run(one())


@pytest.mark.parametrize(
    ("place", "path"),
    [
        ("/v1", "/v1/chat/completions"),
        ("/v1/", "/v1/chat/completions"),
        ("/api/v1?route=a%20b", "/api/v1/chat/completions?route=a+b"),
        ("", "/chat/completions"),
    ],
)
def test_an_endpoint_gets_the_key_as_a_bearer(server, place, path) -> None:
    assert send(server.url + place) == GOOD
    (where, headers, _), *more = server.seen
    assert (where, more) == (path, [])
    assert headers["authorization"] == f"Bearer {KEY}"
    assert "api-key" not in headers
    assert headers["user-agent"].startswith("dfactscore/")


@pytest.mark.parametrize(
    ("place", "path"),
    [
        ("/openai/deployments/d", "/openai/deployments/d/chat/completions"),
        ("/openai/deployments/d/", "/openai/deployments/d/chat/completions"),
        ("/openai", "/openai/deployments/m/chat/completions"),
        ("", "/openai/deployments/m/chat/completions"),
        ("/", "/openai/deployments/m/chat/completions"),
        ("/models", "/models/chat/completions"),
        ("/openai/deployments/d/chat/completions", "/openai/deployments/d/chat/completions"),
    ],
)
def test_azure_gets_the_key_in_its_own_header(server, place, path) -> None:
    assert send(f"{server.url}{place}?api-version=2024-10-21") == GOOD
    (where, headers, _), *more = server.seen
    assert (where, more) == (f"{path}?api-version=2024-10-21", [])
    assert headers["api-key"] == KEY


def test_headers_come_from_the_environment(server, monkeypatch) -> None:
    monkeypatch.setenv("TEAM", "canary-of-a-team")
    monkeypatch.setenv("BEARER", "Token canary-of-another")
    send(server.url, headers={"X-Team": "TEAM", "authorization": "BEARER"})
    (_, headers, _), *_ = server.seen
    assert headers["x-team"] == "canary-of-a-team"
    assert headers["authorization"] == "Token canary-of-another"
    monkeypatch.delenv("TEAM")
    with pytest.raises(InputError, match="header X-Team"):
        send(server.url, headers={"X-Team": "TEAM"})


def test_the_version_of_azures_interface_is_no_secret(server) -> None:
    """A biography may hold the same day."""
    model = OpenAIModel("m", base_url=f"{server.url}/openai?api-version=2024-10-21")
    assert model.without_secrets("born on 2024-10-21") == "born on 2024-10-21"


def test_an_account_that_cannot_be_one_is_named(server, monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-ä")
    with pytest.raises(ModelError, match="OPENAI_ORG_ID holds letters that no account has"):
        send(server.url)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    send(server.url)
    assert server.seen[0][1]["openai-organization"] == "org-1"


def test_the_package_is_loaded_by_the_first_request_only() -> None:
    code = """
import sys
import dfactscore
from dfactscore._asking.client import ChatClient
from dfactscore._asking.settings import OpenAIModel
ChatClient(OpenAIModel("m", base_url="http://127.0.0.1:9/v1"))
print([name for name in ("openai", "httpx") if name in sys.modules])
"""
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def refuse(status: int, message: str, **more):
    return lambda body: (status, {"error": {"message": message, **more}})


def fault(server, status, message, *, worked=False, **more) -> Exception:
    """Returns the error of a refused request with all fields, before or after a good answer."""
    transport = HTTPTransport(OpenAIModel("m", base_url=f"{server.url}/v1"))
    body = {"model": "m", "messages": [], "temperature": 0, "logprobs": True, "max_tokens": 9}
    body |= {"response_format": {"type": "json_object"}, "top_k": 3}

    async def work():
        if worked:
            await transport.send(body)
        server.answer = refuse(status, message, **more)
        try:
            await transport.send(body)
        except (ModelError, CallError, Transient) as error:
            return error
        finally:
            await transport.aclose()

    found = asyncio.run(work())
    assert found is not None
    assert len(str(found).splitlines()) == 1
    return found


@pytest.mark.parametrize("status", [400, 403, 404, 422])
@pytest.mark.parametrize(
    "message",
    [
        "You are not allowed to request logprobs from this model",
        "Log probabilities are not available for your tier",
        "This model does not support 'temperature' values other than 1",
        "response_format is not permitted",
        "Structured outputs are not available for this deployment",
        "No endpoints found that can handle the requested parameters.",
        "top_k is not allowed here",
    ],
)
def test_a_field_that_is_refused_is_not_the_key(server, status, message) -> None:
    found = fault(server, status, message)
    assert isinstance(found, Rejected)
    assert not found.policy
    assert message[:20] in found.reason


@pytest.mark.parametrize("worked", [False, True])
@pytest.mark.parametrize(
    ("status", "message", "more"),
    [
        (403, "Your input was flagged by moderation", {}),
        (403, "The request violates our usage policies", {}),
        (400, "The prompt triggered the content management policy", {}),
        (400, "no", {"code": "content_filter"}),
        (400, "no", {"code": "content_policy_violation"}),
        (451, "blocked by the content filter", {}),
    ],
)
def test_what_is_declined_is_declined_for_one_request(server, status, message, more, worked):
    found = fault(server, status, message, worked=worked, **more)
    assert isinstance(found, Rejected)
    assert found.policy


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (401, "Incorrect API key provided"),
        (403, "Forbidden"),
        (403, "Your account is suspended for violating our usage policies"),
        (403, "Project has no access to model"),
        (403, ""),
        (400, "API key not valid. Please pass a valid API key."),
        (400, "Missing or invalid Authorization header."),
        (400, "Incorrect API key provided: xa***. You can obtain one at the console."),
        (400, "The API key is invalid"),
        (400, "No API key provided"),
    ],
)
def test_the_rest_is_the_key(server, status, message) -> None:
    found = fault(server, status, message)
    assert isinstance(found, ModelError)
    assert "the key in OPENAI_API_KEY is not accepted" in str(found)


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (400, "m is not a valid model ID"),
        (400, "Model Not Exist"),
        (400, "Invalid model: m"),
        (400, "The provided model identifier is invalid."),
        (400, "Unknown model m"),
        (422, "model 'm' was not found"),
        (404, "models/m is not found for API version v1main"),
        (404, ""),
        (405, "Method Not Allowed"),
        (200, "Unexpected endpoint or method. (POST /chat/completions)"),
    ],
)
def test_a_model_or_an_address_that_is_not_there_is_named(server, status, message) -> None:
    found = fault(server, status, message)
    assert isinstance(found, ModelError)
    assert "no model 'm' there, or a wrong address" in str(found)


@pytest.mark.parametrize(
    "message",
    [
        "Invalid model output: no JSON was made",
        "This model does not accept images",
        "messages must not be empty",
        "The tool that the model calls was not found",
    ],
)
def test_what_is_about_one_request_stops_only_that(server, message) -> None:
    assert isinstance(fault(server, 400, message), Rejected)


def test_a_missing_key_is_not_called_wrong(server, monkeypatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    found = fault(server, 401, "Unauthorized")
    assert isinstance(found, ModelError)
    assert "it wants a key, and none is set (Unauthorized); set OPENAI_API_KEY" in str(found)


def test_a_key_that_has_worked_is_not_called_wrong(server) -> None:
    found = fault(server, 403, "Forbidden", worked=True)
    assert isinstance(found, CallError)
    assert found.passing
    assert "though the key was accepted before (Forbidden)" in str(found)
    server.answer = lambda body: (200, GOOD)
    found = fault(server, 401, "token expired", worked=True)
    assert isinstance(found, ModelError)
    assert "the key in OPENAI_API_KEY is no longer accepted (token expired)" in str(found)


def test_an_error_in_a_list_is_read(server) -> None:
    transport = HTTPTransport(OpenAIModel("m", base_url=f"{server.url}/v1"))
    server.answer = lambda body: (429, [{"error": {"code": 429, "message": "Quota is spent"}}])
    with pytest.raises(Transient, match=r"answered 429 \(Quota is spent\)"):
        asyncio.run(transport.send({"messages": []}))


def test_the_answer_of_a_gateway_that_always_streams_is_joined() -> None:
    parts = ['{"1": ', "tru", "e}"]
    events = [{"model": "g", "choices": [{"delta": {"role": "assistant", "content": ""}}]}]
    events += [{"choices": [{"delta": {"content": part}}]} for part in parts]
    events += [{"choices": [{"delta": {}, "finish_reason": "stop"}]}]
    events += [{"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 5}}]
    stream = ": ping\n" + "".join(f"data: {json.dumps(event)}\n\n" for event in events)
    found = read_reply(joined_stream(stream + "data: [DONE]\n\n"))
    assert (found.text, found.ending, found.model) == ('{"1": true}', "ended", "g")
    assert (found.prompt_tokens, found.completion_tokens) == (9, 5)
    assert read_reply(joined_stream(stream.partition(" 9")[0])).text == '{"1": true}'
    assert joined_stream("data: <html>") is None
    assert joined_stream("<html>data: {}</html>") is None


ONLY = "This model is only supported in v1/responses and not in v1/chat/completions."


def responds(body):
    if "messages" in body:
        return 404, {"error": {"message": ONLY, "type": "invalid_request_error", "param": "model"}}
    message = {"type": "message", "content": [{"type": "output_text", "text": '{"1": true}'}]}
    usage = {"input_tokens": 30, "output_tokens": 40,
             "output_tokens_details": {"reasoning_tokens": 32}}  # fmt: skip
    output = [{"type": "reasoning", "summary": []}, message]
    return 200, {"model": "o", "status": "completed", "output": output, "usage": usage}


def test_a_model_of_responses_only_is_asked_there(server) -> None:
    server.answer = responds
    transport = HTTPTransport(OpenAIModel("o", base_url=f"{server.url}/v1"))
    form = {"type": "json_schema", "json_schema": {"name": "verify", "strict": True, "schema": {}}}
    body = {"model": "o", "messages": [{"role": "user", "content": "?"}], "max_tokens": 9,
            "response_format": form, "reasoning_effort": "low", "seed": 1}  # fmt: skip

    async def twice():
        replies = [await transport.send(body), await transport.send(body)]
        await transport.aclose()
        return [read_reply(reply) for reply in replies]

    first, second = asyncio.run(twice())
    assert first == second
    assert (first.text, first.ending, first.thought) == ('{"1": true}', "ended", True)
    assert (first.prompt_tokens, first.completion_tokens) == (30, 40)
    assert [path for path, _, _ in server.seen] == [
        "/v1/chat/completions", "/v1/responses", "/v1/responses",
    ]  # fmt: skip
    assert server.seen[-1][2] == {
        "model": "o", "input": body["messages"], "max_output_tokens": 16, "store": False,
        "text": {"format": {"type": "json_schema", **form["json_schema"]}},
        "reasoning": {"effort": "low"},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("more", "ending"),
    [
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "cut"),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}, "refused"),
        ({"status": "failed", "error": {"message": "overloaded"}}, "faulty"),
    ],
)
def test_endings_of_responses_are_read(server, more, ending) -> None:
    answer = read_reply(as_chat_reply({"output": [], "status": "completed", **more}))
    assert answer.ending == ending or (answer.fault and ending == "faulty")


def test_azure_gets_its_header_at_its_v1_address_too(monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    async def headers(url):
        return HTTPTransport(OpenAIModel("m", base_url=url))._client().default_headers

    azure = asyncio.run(headers("https://name.openai.azure.com/openai/v1"))
    assert azure["api-key"] == KEY
    assert "api-key" not in asyncio.run(headers("https://azure.com.example/v1"))


def test_a_port_with_tls_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def alert():
            with suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    connection.recv(4096)
                    connection.sendall(b"\x15\x03\x03\x00\x02\x02\x46")
                    connection.close()

        threading.Thread(target=alert, daemon=True).start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        with pytest.raises(Transient) as found:
            send(url)
    assert found.value.unreachable
    assert connection_hint(found.value.reason, url) == " (try https://)"


def test_a_plain_request_to_a_port_with_tls_is_named(server) -> None:
    for message in ("Client sent an HTTP request to an HTTPS server.",
                    "The plain HTTP request was sent to HTTPS port"):  # fmt: skip
        found = fault(server, 400, message)
        assert isinstance(found, ModelError)
        assert "try https://" in str(found)


def test_proxies_and_certificates_are_named(monkeypatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://me:secret@proxy.example:3128")
    monkeypatch.delenv("NO_PROXY", raising=False)
    hint = connection_hint("ConnectError: no", "https://models.example/v1")
    assert hint == (
        "; requests go through the proxy http://proxy.example:3128, unless "
        "NO_PROXY=models.example is set"
    )
    monkeypatch.setenv("NO_PROXY", "models.example")
    assert not connection_hint("ConnectError: no", "https://models.example/v1")
    reason = "ConnectError: [SSL: CERTIFICATE_VERIFY_FAILED] unable to get local issuer"
    assert "SSL_CERT_FILE=FILE" in connection_hint(reason, "https://models.example/v1")
