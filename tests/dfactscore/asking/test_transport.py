"""Where requests go, with which key, and what a refusal means: against a server that notes both."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from loopback import Loopback, sent_json

from dfactscore._asking.messages import CallError, ModelError
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
