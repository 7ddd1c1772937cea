"""Opens a likelihood model, and tests whether a server returns correct log-probabilities."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Answer, AnswerError, Call, CallError, ModelError
from dfactscore._asking.settings import GGUFModel, OpenAIModel
from dfactscore._asking.transport import Rejected
from dfactscore._errors import InputError
from dfactscore._util.jsonl import parse_json
from dfactscore.likelihood._completions import (
    CompletionsModel,
    ResponseToken,
    Style,
    echo_call,
    from_answer,
    generated,
    prompt_part,
)
from dfactscore.likelihood._continuations import Bos, LikelihoodModel, first_token
from dfactscore.likelihood._forced import ForcedModel, force_call, tokenize_call, written_ids
from dfactscore.likelihood._settings import LikelihoodSettings
from dfactscore.likelihood._transformers_engine import TransformersModel

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession


PROBE = "One, two, three, four, five, six, seven,"
_NEAR = 0.05
_ENGINES = (
    "engines that can: transformers (--hf FOLDER or hub id), forced decoding (--gguf FILE, or a "
    "llama.cpp server), a server with prompt log-probabilities (vLLM)"
)


@dataclass(frozen=True, slots=True)
class Probed:
    """The result of a test."""

    style: Literal["forced"] | Style
    bos_id: int | None = None  # id of the beginning-of-sequence token, for forced decoding
    # The id of a token that consists of complete characters, for forced decoding.
    safe: int | None = None
    limit: int | None = None  # maximum number of tokens, if the server reports it

    def to_json(self) -> str:
        """The result as a line that `from_json` can read."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> Probed:
        """Reads the output of `to_json`."""
        return cls(**parse_json(line))


class _Refused(InputError):
    def __init__(self, client: ChatClient, seen: str) -> None:
        super().__init__(
            f"{client.transport.endpoint}: {client.model.model} cannot be asked for likelihoods: "
            f"{seen}; {_ENGINES}"
        )


async def probe(client: ChatClient, bos: Bos) -> Probed:
    """Generates a token and requests its log-probability in the format used for items."""
    token = await _greedy(client, bos)
    if token.id is not None:
        return await _forced(client, bos, token)
    seen = ""
    for style in ("echo", "prompt_logprobs"):
        seen, last = await _asked(client, style, bos, token)
        if not seen:
            return Probed(style, limit=await _stated_limit(client))
        if last:
            break
    raise _Refused(client, seen)


async def _greedy(client: ChatClient, bos: Bos) -> ResponseToken:
    body: dict[str, Any] = {"prompt": PROBE, "max_tokens": 1, "temperature": 0, "logprobs": 1}
    if bos != "auto":
        body["add_special_tokens"] = bos == "yes"
    try:
        reply = await client.call(_call(body), from_answer)
    except ModelError as error:
        if "404" not in str(error) and "405" not in str(error):
            raise
        raise _Refused(client, "it only chats (it has no /completions)") from None
    except (CallError, AnswerError) as error:
        raise _Refused(client, f"it does not complete a text ({error})") from None
    if not reply.tokens or reply.tokens[-1].logprob is None:
        raise _Refused(client, "it gives no log-probability of a token that it writes")
    return reply.tokens[-1]


def _call(body: Mapping[str, Any]) -> Call:
    return Call("probe", "/completions", body, "probe", generated, keep=False)


async def _asked(
    client: ChatClient, style: Style, bos: Bos, token: ResponseToken
) -> tuple[str, bool]:
    """The problem with the server's answer, and whether other request formats are ruled out too."""
    text = PROBE + token.text
    call = echo_call(text, style, bos=bos, version="probe", keep=False)
    try:
        tokens = await client.call(call, lambda answer: prompt_part(from_answer(answer), text))
    except Rejected as error:
        return f"it rejects a request for prompt log-probabilities ({error.reason})", False
    except (AnswerError, CallError):
        return "it leaves out the log-probabilities of the prompt", False
    if any(one.start is None for one in tokens):
        last_tokens = tokens[-1:]
    else:
        starts = [one.start or 0 for one in tokens]
        last_tokens = tokens[
            first_token(list(zip(starts, [*starts[1:], len(text) + 1], strict=True)), len(PROBE)) :
        ]
    values = [one.logprob for one in last_tokens]
    if not values or any(value is None for value in values):
        return "it leaves out the log-probability of the prompt's last token", True
    total = sum(value for value in values if value is not None)
    if abs(total - (token.logprob or 0.0)) > _NEAR:
        return (
            f"the log-probability of {token.text!r} is {token.logprob:.3f} when it writes it and "
            f"{total:.3f} as the prompt's last token, as of a server that shifts them by one"
        ), True
    return _bos_fault(tokens, bos), True


def _bos_fault(tokens: list[ResponseToken], bos: Bos) -> str:
    """A description of the problem if the server ignores ``--bos``, otherwise empty."""
    marked = tokens[0].text == "" or (tokens[0].logprob is None and tokens[1].start == 0)
    if bos == "auto" or marked == (bos == "yes"):
        return ""
    does = "begins" if marked else "does not begin"
    return f"it {does} texts with a beginning-of-sequence token, whatever --bos is (--bos {bos})"


async def _stated_limit(client: ChatClient) -> int | None:
    """The context length given in the server's list of models."""
    call = Call("models", "/models", None, "models-1", _limits, keep=False, free=True)
    try:
        limits: dict[str, int] = await client.call(call, lambda a: dict(parse_json(a.text)))
    except (ModelError, CallError, AnswerError, ValueError):
        return None
    only = next(iter(limits.values())) if len(limits) == 1 else None
    return limits.get(client.model.model, only)


def _limits(reply: Mapping[str, Any]) -> Answer:
    limits: dict[str, int] = {}
    data = reply.get("data")
    for model in data if isinstance(data, list) else []:
        if not isinstance(model, Mapping):
            continue
        meta = model.get("meta")
        stated = model.get("max_model_len") or (meta or {}).get("n_ctx_train")
        if isinstance(stated, int):
            limits[str(model.get("id"))] = stated
    return Answer(json.dumps(limits))


async def _forced(client: ChatClient, bos: Bos, token: ResponseToken) -> Probed:
    """Tests a llama.cpp server: a grammar must not change the log-probability."""
    try:
        # With special tokens, as in the request that generated the token.
        prompt = [i for i, _ in await client.call(tokenize_call(PROBE, special=True), written_ids)]
        plain = [i for i, _ in await client.call(tokenize_call(PROBE), written_ids)]
    except (ModelError, CallError, AnswerError) as error:
        raise _Refused(client, f"it has no /tokenize ({error})") from None
    assert token.id is not None
    call = force_call(prompt, (token.id,), version="probe")
    call = Call("probe", call.route, call.body, "probe", call.reduce, keep=False)
    try:
        (written,) = (await client.call(call, from_answer)).tokens
    except (CallError, AnswerError, ValueError) as error:
        raise _Refused(
            client, f"it does not write under a grammar of token ids ({error})"
        ) from None
    if written.id != token.id:
        raise _Refused(client, f"it wrote token {written.id} under a grammar for {token.id}")
    if written.logprob is None or abs(written.logprob - (token.logprob or 0.0)) > _NEAR:
        raise _Refused(
            client,
            f"the log-probability of {token.text!r} is {token.logprob} when it writes it freely "
            f"and {written.logprob} under a grammar",
        )
    props = await _props(client)
    adds = len(prompt) > len(plain) and prompt[1:][: len(plain)] == plain
    bos_id: int | None = None
    if bos == "yes" or (bos == "auto" and adds):
        bos_id = prompt[0] if adds else await _bos_id(client, props)
    return Probed("forced", bos_id, plain[0], await _window(client, props))


async def _bos_id(client: ChatClient, props: Mapping[str, Any]) -> int:
    text = props.get("bos_token")
    if isinstance(text, str) and text:
        ids = [i for i, _ in await client.call(tokenize_call(text), written_ids)]
        if len(ids) == 1:
            return ids[0]
    raise InputError(
        f"--bos yes: {client.model.model} has no beginning-of-sequence token; use auto"
    )


async def _props(client: ChatClient) -> Mapping[str, Any]:
    call = Call("props", "//props", None, "props-1", _kept_props, keep=False, free=True)
    try:
        props: dict[str, Any] = await client.call(call, lambda a: dict(parse_json(a.text)))
    except (ModelError, CallError, AnswerError, ValueError):
        return {}
    return props


def _kept_props(reply: Mapping[str, Any]) -> Answer:
    about = reply.get("default_generation_settings")
    window = about.get("n_ctx") if isinstance(about, Mapping) else None
    return Answer(json.dumps({"bos_token": reply.get("bos_token"), "n_ctx": window}))


async def _window(client: ChatClient, props: Mapping[str, Any]) -> int | None:
    stated = [props.get("n_ctx"), await _stated_limit(client)]
    known = [value for value in stated if isinstance(value, int) and value > 0]
    return min(known) if known else None


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
