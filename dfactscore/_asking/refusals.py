"""Explains a refusal, an unknown model or a wrong address."""

from __future__ import annotations

import html
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Literal
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from dfactscore._asking.messages import NotThere
from dfactscore._util.fetching import NOT_HTTP, without_credentials
from dfactscore._util.message_text import message_line, near_miss, short_repr

# Messages from servers that report a wrong model or key with the status of a bad request.
_NO_MODEL = re.compile(
    r"\bnot a valid model|\bmodel(?: name)? not (?:exist|found)|\b(?:no such|unknown) model\b"
    r"|\binvalid model(?: name| id)?(?! out)\b|\bmodel(?: id| identifier)? is invalid",
    re.IGNORECASE,
)
_NO_KEY = re.compile(
    r"\b(?:invalid|incorrect|missing|no) (?:api[ _-]?key|authorization)"
    r"|\bapi[ _-]?key (?:is |was )?(?:not valid|invalid|incorrect|missing|expired)",
    re.IGNORECASE,
)
_PARAMETERS = re.compile(r"(?:requested|unsupported|these|following) parameters?\b", re.IGNORECASE)
# The spellings that servers use for the fields that a simpler request can omit.
_FIELDS = {
    "temperature": r"\btemperature\b",
    "seed": r"\bseed\b",
    "logprobs": r"log[\s_-]?prob",
    "response_format": r"response[\s_-]?format|json[\s_-]?(?:schema|mode|object)|grammar"
    r"|structured|guided",
    "max_tokens": r"\bmax_tokens\b",
    "max_completion_tokens": r"\bmax_completion_tokens\b",
}
_PAGE = re.compile(
    r"\s*(?:<!--.*?-->\s*|<\?xml[^>]*>\s*)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)

# Keys that a server quotes in its message: "sk-..." and bearer tokens.
_KEYLIKE = re.compile(r"\b(?:sk|pk|key)-[A-Za-z0-9_*\-]{6,}|(?<=Bearer )\S+")


def refusal_text(status: int, inner: Any) -> str:
    """Returns the message of an error response, without tags."""
    if isinstance(inner, Mapping) and inner.get("message"):
        return str(inner["message"])
    text = inner if isinstance(inner, str) else short_repr(inner, 300)
    return re.sub(r"<[^<>]*>", " ", text) if text.strip() else f"status {status} without a word"


_LOGIN = re.compile(
    r"sign(?:ed)? ?[io]n|log ?[io]n|authenti|authoriz|captcha|access denied|portal|just a moment",
    re.IGNORECASE,
)


def page_title(text: str) -> str | None:
    """Returns the title of a web page, or its first words; None if the text is not a web page.

    Example:
        >>> page_title("<!DOCTYPE html><html><head><title>Sign in</title></head></html>")
        'Sign in'
    """
    if not _PAGE.match(text[:2000]):
        return None
    title = re.search(r"<title[^>]*>(.*?)</title>", text, re.IGNORECASE | re.DOTALL)
    shown = html.unescape(re.sub(r"<[^<>]*>", " ", title[1] if title else text[:2000]))
    return " ".join(shown.split())[:80]


def wants_login(title: str) -> bool:
    """Whether the title of a web page asks its reader to log in."""
    return _LOGIN.search(title) is not None


def without_keys(text: str) -> str:
    """Replaces everything that looks like an API key with ``***``."""
    return _KEYLIKE.sub("***", text)


def names_key_or_model(message: str, model: str) -> Literal["key", "model"] | None:
    """Returns whether a message says that the key or the model is wrong; None if it says neither.

    Example:
        >>> names_key_or_model("API key not valid. Please pass a valid API key.", "m-1")
        'key'
        >>> names_key_or_model("m-1 is not a valid model ID", "m-1")
        'model'
    """
    if _NO_KEY.search(message):
        return "key"
    absent = rf"(?<!\w){re.escape(model)}(?!\w).{{0,40}}\b(?:not exist|not found)\b"
    return "model" if _NO_MODEL.search(message) or re.search(absent, message) else None


def names_parameters(message: str, fields: Iterable[str]) -> bool:
    """Whether a refusal names fields of the request."""
    return bool(named_fields(message, fields) or _PARAMETERS.search(message))


def named_fields(message: str, fields: Iterable[str]) -> set[str]:
    """Returns the fields of a request that a refusal names.

    Example:
        >>> named_fields("log probs are not allowed", ["logprobs", "seed", "model"])
        {'logprobs'}
    """
    patterns = {n: _FIELDS.get(n, rf"\b{re.escape(n)}\b" if "_" in n else "$^") for n in fields}
    return {name for name, form in patterns.items() if re.search(form, message, re.IGNORECASE)}


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


def page_instead(endpoint: str, reason: str) -> str:
    """Returns the message about an endpoint that answers with a web page."""
    return (
        f"{endpoint}: {reason}, instead of JSON: the network or the service may want a login, or "
        "the address is wrong; check --base-url; the same command resumes from here"
    )


def unreachable(endpoint: str, reason: str, url: str) -> str:
    """Returns the message about an endpoint to which no connection can be made."""
    return (
        f"{endpoint} cannot be reached ({reason}): check --base-url{connection_hint(reason, url)}; "
        "the same command resumes from here once it can"
    )


def connection_hint(reason: str, url: str) -> str:
    """Returns what may help if a connection fails, as the end of a sentence about the address."""
    if "WRONG_VERSION_NUMBER" in reason:
        return " (try http://)"
    if NOT_HTTP in reason:
        return " (try https://)"
    if "CERTIFICATE_VERIFY_FAILED" in reason:
        return "; SSL_CERT_FILE=FILE names the certificates of your network or server"
    parts = urlsplit(url)
    proxy = getproxies().get(parts.scheme)
    if proxy and parts.hostname and not proxy_bypass(parts.hostname):
        shown = without_credentials(proxy)
        return f"; requests go through the proxy {shown}, unless NO_PROXY={parts.hostname} is set"
    return ""
