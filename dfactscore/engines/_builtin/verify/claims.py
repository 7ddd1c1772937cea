"""Facts of one biography, prepared once for all of its candidate entities."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines._builtin.verify.fact_words import CAPITAL, UNIT_ROW, FactWords, Family
from dfactscore.engines._builtin.verify.name_types import PLACE, UNKNOWN
from dfactscore.engines._builtin.verify.positions import UNREAL, codes

_KIN = frozenset("parent brother son spouse uncl aunt nephew niec cousin".split())  # keys


@dataclass(frozen=True, eq=False, slots=True)
class Owned:
    """Names or chains of words of all facts, of one or more families.

    Attributes:
        words: The different ones.
        place: Shape ``(n,)``, which of them each one is.
        cell: Shape ``(n,)``, family times number of facts, plus the fact.
        size: Shape ``(families, facts)``, how many each family and fact has.
    """

    words: list[str]
    place: NDArray[np.intp]
    cell: NDArray[np.intp]
    size: NDArray[np.intp]


@dataclass(frozen=True, eq=False, slots=True)
class Units:
    """The units of each fact that could differ: a name of several words, a date, a number, a word.

    Attributes:
        owner: Shape ``(U,)``, its fact; `sizes` are the numbers of its words.
        sort: Shape ``(U,)``, see `positions.CLASSES`; a date with a year is a year.
        before: Shape ``(U,)``, which of `positions.PREPOSITIONS` is before it.
        around: Shape ``(4, U)``, places in the list of content words of the unit's first word, of
            the word before it, of the one after it and of its event, the lower-case word that it
            goes with: the last one before it, else the first one after it; its own place where
            there is no such word in the fact.
        apart: Shape ``(3, U)``, whether there is a word before it, one after it, and an event that
            is not among its own words.
        codes: Shape ``(4, U)``, what is compared with `Positions.codes`.
        shape: Shape ``(len(UNIT_SHAPE), U)``, features of the unit in its fact alone.
    """

    owner: NDArray[np.intp]
    sort: NDArray[np.int32]
    before: NDArray[np.intp]
    sizes: NDArray[np.intp]
    around: NDArray[np.intp]
    apart: NDArray[np.bool_]
    codes: NDArray[np.int8]
    shape: NDArray[np.float32]


UNIT_SHAPE = tuple(
    """
    sort size place before denied next_sort of_subject fact_kin type is_role verb backward subject
    fact_unreal
    """.split()
)


@dataclass(frozen=True, eq=False, slots=True)
class Claims:
    """Facts as flat lists of content words; each fact begins with one empty word.

    Attributes:
        keys: Key of each different content word, length ``D``; so `loose` and `exact`.
        place: Shape ``(T,)``, which of these each content word of all facts is.
        starts: Shape ``(facts,)``, where each fact's words begin.
        owner: Shape ``(T,)``, fact of each word.
        weights: Shape ``(T, 5)``: one, idf, capitalised, number, other; 0 for the empty words.
        said: Pairs of neighbouring content keys and triples of neighbouring forms, by `chained`;
            leading capitalised forms; the first of them; forms of the target name.
        edges: Shape ``(facts, 2)``, places of the first and the last content word (0 if none).
        heads: Shape ``(facts,)``, place of the noun in "is a … noun" (the empty word if none).
        named: The last of these alone.
        roles: See `life_terms`, for each fact.
        shape: Shape ``(facts, n)``: features of the fact alone.
        units: The content words again, joined to names, dates and so on.
    """

    keys: list[str]
    loose: list[str]
    exact: list[str]
    place: NDArray[np.intp]
    starts: NDArray[np.intp]
    owner: NDArray[np.intp]
    weights: NDArray[np.float32]
    said: Owned
    edges: NDArray[np.intp]
    heads: NDArray[np.intp]
    named: Owned
    roles: tuple[frozenset[str], ...]
    shape: NDArray[np.float32]
    units: Units


SHAPE = tuple(
    """
    fact_words fact_content fact_idf fact_caps fact_numbers fact_negated fact_pronoun fact_named
    fact_roles fact_subject fact_backward
    """.split()
)
_PRONOUN, _NAMED = SHAPE.index("fact_pronoun"), SHAPE.index("fact_named")
_SUBJECT = SHAPE.index("fact_subject")
_COUNTS = [SHAPE.index("fact_caps"), SHAPE.index("fact_numbers")]
# weights of the empty word, of a word, of a number and of a capitalized word; `idf` is filled in
_FLAGS = np.array(
    [[0, 0, 0, 0, 0], [1, 0, 0, 0, 1], [1, 0, 0, 1, 0], [1, 0, 1, 0, 0]], dtype=np.float32
)
assert len(_FLAGS) - 1 == CAPITAL


def prepare_claims(facts: Sequence[str], name: str, idf: Mapping[str, float]) -> Claims:
    """Prepares facts about the bearer of a name.

    Args:
        facts: Sentences.
        name: The target name; its words neither support nor contradict by themselves.
        idf: Inverse document frequency by key; `UNKNOWN_IDF` for the others.
    """
    read = FactWords(name, idf)
    for text in facts:
        read.add(text)
    keys, loose, exact = map(list, zip(*read.forms, strict=True))
    place, starts, heads = _index(read.place), _index(read.starts), _index(read.heads)
    shape = np.array(read.shape, dtype=np.float32).reshape(-1, len(SHAPE))
    weights = _FLAGS[read.flags]
    weights[:, 1] = read.values
    said = np.zeros((2, 0), dtype=np.bool_)
    if len(facts):
        shape[:, _COUNTS] = np.add.reduceat(weights[:, 2:4], starts)
        marks = np.array([[key in _KIN for key in keys], [low in UNREAL for low in exact]])
        said = np.logical_or.reduceat(marks[:, place], starts, axis=1)
    return Claims(
        keys=keys,
        loose=loose,
        exact=exact,
        place=place,
        starts=starts,
        owner=np.searchsorted(starts, np.arange(len(place)), side="right") - 1,
        weights=weights,
        said=_owned(read.pairs, read.triples, read.subject, read.leads, read.named),
        heads=heads,
        edges=_index(read.edges).reshape(-1, 2),
        named=_owned(read.named),
        roles=tuple(read.roles),
        shape=shape,
        units=_units(np.array(read.units, dtype=np.intp), heads, shape, said),
    )


def _units(
    rows: NDArray[np.intp],
    heads: NDArray[np.intp],
    shape: NDArray[np.float32],
    said: NDArray[np.bool_],
) -> Units:
    """Units, with their facts' words about them.

    Args:
        rows: Shape ``(U, len(UNIT_ROW))``.
        heads: As in `Claims`; so `shape`.
        shape: Features of the facts.
        said: Shape ``(2, facts)``, whether the fact names a relative, and whether it says that
            something was only hoped for or lost.
    """
    table = rows.reshape(-1, len(UNIT_ROW)).T.copy()
    begin, owner, sort, before, denied, kind, event, verb, backward, sizes, place = table
    kind[(sort == 1) & (kind == UNKNOWN) & (before >= 1) & (before <= 3)] = PLACE
    ends, head = begin + sizes, heads[owner]
    is_first = place == 0
    is_last = np.ones_like(is_first)
    is_last[:-1] = is_first[1:]
    next_sort = np.full_like(sort, -1)
    next_sort[:-1] = np.where(is_first[1:], -1, sort[1:])
    of_bearer = np.minimum(1, shape[:, _PRONOUN] + shape[:, _NAMED])
    alone = (
        sort, sizes, place, before, denied, next_sort, of_bearer[owner], said[0, owner], kind,
        (head >= begin) & (head < ends), verb, backward, shape[owner, _SUBJECT], said[1, owner],
    )  # fmt: skip
    return Units(
        owner=owner,
        sort=sort.astype(np.int32),
        before=before,
        sizes=sizes,
        around=np.array([begin, begin - ~is_first, np.where(is_last, begin, ends), event]),
        apart=np.array([~is_first, ~is_last, (event < begin) | (event >= ends)]),
        codes=codes(before, kind, sort, unknown=-1),
        shape=np.array(alone, dtype=np.float32),
    )


def _owned(*families: Family) -> Owned:
    table: defaultdict[str, int] = defaultdict(count().__next__)
    items = chain.from_iterable(family.items for family in families)
    places = np.fromiter(map(table.__getitem__, items), dtype=np.intp)
    size = np.array([family.ends for family in families], dtype=np.intp)
    size[:, 1:] -= size[:, :-1].copy()
    return Owned(list(table), places, np.arange(size.size).repeat(size.ravel()), size)


def _index(values: list[int]) -> NDArray[np.intp]:
    return np.array(values, dtype=np.intp)
