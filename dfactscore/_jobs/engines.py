"""Builds an engine from settings, and decides whether its model is asked with few calls."""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from dfactscore._asking.session import closing
from dfactscore._jobs.settings import Config
from dfactscore._jobs.workers import check_workers
from dfactscore._util.tasks import run_sync
from dfactscore.engines._llm.roles.judge_check import JudgeCheck, check_asks, check_judge
from dfactscore.work import Asked

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._errors import InputError
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._llm.roles.decomposer import LLMDecomposer
from dfactscore.engines._llm.roles.facts_step import RelevanceLabeler
from dfactscore.engines._llm.roles.grouper import LLMGrouper
from dfactscore.engines._llm.roles.joint_verifier import MajorityVerifier, TogetherVerifier
from dfactscore.engines._llm.roles.reader import LLMReader, ReadGroups
from dfactscore.engines._llm.roles.verifier import LLMVerifier, NoContextVerifier, StrictVerifier
from dfactscore.engines._roles import Decomposer, Engine, Grouper, Verifier
from dfactscore.engines._wrapping import CalibratedVerifier, CascadeVerifier
from dfactscore.work._executors import worker_number

if TYPE_CHECKING:
    from dfactscore._asking.client import ChatClient
    from dfactscore._asking.session import LLMSession
    from dfactscore._asking.settings import ChatModel
    from dfactscore.engines._nli.loading import ModelFolder
    from dfactscore.engines._nli.verifier import NLIVerifier

_LOG = logging.getLogger(__name__)


Role = Literal["decomposer", "grouper", "verifier"]


def engine_models(config: Config) -> tuple[ChatModel, ...]:
    """Returns the language models of the roles, in the order of the roles."""
    roles = [role for role, asks in config.asks_model.items() if asks]
    judges = config.judge_models()
    models = [config.chat_model(role) for role in roles if not (judges and role == "verifier")]
    return (*models, *judges)


def build_engine(
    config: Config,
    session: LLMSession | None = None,  # state that models share; None if no role needs a model
    *,
    sample: int = 0,
    model: ChatModel | None = None,
) -> Engine:
    """Builds the three roles."""

    def client(role: Role) -> ChatClient:
        if session is None:
            raise InputError(f"the {role} needs a language model: build_engine needs a session")
        return session.client(model or config.chat_model(role))

    judges = [session.client(judge) for judge in config.judge_models()] if session else []
    decomposer = _decomposer(config, client)
    return Engine(
        _labeled(decomposer, config, client),
        _grouper(config, client, decomposer),
        _calibrated(_verifier(config, client, sample, judges), config),
        close=None if session is None else session.aclose,
        any_language=config.language == "any",
    )


def _decomposer(config: Config, ask: Callable[[Role], ChatClient]) -> Decomposer:
    if config.roles[0] != "llm":
        return BuiltinDecomposer()

    options: dict[str, Any] = {
        "form": "sentence" if config.strict else "auto",
        "check_facts": config.check_facts,
        "prompts": config.prompts,
    }
    client = ask("decomposer")
    if config.few[0]:
        grouper = LLMGrouper(ask("grouper"), prompts=config.prompts)
        return LLMReader(client, grouper, **options)
    return LLMDecomposer(client, **options)


def _labeled(
    decomposer: Decomposer, config: Config, ask: Callable[[Role], ChatClient]
) -> Decomposer:
    if not config.relevance:
        return decomposer

    return RelevanceLabeler(decomposer, ask("decomposer"), prompts=config.prompts)


def _grouper(config: Config, ask: Callable[[Role], ChatClient], decomposer: Decomposer) -> Grouper:
    if config.few[0] and isinstance(decomposer, LLMReader):
        return ReadGroups(decomposer)
    if config.roles[1] == "llm":
        return LLMGrouper(ask("grouper"), prompts=config.prompts)

    return BuiltinGrouper()


def _verifier(
    config: Config,
    ask: Callable[[Role], ChatClient],
    sample: int,
    judges: Sequence[ChatClient] = (),
) -> Verifier:
    kind = config.roles[2]
    if kind == "builtin":
        return BuiltinVerifier()
    if judges:
        return MajorityVerifier([_llm_verifier(config, judge, sample) for judge in judges])
    verifier = (
        _llm_verifier(config, ask("verifier"), sample)
        if config.nli_name is None
        else _nli_verifier(config, config.nli_name)
    )
    if kind == "cascade":
        return CascadeVerifier(
            BuiltinVerifier(),
            verifier,
            low=config.cascade_low,
            high=config.cascade_high,
        )
    return verifier


def _calibrated(verifier: Verifier, config: Config) -> Verifier:
    if config.calibration is None:
        return verifier

    return CalibratedVerifier(verifier, config.calibration)


def _llm_verifier(config: Config, client: ChatClient, sample: int) -> Verifier:
    kind = config.roles[2]
    options: dict[str, Any] = {"prompts": config.prompts, "sample": sample}
    if kind == "strict" or (config.strict and kind != "no-context"):
        return StrictVerifier(client, **options)
    options["facts_per_call"] = config.facts_per_call
    if kind == "no-context":
        return NoContextVerifier(client, **options)
    if config.few[1]:
        return TogetherVerifier(client, evidence=config.evidence, **options)
    return LLMVerifier(client, reasons=config.reasons, **options)


def _nli_verifier(config: Config, name: str) -> Verifier:
    from dfactscore.engines._nli.loading import open_folder

    options = tuple(config.nli_options().items())
    verifier = _loaded(open_folder(name), options)
    if worker_number() is None:  # otherwise, every worker would repeat it
        _LOG.info(verifier.judge.describe())
    return verifier


@lru_cache(maxsize=1)
def _loaded(folder: ModelFolder, options: tuple[tuple[str, Any], ...]) -> NLIVerifier:
    """Loads a model; the last one is cached because an experiment uses it for many texts."""
    from dfactscore.engines._nli.verifier import NLIVerifier

    return NLIVerifier(folder.given, **dict(options))


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
        and settings.judges is None
        and settings.index is None
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
