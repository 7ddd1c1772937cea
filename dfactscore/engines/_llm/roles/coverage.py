"""Whether the facts of an answer are those of the text, by their words: nothing is believed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from dfactscore._text.clean_text import plain_words
from dfactscore._text.language import other_language
from dfactscore.engines._builtin.language.lexicon import MONTHS
from dfactscore.engines._builtin.language.tokens import plain_phrases, tokens
from dfactscore.engines._builtin.language.word_classes import is_demonym, is_finite_form, is_role
from dfactscore.retrieval._tokens import STOP_WORDS, tokenize

_PART = re.compile(r"\d+|[^\W\d_]+")
_STEM = 4  # letters: "paints" and "painter" are one word, and so are "Spain" and "Spaniard"
_ENDS = re.compile(r"[.!?…。！？।؟][\"'”’»)\]]*$")
_YEAR, _LONGEST = 4, 12  # digits
_NAME = re.compile(r"[^\W\d_][^\W\d_.’']*")
_SMALL = re.compile(r"(?<![\w.,-])(\d{1,2})(?!\d|[.,]\d)(?:st|nd|rd|th)?(s\b|-?\s?century)?")
_SHORT = 2  # letters, of titles ("Dr.") and suffixes ("Jr")
_IN_NAMES = ("of", "the", "and", "de", "von", "van")
_FAR = 2  # words more that another sentence has, from which on a fact is that sentence's


class Told(NamedTuple):
    """A fact of an answer.

    Attributes:
        text: The fact.
        person: The number of its person, if the answer gives one.
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
        faults: The number of facts ``moved`` from another sentence; dropped as ``not_in_text``, if
            the text lacks the statement, name, number or nationality; or ``repeated``.
    """

    facts: dict[int, list[Told]]
    faults: Counter[str]


class TextWords:
    """The words of a text, sentence by sentence.

    Args:
        sentences: The sentences.
        name: The target name: it is in nearly every fact, and identifies no sentence.
    """

    def __init__(self, sentences: Sequence[str], name: str) -> None:
        self._sentences = sentences
        self._english = other_language(" ".join(sentences)) is None
        self._name = _stems(name)
        self._words = [_stems(sentence) for sentence in sentences]
        self._all = frozenset().union(*self._words)
        self._known = {stem.rstrip("0") for stem in self._all | self._name if stem[0].isdigit()}

    def check(self, listed: Listed) -> Checked:
        """Moves facts to the sentence with their words, and drops those that the text lacks."""
        found: dict[int, list[Told]] = {number: [] for number in range(len(self._sentences))}
        stays: list[tuple[int, Told]] = []
        moves: list[tuple[int, Told]] = []
        dropped = 0
        for number in sorted(listed):
            for fact in listed[number]:
                words = self._of(fact.text)
                if not self._says(words) or self._adds(fact.text):
                    dropped += 1
                elif (home := self._home(words, number)) == number:
                    stays.append((number, fact))
                else:
                    moves.append((home, fact))
        # Last: a fact that is in its place, too, is not listed twice.
        faults = Counter(moved=len(moves), not_in_text=dropped)
        for home, fact in stays + moves:
            faults += self.add({home: [fact]}, found)
        return Checked(found, faults)

    def add(self, more: Listed, found: dict[int, list[Told]]) -> Counter[str]:
        """Adds facts that are not there yet; counts the others."""
        faults: Counter[str] = Counter()
        for home, facts in more.items():
            for fact in facts:
                if self._is_there(fact, home, found):
                    faults["repeated"] += 1
                else:
                    found[home].append(fact)
        return faults

    def _is_there(self, fact: Told, home: int, found: Listed) -> bool:
        """Whether a fact is there already.

        Two sentences that both say it may be about two people of the name, unless they are the
        same sentence or the answer says which person is meant.
        """
        plain = plain_words(fact.text)
        there = [
            number
            for number, facts in found.items()
            if any((plain_words(f.text), f.person) == (plain, fact.person) for f in facts)
        ]
        said = plain_words(self._sentences[home])
        again = any(plain_words(self._sentences[number]) == said for number in there)
        own = fact.person is None and self._of(fact.text).content <= self._words[home]
        return bool(there) and (again or not own)

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

    def _adds(self, fact: str) -> bool:
        """Whether a fact has a name, a small number or a nationality that the text lacks."""
        if not self._english:
            return False
        return self._adds_number(fact) or any(map(self._lacks, _names(fact)))

    def _adds_number(self, fact: str) -> bool:
        keys, known = self._keys, self._known
        for digits, rest in _SMALL.findall(fact):
            number = digits.lstrip("0") or "0"
            there = {number, f"{number}th"} & keys or any(number in longer for longer in known)
            if not there and not rest:
                return True
        return False

    def _lacks(self, name: Sequence[str]) -> bool:
        """Whether the text lacks most of a name, or the country of an adjective."""
        initials = "".join(word[0] for word in name).casefold()
        if len(name) > 1 and initials in self._keys:
            return False
        lacking = [word for word in name if not is_role(word) and not self._has_word(word)]
        return (2 * len(lacking) >= len(name) and bool(lacking)) or any(map(is_demonym, lacking))

    def _has_word(self, word: str) -> bool:
        keys = {token.key for token in tokens(word)}
        return _stems(word) <= self._all | self._name or keys <= self._keys

    @cached_property
    def _keys(self) -> frozenset[str]:
        """Returns the keys that compare words of the text: "three" as 3, "Irish" as Ireland."""
        found = [token for sentence in self._sentences for token in tokens(sentence)]
        return frozenset({*(token.key for token in found), *(token.exact for token in found)})

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


def _names(fact: str) -> Iterator[list[str]]:
    """The names in a fact, besides the one that it begins with, and adjectives of nationality."""
    name: list[str] = []
    fact = re.sub("[-–]", " ", plain_phrases(fact))
    for word in fact.split()[max(1, len(_leading_names(fact))) :]:
        found = _NAME.match(word.strip("\"'“‘«()"))
        bare = found[0] if found else ""
        if bare.istitle() and len(bare) > _SHORT and bare.casefold() not in MONTHS:
            name.append(bare)
            if word[-1] not in ",;:)":
                continue
        elif bare in _IN_NAMES:
            continue
        if name:
            yield name
        name = []
    if name:
        yield name


def _is_checked(word: str) -> bool:
    """Whether a number must be in the text as it is: small and round ones may be in words."""
    return word[0].isdigit() and len(word) > 2 and not word.endswith("00")
