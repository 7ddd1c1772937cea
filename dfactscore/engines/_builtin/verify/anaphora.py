"""Places and years that a page says again in other words: "There he …", "the following year"."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from dfactscore.engines._builtin.verify.name_types import ORGANIZATION, PERSON
from dfactscore.engines._builtin.verify.positions import MARK, Read, read_forms

_EXISTS = frozenset(("is", "was", "were", "are", "has", "have", "had", "would", "will", "may"))
_CUES = frozenset(("there", "year", "later"))
_LONGEST = 3  # words of a place
_form = itemgetter(1)


def recalled(sentences: Sequence[list[Read]]) -> list[list[Read]]:
    """Returns a document's sentences as `Memory.recall` does, none of which is read for nothing."""
    memory, found = Memory(), list(sentences)
    asking = [n for n, words in enumerate(found) if not _CUES.isdisjoint(map(_form, words))]
    for number in range(asking[-1] + 1 if asking else 0):
        found[number] = memory.recall(found[number])
    return found


class Memory:
    """The last place and the last year of a document, sentence by sentence.

    >>> from dfactscore.engines._builtin.verify.positions import read_words
    >>> memory = Memory()
    >>> _ = memory.recall(read_words("She moved to Leeds in 1931."))
    >>> [w[1] for w in memory.recall(read_words("There she married two years later."))]
    ['there', 'leeds', 'she', 'married', 'two', 'years', 'later', '1933']
    """

    def __init__(self) -> None:
        self._place: list[Read] = []
        self._year = 0

    def recall(self, words: list[Read]) -> list[Read]:
        """Returns the sentence's words with the referents after the words that mean them."""
        if _CUES.isdisjoint(map(_form, words)):
            for number, word in enumerate(words):
                if word[6] & 1:  # a name or a year
                    self._keep(words, number, word)
            return words
        found: list[Read] = []
        for number, word in enumerate(words):
            found.append(word)
            low = word[1]
            if low == "there" and number == 0 and self._place and not _only_exists(words):
                found += self._place
            elif low in ("year", "later") and self._year:
                later = _years_later(words, number)
                if later is not None:
                    self._year += later
                    found += read_forms(str(self._year))
            self._keep(words, number, word)
        return found

    def _keep(self, words: Sequence[Read], number: int, word: Read) -> None:
        sort, link = word[6], word[7]
        if sort == 3:
            self._year = int(word[2])
        elif sort == 1 and not PERSON <= -link < ORGANIZATION:
            before = words[number - 1] if number else None
            if before is not None and before[0] == 0 and 1 <= before[7] <= 3:
                self._place = [word]
            elif before is not None and self._place and before is self._place[-1]:
                self._place = [*self._place, word][:_LONGEST]


def _only_exists(words: Sequence[Read]) -> bool:
    """Whether "there" names no place: "There were …"."""
    return len(words) < 2 or words[1][1] in _EXISTS


def _years_later(words: Sequence[Read], number: int) -> int | None:
    """Returns the years since the last one that this word, "year" or "later", means; else None."""
    before = words[number - 1] if number else None
    if before is None or before[0] == MARK:
        return None
    if words[number][1] == "year":
        return {"that": 0, "same": 0, "following": 1, "next": 1}.get(before[1])
    if before[1] not in ("year", "years") or number < 2:
        return None
    many = words[number - 2]
    if many[1] == "a":
        return 1
    return int(many[2]) if many[0] == 2 and many[2].isdecimal() and len(many[2]) < 3 else None
