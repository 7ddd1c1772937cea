"""State shared by the models of one command: the cache, the budget, the books."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from dfactscore._asking.budget import Budget
from dfactscore._asking.cache import AnswerCache, default_cache_path
from dfactscore._asking.client import ChatClient
from dfactscore._asking.prices import PriceList, load_prices
from dfactscore._asking.settings import ChatModel
from dfactscore._util.usage import Usage

_T = TypeVar("_T")


class LLMSession:
    """Makes one client per model.

    Args:
        cache: The cache file; None for the user's own, False for none.
        prices: A price list, or the file that holds it.
        max_calls: Maximum number of calls of this command.
        max_cost: Maximum cost of this command.
        dry_run: No model will be asked: the cache is only read, and not made if it is missing.
    """

    def __init__(
        self,
        *,
        cache: Path | str | bool | None = None,
        prices: PriceList | Path | str | None = None,
        max_calls: int | None = None,
        max_cost: float | None = None,
        dry_run: bool = False,
    ) -> None:
        # First: a list that cannot be read must leave no cache open.
        listed = prices if isinstance(prices, PriceList) else load_prices(prices)
        self.cache: AnswerCache | None = None
        if cache is not False:
            path = default_cache_path() if cache is None or cache is True else Path(cache)
            if not dry_run or path.exists():
                self.cache = AnswerCache(path, read_only=dry_run)
        self.budget = Budget(listed, max_calls=max_calls, max_cost=max_cost)
        self.usage = Usage()
        self._clients: dict[str, ChatClient] = {}

    def client(self, model: ChatModel) -> ChatClient:
        """The client of a model; the same model gives the same client."""
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
        """Returns the settings of each endpoint, for the manifest.

        Args:
            models: Only these, in this order; all by default.
        """
        found = []
        names = self._clients if models is None else dict.fromkeys(map(repr, models))
        for client in (self._clients[name] for name in names):
            able = client.known_capabilities()
            found.append(
                {
                    "endpoint": client.transport.endpoint,
                    "model": client.model.model,
                    "structured": able.form if able else None,
                    "logprobs": able.logprobs if able else None,
                }
            )
        return {"models": found, "prices": self.budget.prices.date}

    def pulse(self) -> str:
        """Running requests and their speed; empty if nothing was asked yet."""
        clients = [client for client in self._clients.values() if client.begun is not None]
        if not clients:
            return ""
        begun = min(client.begun or 0.0 for client in clients)
        first = min((c.answered for c in clients if c.answered is not None), default=None)
        seconds = time.monotonic() - begun
        running = f"{sum(client.running for client in clients)} running"
        if first is None:
            return f"{running}, no answer yet after {seconds:.0f} s"
        speed = self.usage.total().completion_tokens / max(seconds, 1e-3)
        return f"{running}, {speed:.0f} tokens/s"

    async def aclose(self) -> None:
        """Closes the connections of the running event loop."""
        await asyncio.gather(*(client.aclose() for client in self._clients.values()))

    def close(self) -> None:
        """Writes and closes the cache."""
        if self.cache is not None:
            self.cache.close()

    def __enter__(self) -> LLMSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


async def closing(session: LLMSession | None, work: Awaitable[_T]) -> _T:
    """Returns the result of a coroutine; then closes the connections of its event loop."""
    try:
        return await work
    finally:
        if session is not None:
            await session.aclose()
