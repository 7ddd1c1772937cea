"""Blocks of items as sent to a worker, and their results."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from dfactscore._util.tasks import map_concurrently, run_sync
from dfactscore.work._failures import Failure, guarded
from dfactscore.work._journal import Journal, MemoryJournal
from dfactscore.work._journals import Journals

BLOCK = 50
"""Items a block: of biographies a worker is busy for about half a second."""

_T = TypeVar("_T")
Do = Callable[[Any, Journals], Awaitable[None]]
"""Does an item: asks, and keeps lines."""


class Sent(NamedTuple):
    """An item on its way to where it is done.

    Attributes:
        key: Its key.
        item: The part of it that is sent.
        begun: The lines that are there of it already, by journal.
        label: Its name in messages.
    """

    key: str
    item: Any
    begun: Mapping[str, bytes]
    label: str = ""


@dataclass
class Taken:
    """The result of a block.

    Attributes:
        lines: By journal, the lines that are new, with their keys.
        forgotten: Journal and key of lines that count no more.
        failed: The failed items.
        count: The number of items.
    """

    lines: dict[str, list[tuple[str, bytes]]] = field(default_factory=dict)
    forgotten: list[tuple[str, str]] = field(default_factory=list)
    failed: list[Failure] = field(default_factory=list)
    count: int = 0


DoBlock = Callable[[Sequence[Sent]], Taken]
"""Does a block in another process."""


def blocks_of(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """Items in lists of so many; the last may be shorter.

    Example:
        >>> list(blocks_of("abcde", 2))
        [['a', 'b'], ['c', 'd'], ['e']]
    """
    waiting = iter(items)
    while block := list(islice(waiting, size)):
        yield block


class Elsewhere:
    """Does blocks of items in another process, where all of an item can be sent.

    Args:
        opens: Opens what does an item, in whatever process it is called; it can be sent itself.
        names: The journals.
        concurrency: Items at a time.
    """

    def __init__(
        self, opens: Callable[[], Do], names: Iterable[str], concurrency: int = 16
    ) -> None:
        self._opens = opens
        self._names = tuple(names)
        self._concurrency = concurrency
        self._do: Do | None = None

    def __call__(self, block: Sequence[Sent]) -> Taken:
        """Does a block away from the files: lines come in, lines go out."""
        do = self._do = self._do or self._opens()

        return run_sync(self._taken(block, do))

    async def _taken(self, block: Sequence[Sent], do: Do) -> Taken:
        journals = {name: MemoryJournal() for name in self._names}
        failed: list[Failure] = []

        async def one(sent: Sent) -> None:
            for name, line in sent.begun.items():
                journals[name].give(sent.key, line)
            failure = await guarded(do(sent.item, journals), sent.key, sent.label or sent.key)
            if failure is not None:
                failed.append(failure)

        places = max(1, min(self._concurrency, len(block)))
        async for _ in map_concurrently(one, block, concurrency=places):
            pass
        return Taken(
            {name: journal.taken() for name, journal in journals.items()},
            [(name, key) for name, journal in journals.items() for key in journal.forgotten],
            failed,
            len(block),
        )


def take(journals: Mapping[str, Journal], main: str, shared: frozenset[str], taken: Taken) -> None:
    """Writes what was done elsewhere.

    An item's line in the first journal comes last, so that it is never there without the others.

    Args:
        journals: The journals.
        main: The first one.
        shared: Journals whose lines do not change: those that are there already are left.
        taken: The lines.
    """
    for name, key in taken.forgotten:
        journals[name].forget(key)
    for name in sorted(taken.lines, key=lambda name: (name == main, name not in shared)):
        lines = taken.lines[name]
        if name in shared:
            lines = list({key: line for key, line in lines if key not in journals[name]}.items())
        journals[name].extend(lines)
