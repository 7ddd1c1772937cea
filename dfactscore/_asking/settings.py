"""The library's models, `OpenAIModel` and `GGUFModel`, and their settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, Literal
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from dfactscore._asking.secrets import header_secrets, masked
from dfactscore._errors import InputError
from dfactscore._util.message_text import short_repr

Structured = Literal["auto", "json_schema", "json_object", "text"]
NO_KEY = "none"  # Local servers need no key, but the client requires one.
DEFAULT_BASE_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, kw_only=True)
class _ChatModel:
    """Settings that every model has.

    Attributes:
        temperature: The sampling temperature; 0 for the most likely answer, None for the server's
            default.
        seed: The random seed, to which the index of the repetition is added; if None, no seed is
            sent.
        parameters: Additional fields of the request body.
        structured: The format in which to request answers; ``"auto"`` probes each endpoint once.
        logprobs: Whether to use the token probabilities of verdicts; None to use them if the
            endpoint returns them.
        max_answer_tokens: The maximum number of tokens of each answer; None for each stage's own
            limit.
        timeout: Seconds for one attempt.
        retries: Number of attempts after the first, for temporary errors.
        backoff: Seconds before the first retry; the delay doubles each time, with jitter.
        max_wait: The maximum delay in seconds; if a server requests a longer one, the run stops and
            can be resumed.
        concurrency: The maximum number of concurrent requests.
        requests_per_minute: The maximum rate of requests; None for no limit.
        tokens_per_minute: The maximum rate of tokens; None for no limit.
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
    """A model at an OpenAI-compatible endpoint: hosted, vLLM, Ollama, llama.cpp.

    The first request reads the key from the environment variable named by ``api_key_env``. The key
    cannot be passed as an argument and is never written to a file.

    Attributes:
        model: The model's name at the endpoint.
        base_url: The endpoint's address up to ``/v1``; None for ``$OPENAI_BASE_URL`` or, if unset,
            OpenAI.
        api_key_env: The environment variable that contains the key.
        headers: Additional headers by name, each mapped to the environment variable that contains
            its value.
        context: The context window in tokens, if known.

    Raises:
        InputError: If the name is empty or the address is not valid.

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
        except ValueError:  # a port above 65535, or an unmatched bracket
            good, address = False, self.url.rpartition("@")[2].partition("?")[0]
        if not good:
            raise InputError(
                f"base_url {short_repr(address)} is not an address; expected something like "
                "http://127.0.0.1:8000/v1"
            )

    @property
    def url(self) -> str:
        """The address for requests; may contain credentials and so must not be printed."""
        url = (self.base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL).rstrip("/")
        address, mark, query = url.partition("?")  # Azure shows the address with the route
        return address.rstrip("/").removesuffix("/chat/completions") + mark + query

    @property
    def endpoint(self) -> str:
        """The address without credentials or query, for messages, manifests and cache keys."""
        parts = urlsplit(self.url)
        host = parts.netloc.rpartition("@")[2]
        return self.without_secrets(
            urlunsplit((parts.scheme, host, parts.path.rstrip("/"), "", ""))
        )

    def without_secrets(self, text: str) -> str:
        """Replaces the key and the secrets in the address and headers with ``***`` in a text."""
        key = os.environ.get(self.api_key_env, "").strip()
        return masked(text, (*_secrets(self.url, key), *header_secrets(self.headers)))

    def api_key(self) -> str:
        """Returns the key from the environment.

        Raises:
            InputError: If the key is missing and the endpoint is OpenAI's own, or if it is not
                valid in a header.
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
                f"the key in {self.api_key_env} contains spaces or letters that no key has; "
                "copy it again"
            )
        return key


_init = OpenAIModel.__init__


def _without_key(self: OpenAIModel, *args: Any, **kwargs: Any) -> None:
    """Rejects the argument ``api_key``, as keys must not appear in source files."""
    if "api_key" in kwargs:
        raise InputError(
            "OpenAIModel: no argument 'api_key': keys come from the environment only; set "
            "OPENAI_API_KEY, or another variable that you name with api_key_env='NAME'"
        )
    _init(self, *args, **kwargs)


OpenAIModel.__init__ = wraps(_init)(_without_key)  # type: ignore[method-assign]


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
        context: The context window of each concurrent request, in tokens.
        threads: The number of threads; None for all cores.
        gpu_layers: The number of layers on the GPU, if the build supports one.
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
