"""Where the content words of a page stand, so that a fact's words can be looked up together."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dfactscore._util.remembered import Remembered
from dfactscore.engines.builtin.language.lexicon import PRONOUNS
from dfactscore.engines.builtin.language.tokens import Token, plain_phrases, token
from dfactscore.engines.builtin.verify.name_types import (
    COARSE,
    ORGANIZATION,
    PLACE,
    RELATIVE,
    UNKNOWN,
    type_hint,
    word_type,
)

__all__ = [
    "AGE",
    "CLASSES",
    "MARK",
    "PREPOSITIONS",
    "SAID",
    "UNREAL",
    "Positions",
    "PositionsBuilder",
    "Read",
    "chained",
    "class_of",
    "codes",
    "join",
    "read_form",
    "read_words",
]

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
_FORMS = re.compile(
    r"[^\W_]+(?:[.,'’](?=[^\W_])[^\W_]+)*|[,;:()–—−]|-(?:(?<=\d-)(?=\d)|(?<=\s-)(?=\s))"
)
_DASHES = frozenset("–—−-")
_IN_LISTS = frozenset("the a an of de van von".split())
_ARTICLES = frozenset(("a", "an", "the"))
_THE_PERSON = frozenset(("he", "she"))
_WHOSE = frozenset(("his", "her", "their", "whose"))
_OPENERS = frozenset("and but or where while when whereas as because that who which".split())
UNREAL = frozenset(
    "nominated nominee nomination candidate runner-up shortlisted offered declined refused failed "
    "attempted tried lost unsuccessful unsuccessfully planned intended hoped almost nearly "
    "considered rejected instead would could might rumored alleged allegedly supposedly".split()
)
_RELATIVE = frozenset(("who", "which", "that"))
_NO_LIST = (-1, 0)
MARK = 9
# kind, form, key, loose form, capital, terms, class, and what else counts: of a function word its
# preposition (-1: a pronoun), of a word its `type_hint` or `word_type` with a minus
Read = tuple[int, str, str, str, bool, tuple[str, ...], int, int]
_CACHE_LIMIT = 100_000
# Makes one of words that stand side by side. Strings, unlike tuples, cost the garbage collector
# nothing, and a page has thousands.
chained = "\t".join
AGE = "age of "  # begins the term of an age at death
_FAR = 40  # words; further than this counts as this far
_COARSE = np.array(COARSE)


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
        type: What a name or word is of (`name_types`).
        holder: Which person it is said of: 1 of the titles' bearer, -1 of another one who is the
            subject of the sentence, -2 of a name beside it ("the chef Alain Besson", "Alain Besson,
            a chef"); 0 where neither is seen.
        under: Which of `PREPOSITIONS` stands before the words that it is one of.
        unreal: Words since the sentence said that something was only hoped for, offered or lost
            (`UNREAL`), at most 40.
        terms: Shape ``(3, entries)``: `rows`, `also` and `loose`, to be looked up together.
        codes: Shape ``(4, entries)``: `before`, `type`, its `COARSE` type, and `sort` (-1 for words
            of the titles), to be compared together with those of a fact.
        said: Shape ``(len(SAID), entries)``: the other fields that are features of a found word.
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
    type: NDArray[np.int32]
    holder: NDArray[np.int32]
    under: NDArray[np.int32]
    unreal: NDArray[np.float32]
    terms: NDArray[np.int32]
    codes: NDArray[np.int8]
    said: NDArray[np.float32]


SAID = ("kin", "denied", "foreign", "inside", "under", "unreal")


def codes(
    before: NDArray[Any], kind: NDArray[Any], sort: NDArray[Any], *, unknown: int = 0
) -> NDArray[np.int8]:
    """Stacks the preposition, the type, the coarse type and the class of some words.

    Args:
        before: Which of `PREPOSITIONS` stands before each.
        kind: Which of `name_types` each is of.
        sort: Which of `CLASSES` each is of.
        unknown: Stands for the type that is not known; -1 for a fact's words, so that it is equal
            to none of a page.
    """
    table = np.empty((4, len(kind)), dtype=np.int8)
    table[0], table[1], table[2], table[3] = before, kind, _COARSE[kind], sort
    if unknown != UNKNOWN:
        table[1, kind == UNKNOWN] = unknown
    return table


@dataclass(frozen=True, eq=False, slots=True)
class Entries:
    """What is read of the entries of one or several pages, one behind the other.

    Attributes are those of `Positions`.
    """

    terms: NDArray[np.int32]
    codes: NDArray[np.int8]
    said: NDArray[np.float32]
    place: NDArray[np.float32]
    holder: NDArray[np.int32]
    column: NDArray[np.int32]
    under: NDArray[np.int32]
    inside: NDArray[np.float32]


def join(pages: Sequence[Positions]) -> Positions | Entries:
    """Returns the entries of all pages; `Entries.column` begins with each page again."""
    if len(pages) == 1:
        return pages[0]
    names = Entries.__dataclass_fields__
    return Entries(*(np.concatenate([getattr(at, n) for at in pages], axis=-1) for n in names))


def read_words(sentence: str) -> list[Read]:
    """Returns a sentence's words and marks, normalized as by `tokens`; marks are of kind `MARK`.

    >>> [word[1] for word in read_words("Ann Lee (1901–1980), a poet, sang.")]
    ['ann', 'lee', '(', '1901', '–', '1980', ')', ',', 'a', 'poet', ',', 'sang']
    """
    return list(map(_cache.__getitem__, _FORMS.findall(plain_phrases(sentence))))


def read_form(form: str) -> Read:
    """Returns one word or mark, see `read_words`."""
    return _cache[form]


def _read(form: str) -> Read:
    if not form[0].isalnum():
        return MARK, form, "", "", False, (), 0, 0
    item = token(form)
    kind, low, key = item.kind, item.exact, item.key
    link = 0
    if kind == 0:
        link = PREPOSITIONS.get(low, -1 if low in PRONOUNS else 0)
    sort = class_of(item, item.upper) if kind in (1, 2) else 0
    if kind == 1:
        link = -(type_hint(low) if sort == 1 else word_type(low, key))
    return *item, sort, link


_cache = Remembered(_read, most=_CACHE_LIMIT)


def class_of(item: Token, capital: bool) -> int:
    """Returns which of `CLASSES` a content word is of."""
    key = item.key
    if item.kind == 2:
        return 3 if len(key) == 4 and key.isdecimal() and "1000" <= key < "2100" else 2
    if key.startswith("month") and key[5:].isdecimal():
        return 4
    return 1 if capital else 0


_WIDTH = 15  # numbers of an entry
_PLACE, _SORT, _BEFORE, _OWN, _HOLDER = (n - _WIDTH for n in (2, 3, 4, 6, 12))  # of the last entry
_SAID = [7, 8, 9, 9, 13, 14]  # places of `SAID` in an entry; "inside" is found at the end


def _said(row: int, place: int, column: int, sort: int = 0) -> tuple[int, ...]:
    """An entry for a word that a mark stands for."""
    return (row, 0, place, sort, 0, column, False, _FAR, _FAR, False, 0, 0, 0, 0, _FAR)


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
        self._entries: list[int] = []  # `_WIDTH` numbers each, one behind the other

    def start_document(self) -> None:
        """Leaves a gap: what stands in another document stands far away."""
        self._place += DOCUMENT_GAP

    def add(
        self, words: Sequence[Read], column: int, first: bool, ages: Sequence[str] = ()
    ) -> None:
        """Adds a sentence; years in parentheses behind the subject's name are a life.

        The names of a list ("Leeds, York and Hull") all stand where its first one does: what is
        said of one is said of each.

        Args:
            words: Its words and marks, by `read_words`.
            column: Its number.
            first: Whether it is the first of its document.
            ages: Ages at death that follow from its dates.
        """
        place = self._place + SENTENCE_GAP
        row, title, entries = self._row, self._title, self._entries
        before = 0
        kin = denied = unreal = place - _FAR
        fresh, whose = True, False  # whether a clause begins; whether "his" or "her" began it
        begun = foreign = False
        opened, start, life = -1, place, False
        last_own = aging = False
        listed = _NO_LIST  # where the first name of a list stands, and the preposition before it
        apart = False  # whether a comma or "and" stands behind the last name
        furthest = place
        subject = beside = under = 0
        size = len(words)
        for number, (kind, low, key, loose, capital, terms, sort, link) in enumerate(words):
            if kind == MARK:
                place += CLAUSE_GAP
                under = beside = 0
                fresh = True
                if low == ",":
                    apart = True
                    article = number + 1 < size and words[number + 1][1] in _ARTICLES
                    named = number and words[number - 1][4] and entries and entries[_SORT] == 1
                    if article and named:
                        beside = 1 if entries[_OWN] else -2
                elif low not in "()":
                    listed = _NO_LIST
                if low == "(":
                    opened, life = len(entries), first or last_own
                    start = place
                elif low == ")":
                    opened = -1
                elif low in _DASHES:
                    if entries and entries[_SORT] >= 2:
                        before = 3
                        entries[_BEFORE] = 2
                    if opened >= 0 and life and 3 in entries[opened + _WIDTH + _SORT :: _WIDTH]:
                        entries[opened:opened] = _said(row("born"), start, column)
                        entries += _said(row("die"), place, column)
                        for age in ages:
                            entries += _said(row(AGE + age), place, column, 2)
                        life = False
                continue
            place += 1
            if kind == 0:
                if link > 0:
                    before = under = link
                elif link < 0:
                    begun = True
                    if low in _THE_PERSON:
                        under = 0
                        subject = 1
                        fresh = False
                    elif low in _WHOSE:
                        whose = fresh
                    else:
                        under = 0
                elif low not in _IN_LISTS:
                    under = beside = 0
                elif low in _OPENERS:
                    fresh = True
                if low in _RELATIVE and entries and entries[_SORT] == 1:
                    subject = 1 if entries[_OWN] else -1
                if low in ("and", "or"):
                    apart = True
                elif low not in _IN_LISTS:
                    listed = _NO_LIST
                continue
            if kind == 3:
                denied = place
                listed = _NO_LIST
                continue
            own = key in title
            if not begun:
                begun = True
                if capital and not own:
                    follows = number + 1 < size and words[number + 1][4]
                    foreign = follows
                    if follows:
                        subject = -1
                    if not follows and sort == 1 and not number:
                        sort = 0
            if opened < 0:
                if sort != 1:
                    listed = _NO_LIST
                elif listed is _NO_LIST:
                    listed = (place, before)
                elif apart:
                    furthest = max(furthest, place)
                    place, before = listed
                apart = False
            if link == -RELATIVE:
                kin = place
                if whose and not under:
                    subject = -1
            if low in UNREAL:
                unreal = place
            fresh = whose = False
            if own and not subject:
                subject = 1
            if sort == 1 and not own and entries and not before:
                common = not entries[_SORT] and not entries[_OWN]  # "chef" of "chef Alain Besson"
                if common and entries[_PLACE] == place - 1:
                    entries[_HOLDER] = -2
            also = row(terms[2]) if len(terms) > 2 else 0
            if aging and kind == 2:
                also = row(AGE + key)
            aging = low in ("age", "aged")
            entries += (
                row(key),
                row(loose),
                place,
                sort,
                before,
                column,
                own,
                place - kin,
                place - denied,
                foreign,
                also,
                -link,
                beside or subject,
                under,
                place - unreal,
            )
            last_own = own
            before = 0
        self._place = max(place, furthest)

    def build(self) -> Positions:
        """Returns what was read."""
        flat = np.fromiter(self._entries, dtype=np.int32, count=len(self._entries))
        whole = np.ascontiguousarray(flat.reshape(-1, _WIDTH).T)
        said = np.minimum(whole[_SAID], _FAR).astype(np.float32)
        place, sort = whole[2].astype(np.float32), whole[3]
        gap, link = place[1:] - place[:-1], whole[4][1:]
        named = whole[11][:-1] >= ORGANIZATION  # Center for …
        inner = (gap == 2) & (
            (link == 0) | (link == PREPOSITIONS["of"]) | (named & (link == PREPOSITIONS["for"]))
        )  # the, of, de
        beside = ((gap == 1) | inner) & (sort[1:] == sort[:-1]) & (sort[1:] > 0)
        inside = said[SAID.index("inside")]
        inside[:] = 0.0
        inside[1:] += beside
        inside[:-1] += beside
        kinds = _types(whole[11], sort, whole[4], beside)
        own = whole[6] > 0
        return Positions(
            rows=whole[0],
            loose=whole[1],
            also=whole[10],
            place=place,
            sort=sort,
            before=whole[4],
            column=whole[5],
            own=own,
            kin=said[0],
            denied=said[1],
            foreign=said[2],
            inside=inside,
            type=kinds,
            holder=whole[12],
            under=whole[13],
            unreal=said[5],
            terms=whole[[0, 10, 1]],
            codes=codes(whole[4], kinds, np.where(own, -1, sort)),
            said=said,
        )


def _types(
    hints: NDArray[np.int32],
    sort: NDArray[np.int32],
    before: NDArray[np.int32],
    beside: NDArray[np.bool_],
) -> NDArray[np.int32]:
    """What each name is of, by all of its words; of words that are beside none, by themselves."""
    if not len(hints):
        return hints
    begins = np.ones(len(hints), dtype=np.bool_)
    begins[1:] = ~beside
    starts = begins.nonzero()[0]
    hint = np.maximum.reduceat(hints, starts)
    first = before[starts]
    hint[(hint == UNKNOWN) & (first >= 1) & (first <= 3)] = PLACE
    return np.where(sort == CLASSES["name"], hint[begins.cumsum() - 1], hints)
