"""Allocates paragraphs to annotators evenly, rotating doubles among pairs of annotators."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

_K = TypeVar("_K", bound=Hashable)


def doubles_of(n: int, double: float) -> int:
    """The number of paragraphs with two annotators: ``ceil(double × n)`` in decimal arithmetic.

    Example:
        >>> doubles_of(100, 0.07), doubles_of(7, 0.1)
        (7, 1)
    """
    return min(n, math.ceil(Fraction(str(double)) * n))


def allocate(
    strata: Mapping[str, Sequence[_K]],
    annotators: Sequence[str],
    *,
    double: float = 0.1,
    seed: int = 0,
) -> dict[_K, tuple[str, ...]]:
    """Allocates one or two annotators to each paragraph.

    In each stratum (the paragraphs of one model), `doubles_of` paragraphs get two annotators, and
    the others get one. The loads of annotators differ by at most one, in total and in each stratum.
    Each double goes to the pair that has the fewest so far, among the pairs that keep the loads
    even.

    Example:
        >>> models = {m: [f"{m}{i}" for i in range(100)] for m in "xyz"}
        >>> found = allocate(models, ["ann", "ben", "cat"])
        >>> loads = Counter(name for names in found.values() for name in names)
        >>> sorted(loads.items()), sum(len(names) == 2 for names in found.values())
        ([('ann', 110), ('ben', 110), ('cat', 110)], 30)
    """
    rng = random.Random(f"allocation:{seed}")
    people = list(annotators)
    rng.shuffle(people)
    turn = 0
    doubles: Counter[str] = Counter()  # number of doubles per person
    used: Counter[tuple[str, str]] = Counter()  # and per pair
    allocation: dict[_K, tuple[str, ...]] = {}
    for stratum in sorted(strata):
        keys = list(strata[stratum])
        rng.shuffle(keys)
        n_double = doubles_of(len(keys), double) if len(people) > 1 else 0
        base, remainder = divmod(len(keys) + n_double, len(people))
        quota = dict.fromkeys(people, base)
        for i in range(remainder):  # the next people in turn get one more
            quota[people[(turn + i) % len(people)]] += 1
        turn = (turn + remainder) % len(people)
        shares = _shares(people, quota, n_double, doubles)
        for key in keys[:n_double]:
            pair = _pair(people, shares, used)
            used[pair] += 1
            doubles.update(pair)
            shares.subtract(pair)
            quota[pair[0]] -= 1
            quota[pair[1]] -= 1
            allocation[key] = pair
        singles = [name for name in people for _ in range(quota[name])]
        rng.shuffle(singles)
        allocation |= {k: (name,) for k, name in zip(keys[n_double:], singles, strict=True)}
    return allocation


def _shares(
    people: Sequence[str], quota: Mapping[str, int], n_double: int, doubles: Counter[str]
) -> Counter[str]:
    """The number of doubles for each person; some get an extra one if their load allows."""
    base, remainder = divmod(2 * n_double, len(people))
    shares = Counter(dict.fromkeys(people, base))
    able = [name for name in people if quota[name] > base]
    able.sort(key=lambda name: (doubles[name], -quota[name]))
    shares.update(able[:remainder])
    return shares


def _pair(
    people: Sequence[str], shares: Counter[str], used: Counter[tuple[str, str]]
) -> tuple[str, str]:
    """The pair with the fewest doubles, among those that leave partners for all other doubles."""
    remaining = shares.total() // 2
    must = {name for name in people if shares[name] == remaining}  # members of all remaining pairs
    pairs = [
        pair
        for pair in combinations(people, 2)
        if shares[pair[0]] > 0 and shares[pair[1]] > 0 and must <= set(pair)
    ]
    return min(pairs, key=lambda pair: (used[pair], -shares[pair[0]] - shares[pair[1]]))
