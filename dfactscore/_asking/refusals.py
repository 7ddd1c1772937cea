"""Determines from a server's message the reason for a refusal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from dfactscore._util.printable import short_repr

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
# Keys that a server quotes in its message: "sk-..." and bearer tokens.
_KEYLIKE = re.compile(r"\b(?:sk|pk|key)-[A-Za-z0-9_*\-]{6,}|(?<=Bearer )\S+")


def refusal_text(status: int, inner: Any) -> str:
    """Returns the message of an error response, without tags."""
    if isinstance(inner, Mapping) and inner.get("message"):
        return str(inner["message"])
    text = inner if isinstance(inner, str) else short_repr(inner, 300)
    return re.sub(r"<[^<>]*>", " ", text) if text.strip() else f"status {status} without a word"


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
