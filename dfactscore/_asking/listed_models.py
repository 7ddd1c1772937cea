"""Models that an endpoint lists, and other addresses at which an endpoint may be."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from dfactscore._asking.errors import NotThere
from dfactscore._util.fetching import without_credentials
from dfactscore._util.near import near_miss
from dfactscore._util.printable import message_line

_USUAL = ("/v1", "/api/v1")
_SHOWN = 5


def model_names(reply: Any) -> tuple[str, ...] | None:
    """The names in an answer to ``GET /models``; None if it is not a list of models.

    Example:
        >>> model_names({"data": [{"id": "small"}, {"id": "large"}]})
        ('small', 'large')
    """
    data = reply.get("data", reply.get("models")) if isinstance(reply, Mapping) else reply
    if not isinstance(data, list):
        return None
    names = [one.get("id") or one.get("name") for one in data if isinstance(one, Mapping)]
    if len(names) != len(data) or not all(isinstance(name, str) for name in names):
        return None
    return tuple(message_line(name)[:80] for name in names)


def short_list(names: Iterable[str]) -> str:
    """The first names, and how many more there are."""
    found = [*names]
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return f"{', '.join(found[:_SHOWN]) or 'none'}{more}"


def instead_of(model: str, names: Iterable[str]) -> str:
    """Suggestion for a model that an endpoint does not have.

    Example:
        >>> instead_of("llama-3.1-8b", ["qwen/qwen3-8b", "meta-llama/Llama-3.1-8B-Instruct"])
        '; did you mean --model meta-llama/Llama-3.1-8B-Instruct?'
        >>> instead_of("gpt", ["small", "large"])
        '; it has small, large: choose one with --model'
    """
    known, wanted = [*names], model.casefold()
    part = wanted.rpartition("/")[2]
    inside = sorted((name for name in known if part in name.casefold()), key=len)
    hint = near_miss(model, known) or near_miss(part, inside[:1], cutoff=0.0)
    if hint:
        return hint.replace("did you mean ", "did you mean --model ")
    return f"; it has {short_list(known)}: choose one with --model" if known else ""


def other_addresses(address: str) -> tuple[str, ...]:
    """Returns other addresses of an endpoint on the same host.

    Example:
        >>> other_addresses("http://127.0.0.1:11434/api")
        ('http://127.0.0.1:11434/api/v1', 'http://127.0.0.1:11434/v1')
    """
    parts = urlsplit(address)
    root = f"{parts.scheme}://{parts.netloc}"
    places = (f"{address.rstrip('/')}/v1", *(root + path for path in _USUAL))
    return tuple(place for place in dict.fromkeys(places) if place != address.rstrip("/"))


async def explained_fault(
    fault: NotThere,
    model: str,
    address: str,
    models_at: Callable[[str], Awaitable[tuple[str, ...] | None]],
) -> str | None:
    """A fault with what is there instead; None if no list of models says so.

    Args:
        fault: The failed request.
        model: The model's name.
        address: The requested address.
        models_at: Names of the models at an address, none if they are not shown; None if
            there is no endpoint.
    """
    names = await models_at(address)
    if names is not None:
        if not names or model in names:
            return None
        return f"{fault.where}: no model {model!r} there ({fault.said}){instead_of(model, names)}"
    for place in other_addresses(address):
        if await models_at(place) is not None:
            return (
                f"{fault.where}: not the address of an endpoint ({fault.said}); "
                f"did you mean --base-url {without_credentials(place)}?"
            )
    return None
