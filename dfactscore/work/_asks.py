"""Estimates the requests that a task would send, without sending them."""

from __future__ import annotations

from collections.abc import AsyncIterable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from dfactscore._util.usage import Usage


@dataclass(frozen=True, slots=True)
class Asked:
    """A request to a model or a service.

    Attributes:
        stage: The stage that sends the request.
        model: The model that answers it.
        prompt: Number of tokens in the prompt.
        completion: Estimated number of tokens in the answer.
        cost: Cost of the request; None if the price is unknown.
        cached: Whether the answer is cached and therefore costs nothing.
        key: Identifies identical requests, which are sent only once; None for a unique request.
        once: Whether repetitions are not counted at all; otherwise they are counted as cached.
    """

    stage: str
    model: str
    prompt: int = 0
    completion: int = 0
    cost: float | None = 0.0
    cached: bool = False
    key: Hashable | None = None
    once: bool = False


Asks = Iterable[Asked] | AsyncIterable[Asked]
"""The requests of an item, all at once or one by one."""


async def all_asked(asks: Asks) -> list[Asked]:
    """Returns the requests for an item as a list."""
    if isinstance(asks, AsyncIterable):
        return [request async for request in asks]
    return list(asks)


@runtime_checkable
class AsksModel(Protocol):
    """Protocol of objects that list their requests; other objects are treated as making none."""

    def asks(self, item: Any) -> Asks:
        """Returns the requests for an item."""


@dataclass(frozen=True, slots=True)
class WouldAsk:
    """The estimated requests of a task.

    Attributes:
        asked: The requests, including repetitions.
        items: Number of items that need a request.
    """

    asked: Sequence[Asked]
    items: int

    @property
    def usage(self) -> Usage:
        """Numbers of calls and tokens, and cost, by stage and model; cached answers are free."""
        return count_asked(self.asked)


def count_asked(asked: Iterable[Asked], usage: Usage | None = None) -> Usage:
    """Adds up requests; identical requests are sent only once.

    Example:
        >>> request = Asked("verify", "m", 100, 10, cost=0.5, key="same")
        >>> total = count_asked([request, request, Asked("verify", "m", cached=True)]).total()
        >>> total.answers, total.calls, total.cached, total.prompt_tokens, total.cost
        (3, 1, 2, 100, 0.5)
    """
    usage = usage or Usage()
    seen: set[Hashable] = set()
    for request in asked:
        repeated = request.key is not None and request.key in seen
        if repeated and request.once:
            continue
        tally = usage.tally(request.stage, request.model)
        if request.cached or repeated:
            tally.add(answers=1, cached=1)
            continue
        if request.key is not None:
            seen.add(request.key)
        tally.add(
            answers=1,
            calls=1,
            prompt_tokens=request.prompt,
            completion_tokens=request.completion,
            cost=request.cost,
        )
    return usage
