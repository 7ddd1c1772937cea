"""The facts in a biography, prepared once for all of its candidate entities."""

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
class Phrases:
    """Names or sequences of words from all facts, in one or more families."""

    words: list[str]
    place: NDArray[np.intp]  # shape `(n,)`, index of each occurrence in `words`
    # Shape `(n,)`, for each occurrence, its family times the number of facts, plus its fact.
    cell: NDArray[np.intp]
    size: NDArray[np.intp]  # shape `(families, facts)`, number of occurrences per family and fact


@dataclass(frozen=True, eq=False, slots=True)
class Units:
    """The parts of facts on which a page could differ: names, dates, numbers and other words."""

    owner: NDArray[np.intp]  # shape `(U,)`, the fact of each unit
    sort: NDArray[np.int32]  # shape `(U,)`, see `positions.CLASSES`; a date with a year is a year
    # Shape `(U,)`, the preposition before the unit, see `positions.PREPOSITIONS`.
    before: NDArray[np.intp]
    sizes: NDArray[np.intp]  # shape `(U,)`, number of words in the unit
    # Shape `(4, U)`, indexes of content words: the unit's first word, the word before it, the word
    # after it, and its event. The event is the last lower-case word before the unit, or else the
    # first one after it. If the fact has no such word, the unit's index.
    around: NDArray[np.intp]
    # Shape `(3, U)`, whether there is a word before the unit, a word after it, and an event outside
    # it.
    apart: NDArray[np.bool_]
    codes: NDArray[np.int8]  # shape `(4, U)`, values to compare with `Positions.codes`
    # Shape `(len(UNIT_SHAPE), U)`, features of the unit that do not depend on a page.
    shape: NDArray[np.float32]


UNIT_SHAPE = tuple(
    """
    sort size place before denied next_sort of_subject fact_kin type is_role verb backward subject
    fact_unreal
    """.split()
)


@dataclass(frozen=True, eq=False, slots=True)
class Claims:
    """Facts as flat lists of content words; each fact begins with one empty word."""

    keys: list[str]  # key of each distinct content word, length `D`
    loose: list[str]
    exact: list[str]
    place: NDArray[np.intp]  # shape `(T,)`, index in `keys` of each content word of all facts
    starts: NDArray[np.intp]  # shape `(facts,)`, index of each fact's first word
    owner: NDArray[np.intp]  # shape `(T,)`, the fact of each word
    # Shape `(T, 5)`: one, idf, capitalized, number, other; all 0 for the empty words.
    weights: NDArray[np.float32]
    # Families of phrases: pairs of adjacent content keys and triples of adjacent forms, by
    # `chained`; leading capitalized forms; the first of these; forms of the target name.
    phrases: Phrases
    # Shape `(facts, 2)`, indexes of the first and the last content word, or of the empty word.
    edges: NDArray[np.intp]
    # Shape `(facts,)`, index of the noun in "is a … noun", or of the empty word.
    heads: NDArray[np.intp]
    named: Phrases  # phrases of the last family alone: forms of the target name
    roles: tuple[frozenset[str], ...]
    # Shape `(facts, n)`, features of the facts that do not depend on a page.
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
# weights of an empty word, a word, a number and a capitalized word; `prepare_claims` adds the idf
_FLAGS = np.array(
    [[0, 0, 0, 0, 0], [1, 0, 0, 0, 1], [1, 0, 0, 1, 0], [1, 0, 1, 0, 0]], dtype=np.float32
)
assert len(_FLAGS) - 1 == CAPITAL


def prepare_claims(facts: Sequence[str], name: str, idf: Mapping[str, float]) -> Claims:
    """Prepares facts about the bearer of a name."""
    reader = FactWords(name, idf)
    for text in facts:
        reader.add(text)
    keys, loose, exact = map(list, zip(*reader.forms, strict=True))
    place, starts, heads = _index(reader.place), _index(reader.starts), _index(reader.heads)
    shape = np.array(reader.shape, dtype=np.float32).reshape(-1, len(SHAPE))
    weights = _FLAGS[reader.flags]
    weights[:, 1] = reader.values
    marked = np.zeros((2, 0), dtype=np.bool_)
    if len(facts):
        shape[:, _COUNTS] = np.add.reduceat(weights[:, 2:4], starts)
        marks = np.array([[key in _KIN for key in keys], [low in UNREAL for low in exact]])
        marked = np.logical_or.reduceat(marks[:, place], starts, axis=1)
    return Claims(
        keys=keys,
        loose=loose,
        exact=exact,
        place=place,
        starts=starts,
        owner=np.searchsorted(starts, np.arange(len(place)), side="right") - 1,
        weights=weights,
        phrases=_phrases(reader.pairs, reader.triples, reader.subject, reader.leads, reader.named),
        heads=heads,
        edges=_index(reader.edges).reshape(-1, 2),
        named=_phrases(reader.named),
        roles=tuple(reader.roles),
        shape=shape,
        units=_units(np.array(reader.units, dtype=np.intp), heads, shape, marked),
    )


def _units(
    rows: NDArray[np.intp],  # shape `(U, len(UNIT_ROW))`
    heads: NDArray[np.intp],
    shape: NDArray[np.float32],
    # Shape `(2, facts)`, whether the fact names a relative, and whether it contains one of the
    # words in `UNREAL`.
    marked: NDArray[np.bool_],
) -> Units:
    """Creates the units from the rows written by `FactWords`."""
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
    shape_rows = (
        sort, sizes, place, before, denied, next_sort, of_bearer[owner], marked[0, owner], kind,
        (head >= begin) & (head < ends), verb, backward, shape[owner, _SUBJECT], marked[1, owner],
    )  # fmt: skip
    return Units(
        owner=owner,
        sort=sort.astype(np.int32),
        before=before,
        sizes=sizes,
        around=np.array([begin, begin - ~is_first, np.where(is_last, begin, ends), event]),
        apart=np.array([~is_first, ~is_last, (event < begin) | (event >= ends)]),
        codes=codes(before, kind, sort, unknown=-1),
        shape=np.array(shape_rows, dtype=np.float32),
    )


def _phrases(*families: Family) -> Phrases:
    table: defaultdict[str, int] = defaultdict(count().__next__)
    items = chain.from_iterable(family.items for family in families)
    places = np.fromiter(map(table.__getitem__, items), dtype=np.intp)
    size = np.array([family.ends for family in families], dtype=np.intp)
    size[:, 1:] -= size[:, :-1].copy()
    return Phrases(list(table), places, np.arange(size.size).repeat(size.ravel()), size)


def _index(values: list[int]) -> NDArray[np.intp]:
    return np.array(values, dtype=np.intp)
