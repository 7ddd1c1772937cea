"""Facts that say what another fact says and less: "won the cup" beside "won the cup in 1996"."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines._builtin.language.word_classes import PREPOSITIONS

_FORM = re.compile(r"\w+(?:[.,'’-]\w+)*")
# Without these a fact says another thing, not less: "without success", "one of the best".
_ADJUNCT = PREPOSITIONS - {"like", "of", "versus", "without"}
_Words = tuple[str, ...]


def less_than(fact: str) -> set[_Words]:
    """The words of facts that a fact contains: those without one of its adjuncts.

    An adjunct runs from a preposition to the next one, or to the end; without it, what is before
    and after still says what the fact says, for a page that states the fact.

    Example:
        >>> sorted(" ".join(words) for words in less_than("Ann Lee moved in 1990 to York."))
        ['ann lee moved', 'ann lee moved in 1990', 'ann lee moved to york']
    """
    words = _words(fact)
    starts = [i for i, word in enumerate(words) if i > 1 and word in _ADJUNCT]
    ends = [*starts, len(words)]
    return {words[:i] + words[j:] for i in starts for j in ends if j > i}


def containing(facts: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of facts of which the first contains the second, the longest first ones first.

    Of facts in the same words the first counts as the longer one: a page gives them one
    probability, and a text that repeats itself has no more pairs than facts.
    """
    places: dict[_Words, list[int]] = {}
    for number, fact in enumerate(facts):
        places.setdefault(_words(fact), []).append(number)
    return [
        (longer, shorter)
        for longer in sorted((same[0] for same in places.values()), key=lambda i: -len(facts[i]))
        for words in sorted(less_than(facts[longer]))
        for shorter in places.get(words, ())
    ]


def coherent(pairs: Sequence[tuple[int, int]], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Gives each fact at least the probability of the facts that contain it.

    A page that states the longer fact states the shorter one. On the development texts this gains
    most of the ways to make them agree.

    Args:
        pairs: See `containing`.
        values: Probabilities of one page, shape ``(facts,)``.
    """
    found = values.copy()
    for longer, shorter in pairs:
        found[shorter] = max(found[shorter], found[longer])
    return found


def _words(fact: str) -> _Words:
    return tuple(form.lower() for form in _FORM.findall(fact))
