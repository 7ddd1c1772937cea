"""Counts what a task would ask, without asking."""

from __future__ import annotations

from collections.abc import AsyncIterable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from dfactscore._util.usage import Usage


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to a model or a service.

    Attributes:
        stage: The stage that asks.
        model: The model.
        prompt: Tokens of the question.
        completion: Tokens of the answer, about.
        cost: The cost; None if the price is unknown.
        cached: Whether the answer is stored already: it costs nothing.
        key: Questions with the same key are asked once; None for one that is like no other.
        once: Whether it is not counted at all where it was asked before.
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
"""The requests of an item, given at once or one after the other."""


async def all_asked(asks: Asks) -> list[Asked]:
    """Everything that an item would ask."""
    return [one async for one in asks] if isinstance(asks, AsyncIterable) else list(asks)


@runtime_checkable
class AsksModel(Protocol):
    """A protocol of objects that list their requests; others are not known to cost anything."""

    def asks(self, item: Any) -> Asks:
        """Returns the requests of an item."""


@dataclass(frozen=True, slots=True)
class WouldAsk:
    """The estimated requests of a work.

    Attributes:
        asked: The questions; one may be there several times.
        items: The number of items with any request.
    """

    asked: Sequence[Asked]
    items: int

    @property
    def usage(self) -> Usage:
        """Calls, tokens and cost by stage and model; stored answers are cached and free."""
        return count_asked(self.asked)


def count_asked(asked: Iterable[Asked], usage: Usage | None = None) -> Usage:
    """Sums up what would be asked, each question once.

    Example:
        >>> one = Asked("verify", "m", 100, 10, cost=0.5, key="same")
        >>> total = count_asked([one, one, Asked("verify", "m", cached=True)]).total()
        >>> total.answers, total.calls, total.cached, total.prompt_tokens, total.cost
        (3, 1, 2, 100, 0.5)
    """
    usage = usage or Usage()
    seen: set[Hashable] = set()
    for one in asked:
        before = one.key is not None and one.key in seen
        if before and one.once:
            continue
        tally = usage.tally(one.stage, one.model)
        if one.cached or before:
            tally.add(answers=1, cached=1)
            continue
        if one.key is not None:
            seen.add(one.key)
        tally.add(
            answers=1,
            calls=1,
            prompt_tokens=one.prompt,
            completion_tokens=one.completion,
            cost=one.cost,
        )
    return usage
