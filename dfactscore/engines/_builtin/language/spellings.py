"""Different spellings of a name: "Akhter", "Akhtar"; "Rowland", "Rowlands"; "Rob", "Robert"."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

_ALIKE = 0.75  # share of letters in common order


@lru_cache(maxsize=20_000)
def _alike(one: str, other: str) -> bool:
    if one[:1] != other[:1]:
        return False
    short = min(len(one), len(other))
    if one[:short] == other[:short]:  # an initial, a short form
        return True
    return short > 3 and SequenceMatcher(None, one, other, autojunk=False).ratio() >= _ALIKE


def resembles(name: str, names: Iterable[str]) -> bool:
    """Whether a name may be a variant, an initial or a short form of any of the given names.

    >>> [resembles("akhtar", names) for names in (["akhter", "husain"], ["a"], ["lee"])]
    [True, True, False]
    """
    return any(_alike(name, other) for other in names)
