"""Samples for a host framework, and scores of its answers as `dfactscore score` computes them."""

from __future__ import annotations

import atexit
import math
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._evidence.pages import open_pages
from dfactscore._jobs.opening import open_job
from dfactscore._jobs.settings import Config, JobSettings
from dfactscore._readers import biography_from_record, read_biographies
from dfactscore._readers.record_fields import RecordError
from dfactscore._results.result import Result
from dfactscore._results.text import result_lines
from dfactscore._scoring.matrix import Standing
from dfactscore._util.message_text import near_file, near_miss, short_repr
from dfactscore._util.numbers import mean
from dfactscore._util.settings import from_environment, from_mapping, settle
from dfactscore._util.tasks import run_sync, together
from dfactscore.generation import Request, read_names
from dfactscore.generation._config import NamesSettings, validated
from dfactscore.generation._request import QUESTION
from dfactscore.generation._request_files import load_requests

_PROMPT = frozenset({"instruction", "demos", "shots", "template", "layout"})
_OWN = ("names", "pages", "passages", "top", *sorted(_PROMPT))


@dataclass(frozen=True, slots=True)
class HostSample:
    """A name and its prompt."""

    id: str
    name: str
    messages: list[Any]  # prompt, as `{role, content}`
    passages: list[dict[str, str]]  # passages as `{title, text}`, best first; may be empty

    @property
    def prompt(self) -> str:
        """The prompt as a single text."""
        return "\n\n".join(message["content"] for message in self.messages)


def host_samples(
    where: str,
    *,
    names: str | None = None,
    pages: str | None = None,
    passages: str | None = None,
    top: int = 5,
    **settings: Any,
) -> tuple[list[HostSample], dict[str, Any]]:
    """Creates samples from a file of names or, by default, from the shipped example.

    With passages, the prompt is that of `dfactscore generate`; without passages, it is the paper's
    query (section 2.2).
    """
    for name, path in (("names", names), ("passages", passages)):
        if path is not None and not Path(path).exists():
            raise InputError(
                f"{where}: {name}: {path}: no such file or folder{near_file(Path(path))}"
            )
    known = (*_OWN, *Config.model_fields)
    for key in settings:
        near = "" if key in known else near_miss(key, known, most=2)
        if any(name in near for name in _OWN):  # the judge checks the other settings
            raise InputError(f"{where}: no setting {short_repr(key)}{near}")
    prompt = validated({k: v for k, v in settings.items() if k in _PROMPT}, where).prompt()
    samples = [
        HostSample(
            request.id,
            request.name,
            [
                {"role": role, "content": text}
                for role, text in (
                    prompt.messages(request.name, request.passages)
                    if request.passages
                    else [("user", QUESTION.format(name=request.name))]
                )
            ],
            [{"title": p.title, "text": p.text} for p in request.passages],
        )
        for request in _requests(where, names, passages, top)
    ]
    if pages is None and not any(sample.passages for sample in samples):
        raise InputError(f"{where}: nothing to judge against; give pages=FILE or passages=INDEX")
    return samples, {"pages": pages, **{k: v for k, v in settings.items() if k not in _PROMPT}}


def _requests(where: str, names: str | None, passages: str | None, top: int) -> list[Request]:
    if passages is not None:
        kind = "index" if Path(passages).is_dir() else "passages"
        given = {"names": names, kind: passages, "top": top}
        return load_requests(settle(NamesSettings, from_mapping(NamesSettings, given, where)))
    return _example() if names is None else read_names(names)


def _example() -> list[Request]:
    """Returns the people in the shipped example, with the passages of their first biography."""
    from dfactscore.examples import example

    found: dict[str, Request] = {}
    for biography in read_biographies(example("people").biographies).biographies:
        name = biography.name
        found.setdefault(name, Request(name, name, biography.passages))
    return list(found.values())


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
        if result.status in ("error", "partly_judged", "not_judged"):
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
    means["respond"] = mean(
        float(r.status not in ("abstained", "no_answer")) for r in results if r.status != "failed"
    )
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
