"""Batches questions about several paragraphs into few large model calls."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore.citations._entailment import Entailer, Judgment, Query, judged


class Batches:
    """Gathers what paragraphs ask at the same time, and asks it at once, each question once.

    A batch that fails is asked again in parts, so that the paragraph that it fails on fails alone.

    Args:
        entailer: The entailment model.
    """

    def __init__(self, entailer: Entailer) -> None:
        self.entailer = entailer
        self._waiting: list[tuple[Sequence[Query], asyncio.Future[list[Judgment]]]] = []
        self._asking: set[asyncio.Task[None]] = set()

    async def judge(self, queries: Sequence[Query]) -> list[Judgment]:
        """One judgment a question, in order."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[Judgment]] = loop.create_future()
        self._waiting.append((queries, answer))
        if len(self._waiting) == 1:
            task = loop.create_task(self._flush())
            self._asking.add(task)
            task.add_done_callback(self._asking.discard)
        return await answer

    async def _flush(self) -> None:
        await asyncio.sleep(0)  # all that are ready have asked by then
        waiting, self._waiting = self._waiting, []
        every = [query for queries, _ in waiting for query in queries]
        try:
            found = iter(await judged(self.entailer, every))
        except Exception:
            for queries, answer in waiting:
                try:
                    _settle(answer, await judged(self.entailer, queries))
                except Exception as error:
                    _settle(answer, error)
            return
        for queries, answer in waiting:
            _settle(answer, [next(found) for _ in queries])


def _settle(answer: asyncio.Future[list[Judgment]], result: list[Judgment] | Exception) -> None:
    if answer.done():  # its paragraph was given up meanwhile
        return
    if isinstance(result, Exception):
        answer.set_exception(result)
    else:
        answer.set_result(result)


class Asker:
    """The questions of one paragraph.

    Args:
        batches: The batches.

    Attributes:
        passing: Whether one of them got no answer, for a reason that may pass.
    """

    def __init__(self, batches: Batches) -> None:
        self._batches = batches
        self.passing = False

    @property
    def settings(self) -> Mapping[str, Any]:
        """The entailer's settings."""
        return self._batches.entailer.settings

    async def judge(self, queries: Sequence[Query]) -> list[Judgment]:
        """One judgment a question, in order."""
        found = await self._batches.judge(queries)
        self.passing |= any(one.passing for one in found)
        return found
