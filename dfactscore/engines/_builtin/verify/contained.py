"""Facts that say less than another fact: "won the cup" and "won the cup in 1996"."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines._builtin.language.word_classes import PREPOSITIONS

_FORM = re.compile(r"\w+(?:[.,'’-]\w+)*")
# Without these words, a fact says something different rather than less: "without success", "one of
# the best".
_ADJUNCT = PREPOSITIONS - {"like", "of", "versus", "without"}
_Words = tuple[str, ...]


@dataclass(frozen=True)
class Containment:
    """The facts of a text that say less than others; see `containment`."""

    same: tuple[tuple[int, ...], ...]  # indices of facts; those with the same words are together
    pairs: tuple[tuple[int, int], ...]  # a longer and a shorter item of `same`, longest first

    def raised(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Gives each fact at least the probability, on one page, of the facts that contain it."""
        # A page that states the longer fact also states the shorter one. On the development texts,
        # this method of making probabilities consistent worked best. Of longer facts with the same
        # words, only the first counts: a page gives all of them the same probability.
        raised = values.copy()
        least: dict[int, float] = {}
        for longer, shorter in self.pairs:
            first = max(values[self.same[longer][0]], least.get(longer, 0.0))
            least[shorter] = max(first, least.get(shorter, 0.0))
        for number, value in least.items():
            facts = list(self.same[number])
            raised[facts] = np.maximum(raised[facts], value)
        return raised


def containment(facts: Sequence[str]) -> Containment:
    """Finds the facts that another fact contains: the longer fact without one of its adjuncts.

    Example:
        >>> facts = ["Ann Lee moved in 1990 to York.", "Ann Lee moved to York.", "Ann Lee moved."]
        >>> containment(facts).pairs
        ((0, 1), (0, 2), (1, 2))
    """
    places: dict[_Words, list[int]] = {}
    for number, fact in enumerate(facts):
        places.setdefault(tuple(form.lower() for form in _FORM.findall(fact)), []).append(number)
    numbers = {words: number for number, words in enumerate(places)}
    same = tuple(map(tuple, places.values()))
    longest_first = sorted(numbers, key=lambda words: -len(facts[places[words][0]]))
    pairs = ((numbers[w], number) for w in longest_first for number in sorted(_less(w, numbers)))
    return Containment(same, tuple(pairs))


def _less(words: _Words, numbers: Mapping[_Words, int]) -> set[int]:
    """Returns the facts that leave out one adjunct of a fact."""
    # An adjunct extends from a preposition to a later one, or to the end.
    starts = [i for i, word in enumerate(words) if i > 1 and word in _ADJUNCT]
    ends = [*starts, len(words)]
    if len(starts) ** 2 < len(numbers):
        parts = (words[:i] + words[j:] for i in starts for j in ends if j > i)
        return {numbers[part] for part in parts if part in numbers}
    # A list of hundreds of years: far more pairs of adjuncts than facts.
    return {
        number
        for other, number in numbers.items()
        if len(other) < len(words) and _leaves_out_one(words, other, starts, set(ends))
    }


def _leaves_out_one(words: _Words, other: _Words, starts: Sequence[int], ends: set[int]) -> bool:
    """Whether the other words are the words without those from a start to an end."""
    before = _common(words, other)
    after = _common(reversed(words), reversed(other))
    first, last = bisect_left(starts, len(other) - after), bisect_right(starts, before)
    return any(start + len(words) - len(other) in ends for start in starts[first:last])


def _common(words: Iterable[str], other: Iterable[str]) -> int:
    """Returns the number of equal words at the beginning."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(words, other, strict=False))
    )
