"""A task as a value: its items, the function applied to each, its result and its requests."""

from __future__ import annotations

from collections.abc import (
    AsyncIterable,
    Awaitable,
    Callable,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar, runtime_checkable

from dfactscore._util.usage import Usage
from dfactscore._util.validated import Form
from dfactscore.work._blocks import Sent
from dfactscore.work._journal import Journals
from dfactscore.work._work_folder import WorkManifest

if TYPE_CHECKING:
    from dfactscore.work._blocks import Failure
    from dfactscore.work._work_folder import Finished


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


Item = TypeVar("Item")
Result = TypeVar("Result")


def _never(line: Mapping[str, Any]) -> bool:
    return False


def _nothing(item: Any) -> Asks:
    return ()


@dataclass(frozen=True, kw_only=True)
class Work(Generic[Item, Result]):
    """A task that processes items at a cost, journals a line for each, and computes a result.

    Subclasses override methods or class attributes where a task differs from the defaults
    (`dfactscore._runs.scoring_work.RecordWork`).

    Attributes:
        name: The command to record in the manifest.
        settings: All settings that the lines depend on; only ``limit`` and ``sample`` may change.
        items: The items, in the order of the finished files.
        key: Returns an item's key: a hash of everything its line depends on.
        label: Returns an item's name, as shown in messages.
        journals: The journals and the formats of their lines; the first has a line per finished
            item.
        do: Processes an item: sends requests and appends lines. Raises `Later` if the item must be
            tried again later. Any other exception that does not end the whole task is recorded as a
            failure of the item.
        finish: Computes the result from the lines, and writes it if the task has a location.
        again: Whether a line of the first journal asks for another try at its item.
        done: Whether an item is finished; by default, whether the first journal has a line for it.
        asks: Returns the requests for an item.
        close: Closes models and connections.
        source: The manifest entry for the input.
        things: The plural noun for the items, as shown in messages.
        form: The format of the manifest.
        shared: Journals whose lines belong to several items and do not change.
        writes_errors: Whether `finish` writes ``errors.jsonl``.
    """

    form: ClassVar[type[Form]] = WorkManifest
    shared: ClassVar[frozenset[str]] = frozenset()
    writes_errors: ClassVar[bool] = False

    name: str
    settings: Mapping[str, Any]
    items: Sequence[Item]
    key: Callable[[Item], str]
    label: Callable[[Item], str]
    journals: Mapping[str, type[Form] | None]
    do: Callable[[Item, Journals], Awaitable[None]]
    finish: Callable[[Finished[Item]], Result]
    again: Callable[[Mapping[str, Any]], bool] = _never
    done: Callable[[Item, Journals], bool] | None = None
    asks: Callable[[Item], Asks] = _nothing
    close: Callable[[], Awaitable[None]] | None = None
    source: Mapping[str, Any] = field(default_factory=dict)
    things: str = "items"

    @property
    def main(self) -> str:
        """The name of the first journal, which has a line per finished item."""
        return next(iter(self.journals))

    @property
    def tries_again(self) -> bool:
        """Whether lines can ask for another try at their item."""
        return self.again is not _never

    def is_done(self, item: Item, journals: Journals) -> bool:
        """Whether an item is finished."""
        if self.done is not None:
            return self.done(item, journals)
        line = journals[self.main].get(self.key(item))
        return line is not None and not self.again(line)

    def all_keys(self) -> Sequence[str]:
        """Returns the keys of all items, in order and without repetitions."""
        return list(dict.fromkeys(map(self.key, self.items)))

    @property
    def drawn_from(self) -> Sequence[str]:
        """The keys of the whole input, if the items are a sample of it."""
        return ()

    @property
    def bad(self) -> Sequence[Mapping[str, Any]]:
        """Invalid records of the input, for ``errors.jsonl``."""
        return ()

    @property
    def order(self) -> Callable[[Item], Any] | None:
        """The sort key for processing the items; None means the order of the items."""
        return None

    @property
    def opens(self) -> Callable[[], Awaitable[Mapping[str, Any]]] | None:
        """Opens models if any item is unfinished, and returns the `later` settings."""
        return None

    @property
    def later(self) -> Sequence[str]:
        """The names of settings that are known only after models are opened."""
        return ()

    def lost(self, item: Item, journals: Journals, failure: Failure) -> bool:
        """Writes an item's failure as a line if the format allows it; returns whether it did."""
        return False

    def sent(self, journals: Journals) -> Iterator[Sent | None]:
        """Yields each item in the form sent to another process, or None if it is finished."""
        main = journals[self.main]
        for item in self.items:
            key = self.key(item)
            if self.is_done(item, journals):
                yield None
            else:
                main.forget(key)
                yield Sent(key, item, {}, self.label(item))
