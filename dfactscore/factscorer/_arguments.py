"""Validates arguments; messages name the argument, index and value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dfactscore._errors import InputError
from dfactscore._util.printable import short_repr


def pairs(topics: Any, generations: Any) -> tuple[list[str] | None, list[str]]:
    """Returns topics and texts as lists of equal length."""
    single = isinstance(generations, str)
    if topics is not None and isinstance(topics, str) != single:
        first, second = ("generations", "topics") if single else ("topics", "generations")
        raise InputError(f"{first} is a string and {second} is not: give two strings or two lists")
    texts = [generations] if single else _strings("generations", generations)
    if topics is None:
        return None, texts
    names = [topics] if single else _strings("topics", topics)
    if len(names) != len(texts):
        raise InputError(f"{len(names)} topics for {len(texts)} generations")
    return [str(name) for name in names], [str(text) for text in texts]


def _strings(argument: str, values: Any) -> list[str]:
    if isinstance(values, (bytes, Mapping)) or not isinstance(values, Iterable):
        raise InputError(f"{argument}: expected strings, found {short_repr(values)}")
    strings = list(values)
    for index, value in enumerate(strings):
        if not isinstance(value, str):
            raise InputError(f"{argument}[{index}]: expected a string, found {short_repr(value)}")
    return [str(value) for value in strings]


def facts_given(atomic_facts: Any, count: int) -> list[tuple[str, ...] | None] | None:
    """Returns the facts in each text, excluding blank ones; None for an abstention."""
    if atomic_facts is None:
        return None
    if isinstance(atomic_facts, (str, bytes, Mapping)) or not isinstance(atomic_facts, Iterable):
        raise InputError(
            f"atomic_facts: expected a list per text, found {short_repr(atomic_facts)}"
        )
    rows: Sequence[Any] = list(atomic_facts)
    if count == 1 and rows and all(isinstance(row, str) for row in rows):
        rows = [rows]
    if len(rows) != count:
        raise InputError(f"atomic_facts: {len(rows)} entries for {count} texts")
    given_facts: list[tuple[str, ...] | None] = []
    for index, row in enumerate(rows):
        if row is None:
            given_facts.append(None)
            continue
        if isinstance(row, (str, bytes, Mapping)) or not isinstance(row, Iterable):
            raise InputError(f"atomic_facts[{index}]: expected a list, found {short_repr(row)}")
        facts = list(row)
        for place, fact in enumerate(facts):
            if not isinstance(fact, str):
                raise InputError(
                    f"atomic_facts[{index}][{place}]: expected a string, found {short_repr(fact)}"
                )
        given_facts.append(tuple(fact.strip() for fact in facts if fact.strip()))
    return given_facts


def check_gamma(gamma: Any) -> float | None:
    """Returns the gamma of the length penalty; None for no penalty."""
    if gamma is None:
        return None
    if isinstance(gamma, bool) or not isinstance(gamma, (int, float)) or not 0 <= gamma < 1e9:
        raise InputError(f"gamma: expected a number ≥ 0 or None, found {short_repr(gamma)}")
    return float(gamma) or None
