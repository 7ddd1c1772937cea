"""Runs a GGUF file in this process with llama.cpp, behind the same interface as an endpoint."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from dfactscore._asking.messages import CallError
from dfactscore._asking.settings import GGUFModel
from dfactscore._asking.transport import Rejected, Transient, Transport
from dfactscore._errors import InputError, MissingExtraError
from dfactscore._util.files import sha256
from dfactscore._util.jsonl import parse_json


class GGUFTransport(Transport):
    """Answers chat completion requests in this process; needs the extra ``[gguf]`` (xllamacpp).

    The first request loads the model. The model's `concurrency` is the number of parallel slots,
    each with its own context window.
    """

    def __init__(self, model: GGUFModel, *, keep_prompts: bool = True) -> None:
        try:
            import xllamacpp  # noqa: F401
        except ImportError:
            raise MissingExtraError("Running a GGUF file", "gguf") from None
        self.model = model
        self.keep_prompts = keep_prompts
        self.path = Path(model.path)
        with open(self.path, "rb") as file:
            if file.read(4) != b"GGUF":
                raise InputError(
                    f"{self.path}: is not a GGUF file (its first bytes are not 'GGUF')"
                )
        self._pool = ThreadPoolExecutor(model.concurrency, thread_name_prefix="gguf")
        self._server: Any = None
        self._loading: asyncio.Lock | None = None
        self._endpoint = ""

    @property
    def endpoint(self) -> str:
        """``gguf:`` plus a hash of the file, which distinguishes models with the same file name."""
        if not self._endpoint:
            context = f"@{self.model.context}"
            self._endpoint = f"gguf:{sha256(self.path, error=InputError)[:24]}{context}"
        return self._endpoint

    async def post(self, route: str, body: dict[str, Any] | None) -> Mapping[str, Any]:
        """Answers a request; see `dfactscore._asking.transport.Transport.post`."""
        loop = asyncio.get_running_loop()
        if self._server is None:
            self._loading = self._loading or asyncio.Lock()
            async with self._loading:
                if self._server is None:
                    self._server = await loop.run_in_executor(self._pool, self._load)
        try:
            reply = await asyncio.wait_for(
                loop.run_in_executor(self._pool, self._answer, route, body), self.model.timeout
            )
        except TimeoutError:
            raise CallError(f"no answer within {self.model.timeout:g} s", passing=True) from None
        except (RuntimeError, ValueError) as error:
            raise CallError(f"llama.cpp failed: {error}", passing=True) from None
        if not isinstance(reply, Mapping):
            raise Transient("llama.cpp gave no answer")
        fault = reply.get("error")
        if isinstance(fault, Mapping):
            raise Rejected(f"llama.cpp: {' '.join(str(fault.get('message', fault)).split())[:300]}")
        return reply

    def _answer(self, route: str, body: dict[str, Any] | None) -> Any:
        if route == "/chat/completions":
            return self._server.handle_chat_completions(body)
        if route == "/completions":
            return self._server.handle_completions(body)
        # llama.cpp answers other routes only at its local address.
        data = None if body is None else json.dumps(body).encode()
        path = route[1:] if route.startswith("//") else f"/v1{route}"
        place = self._server.listening_address + path
        request = urllib.request.Request(place, data, {"Content-Type": "application/json"})
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(request, timeout=self.model.timeout) as reply:
                return parse_json(reply.read(), strict=False)
        except OSError as error:
            raise RuntimeError(f"{route}: {error}") from None

    def _load(self) -> Any:
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path = str(self.path)
        params.n_parallel = self.model.concurrency
        params.n_ctx = self.model.context * self.model.concurrency
        params.n_gpu_layers = self.model.gpu_layers
        params.verbosity = -1
        params.warmup = False
        if not self.keep_prompts:
            params.cache_ram_mib = 0
        if self.model.threads is not None:
            params.cpuparams.n_threads = self.model.threads
            params.cpuparams_batch.n_threads = self.model.threads
        try:
            return xllamacpp.Server(params)
        except (RuntimeError, ValueError) as error:
            raise InputError(f"{self.path}: llama.cpp cannot load it ({error})") from None

    async def aclose(self) -> None:
        """Frees the model."""
        self._server = None
        self._loading = None
