"""Blocks of items that are sent to workers, their results, and failed items."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from dfactscore._util.message_text import ends_all_work, where_raised
from dfactscore._util.tasks import map_concurrently, run_sync
from dfactscore.work._journal import Journal, Journals, MemoryJournal


class Later(Exception):
    """Raised to skip an item for now; the same command tries it again later.

    Args:
        reason: The reason, in one line.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed item.

    Attributes:
        key: The item's key.
        label: The item's name, as shown in messages.
        reason: The reason, in one line; for an exception, its type, its message and where it was
            raised.
        unexpected: Whether the item failed because of an unexpected exception.
    """

    key: str
    label: str
    reason: str
    unexpected: bool = False

    @classmethod
    def of(cls, key: str, label: str, error: Exception) -> Failure:
        """Creates an item's failure from an exception."""
        if isinstance(error, Later):
            return cls(key, label, error.reason)
        return cls(key, label, where_raised(error), unexpected=True)

    def record(self) -> Mapping[str, Any]:
        """Returns the failure as a record for ``errors.jsonl``."""
        return {"id": self.label, "stage": "error", "reason": self.reason}


async def guarded(doing: Awaitable[None], key: str, label: str) -> Failure | None:
    """Awaits an item; an exception that affects only this item is returned as a failure."""
    try:
        await doing
    except Exception as error:
        if ends_all_work(error):
            raise
        return Failure.of(key, label, error)
    return None


BLOCK = 50
"""Number of items per block; a worker scores 50 biographies in about half a second."""

_T = TypeVar("_T")
Do = Callable[[Any, Journals], Awaitable[None]]
"""Processes an item: sends requests and appends lines."""


class Sent(NamedTuple):
    """An item as it is sent to a worker."""

    key: str
    item: Any
    lines: Mapping[str, bytes]
    label: str = ""


@dataclass
class BlockResult:
    """The result of processing a block."""

    lines: dict[str, list[tuple[str, bytes]]] = field(default_factory=dict)
    forgotten: list[tuple[str, str]] = field(default_factory=list)
    failed: list[Failure] = field(default_factory=list)
    count: int = 0


DoBlock = Callable[[Sequence[Sent]], BlockResult]
"""Processes a block of items in another process."""


def blocks_of(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """Splits items into lists of a given length; the last list may be shorter.

    Example:
        >>> list(blocks_of("abcde", 2))
        [['a', 'b'], ['c', 'd'], ['e']]
    """
    remaining = iter(items)
    while block := list(islice(remaining, size)):
        yield block


class Elsewhere:
    """A function that processes blocks of items in another process.

    Args:
        opens: Callable that creates the function that processes an item; called in the other
            process.
        names: The names of the journals.
        concurrency: Number of items processed at the same time.
    """

    def __init__(
        self, opens: Callable[[], Do], names: Iterable[str], concurrency: int = 16
    ) -> None:
        self._opens = opens
        self._names = tuple(names)
        self._concurrency = concurrency
        self._do: Do | None = None

    def __call__(self, block: Sequence[Sent]) -> BlockResult:
        """Processes a block, keeping the journals in memory."""
        do = self._do = self._do or self._opens()
        return run_sync(self._process(block, do))

    async def _process(self, block: Sequence[Sent], do: Do) -> BlockResult:
        journals = {name: MemoryJournal() for name in self._names}
        failed: list[Failure] = []

        async def process(sent: Sent) -> None:
            for name, line in sent.lines.items():
                journals[name].preset(sent.key, line)
            failure = await guarded(do(sent.item, journals), sent.key, sent.label or sent.key)
            if failure is not None:
                failed.append(failure)

        concurrency = max(1, min(self._concurrency, len(block)))
        async for _ in map_concurrently(process, block, concurrency=concurrency):
            pass
        return BlockResult(
            {name: journal.new_lines() for name, journal in journals.items()},
            [(name, key) for name, journal in journals.items() for key in journal.forgotten],
            failed,
            len(block),
        )


def write_block(
    journals: Mapping[str, Journal], main: str, shared: frozenset[str], result: BlockResult
) -> None:
    """Writes the lines of a block that was processed in another process.

    Lines of the main journal are written last, so that any item with a line there also has all its
    other lines.
    """
    for name, key in result.forgotten:
        journals[name].forget(key)
    for name in sorted(result.lines, key=lambda name: (name == main, name not in shared)):
        lines = result.lines[name]
        if name in shared:
            lines = list({key: line for key, line in lines if key not in journals[name]}.items())
        journals[name].extend(lines)
