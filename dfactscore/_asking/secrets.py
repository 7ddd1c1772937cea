"""Masks keys in text, even if the keys are escaped."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from functools import lru_cache

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
