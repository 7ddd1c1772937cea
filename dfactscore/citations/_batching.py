"""Combines questions about several paragraphs into a few large calls."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore.citations._entailment import Entailer, Judgment, Query, judged


class Batches:
    """Combines the questions of concurrent paragraphs into one call, without duplicates.

    If a batch fails, the questions of each paragraph are sent separately, so that only the
    paragraph that caused the problem fails.
    """

    def __init__(self, entailer: Entailer) -> None:
        self.entailer = entailer
        self._waiting: list[tuple[Sequence[Query], asyncio.Future[list[Judgment]]]] = []
        self._asking: set[asyncio.Task[None]] = set()

    async def judge(self, queries: Sequence[Query]) -> list[Judgment]:
        """Returns one judgment per question, in order."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[Judgment]] = loop.create_future()
        self._waiting.append((queries, answer))
        if len(self._waiting) == 1:
            task = loop.create_task(self._flush())
            self._asking.add(task)
            task.add_done_callback(self._asking.discard)
        return await answer

    async def _flush(self) -> None:
        await asyncio.sleep(0)  # lets other paragraphs that are ready add their questions
        waiting, self._waiting = self._waiting, []
        all_queries = [query for queries, _ in waiting for query in queries]
        try:
            judgments = iter(await judged(self.entailer, all_queries))
        except Exception:
            for queries, answer in waiting:
                try:
                    _settle(answer, await judged(self.entailer, queries))
                except Exception as error:
                    _settle(answer, error)
            return
        for queries, answer in waiting:
            _settle(answer, [next(judgments) for _ in queries])


def _settle(answer: asyncio.Future[list[Judgment]], result: list[Judgment] | Exception) -> None:
    if answer.done():  # the paragraph was canceled in the meantime
        return
    if isinstance(result, Exception):
        answer.set_exception(result)
    else:
        answer.set_result(result)


class Asker:
    """The questions of one paragraph."""

    def __init__(self, batches: Batches) -> None:
        self._batches = batches
        self.passing = False  # whether a temporary error left any question unanswered

    @property
    def settings(self) -> Mapping[str, Any]:
        """The entailer's settings."""
        return self._batches.entailer.settings

    async def judge(self, queries: Sequence[Query]) -> list[Judgment]:
        """Returns one judgment per question, in order."""
        judgments = await self._batches.judge(queries)
        self.passing |= any(judgment.passing for judgment in judgments)
        return judgments
