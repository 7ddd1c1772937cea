"""Reads sentences into entries: the place of each content word and its context."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines._builtin.language.word_classes import ARTICLES
from dfactscore.engines._builtin.verify.name_types import RELATIVE
from dfactscore.engines._builtin.verify.positions import (
    AGE,
    DOCUMENT_GAP,
    ENTRY,
    FAR_OFF,
    MARK,
    UNREAL,
    ReadWord,
)

CLAUSE_GAP, SENTENCE_GAP = 3, 16  # positions, in addition to one for each word
_WIDTH = len(ENTRY)
_PLACE, _SORT, _BEFORE, _OWN, _ALSO, _HOLDER = (
    ENTRY.index(name) - _WIDTH for name in ("place", "sort", "before", "own", "also", "holder")
)  # indexes in the last entry
_DASHES = frozenset("–—−-")
_IN_LISTS = frozenset("the a an of de van von".split())
_AGES = frozenset(("age", "aged"))
_THE_PERSON = frozenset(("he", "she"))
_WHOSE = frozenset(("his", "her", "their", "whose"))
_RELATIVE = frozenset(("who", "which", "that"))
_NO_LIST = (-1, 0)


class EntryReader:
    """Reads the sentences of an entity's documents one by one."""

    def __init__(self, row: Callable[[str], int], title: AbstractSet[str]) -> None:
        self.row = row
        self.title = title
        self.entries: list[int] = []
        self._place = 0

    def start_document(self) -> None:
        """Leaves a gap, so that words from different documents are far apart."""
        self._place += DOCUMENT_GAP

    def add(
        self, words: Sequence[ReadWord], column: int, first: bool, ages: Sequence[str] = ()
    ) -> None:
        """Adds a sentence; reads years in parentheses after the subject's name as birth and death.

        All names in a list ("Leeds, York and Hull") get the place of the first one, because a
        statement about the list is about each of its names.
        """
        sentence = _Sentence(self, words, column, self._place + SENTENCE_GAP)
        sentence.read(first, ages)
        self._place = max(sentence.place, sentence.furthest)

    def table(self) -> NDArray[np.int32]:
        """Returns the entries, shape ``(len(ENTRY), entries)``."""
        flat = np.fromiter(self.entries, dtype=np.int32, count=len(self.entries))
        return np.ascontiguousarray(flat.reshape(-1, len(ENTRY)).T)


class _Sentence:
    """State while a sentence is read; the attributes describe the context of the next word."""

    def __init__(
        self, reader: EntryReader, words: Sequence[ReadWord], column: int, place: int
    ) -> None:
        self.row, self.title, self.words, self.column = reader.row, reader.title, words, column
        self.entries = reader.entries
        self.place = self.furthest = place
        self.kin = self.denied = self.unreal = place - FAR_OFF
        self.before = self.under = 0  # prepositions, see `Positions`
        self.subject = self.beside = 0  # the person a word is about, see `ENTRY`
        self.fresh, self.whose = True, False  # whether a clause begins; whether with "his"
        self.begun = self.foreign = self.last_own = self.aging = False
        self.opened, self.start, self.life = (
            -1,
            place,
            False,
        )  # a parenthesis; whether with life dates
        self.listed = _NO_LIST  # the place of the first name of a list; the preposition before it
        self.apart = False  # whether a comma or "and" follows the last name

    def read(self, first: bool, ages: Sequence[str]) -> None:
        for number, word in enumerate(self.words):
            kind = word[0]
            if kind == MARK:
                self.mark(number, word[1], first, ages)
                continue
            self.place += 1
            if kind == 0:
                self.function_word(word[1], word[7])
            elif kind == 3:
                self.denied = self.place
                self.listed = _NO_LIST
            else:
                self.content_word(number, word)

    def mark(self, number: int, low: str, first: bool, ages: Sequence[str]) -> None:
        self.place += CLAUSE_GAP
        self.under = self.beside = 0
        self.fresh = True
        if low == ",":
            self.apart = True
            if self.names_before_article(number):
                self.beside = 1 if self.entries[_OWN] else -2
        elif low == "(":
            self.opened, self.start = len(self.entries), self.place
            self.life = first or self.last_own
        elif low == ")":
            self.opened = -1
        else:
            self.listed = _NO_LIST
            if low in _DASHES:
                self.dash(ages)

    def names_before_article(self, number: int) -> bool:
        """Whether a comma comes after a name and before an article: "Besson, a chef"."""
        words, entries = self.words, self.entries
        return bool(
            number + 1 < len(words)
            and words[number + 1][1] in ARTICLES
            and number
            and words[number - 1][4]
            and entries
            and entries[_SORT] == 1
        )

    def dash(self, ages: Sequence[str]) -> None:
        """Reads a dash as "to" or, between the years of a life, as birth and death."""
        entries, row = self.entries, self.row
        if entries and entries[_SORT] >= 2:
            self.before = 3
            entries[_BEFORE] = 2
        opened = self.opened
        if opened >= 0 and self.life and 3 in entries[opened + _WIDTH + _SORT :: _WIDTH]:
            entries[opened:opened] = self.unsaid(row("born"), self.start)
            entries += self.unsaid(row("die"), self.place)
            for age in ages:
                entries += self.unsaid(row(AGE + age), self.place, 2)
            self.life = False

    def unsaid(self, row: int, place: int, sort: int = 0) -> tuple[int, ...]:
        """Returns an entry for a word implied by punctuation."""
        far = FAR_OFF
        return (row, 0, place, sort, 0, self.column, False, far, far, False, 0, 0, 0, 0, far)

    def function_word(self, low: str, link: int) -> None:
        if link > 0:
            self.before = self.under = link
        elif link < 0:  # a pronoun
            self.begun = True
            if low in _WHOSE:
                self.whose = self.fresh
            else:
                self.under = 0
                if low in _THE_PERSON:
                    self.subject = 1
                    self.fresh = False
        elif low not in _IN_LISTS:
            self.under = self.beside = 0
        if low in _RELATIVE and self.entries and self.entries[_SORT] == 1:
            self.subject = 1 if self.entries[_OWN] else -1
        if low in ("and", "or"):
            self.apart = True
        elif low not in _IN_LISTS:
            self.listed = _NO_LIST

    def content_word(self, number: int, word: ReadWord) -> None:
        kind, low, key, loose, capital, terms, sort, link = word
        row, own = self.row, key in self.title
        if not self.begun:
            self.begun = True
            if capital and not own:
                sort = self.foreign_name(number, sort)
        if sort == 1:
            if self.opened < 0:
                self.list_name()
            if not own and not self.before:
                self.named_beside()
        elif self.opened < 0:
            self.listed, self.apart = _NO_LIST, False
        if link == -RELATIVE:
            self.relative()
        place = self.place
        if low in UNREAL:
            self.unreal = place
        self.fresh = self.whose = False
        self.subject = self.subject or own
        self.entries += (
            row(key), row(loose), place, sort, self.before, self.column, own, place - self.kin,
            place - self.denied, self.foreign, row(terms[2]) if len(terms) > 2 else 0, -link,
            self.beside or self.subject, self.under, place - self.unreal,
        )  # fmt: skip
        if self.aging and kind == 2:
            self.entries[_ALSO] = row(AGE + key)
        self.aging = low in _AGES
        self.last_own = own
        self.before = 0

    def relative(self) -> None:
        """Records a relative; "his father" at the beginning of a clause changes the subject."""
        self.kin = self.place
        if self.whose and not self.under:
            self.subject = -1

    def foreign_name(self, number: int, sort: int) -> int:
        """Returns the class of a capitalized first word that is not in the titles."""
        follows = number + 1 < len(self.words) and self.words[number + 1][4]
        self.foreign = follows
        if follows:
            self.subject = -1
        return 0 if sort == 1 and not follows and not number else sort

    def list_name(self) -> None:
        """Moves the next name of a list to the place of the first one."""
        if self.listed is _NO_LIST:
            self.listed = (self.place, self.before)
        elif self.apart:
            self.furthest = max(self.furthest, self.place)
            self.place, self.before = self.listed
        self.apart = False

    def named_beside(self) -> None:
        """Attributes the word before a name to that name: "chef" in "chef Alain Besson"."""
        entries = self.entries
        if (
            entries
            and not entries[_SORT]
            and not entries[_OWN]
            and entries[_PLACE] == self.place - 1
        ):
            entries[_HOLDER] = -2
