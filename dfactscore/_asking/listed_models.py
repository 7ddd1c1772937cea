"""Explains an unknown model or a wrong address using the models that an endpoint lists."""

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
    """Returns the model names in a response to ``GET /models``; None if it does not list models.

    Example:
        >>> model_names({"data": [{"id": "small"}, {"id": "large"}]})
        ('small', 'large')
    """
    data = reply.get("data", reply.get("models")) if isinstance(reply, Mapping) else reply
    if not isinstance(data, list):
        return None
    names = [entry.get("id") or entry.get("name") for entry in data if isinstance(entry, Mapping)]
    if len(names) != len(data) or not all(isinstance(name, str) for name in names):
        return None
    return tuple(message_line(name)[:80] for name in names)


def short_list(names: Iterable[str]) -> str:
    """Joins the first few names and says how many more there are."""
    every = [*names]
    more = f" and {len(every) - _SHOWN} more" if len(every) > _SHOWN else ""
    return f"{', '.join(every[:_SHOWN]) or 'none'}{more}"


def instead_of(model: str, names: Iterable[str]) -> str:
    """Suggests other models if an endpoint does not have the requested one.

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
    """Returns other addresses on the same host where an endpoint may be.

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
    """Returns an error message that suggests other models or addresses; None if no list helps."""
    names = await models_at(address)
    if names is not None:
        if not names or model in names:
            return None
        return f"{fault.where}: no model {model!r} there ({fault.reply}){instead_of(model, names)}"
    for place in other_addresses(address):
        if await models_at(place) is not None:
            return (
                f"{fault.where}: not the address of an endpoint ({fault.reply}); "
                f"did you mean --base-url {without_credentials(place)}?"
            )
    return None
