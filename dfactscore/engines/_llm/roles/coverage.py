"""Checks the facts in an answer against the words in the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from dfactscore._text.clean_text import plain_words
from dfactscore._text.language import other_language
from dfactscore._text.role_words import is_demonym, is_role
from dfactscore.engines._builtin.language.tokens import MONTHS, plain_phrases, tokens
from dfactscore.engines._builtin.language.word_classes import is_finite_form
from dfactscore.retrieval._tokens import STOP_WORDS, tokenize

_PART = re.compile(r"\d+|[^\W\d_]+")
_STEM = 4  # letters, so that "paints" equals "painter" and "Spain" equals "Spaniard"
_ENDS = re.compile(r"[.!?…。！？।؟][\"'”’»)\]]*$")
_YEAR, _LONGEST = 4, 12  # digits
_NAME = re.compile(r"[^\W\d_][^\W\d_.’']*")
_SMALL = re.compile(r"(?<![\w.,-])(\d{1,2})(?!\d|[.,]\d)(?:st|nd|rd|th)?(s\b|-?\s?century)?")
_LEMMA = 3  # letters from which on a word may begin another
_SHORT = 2  # letters of titles ("Dr.") and suffixes ("Jr")
_IN_NAMES = ("of", "the", "and", "de", "von", "van")
_LABEL_WORD = re.compile(r"\d{3,}|\b[^\W\d_][^\W\d_]+")
_LABEL_OPENERS = frozenset({"Another", "First", "Other", "Person", "Second", "The", "Unknown"})
_LIST_MARK = re.compile(
    r"(?:(?:atomic\s+)?(?:fact|claim|statement)\s*#?\d{0,3}\s*[:.)-]|[-*•–]|\(?\d{1,3}[.):])\s+",
    re.IGNORECASE,
)
_CAPITALIZED = re.compile(r"\b[^\W\d_a-z][^\W\d_]*")
_ACRONYM = re.compile(r"\b(?:[A-Z]\.?){2,}(?![a-z])")
_ROMAN = frozenset({"I", "II", "III", "IV", "V", "VI"})
_TENS = frozenset(str(tens) for tens in range(20, 100, 10))
_ONES = {
    word: number
    for number, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine"), 1
    )
}
_FAR = 2  # how many more of a fact's words a sentence must have for the fact to be moved there


class ListedFact(NamedTuple):
    """A fact listed in an answer."""

    text: str
    person: int | None = None


Listed = Mapping[int, Sequence[ListedFact]]


class _FactWords(NamedTuple):
    subject: frozenset[str]
    content: frozenset[str]
    numbers: frozenset[str]
    keys: frozenset[str]  # keys of the content: "United States" has that of "American"
    pairs: frozenset[tuple[str, str]]  # the content, each stem with the key of its word


@dataclass(frozen=True, slots=True)
class Checked:
    """The checked facts of a text, grouped by source sentence."""

    facts: dict[int, list[ListedFact]]
    # Number of facts by type of error: `moved` from another sentence, dropped as `not_in_text`
    # (because the text lacks the statement, a name, a number or a nationality), or `repeated`.
    faults: Counter[str]


class TextWords:
    """The words in a text, sentence by sentence."""

    def __init__(self, sentences: Sequence[str], name: str, *, checks: bool = True) -> None:
        self._sentences = sentences
        self._checks = checks  # whether to move facts, and drop those the text does not state
        self._english = other_language(" ".join(sentences)) is None
        self._name = _stems(name)
        self._words = [_stems(sentence) for sentence in sentences]
        self._all = frozenset().union(*self._words)
        self._known = {stem.rstrip("0") for stem in self._all | self._name if stem[0].isdigit()}

    def check(self, listed: Listed) -> Checked:
        """Moves facts to the sentence that has their words; drops facts the text does not state."""
        facts_by_sentence: dict[int, list[ListedFact]] = {
            number: [] for number in range(len(self._sentences))
        }
        in_place: list[tuple[int, ListedFact]] = []
        moves: list[tuple[int, ListedFact]] = []
        dropped = 0
        for number in sorted(listed):
            for fact in listed[number]:
                fact = fact._replace(text=self._without_mark(fact.text))
                words = self._of(fact.text)
                if not self._checks:
                    in_place.append((number, fact))
                elif not self._says(words) or self._adds(fact.text):
                    dropped += 1
                elif (home := self._home(words, number)) == number:
                    in_place.append((number, fact))
                else:
                    moves.append((home, fact))
        # Moved facts come last, so that they are dropped if they repeat a fact that is already
        # in its place.
        faults = Counter(moved=len(moves), not_in_text=dropped)
        for home, fact in in_place + moves:
            faults += self.add({home: [fact]}, facts_by_sentence)
        return Checked(facts_by_sentence, faults)

    def add(
        self, new_facts: Listed, facts_by_sentence: dict[int, list[ListedFact]]
    ) -> Counter[str]:
        """Adds facts that are not listed yet and counts those that are repeated."""
        faults: Counter[str] = Counter()
        for home, facts in new_facts.items():
            for fact in facts:
                if self._is_there(fact, home, facts_by_sentence):
                    faults["repeated"] += 1
                else:
                    facts_by_sentence[home].append(fact)
        return faults

    def _is_there(self, fact: ListedFact, home: int, facts_by_sentence: Listed) -> bool:
        """Whether a fact is already listed.

        Two sentences that make the same statement may be about different bearers of the name,
        unless the sentences are identical or the answer gives the same person for both; so may one
        sentence that makes it twice.
        """
        plain = plain_words(fact.text)
        sentences = [
            number
            for number, facts in facts_by_sentence.items()
            for f in facts
            if (plain_words(f.text), f.person) == (plain, fact.person)
        ]
        if not sentences or fact.person is not None:
            return bool(sentences)
        times = self._times(fact.text, home)
        statement = plain_words(self._sentences[home])
        others = [number for number in sentences if number != home]
        if any(plain_words(self._sentences[number]) == statement for number in others):
            return True
        return sentences.count(home) >= times

    def _times(self, fact: str, number: int) -> int:
        """Counts how often a sentence has all words of a fact, also as a demonym or country."""
        items = [(_stems(token.exact), token.key) for token in tokens(self._sentences[number])]
        return min(
            (
                sum(stem in stems or key == other for stems, other in items)
                for stem, key in self._of(fact).pairs
            ),
            default=0,
        )

    def known_label(self, label: str) -> str:
        """Returns a person's label without a description that the text lacks; empty if all is."""
        name = label.partition("(")[0].partition(",")[0].strip()
        return next((part for part in (label, name) if self._has_all(part)), "")

    def _has_all(self, label: str) -> bool:
        """Whether the text has all names, years and words of a person's label."""
        words = [word for word in _LABEL_WORD.findall(label) if word not in _LABEL_OPENERS]
        names = " ".join(word for word in words if not word.islower())
        # "rower" is known from "rows"
        lemmas = tuple(key for key in self._keys if len(key) >= _LEMMA)
        return _stems(names) <= self._all | self._name and all(
            self._has_word(word) or word.startswith(lemmas) for word in words if word.islower()
        )

    def open(self, facts: Listed) -> tuple[int, ...]:
        """Returns the sentences that state something not contained in any fact."""
        listed_words = frozenset[str]().union(
            *(_stems(f.text) for listed in facts.values() for f in listed)
        )
        return tuple(
            number
            for number, words in enumerate(self._words)
            if not facts.get(number) and words - listed_words - self._name and self._states(number)
        )

    def _states(self, number: int) -> bool:
        sentence = self._sentences[number]
        if not self._english:  # The verb list is English.
            return _ENDS.search(sentence) is not None

        return any(is_finite_form(word) for word in re.findall(r"[a-z]+", sentence.casefold()))

    def _of(self, fact: str) -> _FactWords:
        every = _stems(fact)
        subject = _stems(" ".join(_leading_names(fact)))
        content = every - subject - self._name
        numbers = {word for word in every if _is_checked(word)}
        keys = {token.key for token in tokens(fact) if _stems(token.exact) & content}
        keys |= {token.key for token in tokens(fact) if token.exact not in fact.casefold()}
        content = content or every
        pairs = {(stem, t.key) for t in tokens(fact) for stem in _stems(t.exact) & content}
        return _FactWords(subject, content, frozenset(numbers), frozenset(keys), frozenset(pairs))

    def _says(self, words: _FactWords) -> bool:
        """Whether a fact may come from the text: wording may differ, but not names or numbers."""
        if any(not self._has_number(number) for number in words.numbers):
            return False
        text_words = self._all | self._name
        if len(words.subject) > 1 and not words.subject & text_words:
            return False
        return len(words.content) < _FAR or bool(
            words.content & text_words or words.keys & self._keys
        )

    def _without_mark(self, fact: str) -> str:
        """Removes the mark of a list from a fact ("Fact 2: "), unless the text has it too."""
        match = _LIST_MARK.match(fact)
        if match is None or any(fact[: match.end() + 2] in text for text in self._sentences):
            return fact
        return fact[match.end() :]

    def _adds(self, fact: str) -> bool:
        """Whether a fact contains a name, small number or nationality that the text lacks."""
        if not self._english:
            return False
        spelled_out = self._spelled_out(fact)
        return self._adds_number(fact) or any(
            self._lacks([word for word in name if word not in spelled_out]) for name in _names(fact)
        )

    def _spelled_out(self, fact: str) -> frozenset[str]:
        """Returns the words of a fact whose initials the text gives as an acronym: UCLA, WWII."""
        words = _CAPITALIZED.findall(fact)
        initials = "".join(word if word in _ROMAN else word[0] for word in words)
        places = [i for i, word in enumerate(words) for _ in (word if word in _ROMAN else "x")]
        known: set[str] = set()
        for acronym in self._acronyms:
            start = initials.find(acronym)
            if start >= 0:
                known.update(words[place] for place in places[start : start + len(acronym)])
        return frozenset(known)

    @cached_property
    def _acronyms(self) -> frozenset[str]:
        found = _ACRONYM.findall(" ".join(self._sentences))
        return frozenset(acronym.replace(".", "") for acronym in found)

    def _adds_number(self, fact: str) -> bool:
        keys, text_numbers = self._keys, self._known
        for digits, suffix in _SMALL.findall(fact):
            number = digits.lstrip("0") or "0"
            is_known = {number, f"{number}th"} & keys or any(
                number in longer for longer in text_numbers
            )
            if not is_known and not suffix:
                return True
        return False

    def _lacks(self, name: Sequence[str]) -> bool:
        """Whether the text lacks at least half of a name, or the country of a nationality in it."""
        initials = "".join(word[0] for word in name).casefold()
        if len(name) > 1 and initials in self._keys:
            return False
        lacking = [word for word in name if not is_role(word) and not self._has_word(word)]
        return (2 * len(lacking) >= len(name) and bool(lacking)) or any(map(is_demonym, lacking))

    def _has_word(self, word: str) -> bool:
        keys = {token.key for token in tokens(word)}
        return _stems(word) <= self._all | self._name or keys <= self._keys

    @cached_property
    def _sentence_keys(self) -> list[frozenset[str]]:
        return [frozenset(token.key for token in tokens(text)) for text in self._sentences]

    @cached_property
    def _keys(self) -> frozenset[str]:
        """The keys and forms of the text's words: "three" has the key 3, "Irish" has Ireland's."""
        items = [token for sentence in self._sentences for token in tokens(sentence)]
        keys = {*(token.key for token in items), *(token.exact for token in items)}
        for tens, ones in pairwise(items):  # "twenty-one"
            if tens.key in _TENS and (unit := _ONES.get(ones.exact)):
                keys.add(str(int(tens.key) + unit))
        return frozenset(keys | ({"6", "12"} if "dozen" in keys else set()))

    def _has_number(self, number: str) -> bool:
        # "1914-18" contains 1918, and "1.5 million" contains 1500000.
        if len(number) == _YEAR and number[2:] in self._all:
            return True
        plain, text_numbers = number.rstrip("0"), self._known
        cuts = range(1, len(plain) if len(plain) <= _LONGEST else 1)
        return plain in text_numbers or any(
            plain[:c] in text_numbers and plain[c:] in text_numbers for c in cuts
        )

    def _home(self, words: _FactWords, listed: int) -> int:
        """Returns a fact's source: the sentence in the answer, unless another fits much better."""
        shares = [
            sum(stem in stems or key in keys for stem, key in words.pairs)
            for stems, keys in zip(self._words, self._sentence_keys, strict=True)
        ]
        best = max(range(len(shares)), key=lambda number: (shares[number], -number))
        own_share = shares[listed]
        fits_only_best = not own_share and shares[best] == len(words.pairs)
        return best if fits_only_best or shares[best] >= own_share + _FAR else listed


@lru_cache(maxsize=4096)  # several checks use a fact's words
def _stems(text: str) -> frozenset[str]:
    words = (word for word in tokenize(text) if word not in STOP_WORDS)
    parts = (part for word in words for part in _PART.findall(word))
    return frozenset(part if part[0].isdigit() else part[:_STEM] for part in parts)


def _leading_names(fact: str) -> list[str]:
    """Returns the capitalized words at the beginning of a fact, which name its subject."""
    names = []
    for word in fact.split():
        if not word.lstrip("\"'“‘«(")[:1].isupper():
            break
        names.append(word)
    return names


def _names(fact: str) -> Iterator[list[str]]:
    """Yields the names and nationalities in a fact, except for the name at its beginning."""
    name: list[str] = []
    fact = re.sub("[-–]", " ", plain_phrases(fact))
    for word in fact.split()[max(1, len(_leading_names(fact))) :]:
        match = _NAME.match(word.strip("\"'“‘«()"))
        bare = match[0] if match else ""
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
    """Whether the text must contain a number in digits; small or round numbers may be in words."""
    return word[0].isdigit() and len(word) > 2 and not word.endswith("00")
