"""Processes the unfinished items of a task, in this process or in workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, cast

from dfactscore._util.callbacks import Progress
from dfactscore._util.tasks import map_concurrently
from dfactscore.work._blocks import BLOCK, DoBlock, Sent, blocks_of, write_block
from dfactscore.work._executors import SERIAL, Executor
from dfactscore.work._failures import Failure, guarded
from dfactscore.work._finished import Filled
from dfactscore.work._journal import Journal
from dfactscore.work._line_store import Journals
from dfactscore.work._work import Work

Item = TypeVar("Item")


async def process_items(
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
    """Processes the items that are not finished."""
    total, done = len(work.items), 0

    def advance(count: int = 1) -> None:
        nonlocal done
        done += count
        if progress is not None:
            progress(done, total)

    if executor is not SERIAL and elsewhere is not None:
        blocks = blocks_of(_unfinished(work, journals, filled, advance), block)
        for result in executor.map_blocks(elsewhere, blocks):
            files = cast("Mapping[str, Journal]", journals)  # with workers, all are on disk
            write_block(files, work.main, work.shared, result)
            filled.failed += result.failed
            filled.fresh += result.count - len(result.failed)
            advance(result.count)
        return

    def todo() -> Iterator[tuple[int, Item]]:
        for number, item in enumerate(work.items):
            if work.is_done(item, journals):
                filled.kept += 1
                advance()
            else:
                yield number, item

    failed: dict[int, Failure] = {}

    async def process(task: tuple[int, Item]) -> None:
        number, item = task
        failure = await _attempt(work, item, journals)
        if failure is None:
            filled.fresh += 1
        elif not work.lost(item, journals, failure):
            failed[number] = failure

    order = work.order
    tasks = todo() if order is None else iter(sorted(todo(), key=lambda task: order(task[1])))
    async for _ in map_concurrently(process, tasks, concurrency=concurrency):
        advance()
    filled.failed += [failed[number] for number in sorted(failed)]


async def _attempt(work: Work[Item, Any], item: Item, journals: Journals) -> Failure | None:
    """Processes an item, first dropping a line that asks for another try; returns any failure."""
    key, main = work.key(item), journals[work.main]
    if (line := main.get(key)) is not None and work.again(line):
        main.forget(key)
    return await guarded(work.do(item, journals), key, work.label(item))


def _unfinished(
    work: Work[Item, Any], journals: Journals, filled: Filled, advance: Callable[[int], None]
) -> Iterator[Sent]:
    """Yields the unfinished items in the form in which they are sent."""
    for item in work.sent(journals):
        if item is None:
            filled.kept += 1
            advance(1)
        else:
            yield item
