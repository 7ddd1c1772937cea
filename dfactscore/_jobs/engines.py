"""Builds an engine from settings; each role is filled by the built-in engine or a model."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._errors import InputError
from dfactscore._jobs.settings import Config
from dfactscore.engines._builtin.decompose.decomposer import BuiltinDecomposer
from dfactscore.engines._builtin.group.grouper import BuiltinGrouper
from dfactscore.engines._builtin.verify.verifier import BuiltinVerifier
from dfactscore.engines._llm.roles.decomposer import LLMDecomposer
from dfactscore.engines._llm.roles.facts_step import RelevanceLabeler
from dfactscore.engines._llm.roles.grouper import LLMGrouper
from dfactscore.engines._llm.roles.joint_verifier import TogetherVerifier
from dfactscore.engines._llm.roles.reader import LLMReader, ReadGroups
from dfactscore.engines._llm.roles.verifier import LLMVerifier, NoContextVerifier, StrictVerifier
from dfactscore.engines._roles import Decomposer, Engine, Grouper, Verifier
from dfactscore.engines._wrapping import CalibratedVerifier, CascadeVerifier
from dfactscore.work._executors import worker_number

if TYPE_CHECKING:
    from dfactscore._asking.client import ChatClient
    from dfactscore._asking.session import LLMSession
    from dfactscore._asking.settings import ChatModel
    from dfactscore.engines._llm.roles.decomposer import Form
    from dfactscore.engines._nli.loading import ModelFolder
    from dfactscore.engines._nli.verifier import NLIVerifier

_LOG = logging.getLogger(__name__)


Role = Literal["decomposer", "grouper", "verifier"]


def engine_models(config: Config) -> tuple[ChatModel, ...]:
    """Returns the language models of the roles, in the order of the roles."""
    return tuple(config.chat_model(role) for role, asks in config.asks_model.items() if asks)


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

    decomposer = _decomposer(config, client)
    return Engine(
        _labeled(decomposer, config, client),
        _grouper(config, client, decomposer),
        _calibrated(_verifier(config, client, sample), config),
        close=None if session is None else session.aclose,
        any_language=config.language == "any",
    )


def _decomposer(config: Config, ask: Callable[[Role], ChatClient]) -> Decomposer:
    if config.roles[0] != "llm":
        return BuiltinDecomposer()

    form: Form = "sentence" if config.strict else config.form
    options: dict[str, Any] = {
        "form": form,
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
) -> Verifier:
    kind = config.roles[2]
    if kind == "builtin":
        return BuiltinVerifier()
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
            weight=config.cascade_weight,
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
    options |= {"passages_per_fact": config.passages_per_fact, "max_passages": config.max_passages}
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
