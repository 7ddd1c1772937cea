"""Scores answers within a host framework, as `dfactscore score` does."""

from __future__ import annotations

import atexit
import math
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._evidence.pages import open_pages
from dfactscore._jobs.opening import open_job
from dfactscore._jobs.settings import Config, JobSettings
from dfactscore._readers import biography_from_record
from dfactscore._readers.problems import RecordError
from dfactscore._results.result import Result
from dfactscore._results.text import result_lines
from dfactscore._scoring.fact_standings import Standing
from dfactscore._util.numbers import mean
from dfactscore._util.settings import from_environment, from_mapping, settle
from dfactscore._util.tasks import run_sync, together

# Markdown viewers would show both "+" and "-" as bullets.
_SIGNS: dict[Standing, str] = {
    "supported": "- ✓",
    "elsewhere": "- ≠",
    "unsupported": "- ✗",
    "unreadable": "- ?",
}
_MEANS = ("dfs", "fs", "n_bio", "n_ent", "n_facts")
_EVIDENCE = frozenset({"pages", "redirects", "contact"})


class Judge:
    """Judges answers as `dfactscore score` does."""

    # `settings`: the judging and scoring settings of that command. `pages` may also be a mapping of
    # title to text or a knowledge source. Variables `DFACTSCORE_…` supply missing settings.

    def __init__(self, where: str, settings: Mapping[str, Any]) -> None:
        pages = settings.get("pages")
        at_hand = pages is not None and not isinstance(pages, (str, Path))
        named = {k: v for k, v in settings.items() if not (at_hand and k == "pages")}
        given = from_mapping(Config, named, where)
        allowed = {*JobSettings.model_fields, *_EVIDENCE}
        unknown = next((name for name in given.values if name not in allowed), None)
        if unknown is not None:
            raise InputError(f"{where}: {unknown}: is a setting of the command, not of the judge")
        config = settle(Config, from_environment(Config), given)
        stack = ExitStack()
        atexit.register(stack.close)
        job = open_job(config, stack.enter_context(config.using_session(needed=config.uses_llm)))
        self._text = config.text
        self._job = (replace(job, source=open_pages(pages)) if at_hand else job).settled()

    def check_models(self) -> None:
        """Sends a short question to each language model before any paid requests are made."""
        session, models = self._job.session, self._job.models or ()
        if session is None:
            return

        async def work() -> None:
            try:
                await together(session.client(model).check() for model in models)
            finally:
                await session.aclose()

        run_sync(work())

    async def judge(self, record: Mapping[str, Any]) -> Result:
        """Judges and scores one answer."""
        try:
            result = Result(await self._job.fill(biography_from_record(record, text=self._text)))
        except RecordError as error:
            raise InputError(str(error)) from None
        if result.status in ("error", "not_judged"):
            raise InputError(result.reason)
        return result

    def judge_now(self, records: Sequence[Mapping[str, Any]]) -> list[Result]:
        """Like `judge`, but synchronous and for several records."""

        async def work() -> list[Result]:
            try:
                return [await self.judge(record) for record in records]
            finally:  # connections belong to the event loop, which ends here
                if self._job.engine.close is not None:
                    await self._job.engine.close()

        return run_sync(work())


def values(results: Sequence[Result]) -> dict[str, float]:
    """Returns the metrics for one sample, averaged over its answers."""
    scores = [r.scores for r in results if r.scores is not None and r.scores.fs is not None]
    means = {key: mean(getattr(s, key) for s in scores) for key in _MEANS}
    means["respond"] = mean(float(r.status not in ("abstained", "no_answer")) for r in results)
    means["scored"] = len(scores) / len(results) if results else None
    # `dfs`, `fs`, `n_bio`, `n_ent` and `n_facts`, which are NaN if no answer has a value;
    # `respond`, the share of results that contain an answer; `scored`, the share with an `fs`.
    return {key: math.nan if value is None else float(value) for key, value in means.items()}


def details(results: Sequence[Result]) -> dict[str, Any]:
    """Returns details on the metrics for one sample, as JSON values."""
    shown = [
        {key: row.get(key) for key in ("status", "reason", "groups", "facts")}
        for row in (result.to_dict() for result in results)
    ]
    # `status`, `reason`, `groups` with their links and `facts` with their evidence, as returned by
    # `Result.to_dict`; if there are several answers, under `answers`, with one entry per answer.
    return shown[0] if len(shown) == 1 else {"answers": shown}


def explain(results: Sequence[Result]) -> str:
    """Returns the printed results, with the facts as Markdown lists."""
    return "\n\n".join("\n".join(result_lines(result.record, _SIGNS)) for result in results)
