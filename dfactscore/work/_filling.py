"""Runs the unfinished items of a task, locally or on workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

from dfactscore._util.callbacks import Progress
from dfactscore._util.tasks import map_concurrently
from dfactscore.work._blocks import BLOCK, DoBlock, Sent, blocks_of, take
from dfactscore.work._executors import SERIAL, Executor
from dfactscore.work._failures import Failure, guarded
from dfactscore.work._finished import Filled
from dfactscore.work._journals import Journals
from dfactscore.work._work import Work

Item = TypeVar("Item")


async def fill(
    work: Work[Item, Any],
    journals: Journals,
    filled: Filled,
    *,
    concurrency: int = 16,
    executor: Executor = SERIAL,
    elsewhere: DoBlock | None = None,
    progress: Progress | None = None,
    block: int = BLOCK,
) -> None:
    """Does the items that are not done.

    Args:
        work: The work to do.
        journals: The journals of lines.
        filled: Takes what was done, as it is done.
        concurrency: Items at a time.
        executor: Over what blocks are done, if that is not this process alone.
        elsewhere: Does a block there.
        progress: Called with how many items are done and how many there are.
        block: Items that are sent at a time.
    """
    total, done = len(work.items), 0

    def advance(count: int = 1) -> None:
        nonlocal done
        done += count
        if progress is not None:
            progress(done, total)

    if executor is not SERIAL and elsewhere is not None:
        blocks = blocks_of(_waiting(work, journals, filled, advance), block)
        for taken in executor.map_blocks(elsewhere, blocks):
            take(cast("Any", journals), work.main, work.shared, taken)  # on disk, with workers
            filled.failed += taken.failed
            filled.fresh += taken.count - len(taken.failed)
            advance(taken.count)
        return

    def todo() -> Iterator[tuple[int, Item]]:
        for number, item in enumerate(work.items):
            if work.is_done(item, journals):
                filled.kept += 1
                advance()
            else:
                yield number, item

    failed: dict[int, Failure] = {}

    async def one(task: tuple[int, Item]) -> None:
        number, item = task
        failure = await _attempt(work, item, journals)
        if failure is None:
            filled.fresh += 1
        elif not work.lost(item, journals, failure):
            failed[number] = failure

    order = work.order
    waiting = todo() if order is None else iter(sorted(todo(), key=lambda task: order(task[1])))
    async for _ in map_concurrently(one, waiting, concurrency=concurrency):
        advance()
    filled.failed += [failed[number] for number in sorted(failed)]


async def _attempt(work: Work[Item, Any], item: Item, journals: Journals) -> Failure | None:
    """Does an item, whose line counts no more where it says so; what is wrong with it alone."""
    key, main = work.key(item), journals[work.main]
    if (line := main.get(key)) is not None and work.again(line):
        main.forget(key)
    return await guarded(work.do(item, journals), key, work.label(item))


def _waiting(
    work: Work[Item, Any], journals: Journals, filled: Filled, advance: Callable[[int], None]
) -> Iterator[Sent]:
    """The items that are not done, as they are sent."""
    for item in work.sent(journals):
        if item is None:
            filled.kept += 1
            advance(1)
        else:
            yield item
