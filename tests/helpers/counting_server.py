"""A chat endpoint in this process that answers by a function and counts requests."""

from __future__ import annotations

import json
import random
import threading
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from time import sleep
from typing import Any

from loopback import Loopback, sent_json


class CountingServer:
    """A chat endpoint that answers by a function and counts requests."""

    def __init__(self) -> None:
        self.calls = 0
        self.prompts: Counter[str] = Counter()
        self.faults = 0.0
        self.key = ""
        self.seconds = 0.0
        self.finish = "stop"
        self.forms = True
        self.answer: Callable[[str], str] = lambda prompt: "ALL_CORRECT"
        self._random = random.Random(0)
        self._lock = threading.Lock()
        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                sent = sent_json(self)
                if stub.key and self.headers.get("Authorization") != f"Bearer {stub.key}":
                    status, body = 401, {"error": {"message": "Incorrect API key provided"}}
                else:
                    status, body = stub.respond(sent)
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self.server = Loopback(Handler)

    @property
    def base_url(self) -> str:
        return f"{self.server.url}/v1"

    def close(self) -> None:
        self.server.close()

    def respond(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        prompt = "\n".join(message["content"] for message in body["messages"])
        if "response_format" in body and not self.forms:
            return 400, {"error": {"message": "response_format is not supported"}}
        if "This checks the form" in prompt:
            return 200, self.completion('{"1": true, "2": false}')
        with self._lock:
            if self._random.random() < self.faults:
                return 500, {"error": {"message": "busy"}}
            self.calls += 1
            sleep(self.seconds)
            self.prompts[prompt] += 1
        return 200, self.completion(self.answer(prompt), self.finish)

    @staticmethod
    def completion(text: str, finish: str = "stop") -> dict[str, Any]:
        message = {"role": "assistant", "content": text}
        usage = {"prompt_tokens": 100, "completion_tokens": 5, "total_tokens": 105}
        choice = {"index": 0, "message": message, "finish_reason": finish}
        return {"model": "stub", "choices": [choice], "usage": usage}
