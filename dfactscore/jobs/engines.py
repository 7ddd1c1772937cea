"""Puts an engine together from a configuration: any role by rules or by a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from dfactscore._util.callbacks import Log
from dfactscore.engines.protocols import Decomposer, Engine, Grouper, Verifier
from dfactscore.errors import InputError
from dfactscore.jobs.settings import Config

if TYPE_CHECKING:
    from dfactscore.engines.llm.client.client import ChatClient
    from dfactscore.engines.llm.client.session import LLMSession
    from dfactscore.engines.llm.client.settings import ChatModel

__all__ = ["build_engine", "engine_models", "open_session"]

Role = Literal["decomposer", "grouper", "verifier"]


def open_session(config: Config, log: Log | None = None) -> LLMSession:
    """Opens cache and price list.

    Raises:
        DFactScoreError: If one of them cannot be used.
    """
    return config.open_session(log, batch=config.batch, batch_poll=config.batch_poll)


def engine_models(config: Config) -> tuple[ChatModel, ...]:
    """The models that the roles ask, in the order of the roles."""
    decomposer, grouper, verifier = config.roles
    asking: dict[Role, bool] = {
        "decomposer": decomposer == "llm" or config.relevance,
        "grouper": grouper == "llm",
        "verifier": verifier != "builtin",
    }
    return tuple(config.chat_model(role) for role, asks in asking.items() if asks)


def build_engine(
    config: Config,
    session: LLMSession | None = None,
    *,
    sample: int = 0,
    model: ChatModel | None = None,
) -> Engine:
    """Makes the three roles.

    Args:
        config: The settings.
        session: What the models share; None where no role asks one.
        sample: Index of the repetition; it concerns the verifier only.
        model: The model of all roles, instead of those that the settings name.

    Raises:
        InputError: If a role needs a model and none is named.
    """

    def client(role: Role) -> ChatClient:
        if session is None:
            raise InputError(f"the {role} needs a language model: build_engine needs a session")
        return session.client(model or config.chat_model(role))

    return Engine(
        _decomposer(config, client),
        _grouper(config, client),
        _verifier(config, client, sample),
        close=None if session is None else session.aclose,
    )


def _decomposer(config: Config, ask: Callable[[Role], ChatClient]) -> Decomposer:
    decomposer: Decomposer
    if config.roles[0] == "llm":
        from dfactscore.engines.llm.roles.decomposer import LLMDecomposer

        client = ask("decomposer")
        decomposer = LLMDecomposer(client, prompts=config.prompts, per_sentence=config.strict)
    else:
        from dfactscore.engines.builtin.decompose.decomposer import BuiltinDecomposer

        decomposer = BuiltinDecomposer()
    if config.relevance:
        from dfactscore.engines.llm.roles.relevance import RelevanceLabeler

        return RelevanceLabeler(decomposer, ask("decomposer"), prompts=config.prompts)
    return decomposer


def _grouper(config: Config, ask: Callable[[Role], ChatClient]) -> Grouper:
    if config.roles[1] == "llm":
        from dfactscore.engines.llm.roles.grouper import LLMGrouper

        return LLMGrouper(ask("grouper"), prompts=config.prompts)
    from dfactscore.engines.builtin.group.grouper import BuiltinGrouper

    return BuiltinGrouper()


def _verifier(config: Config, ask: Callable[[Role], ChatClient], sample: int) -> Verifier:
    from dfactscore.engines.builtin.verify.verifier import BuiltinVerifier

    kind = config.roles[2]
    if kind == "builtin":
        return BuiltinVerifier()
    from dfactscore.engines.llm.roles.verifier import (
        LLMVerifier,
        NoContextVerifier,
        StrictVerifier,
    )

    client = ask("verifier")
    if kind == "no-context":
        return NoContextVerifier(
            client,
            prompts=config.prompts,
            facts_per_call=config.facts_per_call,
            sample=sample,
        )
    if kind == "strict":
        return StrictVerifier(client, prompts=config.prompts, sample=sample)
    verifier: Verifier
    if config.strict:
        verifier = StrictVerifier(client, prompts=config.prompts, sample=sample)
    else:
        verifier = LLMVerifier(
            client,
            prompts=config.prompts,
            facts_per_call=config.facts_per_call,
            passages_per_fact=config.passages_per_fact,
            max_passages=config.max_passages,
            sample=sample,
        )
    if kind == "cascade":
        from dfactscore.engines.cascade import CascadeVerifier

        return CascadeVerifier(
            BuiltinVerifier(),
            verifier,
            low=config.cascade_low,
            high=config.cascade_high,
            weight=config.cascade_weight,
        )
    return verifier
