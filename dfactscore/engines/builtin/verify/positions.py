"""Where the content words of a page stand, so that a fact's words can be looked up together."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines.builtin.language.lexicon import PRONOUNS
from dfactscore.engines.builtin.language.tokens import Token, plain_phrases, token

__all__ = ["AGE", "CLASSES", "PREPOSITIONS", "Positions", "PositionsBuilder", "class_of"]

CLASSES = {"word": 0, "name": 1, "number": 2, "year": 3, "month": 4}
CLAUSE_GAP, SENTENCE_GAP, DOCUMENT_GAP = 3, 16, 60  # positions, beside one for each word
PREPOSITIONS = {
    word: number
    for number, group in enumerate(
        (
            "in at near on within inside",
            "from since beginning starting",
            "to until till into through",
            "by",
            "with alongside",
            "of",
            "for",
            "as",
            "under",
            "against over",
            "after following",
            "before",
            "between and",
            "about during",
        ),
        1,
    )
    for word in group.split()
}
_KIN = frozenset(
    "father mother brother sister son daughter wife husband uncle aunt nephew niece cousin "
    "grandfather grandmother grandson granddaughter widow stepson".split()
)
_FORMS = re.compile(r"[^\W_]+(?:[.,'’](?=[^\W_])[^\W_]+)*|[,;:()–—−]|(?<=\d)-(?=\d)|(?<=\s)-(?=\s)")
_DASHES = frozenset("–—−-")
_MARKS = frozenset(",;:()") | _DASHES
AGE = "age of "  # begins the term of an age at death
_FAR = 40  # words; further than this counts as this far


@dataclass(frozen=True, eq=False, slots=True)
class Positions:
    """The content words of an entity's documents in order, one entry each.

    Attributes:
        rows: Row of each word's key, as in `Premise.rows`; so `loose`, of its loose form, and
            `also`, of what else it says: a year's decade, a place's country (0: nothing).
        place: Position on the page: one for each word, and the gaps between clauses and so on.
        sort: One of `CLASSES`.
        before: Which of `PREPOSITIONS` stands before it, 0 if none does.
        column: Sentence, as in `Premise.spans`.
        own: Whether it is a word of the titles.
        kin: Words since a relative was named in the sentence ("his father"), at most 40.
        denied: Words since a negation in the sentence, at most 40.
        foreign: Whether the sentence begins with a name that is not the titles'.
        inside: How many neighbours are of its class, as in a longer name.
    """

    rows: NDArray[np.int32]
    loose: NDArray[np.int32]
    also: NDArray[np.int32]
    place: NDArray[np.float32]
    sort: NDArray[np.int32]
    before: NDArray[np.int32]
    column: NDArray[np.int32]
    own: NDArray[np.bool_]
    kin: NDArray[np.float32]
    denied: NDArray[np.float32]
    foreign: NDArray[np.float32]
    inside: NDArray[np.float32]


def class_of(item: Token, capital: bool) -> int:
    """Returns which of `CLASSES` a content word is of."""
    key = item.key
    if item.kind == 2:
        return 3 if len(key) == 4 and key.isdecimal() and "1000" <= key < "2100" else 2
    if key.startswith("month") and key[5:].isdecimal():
        return 4
    return 1 if capital else 0


_Entry = tuple[int, int, int, int, int, int, bool, int, int, bool, int]


def _said(row: int, place: int, column: int, sort: int = 0) -> _Entry:
    """An entry for a word that a mark stands for."""
    return (row, 0, place, sort, 0, column, False, _FAR, _FAR, False, 0)


class PositionsBuilder:
    """Reads sentences one after the other into `Positions`.

    Args:
        row: Gives a term its row.
        title: Keys of the titles.
    """

    def __init__(self, row: Callable[[str], int], title: AbstractSet[str]) -> None:
        self._row = row
        self._title = title
        self._place = 0
        self._entries: list[_Entry] = []

    def start_document(self) -> None:
        """Leaves a gap: what stands in another document stands far away."""
        self._place += DOCUMENT_GAP

    def add(self, sentence: str, column: int, first: bool, ages: Sequence[str] = ()) -> None:
        """Adds a sentence; years in parentheses behind the subject's name are a life.

        Args:
            sentence: Its text.
            column: Its number.
            first: Whether it is the first of its document.
            ages: Ages at death that follow from its dates.
        """
        forms = _FORMS.findall(plain_phrases(sentence))
        place = self._place + SENTENCE_GAP
        row, title, entries = self._row, self._title, self._entries
        before = 0
        kin = denied = place - _FAR
        begun = foreign = False
        opened, start, life = -1, place, False
        last_own = aging = False
        size = len(forms)
        for number, form in enumerate(forms):
            if form in _MARKS:
                place += CLAUSE_GAP
                if form == "(":
                    opened, life = len(entries), first or last_own
                    start = place
                elif form == ")":
                    opened = -1
                elif form in _DASHES:
                    if entries and entries[-1][3] >= 2:
                        before = 3
                        old = entries[-1]
                        entries[-1] = (*old[:4], 2, *old[5:])
                    if opened >= 0 and life and any(e[3] == 3 for e in entries[opened:]):
                        entries.insert(opened, _said(row("born"), start, column))
                        entries.append(_said(row("die"), place, column))
                        entries += [_said(row(AGE + age), place, column, 2) for age in ages]
                        life = False
                continue
            item = token(form)
            place += 1
            kind, low, key = item[0], item[1], item[2]
            if kind == 0:
                before = PREPOSITIONS.get(low, before)
                if low in PRONOUNS:
                    begun = True
                continue
            if kind == 3:
                denied = place
                continue
            capital = item[4]
            own = key in title
            if not begun:
                begun = True
                if capital and not own:
                    follows = number + 1 < size and forms[number + 1][0].isupper()
                    foreign = capital = follows
            if low in _KIN:
                kin = place
            terms = item[5]
            also = row(terms[2]) if len(terms) > 2 else 0
            if aging and kind == 2:
                also = row(AGE + key)
            aging = low in ("age", "aged")
            entries.append(
                (
                    row(key),
                    row(item[3]),
                    place,
                    class_of(item, capital),
                    before,
                    column,
                    own,
                    min(_FAR, place - kin),
                    min(_FAR, place - denied),
                    foreign,
                    also,
                )
            )
            last_own = own
            before = 0
        self._place = place

    def build(self) -> Positions:
        """Returns what was read."""
        columns = list(zip(*self._entries, strict=True)) or [()] * 11
        whole = [np.array(columns[i], dtype=np.int32) for i in (0, 1, 3, 4, 5, 10)]
        real = [np.array(columns[i], dtype=np.float32) for i in (2, 7, 8, 9)]
        place, sort = real[0], whole[2]
        beside = (np.diff(place) <= 2) & (np.diff(sort) == 0) & (sort[1:] > 0)
        inside = np.zeros(len(place), dtype=np.float32)
        inside[1:] += beside
        inside[:-1] += beside
        return Positions(
            rows=whole[0],
            loose=whole[1],
            also=whole[5],
            place=place,
            sort=sort,
            before=whole[3],
            column=whole[4],
            own=np.array(columns[6], dtype=np.bool_),
            kin=real[1],
            denied=real[2],
            foreign=real[3],
            inside=inside,
        )
