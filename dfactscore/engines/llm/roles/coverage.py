"""Whether the facts of an answer are those of the text, by their words: nothing is believed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from dfactscore.retrieval.tokens import STOP_WORDS, tokenize
from dfactscore.text.language import other_language

__all__ = ["Checked", "TextWords", "Told"]

_PART = re.compile(r"\d+|[^\W\d_]+")
_STEM = 4  # letters: "paints" and "painter" are one word, and so are "Spain" and "Spaniard"
_ENDS = re.compile(r"[.!?…。！？।؟][\"'”’»)\]]*$")
_YEAR, _LONGEST = 4, 12  # digits
_FAR = 2  # words more that another sentence has, from which on a fact is that sentence's


class Told(NamedTuple):
    """A fact of an answer.

    Attributes:
        text: The fact.
        person: The number of its person, where the answer gives one.
    """

    text: str
    person: int | None = None


Listed = Mapping[int, Sequence[Told]]


class _FactWords(NamedTuple):
    subject: frozenset[str]
    content: frozenset[str]
    numbers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Checked:
    """The facts of a text, each under the sentence that it comes from.

    Attributes:
        facts: By sentence.
        moved: How many stood under another sentence.
        not_in_text: How many were dropped, for the text says nothing of the kind.
    """

    facts: dict[int, list[Told]]
    moved: int = 0
    not_in_text: int = 0


class TextWords:
    """The words of a text, sentence by sentence.

    Args:
        sentences: The sentences.
        name: The target name: it stands in nearly every fact, and tells no sentence apart.
    """

    def __init__(self, sentences: Sequence[str], name: str) -> None:
        self._sentences = sentences
        self._english = other_language(" ".join(sentences)) is None
        self._name = _stems(name)
        self._words = [_stems(sentence) for sentence in sentences]
        self._all = frozenset().union(*self._words)
        self._known = {stem.rstrip("0") for stem in self._all | self._name if stem[0].isdigit()}

    def check(self, listed: Listed) -> Checked:
        """Moves facts to where their words stand, and drops what the text does not say."""
        found: dict[int, list[Told]] = {number: [] for number in range(len(self._sentences))}
        moves: list[tuple[int, Told]] = []
        dropped = 0
        for number in sorted(listed):
            for fact in listed[number]:
                words = self._of(fact.text)
                if not self._says(words):
                    dropped += 1
                elif (home := self._home(words, number)) == number:
                    found[number].append(fact)
                else:
                    moves.append((home, fact))
        # Last: a fact that stands where it belongs, too, is not there twice.
        for home, fact in moves:
            if fact not in found[home]:
                found[home].append(fact)
        return Checked(found, len(moves), dropped)

    def open(self, facts: Listed) -> tuple[int, ...]:
        """Sentences that state something and have no fact, though no other fact says it."""
        held = frozenset[str]().union(*(_stems(f.text) for some in facts.values() for f in some))
        return tuple(
            number
            for number, words in enumerate(self._words)
            if not facts.get(number) and words - held - self._name and self._states(number)
        )

    def _states(self, number: int) -> bool:
        sentence = self._sentences[number]
        if not self._english:  # Verbs of other languages are not known here.
            return _ENDS.search(sentence) is not None
        from dfactscore.engines.builtin.language.word_classes import is_finite_form

        return any(is_finite_form(word) for word in re.findall(r"[a-z]+", sentence.casefold()))

    def _of(self, fact: str) -> _FactWords:
        every = _stems(fact)
        subject = _stems(" ".join(_leading_names(fact)))
        content = every - subject - self._name
        numbers = {word for word in every if _is_checked(word)}
        return _FactWords(subject, content or every, frozenset(numbers))

    def _says(self, words: _FactWords) -> bool:
        """Whether the text says something of the kind; wording is free, names and numbers not."""
        if any(not self._has_number(number) for number in words.numbers):
            return False
        known = self._all | self._name
        if len(words.subject) > 1 and not words.subject & known:
            return False
        return len(words.content) < _FAR or bool(words.content & known)

    def _has_number(self, number: str) -> bool:
        # "1914-18" holds 1918, and "1.5 million" holds 1500000.
        if len(number) == _YEAR and number[2:] in self._all:
            return True
        plain, known = number.rstrip("0"), self._known
        cuts = range(1, len(plain) if len(plain) <= _LONGEST else 1)
        return plain in known or any(plain[:c] in known and plain[c:] in known for c in cuts)

    def _home(self, words: _FactWords, listed: int) -> int:
        """The sentence that a fact comes from: the one it is listed under, unless it cannot be."""
        shares = [len(words.content & sentence) for sentence in self._words]
        best = max(range(len(shares)), key=lambda number: (shares[number], -number))
        own = shares[listed]
        whole = not own and shares[best] == len(words.content)
        return best if whole or shares[best] >= own + _FAR else listed


@lru_cache(maxsize=4096)  # what a fact says is looked at more than once
def _stems(text: str) -> frozenset[str]:
    words = (word for word in tokenize(text) if word not in STOP_WORDS)
    parts = (part for word in words for part in _PART.findall(word))
    return frozenset(part if part[0].isdigit() else part[:_STEM] for part in parts)


def _leading_names(fact: str) -> list[str]:
    """The words with which a fact names what it is about."""
    names = []
    for word in fact.split():
        if not word.lstrip("\"'“‘«(")[:1].isupper():
            break
        names.append(word)
    return names


def _is_checked(word: str) -> bool:
    """Whether a number must stand in the text as it is: small and round ones may stand in words."""
    return word[0].isdigit() and len(word) > 2 and not word.endswith("00")
