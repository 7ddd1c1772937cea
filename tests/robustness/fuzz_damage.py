"""Damages a file in many ways, whatever it is."""

from __future__ import annotations

import json
import random
import re
from typing import Any

ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 3.5, 1e308, -0.0, 10**30, "", " ", "x", "\u2028", "a\x85b", "\x00",
    "\ufeff", "\ud800", "\udfff", "²", "١٢", "=1+1", "../../x", "x" * 300, "x" * 5000, [], {}, [[]],
    [None], [0], [{}], {"": 0}, {"x": None}, ["x", 1], "nan", "2001-99-99", "\r\n", "'", '"', "\\",
)  # fmt: skip
TEXTS = ("", "\x00", "\u2028", "\x85", "\ufeff", "\r", "\x0b", "\x0c", "{", "[", '"', "\t", ",",
         "NaN", "Infinity", "1e999", "null", "\\ud800", "[" * 200_000, '{"a":' * 200_000,
         "9" * 5000, "é", "\U0001f600")  # fmt: skip


def damage(data: bytes, rng: random.Random) -> bytes:
    """One damaged version of a file, whatever it is."""
    kind = rng.randrange(10)
    if kind == 0:
        return data[: rng.randrange(len(data) + 1)]
    if kind == 1:
        out = bytearray(data)
        for _ in range(rng.choice((1, 1, 3, 30, 300))):
            if out:
                out[rng.randrange(len(out))] = rng.randrange(256)
        return bytes(out)
    if kind == 2:
        at = rng.randrange(len(data) + 1)
        return data[:at] + rng.choice(TEXTS).encode("utf-8", "surrogatepass") + data[at:]
    if kind == 3:
        a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        return data[:a] + data[min(b, a + rng.choice((1, 10, 1000, 10**9))) :]
    if kind == 4:
        a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        return data[:b] + data[a:]
    if kind == 5:
        return rng.choice((b"", b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n"),
                           data.replace(b"\n", b"\r"), data.replace(b"\n", b" "), b"\x00" * 64,
                           data + b"\x00" * 64, data.replace(b"\n", b"\n\n"), b"\n", b"[]", b"{}",
                           b"null", b"1", b'"x"', b"x", data[::-1],
                           data.decode("latin-1").encode("utf-16")))  # fmt: skip
    return _damage_values(data, rng)


def _damage_values(data: bytes, rng: random.Random) -> bytes:
    """Damages a value within JSON; other files get an odd text between two separators."""
    try:
        whole = json.loads(data)
        lines = None
    except ValueError:
        try:
            lines = [json.loads(line) for line in data.splitlines() if line.strip()]
        except ValueError:
            return _damage_cell(data, rng)
        if not lines:
            return data + b"x"
        whole = lines
    for _ in range(rng.choice((1, 1, 2, 5))):
        whole = _with_odd(whole, rng)
    if lines is None or not isinstance(whole, list):
        return dumps(whole)
    return b"".join(dumps(line) + b"\n" for line in whole)


def dumps(value: Any) -> bytes:
    """JSON with what JSON allows and UTF-8 does not."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _with_odd(value: Any, rng: random.Random) -> Any:
    """The value with one node replaced, removed or added, somewhere below."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(list(value))
        new = dict(value)
        what = rng.random()
        if what < 0.12:
            del new[key]
        elif what < 0.2:
            new[rng.choice(("x", "", "text", "name", "id", key.upper()))] = rng.choice(ODD)
        else:
            new[key] = _with_odd(value[key], rng)
        return new
    if isinstance(value, list) and value and rng.random() < 0.85:
        at = rng.randrange(len(value))
        what = rng.random()
        if what < 0.1:
            return value[:at] + value[at + 1 :]
        if what < 0.2:
            return [*value, value[at]]
        return [*value[:at], _with_odd(value[at], rng), *value[at + 1 :]]
    if rng.random() < 0.03:
        deep: Any = 0
        for _ in range(rng.choice((90, 150, 900))):
            deep = [deep]
        return deep
    return rng.choice(ODD)


def _damage_cell(data: bytes, rng: random.Random) -> bytes:
    cuts = [m.start() for m in re.finditer(rb"[\t,;:\n<>=]", data)]
    if len(cuts) < 2:
        return data + b"x"
    at = rng.randrange(len(cuts) - 1)
    odd = str(rng.choice(ODD)).encode("utf-8", "replace")
    return data[: cuts[at] + 1] + odd + data[cuts[at + 1] :]
