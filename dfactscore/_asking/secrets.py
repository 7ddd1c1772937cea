"""Keys in answers, in any spelling."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from functools import lru_cache

MASK = "***"
_SHORTEST = 8  # Shorter values are not keys, and would be found in every text.
_ESCAPES = ("\\u", "\\/", "%", "&")  # without one of them a text is as it reads


def masked(text: str, secrets: Iterable[str]) -> str:
    r"""A text in which secrets are ``***``, also where they are escaped.

    A server that quotes a key may write it as JSON within JSON, as HTML or as part of an address;
    what reads that later would find it.

    Args:
        text: The text, such as the body of a response.
        secrets: The keys and passwords; those that are too short to be one do not count.

    Example:
        >>> masked(r'{"said": "no sk-\u0063anary/1 nor sk-canary\\/1"}', ["sk-canary/1"])
        '{"said": "no *** nor ***"}'
    """
    known = tuple(secret for secret in secrets if len(secret) >= _SHORTEST)
    if not known:
        return text
    if any(sign in text for sign in _ESCAPES) or any(
        '"' in secret or "\\" in secret for secret in known
    ):
        return _pattern(known).sub(MASK, text)
    for secret in sorted(known, key=len, reverse=True):  # the longest first: one may begin another
        text = text.replace(secret, MASK)
    return text


@lru_cache(maxsize=64)
def _pattern(secrets: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(_escaped(s) for s in sorted(set(secrets), key=len, reverse=True)))


def _escaped(secret: str) -> str:
    return "".join(map(_character, secret))


def _character(c: str) -> str:
    """A character as it is, or escaped for JSON (once or more often), HTML or an address."""
    # JSON within JSON doubles a backslash at each level; the longest first, or one would be left.
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
