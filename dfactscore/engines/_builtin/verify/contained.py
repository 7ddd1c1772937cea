"""Facts that say less than another fact: "won the cup" and "won the cup in 1996"."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines._builtin.language.word_classes import PREPOSITIONS

_FORM = re.compile(r"\w+(?:[.,'’-]\w+)*")
# Without these words, a fact says something different rather than less: "without success", "one of
# the best".
_ADJUNCT = PREPOSITIONS - {"like", "of", "versus", "without"}
_Words = tuple[str, ...]


def contained_words(fact: str) -> set[_Words]:
    """Returns the words of each fact contained in a fact: the fact without one of its adjuncts.

    An adjunct extends from a preposition to a later one, or to the end. A page that states the fact
    also states it without the adjunct.

    Example:
        >>> sorted(" ".join(words) for words in contained_words("Ann Lee moved in 1990 to York."))
        ['ann lee moved', 'ann lee moved in 1990', 'ann lee moved to york']
    """
    words = _words(fact)
    starts = [i for i, word in enumerate(words) if i > 1 and word in _ADJUNCT]
    ends = [*starts, len(words)]
    return {words[:i] + words[j:] for i in starts for j in ends if j > i}


def containing_pairs(facts: Sequence[str]) -> list[tuple[int, int]]:
    """Returns pairs of a fact and a shorter fact that it contains, starting with the longest fact.

    If several facts have the same words, only the first is used as the longer fact: a page gives
    all of them the same probability, and using one limits the number of pairs in a repetitive text.
    """
    places: dict[_Words, list[int]] = {}
    for number, fact in enumerate(facts):
        places.setdefault(_words(fact), []).append(number)
    return [
        (longer, shorter)
        for longer in sorted((same[0] for same in places.values()), key=lambda i: -len(facts[i]))
        for words in sorted(contained_words(facts[longer]))
        for shorter in places.get(words, ())
    ]


def make_coherent(
    pairs: Sequence[tuple[int, int]], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Gives each fact at least the probability of the facts that contain it.

    A page that states the longer fact also states the shorter one. On the development texts, this
    method of making probabilities consistent worked best.
    """
    raised = values.copy()
    for longer, shorter in pairs:
        raised[shorter] = max(raised[shorter], raised[longer])
    return raised


def _words(fact: str) -> _Words:
    return tuple(form.lower() for form in _FORM.findall(fact))
