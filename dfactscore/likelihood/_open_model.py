"""Opens a likelihood model, and tests it before paid requests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, AnswerError, Call, CallError, ModelError
from dfactscore._asking.settings import GGUFModel, OpenAIModel
from dfactscore._errors import InputError
from dfactscore._util.jsonl import parse_json
from dfactscore.likelihood._completions import CompletionsModel
from dfactscore.likelihood._continuations import LikelihoodModel
from dfactscore.likelihood._forced import ForcedModel
from dfactscore.likelihood._server_probe import Probed, probe
from dfactscore.likelihood._settings import LikelihoodSettings
from dfactscore.likelihood._transformers_engine import TransformersModel

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession


_NO_NAME = "-"  # placeholder for a name to be requested from the server


def likelihood_client(settings: LikelihoodSettings, session: LLMSession) -> ChatClient:
    """Creates the client for an endpoint or GGUF file, with the session's cache and budget."""
    if settings.gguf is not None:
        from dfactscore._asking.gguf import GGUFTransport

        model = settings.model_for("likelihood")
        assert isinstance(model, GGUFModel)
        return _client(model, session, GGUFTransport(model, keep_prompts=False))
    name = settings.model or (_NO_NAME if settings.base_url else None)
    if name is None:
        raise InputError(
            "likelihoods need a language model, and none is named: give --hf FOLDER (or a hub "
            "id), --gguf FILE, or --base-url ADDRESS (with --model NAME)"
        )
    return _client(settings.model_for("likelihood", name), session, None)


def _client(model: Any, session: LLMSession, transport: Any) -> ChatClient:
    return ChatClient(
        model,
        cache=session.cache,
        budget=session.budget,
        usage=session.usage,
        transport=transport,
    )


async def open_likelihood(settings: LikelihoodSettings, session: LLMSession) -> LikelihoodModel:
    """Opens the model named in the settings.

    A server is tested first: it generates one token, and must return the same log-probability for
    it in response to a request in the format used for items.

    Args:
        settings: The settings.
        session: The cache and budget.

    Raises:
        InputError: If the model cannot be used; the message says why and suggests suitable engines.
        DFactScoreError: If the endpoint does not answer.
    """
    if settings.hf is not None:
        return TransformersModel(
            settings.hf,
            bos=settings.bos,
            context_tokens=settings.context_tokens,
            cache=session.cache,
        )
    client = likelihood_client(settings, session)
    if client.model.model == _NO_NAME:
        client = await _named(client, session)
    try:
        found = await _probed(client, settings)
    except BaseException:
        await client.aclose()
        raise
    if found.style == "forced":
        assert found.safe is not None
        inside = isinstance(client.model, GGUFModel)
        return ForcedModel(
            client,
            name=PurePath(client.model.model).name,
            bos=settings.bos,
            bos_id=found.bos_id,
            safe=found.safe,
            context_tokens=settings.context_tokens,
            limit=found.limit or 0,
            prefill=inside,
        )
    return CompletionsModel(
        client,
        style=found.style,
        bos=settings.bos,
        context_tokens=settings.context_tokens,
        limit=found.limit or 0,
    )


async def _probed(client: ChatClient, settings: LikelihoodSettings) -> Probed:
    """The result of testing the server, taken from the answer cache if available."""
    about = [client.transport.endpoint, client.model.model, settings.bos]
    digest = hashlib.sha256(json.dumps(about).encode()).hexdigest()
    key = f"likelihood:{digest}"
    if client.cache is not None and (noted := client.cache.note(key)) is not None:
        try:
            return Probed.from_json(noted)
        except (ValueError, TypeError, KeyError):
            pass  # a damaged entry: the server is tested again
    try:
        probed = await probe(client, settings.bos)
    except (CallError, AnswerError) as error:
        raise InputError(f"{client.transport.endpoint}: {error.reason}") from None
    if client.cache is not None:
        client.cache.set_note(key, probed.to_json())
    return probed


async def _named(client: ChatClient, session: LLMSession) -> ChatClient:
    """Returns the client with its model name set to that of the server's only model."""
    endpoint = client.transport.endpoint
    try:
        names = await client.call(
            Call("models", "/models", None, "models-1", _names, keep=False, free=True),
            lambda answer: [str(name) for name in parse_json(answer.text)],
        )
    except (ModelError, CallError, AnswerError) as error:
        raise InputError(f"{endpoint}: names no model ({error}); give --model NAME") from None
    finally:
        await client.aclose()
    if len(names) != 1:
        has = ", ".join(names[:5]) or "none"
        raise InputError(f"{endpoint}: has several models or none ({has}); give --model NAME")
    assert isinstance(client.model, OpenAIModel)
    return _client(replace(client.model, model=names[0]), session, None)


def _names(reply: Mapping[str, Any]) -> Answer:
    data = reply.get("data")
    listed = data if isinstance(data, list) else []
    return Answer(json.dumps([entry["id"] for entry in listed if isinstance(entry, Mapping)]))
