"""Subject of a refusal, by the words of the server."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from dfactscore._util.printable import short_repr

# As some word it with the status of a faulty request.
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
# Servers' spellings of the fields that a simpler request can omit.
_FIELDS = {
    "temperature": r"\btemperature\b",
    "seed": r"\bseed\b",
    "logprobs": r"log[\s_-]?prob",
    "response_format": r"response[\s_-]?format|json[\s_-]?(?:schema|mode|object)|grammar"
    r"|structured|guided",
    "max_tokens": r"\bmax_tokens\b",
    "max_completion_tokens": r"\bmax_completion_tokens\b",
}
# Keys that a server quotes in its error, also other people's: "sk-..." and bearer tokens.
_KEYLIKE = re.compile(r"\b(?:sk|pk|key)-[A-Za-z0-9_*\-]{6,}|(?<=Bearer )\S+")


def refusal_text(status: int, inner: Any) -> str:
    """A server's message, without tags."""
    if isinstance(inner, Mapping) and inner.get("message"):
        return str(inner["message"])
    text = inner if isinstance(inner, str) else short_repr(inner, 300)
    return re.sub(r"<[^<>]*>", " ", text) if text.strip() else f"status {status} without a word"


def without_keys(text: str) -> str:
    """A text in which all that looks like a key is ``***``."""
    return _KEYLIKE.sub("***", text)


def names_key_or_model(said: str, model: str) -> Literal["key", "model"] | None:
    """The one of the two that a server calls wrong; None for neither.

    Example:
        >>> names_key_or_model("API key not valid. Please pass a valid API key.", "m-1")
        'key'
        >>> names_key_or_model("m-1 is not a valid model ID", "m-1")
        'model'
    """
    if _NO_KEY.search(said):
        return "key"
    absent = rf"(?<!\w){re.escape(model)}(?!\w).{{0,40}}\b(?:not exist|not found)\b"
    return "model" if _NO_MODEL.search(said) or re.search(absent, said) else None


def names_parameters(said: str, sent: Iterable[str]) -> bool:
    """Whether a refusal names fields of the request.

    Args:
        said: The server's words.
        sent: The fields that were sent.
    """
    return bool(named_fields(said, sent) or _PARAMETERS.search(said))


def named_fields(said: str, sent: Iterable[str]) -> set[str]:
    """The fields of a request that a refusal names.

    Args:
        said: The server's words.
        sent: The fields that were sent.

    Example:
        >>> named_fields("log probs are not allowed", ["logprobs", "seed", "model"])
        {'logprobs'}
    """
    written = {n: _FIELDS.get(n, rf"\b{re.escape(n)}\b" if "_" in n else "$^") for n in sent}
    return {name for name, form in written.items() if re.search(form, said, re.IGNORECASE)}
