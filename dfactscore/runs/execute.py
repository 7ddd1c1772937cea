"""Fills the records of a run folder: resumable, nothing judged twice."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dfactscore._util.callbacks import Progress
from dfactscore._util.tasks import map_concurrently, run_sync
from dfactscore.engines.protocols import Engine
from dfactscore.errors import RunError
from dfactscore.evidence.entities import gather_entities
from dfactscore.runs.blocks import BLOCK, blocks_of
from dfactscore.runs.judging import JudgeBlock, Waiting, waiting_records
from dfactscore.runs.writer import RunWriter
from dfactscore.scoring.record import Record
from dfactscore.scoring.stages import judge
from dfactscore.workers import SERIAL, Executor

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource

__all__ = ["execute"]


def execute(
    run: RunWriter,
    records: Sequence[Record],
    engine: Engine,
    source: KnowledgeSource | None,
    *,
    concurrency: int = 16,
    progress: Progress | None = None,
    session: Callable[[], Mapping[str, Any]] | None = None,
    executor: Executor = SERIAL,
    elsewhere: JudgeBlock | None = None,
    block: int = BLOCK,
) -> int:
    """Judges what is not judged yet.

    Args:
        run: The open run.
        records: In the order of the input; what is filled in them is kept as it is.
        engine: The roles.
        source: Pages by title, or None to judge against the passages.
        concurrency: Biographies at a time, where the engine takes time.
        progress: Called with how many are done and how many there are.
        session: Asked at the end, or when the run is stopped, for what else to note about this
            call in ``timing.json``.
        executor: Over what blocks are judged, where that is not this process alone.
        elsewhere: Judges a block in another process; needed by such an executor.
        block: Biographies that are sent at a time.

    Returns:
        How many biographies were judged by this call.
    """
    started = time.time()
    fresh = [0]

    def note() -> None:
        more = dict(session()) if session else {}
        run.note_session(started, time.time() - started, fresh[0], **more)

    try:
        if elsewhere is not None and executor is not SERIAL:
            _execute_over(run, records, executor, elsewhere, block, progress, fresh)
        else:
            run_sync(_execute(run, records, engine, source, concurrency, progress, fresh))
    except BaseException:
        with contextlib.suppress(RunError):  # what stopped the run is what has to be said
            note()
        raise
    note()
    return fresh[0]


def _execute_over(
    run: RunWriter,
    records: Sequence[Record],
    executor: Executor,
    judge_block: JudgeBlock,
    block: int,
    progress: Progress | None,
    fresh: list[int],
) -> None:
    done = 0

    def advance(count: int) -> None:
        nonlocal done
        done += count
        if progress and count:
            progress(done, len(records))

    def waiting() -> Iterator[Waiting]:
        for one in waiting_records(run, records):
            if one is None:
                advance(1)
            else:
                yield one

    for judged in executor.map_blocks(judge_block, blocks_of(waiting(), block)):
        run.take(judged)
        fresh[0] += judged.count
        advance(judged.count)


async def _execute(
    run: RunWriter,
    records: Sequence[Record],
    engine: Engine,
    source: KnowledgeSource | None,
    concurrency: int,
    progress: Progress | None,
    fresh: list[int],
) -> None:
    async def one(record: Record) -> None:
        found = run.resume(replace(record, status=None))
        if found.status is not None:
            return
        if record.status is not None:
            run.keep_all(record)
            run.end(record)
        else:
            found = found.with_entities(gather_entities(record.biography, source))
            run.end(await judge(found, engine, keep=run.keep))
        fresh[0] += 1

    done = 0
    try:
        async for _ in map_concurrently(one, records, concurrency=concurrency):
            done += 1
            if progress:
                progress(done, len(records))
    finally:
        if engine.close:
            await engine.close()
