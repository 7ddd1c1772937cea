"""Removes the wrapping around an answer: JSON, a code fence or an introductory line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

_FENCE = re.compile(r"\s*```[\w-]*[^\S\n]*+\n(?P<inside>(?:(?!```).)*?)\n?```\s*", re.DOTALL)
_FENCED_JSON = re.compile(
    r"\s*[^\n]{0,120}:[^\S\n]*\n+```json[^\S\n]*\n(?P<inside>(?:(?!```).)*?)\n?```\s*",
    re.DOTALL | re.IGNORECASE,
)
_INCOMPLETE = re.compile(
    r"\s*\{\s*\"[^\"\n]{1,40}\"\s*:\s*(?P<value>\"(?:[^\"\\]|\\.)*)(?:\\?|\"[\s}]*)\Z",
    re.DOTALL,
)
_TEXT_KEY = re.compile(
    r"bio|text|answer|response|output|content|generation|result|paragraph|summary|description|story"
)
_THOUGHT_KEY = re.compile(r"think|thought|reason|analysis|plan|reflect|explanation|rationale")
_KIND = r"(?:bio(?:graphy)?|biographical\s+(?:sketch|summary|overview)|profile|life\s+story)"
_ABOUT = r"(?:(?:\s+(?:of|about|on|for)|\s?[:–—-])\s+[^:\n.!?]{1,80})?"
_POLITE = r"(?:(?:sure|certainly|of\s+course|okay|ok|absolutely|great)\b[^\n:]{0,20}?[!,.]+\s*)?"
_HERE = (
    r"here(?:['’]s|\s+is)\s+(?:an?|the|your|my)\s+[^:\n.!?]{0,60}?\b"
    rf"(?:{_KIND}|answer|response|summary|overview|paragraph|information)\b[^:\n.!?]{{0,100}}"
)
_LEAD = re.compile(
    rf"\s*(?:#+[^\S\n]*+)?[*_]{{0,3}}{_POLITE}(?:"
    # A separate line: "Here is a biography of X:", "## Biography of X", "Biography:".
    rf"(?:{_HERE}[*_]{{0,3}}:[*_]{{0,3}}|(?:a\s+)?(?:short\s+|brief\s+)?(?:{_KIND}{_ABOUT}|answer"
    rf"|response)[*_]{{0,3}}:?[*_]{{0,3}})[^\S\n]*+(?:\n+\s*(?:[-*_=]{{3,}}[^\S\n]*+\n\s*)?|\Z)"
    # The start of the line that contains the text.
    rf"|(?:{_HERE}|(?:a\s+)?(?:short\s+|brief\s+)?(?:biography|bio|answer|response))[*_]{{0,3}}:"
    r"[*_]{0,3}[^\S\n]++(?=\S))",
    re.IGNORECASE,
)
_LEAD_NAMED = re.compile(
    rf"\s*(?:#+[^\S\n]*+)?[*_]{{0,3}}(?:a\s+)?(?:short\s+|brief\s+)?{_KIND}\s+(?:of|about|on|for)\s+"
    r"(?P<name>[^:\n.!?]{1,80}?)[*_]{0,3}:[*_]{0,3}[^\S\n]++(?=(?P<next>\w+))",
    re.IGNORECASE,
)
# A label of a further answer within the text
_ANSWER_LABEL = re.compile(
    r"(?:(?<=\n)|(?<=[.!?] ))[*_]{0,3}(?:(?:Final )?[Aa]nswer|Response)[*_]{0,3}:[*_]{0,3}\s{1,3}"
)


def unwrap(text: str) -> str:
    r"""Removes the wrapping of an answer.

    The wrapping may be a JSON object with one text field (even if the object is incomplete), a code
    fence around the whole answer, or a first line such as "Biography of Ann Lee:" or "Here is a
    short biography:". An "Answer:" label before a later sentence is also removed.

    Example:
        >>> unwrap('{"name": "Ann Lee", "biography": "Ann Lee sang."}')
        'Ann Lee sang.'
        >>> unwrap("**Biography of Ann Lee:**\n\nAnn Lee sang.")
        'Ann Lee sang.'
    """
    if fence := _FENCE.fullmatch(text) or _FENCED_JSON.fullmatch(text):
        text = fence["inside"].strip()
    if text.lstrip()[:1] in ("{", "[") or (text.lstrip()[:1] == '"' and "\\" in text):
        text = _from_json(text)
    if (lead := _LEAD.match(text)) or (
        (lead := _LEAD_NAMED.match(text)) and lead["next"] in lead["name"].split()
    ):
        text = text[lead.end() :]
    return _ANSWER_LABEL.sub("", text) if ":" in text else text


def _from_json(text: str) -> str:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        if not (incomplete := _INCOMPLETE.match(text)):
            return text
        try:
            value = {"text": json.loads(incomplete["value"] + '"', strict=False)}
        except ValueError:
            return text
    inner = _text_of(value)
    return text if inner is None else inner


def _text_of(value: Any) -> str | None:
    """Returns the only text in a JSON value, joining lists; None if there is not exactly one."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [part for part in map(_text_of, value) if part is not None]
        return " ".join(parts) if parts and len(parts) == len(value) else None
    if not isinstance(value, dict):
        return None
    fields = {str(key).lower(): _text_of(field) for key, field in value.items()}
    texts = {key: field for key, field in fields.items() if field and not _THOUGHT_KEY.search(key)}
    return _only(field for key, field in texts.items() if _TEXT_KEY.search(key)) or _only(
        field for field in texts.values() if len(field.split()) > 4
    )


def _only(texts: Iterable[str]) -> str | None:
    items = list(texts)
    return items[0] if len(items) == 1 else None
