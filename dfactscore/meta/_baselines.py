"""Baselines that do not read the text; they are included in every table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dfactscore.meta._data_sets import Item
from dfactscore.meta._judgements import Judgement

RANDOM = "random"
#: Probability that `RANDOM` flags a segment; expected counts are computed, nothing is drawn.
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
    """Flags segments based only on their position."""

    def __init__(self, name: str) -> None:
        self._rule = _RULES[name]
        self.name = name

    @property
    def settings(self) -> Mapping[str, Any]:
        """The name of the baseline."""
        return {"name": self.name}

    def judge(self, item: Item) -> Sequence[Judgement]:
        """Returns one judgment per segment, in order."""
        return [Judgement(self._rule(item, place)) for place in range(len(item.segments))]
