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
from loopback import Loopback

from dfactscore.asking.errors import ModelError
from dfactscore.asking.settings import OpenAIModel
from dfactscore.asking.transport import HTTPTransport

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
                body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
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
from dfactscore.asking.client import ChatClient
from dfactscore.asking.settings import OpenAIModel
ChatClient(OpenAIModel("m", base_url="http://127.0.0.1:9/v1"))
print([name for name in ("openai", "httpx") if name in sys.modules])
"""
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
