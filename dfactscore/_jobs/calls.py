"""Decides whether a run asks with few calls, by a check of its judge."""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from dfactscore._asking.session import closing
from dfactscore._jobs.engines import build_engine
from dfactscore._jobs.settings import Config
from dfactscore._jobs.workers import check_workers
from dfactscore._util.tasks import run_sync
from dfactscore.engines._llm.roles.judge_check import JudgeCheck, check_asks, check_judge
from dfactscore.work import Asked

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession

_LOG = logging.getLogger(__name__)

_PAYS = 20  # number of texts from which on the ten calls of the check are less than what they save
_FEW = ('"llm-reader"', '"llm-verifier-together"')  # roles in the manifest of a run with few calls


def settled_calls(
    settings: Config, session: LLMSession | None, texts: int, out: Path | None
) -> tuple[Config, JudgeCheck | None]:
    """Returns the settings with the form of calls that a run keeps, and the check behind it."""
    check_workers(settings.workers, settings.on, settings.uses_llm)  # before a request is made
    earlier = _earlier(out)
    if session is None or not _may_be_few(settings, texts) or earlier == "entity":
        return settings, None
    few = settings.model_copy(update={"calls": "few"})
    check = run_sync(closing(session, _checked(few, session)))
    if earlier == "few":
        return few, check
    if check is None:
        return settings, None
    if not check.passed:
        _LOG.info(f"calls: entity, since with few calls the model {check.line()}")
        return settings, None
    _LOG.info(f"calls: few, since the model {check.line()}")
    return few, check


def calls_to_check(
    settings: Config, session: LLMSession, texts: int, out: Path | None
) -> tuple[Config, list[Asked]]:
    """Returns the settings for an estimate, and the requests of a check that is still to be made.

    Without its answers, one call per page is assumed, which is the most that a run makes.
    """
    few = settings.model_copy(update={"calls": "few"})
    if not _may_be_few(settings, texts) or _earlier(out) == "entity":
        return settings, []
    able = session.client(few.chat_model("verifier")).known_capabilities()
    if able is not None and able.form != "json_schema":
        return settings, []
    asked = run_sync(check_asks(build_engine(few, session), few.few))
    if all(request.cached for request in asked):
        return settled_calls(settings, session, texts, out)[0], []
    return settings if _earlier(out) is None else few, asked


def _may_be_few(settings: Config, texts: int) -> bool:
    few = settings.model_copy(update={"calls": "few"})
    # An answer about all pages gives no probabilities.
    needs = (settings.calibration, settings.threshold, settings.counts == "expected" or None)
    return (
        settings.calls == "auto"
        and texts >= _PAYS
        and few.few[1]
        and settings.roles[2] == "llm"
        and settings.fs_scope == "retrieved"
        and all(need is None for need in needs)
    )


def _earlier(out: Path | None) -> str | None:
    """Returns the form of calls of a run that is resumed."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        settings = json.loads((out / "manifest.json").read_text("utf-8"))["settings"]  # type: ignore[operator]
        return "few" if any(role in json.dumps(settings) for role in _FEW) else "entity"
    return None


async def _checked(few: Config, session: LLMSession) -> JudgeCheck | None:
    """Checks the judge with few calls, if its endpoint enforces schemas."""
    able = await session.client(few.chat_model("verifier")).capabilities()
    if able.form != "json_schema":
        return None
    return await check_judge(build_engine(few, session), few.few)
