"""Positions of the content words on pages, as arrays."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dfactscore._util.bounded_memory import BoundedCache
from dfactscore.engines._builtin.language.tokens import (
    PRONOUNS,
    WordForm,
    plain_phrases,
    token,
    words,
)
from dfactscore.engines._builtin.verify.name_types import (
    COARSE,
    ORGANIZATION,
    PLACE,
    UNKNOWN,
    type_hint,
    word_type,
)

CLASSES = {"word": 0, "name": 1, "number": 2, "year": 3, "month": 4}
DOCUMENT_GAP = 60  # positions, in addition to one for each word
_GROUPS = """
    in at near on within inside | from since beginning starting | to until till into through | by
    | with alongside | of | for | as | under | against over | after following | before | between
    and | about during
"""
PREPOSITIONS = {
    word: number for number, group in enumerate(_GROUPS.split("|"), 1) for word in group.split()
}
_FORMS = re.compile(r"[^\W_]+(?:[.,'’][^\W_]+)*|[,;:()–—−]|-(?:(?<=\d-)(?=\d)|(?<=\s-)(?=\s))")
UNREAL = frozenset(
    "nominated nominee nomination candidate runner-up shortlisted offered declined refused failed "
    "attempted tried lost unsuccessful unsuccessfully planned intended hoped almost nearly "
    "considered rejected instead would could might rumored alleged allegedly supposedly".split()
)
MARK = 9
# kind, form, key, loose form, capital, terms, class, and a number: the preposition of a function
# word (-1 for a pronoun), or minus the `type_hint` or `word_type` of a content word
ReadWord = tuple[int, str, str, str, bool, tuple[str, ...], int, int]
_CACHE_LIMIT = 100_000
# Joins adjacent words. A page has thousands of them, and the garbage collector does not track
# strings, unlike tuples.
chained = "\t".join
AGE = "age of "  # prefix of the term for an age at death
FAR_OFF = 40  # words; the largest distance
_COARSE = np.array(COARSE)


ENTRY = tuple(
    "row loose place sort before column own kin denied foreign also hint holder under "
    "unreal".split()
)
"""The values of an entry, which `EntryReader` writes.

* ``row``, ``loose``, ``also``: rows in `Premise.rows` of the word's key, of its loose form, and of
  a further term: a year's decade, a place's country (0 if there is none).
* ``place``: position on the page: one for each word, plus the gaps between clauses and so on.
* ``sort``: one of `CLASSES`.
* ``before``: the preposition before it, see `PREPOSITIONS`; 0 if there is none. ``under``: the
  preposition before its phrase.
* ``column``: sentence, as in `Premise.spans`.
* ``own``: whether it is a word of the titles.
* ``kin``, ``denied``, ``unreal``: words since a relative ("his father"), since a negation, and
  since one of the words `UNREAL` in the sentence.
* ``foreign``: whether the sentence begins with a name that is not in the titles.
* ``hint``: type of the word, see `name_types`.
* ``holder``: the person that the word is about: 1 for the bearer of the titles, -1 for another
  subject of the sentence, -2 for a name beside the word ("the chef Alain Besson", "Alain Besson, a
  chef"), 0 if unknown.
"""
CONTEXT = ("kin", "denied", "foreign", "inside", "under", "unreal")
_PLACES = {name: place for place, name in enumerate(ENTRY)}
_TERMS = [_PLACES[name] for name in ("row", "also", "loose")]
_CONTEXT = [_PLACES[{"inside": "foreign"}.get(name, name)] for name in CONTEXT]


@dataclass(frozen=True, eq=False, slots=True)
class Positions:
    """The content words of one or more pages, in order, with one entry each; see `ENTRY`."""

    # Shape `(3, entries)`: `row`, `also` and `loose`, in a single array so that they can be
    # compared at once.
    terms: NDArray[np.int32]
    # Shape `(4, entries)`: `before`, the type of the whole name or word, its `COARSE` type, and
    # `sort` (-1 for words in the titles), to compare with `Units.codes`.
    codes: NDArray[np.int8]
    # Shape `(len(CONTEXT), entries)`: context of a word, with distances capped at 40; `inside` is
    # the number of neighbors that belong to the same name or date.
    context: NDArray[np.float32]
    place: NDArray[np.float32]  # shape `(entries,)`
    holder: NDArray[np.int32]  # shape `(entries,)`
    column: NDArray[np.int32]  # shape `(entries,)`; starts at 0 for each page


def positions_of(pages: Sequence[NDArray[np.int32]]) -> Positions:
    """Concatenates the entries of pages and compares neighbors; pages are ``(len(ENTRY), n)``."""
    entries = np.concatenate(pages, axis=1)
    place, sort, before = (entries[_PLACES[name]] for name in ("place", "sort", "before"))
    hint, own = entries[_PLACES["hint"]], entries[_PLACES["own"]] > 0
    gap, link = np.full(len(place), DOCUMENT_GAP), before[1:]
    gap[1:] = place[1:] - place[:-1]
    ends = np.cumsum([page.shape[1] for page in pages])
    gap[ends[ends < len(gap)]] = DOCUMENT_GAP
    named = hint[:-1] >= ORGANIZATION  # Center for …
    inner = (gap[1:] == 2) & (
        (link == 0) | (link == PREPOSITIONS["of"]) | (named & (link == PREPOSITIONS["for"]))
    )  # the, of, de
    adjacent = ((gap[1:] == 1) | inner) & (sort[1:] == sort[:-1]) & (sort[1:] > 0)
    context = np.minimum(entries[_CONTEXT], FAR_OFF).astype(np.float32)
    inside = context[CONTEXT.index("inside")]
    inside[:] = 0.0
    inside[1:] += adjacent
    inside[:-1] += adjacent
    return Positions(
        terms=entries[_TERMS],
        codes=codes(before, _types(hint, sort, before, adjacent), np.where(own, -1, sort)),
        context=context,
        place=place.astype(np.float32),
        holder=entries[_PLACES["holder"]],
        column=entries[_PLACES["column"]],
    )


def codes(
    before: NDArray[Any], kind: NDArray[Any], sort: NDArray[Any], *, unknown: int = 0
) -> NDArray[np.int8]:
    """Stacks the preposition, the type, the coarse type and the class of words; see `ENTRY`.

    `unknown` is the value for an unknown type; for a fact's words it is -1, so that it does not
    equal any type on a page.
    """
    table = np.empty((4, len(kind)), dtype=np.int8)
    table[0], table[1], table[2], table[3] = before, kind, _COARSE[kind], sort
    if unknown != UNKNOWN:
        table[1, kind == UNKNOWN] = unknown
    return table


def read_words(sentence: str) -> list[ReadWord]:
    """Returns a sentence's words, as normalized by `tokens`, and punctuation (kind `MARK`).

    >>> [word[1] for word in read_words("Ann Lee (1901–1980), a poet, sang.")]
    ['ann', 'lee', '(', '1901', '–', '1980', ')', ',', 'a', 'poet', ',', 'sang']
    """
    return list(map(_cache.__getitem__, _FORMS.findall(plain_phrases(sentence))))


def read_forms(text: str) -> list[ReadWord]:
    """Returns the words of a text, without punctuation."""
    return list(map(_cache.__getitem__, words(text)))


def _read_form(form: str) -> ReadWord:
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


_cache = BoundedCache(_read_form, most=_CACHE_LIMIT)


def class_of(item: WordForm, capital: bool) -> int:
    """Returns the number of a content word's class in `CLASSES`."""
    key = item.key
    if item.kind == 2:
        return 3 if len(key) == 4 and key.isdecimal() and "1000" <= key < "2100" else 2
    if key.startswith("month") and key[5:].isdecimal():
        return 4
    return 1 if capital else 0


def _types(
    hints: NDArray[np.int32],
    sort: NDArray[np.int32],
    before: NDArray[np.int32],
    adjacent: NDArray[np.bool_],
) -> NDArray[np.int32]:
    """Returns each word's type; for a word in a name, that is the type of the whole name."""
    if not len(hints):
        return hints
    begins = np.ones(len(hints), dtype=np.bool_)
    begins[1:] = ~adjacent
    starts = begins.nonzero()[0]
    hint = np.maximum.reduceat(hints, starts)
    first = before[starts]
    hint[(hint == UNKNOWN) & (first >= 1) & (first <= 3)] = PLACE
    return np.where(sort == CLASSES["name"], hint[begins.cumsum() - 1], hints)
