"""Trivial baselines that every table includes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dfactscore.meta._judgements import Judgement
from dfactscore.meta._labeled import Item

#: Flags every segment with this probability; computed in closed form, never drawn.
RANDOM = "random"
Q = 0.5

_RULES: Mapping[str, Callable[[Item, int], bool]] = {
    "none": lambda item, place: False,
    "all": lambda item, place: True,
    "all-claims": lambda item, place: item.segments[place].claim,
    "last": lambda item, place: place == len(item.segments) - 1,
    "first-two": lambda item, place: place < 2,
}
BASELINES = (*_RULES, RANDOM)


class Baseline:
    """Flags segments by their place alone.

    Args:
        name: One of `BASELINES` but ``random``, which flags no segment for certain.
    """

    def __init__(self, name: str) -> None:
        self._rule = _RULES[name]
        self.name = name

    @property
    def settings(self) -> Mapping[str, Any]:
        """Its name."""
        return {"name": self.name}

    def judge(self, item: Item) -> Sequence[Judgement]:
        """Returns one judgement a segment, in order."""
        return [Judgement(self._rule(item, place)) for place in range(len(item.segments))]
