"""A server of completions with a rule as model, with or without faults of real servers."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

from loopback import Loopback, sent_json

WORDS = (" eight", " nine", " born", " died", " Oslo", " Rome")
TOKEN = re.compile(r" ?[^\W\d_]{1,5}|\d|[^\w]|_")


def split(text: str) -> list[str]:
    return TOKEN.findall(text)


def logprob(before: list[str], token: str) -> float:
    """Returns a value that depends on the last three tokens, so that shifts and cuts show."""
    digest = hashlib.sha256("\0".join([*before[-3:], token]).encode()).digest()
    return -0.2 - 6.0 * int.from_bytes(digest[:4], "big") / 2**32


def greedy(before: list[str]) -> str:
    return max(WORDS, key=lambda word: logprob(before, word))


class Toy:
    """Counts requests and answers them.

    Args:
        mode: ``"echo"``, ``"vllm"`` (prompt_logprobs only), ``"ignores"`` (no prompt numbers),
            ``"shifted"`` or ``"chat"``.
        bos: Whether each text begins with a special token.
        offsets: Whether an echo includes the offsets of its tokens.
        limit: The largest number of tokens.
    """

    def __init__(
        self, mode: str = "echo", *, bos: bool = False, offsets: bool = True, limit: int = 10_000
    ) -> None:
        self.mode, self.bos, self.offsets, self.limit = mode, bos, offsets, limit
        self.requests: list[tuple[str, Any]] = []
        self.fault: int | None = None

    @property
    def paid(self) -> int:
        return sum(path.endswith("/completions") for path, _ in self.requests)

    def answer(self, path: str, body: Any) -> tuple[int, Any]:
        self.requests.append((path, body))
        if self.fault is not None:
            return self.fault, {"error": {"message": "ordered"}}
        if path == "/v1/models":
            return 200, {"data": [{"id": "toy", "max_model_len": self.limit}]}
        if path != "/v1/completions" or self.mode == "chat":
            return 404, {"error": {"message": "Not Found"}}
        bos = body.get("add_special_tokens", self.bos)
        tokens = [*(["<s>"] if bos else []), *split(body["prompt"])]
        if len(tokens) > self.limit:
            return 400, {"error": {"message": "maximum context length"}}
        written = greedy(tokens)
        values = [None, *(logprob(tokens[:i], tokens[i]) for i in range(1, len(tokens)))]
        last = logprob(tokens, written)
        choice: dict[str, Any] = {"index": 0, "text": written, "finish_reason": "length"}
        shown, numbers = [written], [last]
        if body.get("echo") and self.mode in ("echo", "shifted"):
            choice["text"] = body["prompt"] + written
            shown, numbers = [*tokens, written], [*values, last]
            if self.mode == "shifted":
                numbers = [*numbers[1:], -1.0]
        if body.get("logprobs") is not None:
            choice["logprobs"] = {"tokens": shown, "token_logprobs": numbers}
            if self.offsets:
                # vLLM also counts the token before the text.
                ends = [sum(map(len, shown[:i])) for i in range(len(shown))]
                choice["logprobs"]["text_offset"] = ends
        if body.get("prompt_logprobs") is not None and self.mode == "vllm":
            choice["prompt_logprobs"] = [
                None if i == 0 else {
                    str(len(token)): {"logprob": values[i], "rank": 2, "decoded_token": token},
                    "99": {"logprob": -0.1, "rank": 1, "decoded_token": "the"},
                }
                for i, token in enumerate(tokens)
            ]  # fmt: skip
        usage = {"prompt_tokens": len(tokens), "completion_tokens": 1}
        return 200, {"model": "toy", "choices": [choice], "usage": usage}


@contextmanager
def serve(toy: Toy) -> Iterator[str]:
    """Runs a server on loopback; yields its address."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *args: Any) -> None:
            pass

        def respond(self, body: Any) -> None:
            status, reply = toy.answer(self.path, body)
            data = json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self) -> None:
            self.respond(None)

        def do_POST(self) -> None:
            self.respond(sent_json(self))

    server = Loopback(Handler)
    try:
        yield f"{server.url}/v1"
    finally:
        server.close()
