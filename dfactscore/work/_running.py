"""Runs a task: resumes it, processes the remaining items, then sorts and finishes the files."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar, cast

from dfactscore._errors import RunError
from dfactscore._util.jsonl import write_jsonl
from dfactscore._util.reporting import Progress, log_lines
from dfactscore._util.tasks import in_sync, map_concurrently, run_sync
from dfactscore._util.usage import noting_calls
from dfactscore.work._blocks import BLOCK, DoBlock, Failure, Sent, blocks_of, guarded, write_block
from dfactscore.work._executors import SERIAL, Executor
from dfactscore.work._journal import Journal, Journals, MemoryJournal
from dfactscore.work._work import Asked, Work, WouldAsk, all_asked
from dfactscore.work._work_folder import Filled, Finished, Place, WorkFolder, new_manifest

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


Result = TypeVar("Result")

_LOG = logging.getLogger(__name__)


async def run_async(
    work: Work[Item, Result],
    place: Place | None,
    *,
    concurrency: int = 16,
    executor: Executor = SERIAL,
    elsewhere: DoBlock | None = None,
    progress: Progress | None = None,
    session: Callable[[], Mapping[str, Any]] | None = None,
) -> Result:
    """Runs a task, or resumes it.

    If the process is killed at any point, repeating the call processes the remaining items, sends
    no request twice, and produces the same bytes. The files are checked before models are opened.

    Args:
        work: The task.
        place: The location of the task's files; None runs the task in memory.
        concurrency: Number of items processed at the same time.
        executor: Executor that processes the blocks; by default, this process does.
        elsewhere: Callable that the executor calls with each block, such as an `Elsewhere`; if
            None, this process does all the work.
        progress: Called with the number of finished items and the total number of items.
        session: Callable that returns additional entries about this call for ``timing.json``;
            called after each item and at the end.

    Returns:
        The result of the task's `finish`.

    Raises:
        RunError: If the location contains another task or cannot be written to.
        DFactScoreError: If an error affects the whole task, such as a rejected key or an exhausted
            budget.
    """
    files = None
    opened = work.opens is None
    try:
        if place is not None and WorkFolder.is_there(place):
            files = _enter(work, place)
        journals: Journals = _in_memory(work) if files is None else files.journals
        more = _stored_later(work, files)
        if work.opens is not None and (
            len(more) < len(work.later) or _has_unfinished(work, journals)
        ):
            opened, more = True, dict(await work.opens())
        if place is not None:
            files = files or _enter(work, place)
            files.begin(**more)
            journals = files.journals
        filled = Filled()
        with _timed(files, filled, session) as note:

            def advance(done: int, total: int) -> None:
                note()
                if progress is not None:
                    progress(done, total)

            await process_items(
                work,
                journals,
                filled,
                concurrency=concurrency,
                executor=executor,
                elsewhere=elsewhere,
                progress=advance,
            )
        unanswered = _unanswered(work, journals)
        log_lines(_LOG, _notes(work, filled, unanswered, place))
        if files is not None:
            files.settle(work.main, work.all_keys())
        finished = Finished(work.items, journals, filled, files)
        result = work.finish(finished)
        if files is not None:
            _close(work, files, finished, unanswered)
        return result
    finally:
        if work.close is not None and opened:
            await work.close()
        if files is not None:
            files.close()


run = in_sync(run_async)
"""Synchronous version of `run_async`; also works inside a running event loop."""


def would_ask(work: Work[Item, Any], place: Place | None = None) -> WouldAsk:
    """Estimates the requests for a task's unfinished items; writes no files.

    Args:
        work: The task.
        place: The location of the task's files, which may not exist yet.

    Raises:
        RunError: If the location contains another task.
    """
    journals: Journals = _in_memory(work)
    if place is not None and WorkFolder.is_there(place):
        journals = _enter(work, place, read_only=True).journals

    async def counted() -> WouldAsk:
        requests: list[Asked] = []
        items = 0
        for item in work.items:
            if work.is_done(item, journals):
                continue
            item_requests = await all_asked(work.asks(item))
            requests += item_requests
            items += bool(item_requests)
        return WouldAsk(requests, items)

    return run_sync(counted())


def _stored_later(work: Work[Item, Any], files: WorkFolder | None) -> dict[str, Any]:
    """Returns the task's `later` settings from the existing manifest."""
    stored = {} if files is None or files.before is None else files.before.get("settings", {})
    return {name: value for name, value in stored.items() if name in work.later}


def _enter(work: Work[Item, Any], place: Place, *, read_only: bool = False) -> WorkFolder:
    manifest = new_manifest(command=work.name, source=work.source, settings=work.settings)
    return WorkFolder(
        place,
        manifest,
        work.journals,
        work.all_keys(),
        drawn_from=work.drawn_from,
        form=work.form,
        later=work.later,
        read_only=read_only,
    )


def _in_memory(work: Work[Item, Any]) -> dict[str, Any]:
    return {name: MemoryJournal() for name in work.journals}


def _has_unfinished(work: Work[Item, Any], journals: Journals) -> bool:
    return any(not work.is_done(item, journals) for item in work.items)


@contextlib.contextmanager
def _timed(
    files: WorkFolder | None, filled: Filled, session: Callable[[], Mapping[str, Any]] | None
) -> Iterator[Callable[[], None]]:
    """Writes the duration of a call to ``timing.json``, even if the call ends with an exception."""
    # Yields a function that writes the requests made so far, in case the process is killed.
    started, begun = time.time(), time.monotonic()  # the system clock may change during the call
    asked: Any = {}

    def note(*, ended: bool = True) -> None:
        nonlocal asked
        if files is not None and not files.place.single:
            more = dict(session()) if session else {}
            if ended or more.get("asked", {}) != asked:
                files.note_session(started, time.monotonic() - begun, filled.fresh, **more)
            asked = more.get("asked", {})

    def note_asked() -> None:
        note(ended=False)

    try:
        with noting_calls(note_asked):
            yield note_asked
    except BaseException:
        with contextlib.suppress(RunError):  # the first exception is the one to report
            note()
        raise
    note()


def _unanswered(work: Work[Item, Any], journals: Journals) -> int:
    """Returns the number of items whose line asks for another try."""
    if not work.tries_again:
        return 0
    lines = (journals[work.main].get(key) for key in work.all_keys())
    return sum(line is not None and work.again(line) for line in lines)


def _notes(
    work: Work[Item, Any], filled: Filled, unanswered: int, place: Place | None
) -> Iterator[str]:
    if failed := filled.failed:
        first = next((failure for failure in failed if failure.unexpected), failed[0])
        see = ""
        if place is not None:
            see = f" (all in {place.manifest if place.single else place.folder / 'errors.jsonl'})"
        yield (
            f"warning: {len(failed)} of {len(work.items)} {work.things} failed; {first.label!r}: "
            f"{first.reason}{see}; run the same command again to try them again"
        )
    if unanswered:
        yield (
            f"warning: {unanswered} {work.things} got no answer; run the same command again to ask "
            "once more"
        )


def _close(
    work: Work[Item, Any], files: WorkFolder, finished: Finished[Item], unanswered: int
) -> None:
    """Records the failures and the status of the task."""
    more, rows = dict(finished.more), [dict(failure.record()) for failure in finished.failed]
    if files.place.single:
        more |= {"failed": rows}
    elif not work.writes_errors:
        errors = files.place.folder / "errors.jsonl"
        if rows or work.bad or errors.exists():
            write_jsonl(errors, [*work.bad, *rows])
    complete = not finished.failed and not unanswered
    status = more.pop("status", "complete" if complete else "incomplete")
    files.finish(status, **more)
