"""Alignment features: which words of a fact occur in an entity's documents, and where."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain, repeat

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines._builtin.language.tokens import resembles
from dfactscore.engines._builtin.verify.claims import SHAPE, Claims, Phrases
from dfactscore.engines._builtin.verify.premise import Premise

Floats = NDArray[np.float32]
Places = NDArray[np.intp]
_CLASSES = ("all", "idf", "caps", "numbers", "other")
_LEVELS = ("key", "loose", "exact", "best", "two", "title")
_OTHER = {"b": "d:", "d": "b:"}
FEATURES = (
    *SHAPE,
    *(f"{level}_{kind}" for level in _LEVELS for kind in _CLASSES),
    *(f"missing_{kind}" for kind in _CLASSES),
    *(f"best_missing_{kind}" for kind in _CLASSES),
    *"""
    missing_idf_max pairs triples missing_pairs subject_missing subject_first_missing name_missing
    role_found role_missing role_conflict negation_differs first_found last_found last_in_best
    role_swapped head_missing name_far
    """.split(),
    *(f"{level}_{kind}" for level in ("window", "region") for kind in _CLASSES),
    *(f"region_missing_{kind}" for kind in _CLASSES),
    "log_words",
)
_SHORT = 400  # words; the lengths of shorter pages would reveal a training pair's data set


@dataclass(frozen=True, eq=False, slots=True)
class Aligned:
    """The alignment of facts' words with the documents of one or more entities.

    Facts and words are ordered page by page. With ``P`` pages and ``F`` facts, a fact's row is
    ``page * F + fact``; with the ``T`` words in `Claims`, a word's row is ``page * T + word``.
    """

    table: Floats  # shape `(P * F, len(FEATURES))`
    # Shape `(P * F,)`, index of the best sentence; -1 if no sentence contains a content word of the
    # fact.
    best: Places
    # Shape `(3, P * T)`, for each word, the rows of its key, of its key again and of its loose
    # form, to compare with `Positions.terms`; -1 if the page does not contain it.
    sought: NDArray[np.int32]
    weights: Floats  # shape `(P * T,)`, rarity of each word; 0 for words in the titles
    hits: Floats  # shape `(P * T, sentences)`, the word's rarity if it is in the sentence, else 0
    # Shape `(P * F, 3)`, the first block of the best window, of the window that adds most to it,
    # and of the window that adds most to both. A window is two adjacent blocks of `Premise.blocks`.
    windows: Places


@dataclass(frozen=True, eq=False, slots=True)
class _Words:
    """The words of the facts on each page, ordered as in `Aligned`."""

    rows: Places  # shape `(2, P * T)`, the page's row of the key and of the loose form; 0 if absent
    weights: Floats  # shape `(P * T, 5)`, as in `Claims`, but 0 for words in the titles
    described: Floats  # 1 for words in a title's parenthesis, shape `(P * T,)` like the next three
    same: Floats
    found: Floats  # 1 for words on the page or in the parenthesis, compared by key
    found_loose: Floats
    owner: Places  # shape `(P * T,)`, row of the fact that each word belongs to
    starts: Places  # shape `(P * F,)`, index of each fact's first word


@dataclass(frozen=True, eq=False, slots=True)
class _Best:
    """The two best columns (sentences or windows) of each fact."""

    first: Places  # shape `(P * F,)`, the column that contains most of the fact
    second: Places  # shape `(P * F,)`, the column that adds most to the first
    most: Floats  # shape `(P * F,)`, total weight of the fact's words in the first column
    in_first: Floats  # shape `(P * T,)`, share of each word that the first column contains
    in_two: Floats  # shape `(P * T,)`, share of each word that either column contains


def align(claims: Claims, premises: Sequence[Premise]) -> Aligned:
    """Computes the features of facts (at least one) against each entity's documents."""
    different = _look_up(claims, premises)
    words = _words(claims, different)
    idf = words.weights[:, 1:2]
    hit, by_window = _hits(premises, different[:, :2], claims.place)
    weighted = hit * idf
    best = _best(hit, weighted, idf, words)
    window = _best(by_window, by_window * idf, idf, words)
    third = _next_best(by_window, window.in_two, idf, words)
    sought = words.rows[[0, 0, 1]]
    return Aligned(
        table=_table(claims, premises, words, best, window),
        best=np.where(best.most > 0, best.first, -1),
        sought=np.where(sought > 0, sought, -1).astype(np.int32),
        weights=idf[:, 0],
        hits=weighted,
        windows=np.stack([window.first, window.second, third], axis=1),
    )


def log_words(size: int) -> float:
    """Returns the logarithm of the number of words on a page; equal for all short pages."""
    return float(np.log(max(size, _SHORT)))


def _look_up(claims: Claims, premises: Sequence[Premise]) -> Places:
    """Looks up each distinct word once per page; returns the values of `_Words`, ``(P, 5, D)``."""
    cells = chain.from_iterable(
        chain(
            map(at.rows.get, claims.keys, repeat(0)),
            map(at.rows.get, claims.loose, repeat(0)),
            map(at.title.__contains__, claims.keys),
            map(at.descriptor.__contains__, claims.keys),
            map(at.phrases.__contains__, claims.exact),
        )
        for at in premises
    )
    return np.fromiter(cells, dtype=np.intp).reshape(len(premises), 5, -1)


def _words(claims: Claims, different: Places) -> _Words:
    pages = np.arange(len(different))[:, None]
    words = different[:, :, claims.place].transpose(1, 0, 2).reshape(5, -1)
    in_title, described, same = words[2:].astype(np.float32)
    found = np.maximum(words[0] > 0, described).astype(np.float32)
    weights = claims.weights * (1.0 - in_title).reshape(len(pages), -1, 1)
    return _Words(
        words[:2],
        weights.reshape(-1, weights.shape[-1]),
        described,
        same,
        found,
        found_loose=np.maximum(found, words[1] > 0, dtype=np.float32),
        owner=(claims.owner + pages * len(claims.starts)).ravel(),
        starts=(claims.starts + pages * len(claims.place)).ravel(),
    )


def _hits(premises: Sequence[Premise], rows: Places, place: Places) -> tuple[Floats, Floats]:
    """Returns the places of the words, by sentence and by window, ``(P * T, columns)``."""
    hits, windows = [], []
    for premise, page_rows in zip(premises, rows, strict=True):
        keys, loose = premise.gather(page_rows.ravel()).reshape(*page_rows.shape, -1)
        hits.append(np.maximum(keys, 0.6 * loose))
        blocks = np.maximum.reduceat(hits[-1], premise.blocks, axis=1)
        several = blocks.shape[1] > 1
        windows.append(np.maximum(blocks[:, :-1], blocks[:, 1:]) if several else blocks)
    return _stack(hits, place), _stack(windows, place)


def _stack(tables: list[Floats], place: Places) -> Floats:
    """Concatenates the rows at `place` of each table, padded with zeros to the same width."""
    width = max(table.shape[1] for table in tables)
    stacked = np.zeros((len(tables), len(place), width), dtype=np.float32)
    for part, table in zip(stacked, tables, strict=True):
        part[:, : table.shape[1]] = table[place]
    return stacked.reshape(-1, width)


def _best(hit: Floats, weighted: Floats, idf: Floats, words: _Words) -> _Best:
    sums = np.add.reduceat(weighted, words.starts, axis=0)
    first = sums.argmax(axis=1)
    rows = np.arange(len(hit))
    in_first = hit[rows, first[words.owner]]
    second = _next_best(hit, in_first, idf, words)
    in_two = np.maximum(in_first, hit[rows, second[words.owner]])
    return _Best(first, second, sums[np.arange(len(sums)), first], in_first, in_two)


def _next_best(hit: Floats, shares: Floats, idf: Floats, words: _Words) -> Places:
    """Returns the column that adds most to the known shares of each fact's words."""
    if hit.shape[1] == 1:
        return np.zeros(len(words.starts), dtype=np.intp)
    gains = hit - shares[:, None]
    np.maximum(gains, 0.0, out=gains)
    gains *= idf
    return np.asarray(np.add.reduceat(gains, words.starts, axis=0).argmax(axis=1))


def _table(
    claims: Claims, premises: Sequence[Premise], words: _Words, best: _Best, window: _Best
) -> Floats:
    """Returns the features, ``(P * F, len(FEATURES))``."""
    shape = np.tile(claims.shape, (len(premises), 1))
    first, last, heads = (
        (at + len(claims.place) * np.arange(len(premises))[:, None]).ravel()
        for at in (*claims.edges.T, claims.heads)
    )
    total, sums = _sums(words, best, window)
    missing = (total - sums).transpose(1, 0, 2)
    shares = np.where(total > 0, sums / np.maximum(total, 1e-6), 1.0)
    shares = shares.reshape(len(shape), -1)
    in_title = len(_LEVELS) * len(_CLASSES)
    worst = np.maximum.reduceat((1.0 - words.found_loose) * words.weights[:, 1], words.starts)
    (pair, triple, *_), (no_pair, _, subject, lead, name) = _share(claims.phrases, premises)
    roles = _roles(claims, premises)
    there = zip(premises, best.first.reshape(len(premises), -1), strict=True)
    negated = np.concatenate([at.negated[sentences] for at, sentences in there])
    log_size = [log_words(at.size) for at in premises]
    columns = (
        shape, shares[:, :in_title], missing[1], missing[3], worst, pair, triple, no_pair, subject,
        lead, name, roles[:, :3], np.abs(shape[:, 5] - negated), words.found_loose[first],
        words.found_loose[last], best.in_first[last], roles[:, 3],
        (1.0 - words.found_loose[heads]) * (heads > words.starts),
        _unlike_names(claims.named, premises), shares[:, in_title:], missing[7],
        np.repeat(log_size, len(claims.starts)),
    )  # fmt: skip
    return np.column_stack(columns).astype(np.float32)


def _sums(words: _Words, best: _Best, window: _Best) -> tuple[Floats, Floats]:
    """Returns weights per fact: of all words, ``(P * F, 1, 5)``; of those found, ``(P * F, 8, 5)``.

    The eight levels are those that appear in the names of the features.
    """
    levels = np.stack(
        [
            np.ones_like(words.found),
            words.found,
            words.found_loose,
            words.same,
            best.in_first,
            best.in_two,
            words.described,
            window.in_first,
            window.in_two,
        ],
        axis=1,
    )
    sums = np.add.reduceat(levels[:, :, None] * words.weights[:, None, :], words.starts, axis=0)
    return sums[:, :1], sums[:, 1:]


def _share(items: Phrases, premises: Sequence[Premise]) -> tuple[Floats, Floats]:
    """Returns the share found (1 if there are no items) and the number missing, ``(f, P * F)``."""
    counts = _count(items, [map(at.phrases.__contains__, items.words) for at in premises])
    size = items.size[:, None]
    share = np.where(size > 0, counts / np.maximum(size, 1), 1.0).astype(np.float32)
    missing = (size - counts).astype(np.float32)
    return share.reshape(len(size), -1), missing.reshape(len(size), -1)


def _unlike_names(names: Phrases, premises: Sequence[Premise]) -> NDArray[np.float64]:
    """Returns the number of names unlike any name in the page's titles, ``(P * F,)``."""
    tests = [
        [name not in at.phrases and not resembles(name, at.names) for name in names.words]
        for at in premises
    ]
    return _count(names, tests).ravel()


def _count(items: Phrases, tests: Sequence[Iterable[bool]]) -> NDArray[np.float64]:
    """Counts the items that pass each page's test, by family, page and fact."""
    pages = np.arange(len(tests))[:, None]
    passed = np.fromiter(chain.from_iterable(tests), dtype=np.float64).reshape(len(tests), -1)
    cells = items.cell + pages * items.size.size
    n_cells, counted = len(tests) * items.size.size, passed[:, items.place].ravel()
    counts = np.bincount(cells.ravel(), counted, n_cells).astype(np.float64)
    return counts.reshape(len(tests), *items.size.shape).transpose(1, 0, 2)


def _roles(claims: Claims, premises: Sequence[Premise]) -> Floats:
    """Returns the result of `_role_counts` for each page and fact, ``(P * F, 4)``."""
    counts = np.zeros((len(premises), len(claims.roles), 4), dtype=np.float32)
    for number, terms in enumerate(claims.roles):
        if terms:
            counts[:, number] = [_role_counts(terms, at.roles) for at in premises]
    return counts.reshape(-1, 4)


def _role_counts(terms: AbstractSet[str], page: AbstractSet[str]) -> tuple[int, int, int, int]:
    """Counts the fact's terms that are on the page, missing, in conflict or swapped.

    A year conflicts if the page gives a different year for the same event; it is swapped if the
    page gives it for the other event (birth or death).
    """
    shared = terms & page
    absent = terms - page
    settled = {term[0] for term in shared if is_year_of_life(term)}
    conflict = swapped = 0
    for term in absent:
        if is_year_of_life(term):
            conflict += any(other[0] == term[0] and is_year_of_life(other) for other in page)
            opposite = _OTHER[term[0]] + term[2:]
            swapped += term[0] not in settled and opposite in page and opposite not in terms
    return len(shared), len(absent), conflict, swapped


def is_year_of_life(term: str) -> bool:
    """Whether a term of `life_terms` is a year."""
    return len(term) in (5, 6) and term[2:].isdecimal()
