"""Resolves references to places and years: "There he …", "the following year"."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from dfactscore.engines._builtin.verify.name_types import ORGANIZATION, PERSON
from dfactscore.engines._builtin.verify.positions import MARK, ReadWord, read_forms

_EXISTS = frozenset(("is", "was", "were", "are", "has", "have", "had", "would", "will", "may"))
_CUES = frozenset(("there", "year", "later"))
_LONGEST = 3  # maximum number of words in a place
_form = itemgetter(1)


def resolve_all(sentences: Sequence[list[ReadWord]]) -> list[list[ReadWord]]:
    """Resolves the references in a document's sentences, stopping after the last one."""
    memory, resolved = Memory(), list(sentences)
    cued = [n for n, words in enumerate(resolved) if not _CUES.isdisjoint(map(_form, words))]
    for number in range(cued[-1] + 1 if cued else 0):
        resolved[number] = memory.recall(resolved[number])
    return resolved


class Memory:
    """The last place and the last year mentioned in a document, tracked sentence by sentence.

    >>> from dfactscore.engines._builtin.verify.positions import read_words
    >>> memory = Memory()
    >>> _ = memory.recall(read_words("She moved to Leeds in 1931."))
    >>> [w[1] for w in memory.recall(read_words("There she married two years later."))]
    ['there', 'leeds', 'she', 'married', 'two', 'years', 'later', '1933']
    """

    def __init__(self) -> None:
        self._place: list[ReadWord] = []
        self._year = 0

    def recall(self, words: list[ReadWord]) -> list[ReadWord]:
        """Returns the next sentence's words, inserting referents after words that refer to them."""
        if _CUES.isdisjoint(map(_form, words)):
            for number, word in enumerate(words):
                if word[6] & 1:  # a name or a year
                    self._keep(words, number, word)
            return words
        resolved: list[ReadWord] = []
        for number, word in enumerate(words):
            resolved.append(word)
            low = word[1]
            if low == "there" and number == 0 and self._place and not _only_exists(words):
                resolved += self._place
            elif low in ("year", "later") and self._year:
                later = _years_later(words, number)
                if later is not None:
                    self._year += later
                    resolved += read_forms(str(self._year))
            self._keep(words, number, word)
        return resolved

    def _keep(self, words: Sequence[ReadWord], number: int, word: ReadWord) -> None:
        sort, link = word[6], word[7]
        if sort == 3:
            self._year = int(word[2])
        elif sort == 1 and not PERSON <= -link < ORGANIZATION:
            previous = words[number - 1] if number else None
            if previous is not None and previous[0] == 0 and 1 <= previous[7] <= 3:
                self._place = [word]
            elif previous is not None and self._place and previous is self._place[-1]:
                self._place = [*self._place, word][:_LONGEST]


def _only_exists(words: Sequence[ReadWord]) -> bool:
    """Whether "there" does not refer to a place: "There were …"."""
    return len(words) < 2 or words[1][1] in _EXISTS


def _years_later(words: Sequence[ReadWord], number: int) -> int | None:
    """Returns the number of years that "year" or "later" adds to the last year here, or None."""
    previous = words[number - 1] if number else None
    if previous is None or previous[0] == MARK:
        return None
    if words[number][1] == "year":
        return {"that": 0, "same": 0, "following": 1, "next": 1}.get(previous[1])
    if previous[1] not in ("year", "years") or number < 2:
        return None
    count = words[number - 2]
    if count[1] == "a":
        return 1
    return int(count[2]) if count[0] == 2 and count[2].isdecimal() and len(count[2]) < 3 else None
