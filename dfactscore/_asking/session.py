"""The state shared by the models of one command, and estimates without calling a model."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from dfactscore._asking.budget import Budget, PriceList, load_prices, prompt_tokens
from dfactscore._asking.cache import AnswerCache, default_cache_path
from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Request
from dfactscore._asking.probe import Capabilities, probe_request
from dfactscore._asking.settings import ChatModel, OpenAIModel
from dfactscore._util.usage import Usage
from dfactscore.work import Asked

_T = TypeVar("_T")


class LLMSession:
    """Creates one client per model."""

    def __init__(
        self,
        *,
        cache: Path | str | bool | None = None,
        prices: PriceList | Path | str | None = None,
        max_calls: int | None = None,
        max_cost: float | None = None,
        dry_run: bool = False,
    ) -> None:
        # Loaded before the cache is opened, as an unreadable price list would leave the cache open.
        price_list = prices if isinstance(prices, PriceList) else load_prices(prices)
        self.cache: AnswerCache | None = None
        if cache is not False:
            path = default_cache_path() if cache is None or cache is True else Path(cache)
            if not dry_run or path.exists():
                self.cache = AnswerCache(path, read_only=dry_run)
        self.budget = Budget(price_list, max_calls=max_calls, max_cost=max_cost)
        self.usage = Usage()
        self._clients: dict[str, ChatClient] = {}

    def client(self, model: ChatModel) -> ChatClient:
        """Returns the client for a model; equal models share a client."""
        name = repr(model)
        if name not in self._clients:
            self._clients[name] = ChatClient(
                model,
                cache=self.cache,
                budget=self.budget,
                usage=self.usage,
            )
        return self._clients[name]

    def report(self, models: Sequence[ChatModel] | None = None) -> dict[str, Any]:
        """Returns the settings of each endpoint, for the manifest."""
        entries = []
        names = self._clients if models is None else dict.fromkeys(map(repr, models))
        for client in (self._clients[name] for name in names):
            able = client.known_capabilities()
            entries.append(
                {
                    "endpoint": client.transport.endpoint,
                    "model": client.model.model,
                    "structured": able.form if able else None,
                    "logprobs": able.logprobs if able else None,
                }
            )
        return {"models": entries, "prices": self.budget.prices.date}

    def pulse(self) -> str:
        """Describes the requests in flight and their rate; empty before the first request."""
        clients = [client for client in self._clients.values() if client.begun is not None]
        if not clients:
            return ""
        start = min(client.begun or 0.0 for client in clients)
        first = min((c.answered for c in clients if c.answered is not None), default=None)
        seconds = time.monotonic() - start
        running = f"{sum(client.running for client in clients)} running"
        if first is None:
            return f"{running}, no answer yet after {seconds:.0f} s"
        speed = self.usage.total().completion_tokens / max(seconds, 1e-3)
        return f"{running}, {speed:.0f} tokens/s"

    async def aclose(self) -> None:
        """Closes the running event loop's connections."""
        await asyncio.gather(*(client.aclose() for client in self._clients.values()))

    def close(self) -> None:
        """Writes the queued answers and closes the cache."""
        if self.cache is not None:
            self.cache.close()

    def __enter__(self) -> LLMSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


async def closing(session: LLMSession | None, work: Awaitable[_T]) -> _T:
    """Awaits a result, then closes the event loop's connections."""
    try:
        return await work
    finally:
        if session is not None:
            await session.aclose()


def estimated_requests(client: ChatClient, request: Request, completion: int) -> Iterator[Asked]:
    """Yields a request as the client would send it, preceded by the probe if one is needed."""
    able = client.known_capabilities()
    if able is None:
        probe = probe_request()
        prompt = prompt_tokens(probe.messages)
        yield estimated_request(client, probe.stage, prompt, 12, key=(id(client), b""), once=True)
    # Without an earlier probe, the request format and thus the cache key are guesses.
    able = able or Capabilities()
    prompt, completion = prompt_tokens(request.messages), min(completion, request.max_tokens)
    yield estimated_request(
        client,
        request.stage,
        prompt,
        completion,
        key=(id(client), client.key(request, able)),
        cached=client.cached(request, able),
    )


def estimated_request(
    client: ChatClient,
    stage: str,
    prompt: int,
    completion: int,
    *,
    key: tuple[int, bytes] | None = None,
    cached: bool = False,
    once: bool = False,
) -> Asked:
    """Returns a request with the given token counts, priced for the client's model."""
    url = client.model.url if isinstance(client.model, OpenAIModel) else "http://127.0.0.1"
    price = client.budget.prices.find(client.model.model, url)
    cost = price.cost(prompt, completion) if price else None
    return Asked(stage, client.model.model, prompt, completion, cost, cached, key, once)
