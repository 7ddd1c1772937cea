"""Puts an engine together from a configuration: any role by rules or by a model."""

from __future__ import annotations

from collections.abc import Callable

from dfactscore.engines import Decomposer, Grouper, Verifier
from dfactscore.judging import Engine
from dfactscore.llm.cascade import CascadeVerifier
from dfactscore.llm.config import Config
from dfactscore.llm.decomposer import LLMDecomposer
from dfactscore.llm.grouper import LLMGrouper
from dfactscore.llm.relevance import RelevanceLabeler
from dfactscore.llm.session import LLMSession
from dfactscore.llm.verifier import LLMVerifier, NoContextVerifier, StrictVerifier

__all__ = ["build_engine", "open_session"]


def open_session(config: Config, say: Callable[[str], None] | None = None) -> LLMSession:
    """Opens cache and price list.

    Raises:
        DFactScoreError: If one of them cannot be used.
    """
    return LLMSession(
        cache=False if config.no_cache else config.cache,
        prices=config.prices,
        max_calls=config.max_calls,
        max_cost=config.max_cost,
        batch=config.batch,
        batch_poll=config.batch_poll,
        say=say,
    )


def build_engine(config: Config, session: LLMSession, *, sample: int = 0) -> Engine:
    """Makes the three roles.

    Args:
        config: The settings.
        session: What the models share.
        sample: Index of the repetition; it concerns the verifier only.

    Raises:
        InputError: If a role needs a model and none is named.
    """
    if config.gguf is not None and config.concurrency is None:
        config = config.model_copy(update={"concurrency": 1})
    return Engine(
        _decomposer(config, session),
        _grouper(config, session),
        _verifier(config, session, sample),
        close=session.aclose,
    )


def _decomposer(config: Config, session: LLMSession) -> Decomposer:
    decomposer: Decomposer
    if config.roles[0] == "llm":
        client = session.client(config.chat_model("decomposer"))
        decomposer = LLMDecomposer(client, prompts=config.prompts, per_sentence=config.strict)
    else:
        from dfactscore.embedded.decomposer import EmbeddedDecomposer

        decomposer = EmbeddedDecomposer()
    if config.relevance:
        client = session.client(config.chat_model("decomposer"))
        return RelevanceLabeler(decomposer, client, prompts=config.prompts)
    return decomposer


def _grouper(config: Config, session: LLMSession) -> Grouper:
    if config.roles[1] == "llm":
        return LLMGrouper(session.client(config.chat_model("grouper")), prompts=config.prompts)
    from dfactscore.embedded.grouper import EmbeddedGrouper

    return EmbeddedGrouper()


def _verifier(config: Config, session: LLMSession, sample: int) -> Verifier:
    from dfactscore.embedded.verifier import EmbeddedVerifier

    kind = config.roles[2]
    if kind == "embedded":
        return EmbeddedVerifier()
    client = session.client(config.chat_model("verifier"))
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
        return CascadeVerifier(
            EmbeddedVerifier(), verifier, low=config.cascade_low, high=config.cascade_high
        )
    return verifier
