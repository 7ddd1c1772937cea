"""Estimates requests and their costs without calling a model."""

from __future__ import annotations

from collections.abc import Iterator

from dfactscore._asking.client import ChatClient
from dfactscore._asking.messages import Request
from dfactscore._asking.probe import Capabilities, probe_request
from dfactscore._asking.settings import OpenAIModel
from dfactscore._asking.tokens import prompt_tokens
from dfactscore.work import Asked


def estimated_requests(client: ChatClient, request: Request, completion: int) -> Iterator[Asked]:
    """Yields a request as the client would send it, preceded by the probe if one is needed."""
    able = client.known_capabilities()
    if able is None:
        probe = probe_request()
        prompt = prompt_tokens(probe.messages)
        yield estimated_request(client, probe.stage, prompt, 12, key=(id(client), b""), once=True)
    # Without an earlier probe, the request format and thus the cache key are guesses.
    able = able or Capabilities()
    prompt, completion = prompt_tokens(request.messages), min(completion, request.max_tokens)
    yield estimated_request(
        client,
        request.stage,
        prompt,
        completion,
        key=(id(client), client.key(request, able)),
        cached=client.cached(request, able),
    )


def estimated_request(
    client: ChatClient,
    stage: str,
    prompt: int,
    completion: int,
    *,
    key: tuple[int, bytes] | None = None,
    cached: bool = False,
    once: bool = False,
) -> Asked:
    """Returns a request with the given token counts, priced for the client's model."""
    url = client.model.url if isinstance(client.model, OpenAIModel) else "http://127.0.0.1"
    price = client.budget.prices.find(client.model.model, url)
    cost = price.cost(prompt, completion) if price else None
    return Asked(stage, client.model.model, prompt, completion, cost, cached, key, once)
