"""Endpoints with the refusals of five providers; the stub model answers accepted requests."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from loopback import Loopback
from stub_server import Settings, Stub, base_prompt, stage_of

KEY = "sk-canary-0123456789abcdef"
Refusal = tuple[int, Any]


def _error(status: int, message: str, **more: Any) -> Refusal:
    return status, {"error": {"message": message, **more}}


@dataclass(frozen=True)
class Provider:
    """Address and messages of a provider.

    Attributes:
        path: Path of the endpoint.
        models: The models of the provider.
        no_key, wrong_key: Refusals of the key; None if no key is needed.
        no_model: Message about an unknown model.
        no_path: Message about an unknown path.
        header: Header of the key.
        open_list: Whether the list of models needs no key.
        query: Query at the end of the address.
    """

    path: str
    models: tuple[str, ...]
    no_key: Refusal | None
    wrong_key: Refusal | None
    no_model: Callable[[str], Refusal]
    no_path: Refusal
    header: str = "Authorization"
    open_list: bool = False
    query: str = ""


_AZURE = "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide"
PROVIDERS = {
    "OpenAI": Provider(
        "/v1",
        ("gpt-4.1", "gpt-4.1-mini", "o4-mini"),
        _error(401, "You didn't provide an API key. You need to provide it in an Authorization "
               "header.", type="invalid_request_error", param=None, code=None),
        _error(401, "Incorrect API key provided: sk-wrong*****9999. You can find your API key at "
               "the site.", type="invalid_request_error", param=None, code="invalid_api_key"),
        lambda m: _error(404, f"The model `{m}` does not exist or you do not have access to it.",
                         type="invalid_request_error", param=None, code="model_not_found"),
        _error(404, "Invalid URL (POST /chat/completions)", type="invalid_request_error"),
    ),
    "Azure OpenAI": Provider(
        "/openai/deployments",
        ("judge-4-1",),
        _error(401, f"{_AZURE} a valid key.", code="401"),
        _error(401, f"{_AZURE} a valid key.", code="401"),
        lambda m: _error(404, "The API deployment for this resource does not exist. If you created "
                         "it within the last 5 minutes, please wait.", code="DeploymentNotFound"),
        _error(404, "Resource not found", code="404"),
        header="api-key",
        query="?api-version=2024-10-21",
    ),
    "vLLM": Provider(
        "/v1",
        ("Qwen/Qwen3-8B",),
        (401, {"error": "Unauthorized"}),
        (401, {"error": "Unauthorized"}),
        lambda m: (404, {"object": "error", "message": f"The model `{m}` does not exist.",
                         "type": "NotFoundError", "param": None, "code": 404}),
        (404, {"detail": "Not Found"}),
    ),
    "Ollama": Provider(
        "/v1",
        ("llama3.2:3b", "qwen3:8b"),
        None,
        None,
        lambda m: _error(404, f'model "{m}" not found, try pulling it first', type="api_error"),
        (404, "404 page not found"),
    ),
    "OpenRouter": Provider(
        "/api/v1",
        ("meta-llama/llama-3.1-8b-instruct", "qwen/qwen3-8b"),
        _error(401, "No auth credentials found", code=401),
        _error(401, "User not found.", code=401),
        lambda m: (400, {"error": {"message": f"{m} is not a valid model ID", "code": 400},
                         "user_id": "user_1"}),
        (404, "<!DOCTYPE html><html><title>Not Found</title></html>"),
        open_list=True,
    ),
}  # fmt: skip


@dataclass
class Worded:
    """A running provider.

    Attributes:
        provider: The provider.
        answered: The number of answered requests to a model.
        asked: All other requests, by path and status.
    """

    provider: Provider
    answered: int = 0
    asked: list[tuple[str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        stub, worded, lock = Stub(Settings()), self, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                worded._list(self)

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
                refused = worded._refused(self, body["model"])
                if refused is not None:
                    worded._send(self, *refused)
                    return
                user, system = base_prompt(body["messages"])
                with lock:
                    worded.answered += 1
                    reply = stub.reply(body, stage_of(user, system), user, "")
                worded._send(self, 200, reply)

            def log_message(self, *_: object) -> None:
                pass

        self.server = Loopback(Handler)
        self.root = self.server.url

    @property
    def url(self) -> str:
        """The correct address."""
        azure = self.provider.header == "api-key"
        return f"{self.root}{'' if azure else self.provider.path}/{self.provider.query}"

    def _key_refused(self, request: BaseHTTPRequestHandler) -> Refusal | None:
        key = request.headers.get(self.provider.header, "").removeprefix("Bearer ")
        if self.provider.no_key is None or key == KEY:
            return None
        return self.provider.no_key if key in ("", "none") else self.provider.wrong_key

    def _refused(self, request: BaseHTTPRequestHandler, model: str) -> Refusal | None:
        path, _, query = request.path.partition("?")
        place = self.provider.path
        if self.provider.header == "api-key":
            found = re.fullmatch(rf"{place}/([^/]+)/chat/completions", path)
            there, model = found is not None and query != "", found[1] if found else ""
        else:
            there = path == f"{place}/chat/completions"
        if not there:
            return self.provider.no_path
        refused = self._key_refused(request)
        if refused is None and model not in self.provider.models:
            refused = self.provider.no_model(model)
        return refused

    def _list(self, request: BaseHTTPRequestHandler) -> None:
        refused = None if self.provider.open_list else self._key_refused(request)
        if request.path != f"{self.provider.path}/models":
            refused = self.provider.no_path
        data = [{"id": name, "object": "model"} for name in self.provider.models]
        self._send(request, *(refused or (200, {"object": "list", "data": data})))

    def _send(self, request: BaseHTTPRequestHandler, status: int, said: Any) -> None:
        if status != 200:
            self.asked.append((request.path, status))
        data = (said if isinstance(said, str) else json.dumps(said)).encode()
        request.send_response(status)
        request.send_header("Content-Type", "text/plain" if isinstance(said, str) else
                            "application/json")  # fmt: skip
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)

    def close(self) -> None:
        """Ends the server."""
        self.server.close()
