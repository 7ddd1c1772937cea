"""Settings to reach and prompt a model; the library's `OpenAIModel` and `GGUFModel`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from dfactscore._asking.headers import header_secrets
from dfactscore._asking.secrets import masked
from dfactscore._errors import InputError
from dfactscore._util.printable import short_repr

Structured = Literal["auto", "json_schema", "json_object", "text"]
NO_KEY = "none"  # Local servers ask for no key, but the client wants one.
DEFAULT_BASE_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, kw_only=True)
class _ChatModel:
    """Settings of every model.

    Attributes:
        temperature: 0 asks for the most likely answer; None leaves it to the server.
        seed: Sent with each request, plus the repetition's index; None sends none.
        parameters: Further fields of the request body, sent as they are.
        structured: Format that answers are requested in; ``"auto"`` finds out once per endpoint.
        logprobs: Whether verdicts carry probabilities; None finds out.
        max_answer_tokens: Maximum tokens of each answer, or None for the stages' own.
        timeout: Seconds for one attempt.
        retries: Attempts after the first, for faults that can pass.
        backoff: Seconds before the first retry; doubles, with jitter.
        max_wait: Longest pause in seconds; a server that asks for more ends the run, resumably.
        concurrency: Maximum number of requests at the same time.
        requests_per_minute: None for no limit.
        tokens_per_minute: None for no limit.
    """

    temperature: float | None = 0.0
    seed: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    structured: Structured = "auto"
    logprobs: bool | None = None
    max_answer_tokens: int | None = None
    timeout: float = 120.0
    retries: int = 5
    backoff: float = 0.5
    max_wait: float = 120.0
    concurrency: int = 16
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None


@dataclass(frozen=True)
class OpenAIModel(_ChatModel):
    """A model behind an OpenAI-compatible endpoint: hosted, vLLM, Ollama, llama.cpp.

    The key is read from the environment when the first request is made, and written nowhere:
    ``api_key_env`` names the variable, ``$OPENAI_API_KEY`` by default; no argument takes the key.

    Attributes:
        model: Its name at the endpoint.
        base_url: The endpoint's address up to ``/v1``; None for ``$OPENAI_BASE_URL``, else OpenAI.
        api_key_env: Environment variable that holds the key.
        headers: Further headers: the environment variable that holds the value of each.
        context: Context window in tokens, if it is known.

    Raises:
        InputError: If the name is empty or the address is none.

    Example:
        >>> OpenAIModel("my-model", base_url="http://127.0.0.1:8000/v1/").endpoint
        'http://127.0.0.1:8000/v1'
    """

    model: str
    base_url: str | None = None
    api_key_env: str = "OPENAI_API_KEY"
    headers: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    context: int | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise InputError("the model's name is empty; give it with --model NAME")
        try:
            parts = urlsplit(self.url)
            good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
            address = self.endpoint
        except ValueError:  # a port beyond 65535, or half a bracket
            good, address = False, self.url.rpartition("@")[2].partition("?")[0]
        if not good:
            raise InputError(
                f"base_url {short_repr(address)} is not an address; expected something like "
                "http://127.0.0.1:8000/v1"
            )

    @property
    def url(self) -> str:
        """The address that is called; it may carry credentials and is not for printing."""
        url = (self.base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL).rstrip("/")
        address, mark, query = url.partition("?")  # as Azure shows it, it names the route as well
        return address.rstrip("/").removesuffix("/chat/completions") + mark + query

    @property
    def endpoint(self) -> str:
        """The address without credentials and query: for messages, manifests and cache keys."""
        parts = urlsplit(self.url)
        host = parts.netloc.rpartition("@")[2]
        return self.without_secrets(
            urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))
        )

    def without_secrets(self, text: str) -> str:
        """A text in which the key, and what address and headers hold of secrets, is ``***``."""
        key = os.environ.get(self.api_key_env, "").strip()
        return masked(text, (*_secrets(self.url, key), *header_secrets(self.headers)))

    def api_key(self) -> str:
        """The key from the environment.

        Raises:
            InputError: If OpenAI's own endpoint is asked without one, or it cannot be one.
        """
        key = os.environ.get(self.api_key_env, "").strip()
        if not key:
            if self.endpoint == DEFAULT_BASE_URL:
                raise InputError(
                    f"no key for {self.endpoint}: set the environment variable "
                    f"{self.api_key_env}, or name your own server with --base-url"
                )
            return NO_KEY
        if not (key.isascii() and key.isprintable() and " " not in key):
            raise InputError(
                f"the key in {self.api_key_env} holds blanks or letters that no key has; "
                "copy it again"
            )
        return key


_made = OpenAIModel.__init__


def _without_key(self: OpenAIModel, *args: Any, **kwargs: Any) -> None:
    """Refuses a key, which might be written somewhere, in a message that says where keys go."""
    if "api_key" in kwargs:
        raise InputError(
            "OpenAIModel: no argument 'api_key': keys come from the environment alone; set "
            "OPENAI_API_KEY, or another variable that you name with api_key_env='NAME'"
        )
    _made(self, *args, **kwargs)


OpenAIModel.__init__ = wraps(_made)(_without_key)  # type: ignore[method-assign]


@lru_cache(maxsize=64)
def _secrets(url: str, key: str) -> tuple[str, ...]:
    parts = urlsplit(url)
    query = (value for name, value in parse_qsl(parts.query) if name != "api-version")
    return (key, unquote(parts.password or ""), *query)


@dataclass(frozen=True)
class GGUFModel(_ChatModel):
    """A local model file, run in this process by llama.cpp (extra ``[gguf]``).

    Attributes:
        path: The GGUF file.
        context: Context window in tokens, over all parallel requests.
        threads: Threads; None for the machine's cores.
        gpu_layers: Layers to offload where the build and the machine can.
    """

    path: str | Path
    context: int = 8192
    threads: int | None = None
    gpu_layers: int = 0
    concurrency: int = field(default=1, kw_only=True)
    timeout: float = field(default=1800.0, kw_only=True)

    def __post_init__(self) -> None:
        if not Path(self.path).is_file():
            raise InputError(f"{self.path}: no such GGUF file")

    @property
    def model(self) -> str:
        """The file's name."""
        return Path(self.path).name


ChatModel = OpenAIModel | GGUFModel
