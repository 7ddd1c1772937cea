"""Keys: request headers from environment variables, and masks for text."""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from dfactscore._errors import InputError

MASK = "***"
_SHORTEST = 8  # shorter values are not keys and may occur in any text
_ESCAPES = ("\\u", "\\/", "%", "&")


def masked(text: str, secrets: Iterable[str]) -> str:
    r"""Replaces secrets in a text with ``***``, even if the secrets are escaped.

    A server may quote a key inside nested JSON, in HTML or in an address.

    Example:
        >>> masked(r'{"said": "no sk-\u0063anary/1 nor sk-canary\\/1"}', ["sk-canary/1"])
        '{"said": "no *** nor ***"}'
    """
    # `secrets`: the keys and passwords; values shorter than 8 characters are ignored.
    known = tuple(secret for secret in secrets if len(secret) >= _SHORTEST)
    if not known:
        return text
    if any(sign in text for sign in _ESCAPES) or any(
        '"' in secret or "\\" in secret for secret in known
    ):
        return _pattern(known).sub(MASK, text)
    for secret in sorted(known, key=len, reverse=True):  # one may be the start of another
        text = text.replace(secret, MASK)
    return text


@lru_cache(maxsize=64)
def _pattern(secrets: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(_escaped(s) for s in sorted(set(secrets), key=len, reverse=True)))


def _escaped(secret: str) -> str:
    return "".join(map(_character, secret))


def _character(c: str) -> str:
    """Returns a pattern for a character, whether plain or escaped for JSON, HTML or a URL."""
    # JSON within JSON doubles a backslash at each level. The longest alternative comes first.
    ways = [rf"\\{{{n}}}" for n in (8, 4, 2, 1)] if c == "\\" else [re.escape(c)]
    if (entity := html.escape(c)) != c:
        ways.append(entity)
    if c in '/"':
        ways.append(rf"\\+{re.escape(c)}")
    unit = "".join(rf"\\[\\]*u{_hex(f'{n:04x}')}" for n in _units(c))
    ways.append(unit)
    ways.append("".join(f"%{_hex(f'{n:02x}')}" for n in c.encode("utf-8", "surrogatepass")))
    ways.append(f"&#(?:0*{ord(c)}|[xX]0*{_hex(f'{ord(c):x}')});?")
    return f"(?:{'|'.join(ways)})"


def _units(c: str) -> list[int]:
    data = c.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(data[n : n + 2], "big") for n in range(0, len(data), 2)]


def _hex(digits: str) -> str:
    return "".join(f"[{d}{d.upper()}]" if d.isalpha() else d for d in digits)


_HEADER = re.compile(r"([\w!#$%&'*+.^`|~-]+)=([A-Za-z_][A-Za-z0-9_]*)", re.ASCII)
_WORDS = re.compile(r"[A-Za-z]{0,15}(?:[ .-][A-Za-z]{1,15})*")


def named_headers(options: Iterable[str]) -> dict[str, str]:
    """Returns the environment variable of each header.

    Example:
        >>> named_headers(["X-Team=TEAM_TOKEN"])
        {'X-Team': 'TEAM_TOKEN'}
    """
    variables: dict[str, str] = {}
    for header in options:
        match = _HEADER.fullmatch(header)
        if match is None:
            raise InputError(
                "--header: expected NAME=ENV_VARIABLE, the name of the header and of the "
                "environment variable that holds its value, like X-Team=TEAM_TOKEN"
            )
        name, variable = match.groups()
        if name.lower() in map(str.lower, variables):
            raise InputError(f"--header: {name} is given twice")
        variables[name] = variable
    return variables


def header_values(headers: Mapping[str, str]) -> dict[str, str]:
    """Returns the value of each header."""
    values = {}
    for name, variable in headers.items():
        value = os.environ.get(variable, "").strip()
        if not value:  # the message omits the variable, which may be a misplaced key
            raise InputError(
                f"header {name}: the environment variable that --header names is not set; set "
                "it to the header's value"
            )
        if not (value.isascii() and value.isprintable()):
            raise InputError(
                f"header {name}: its variable holds line breaks or letters that no header has; "
                "copy the value again"
            )
        values[name] = value
    return values


def header_secrets(headers: Mapping[str, str]) -> tuple[str, ...]:
    """Returns the header values to mask in texts, excluding plain words, which answers may use."""
    values = (os.environ.get(variable, "").strip() for variable in headers.values())
    return tuple(value for value in values if not _WORDS.fullmatch(value))


def masked_json(value: Any, mask: Callable[[str], str]) -> Any:
    """Replaces secrets in a JSON value."""
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    if (hidden := mask(text)) == text:
        return value  # in nearly all cases
    if isinstance(value, str):
        return hidden
    if isinstance(value, Mapping):
        return {key: masked_json(item, mask) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [masked_json(item, mask) for item in value]
    return value
