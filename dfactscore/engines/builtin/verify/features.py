"""Alignment features: how the words of a fact are found again in an entity's documents."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines.builtin.language.spellings import resembles
from dfactscore.engines.builtin.verify.claims import SHAPE, Claims, Owned
from dfactscore.engines.builtin.verify.premise import Premise

__all__ = ["FEATURES", "Aligned", "align", "log_words"]

_CLASSES = ("all", "idf", "caps", "numbers", "other")
_LEVELS = ("key", "loose", "exact", "best", "two", "title")
_OTHER = {"b": "d:", "d": "b:"}
FEATURES = (
    *SHAPE,
    *(f"{level}_{kind}" for level in _LEVELS for kind in _CLASSES),
    *(f"missing_{kind}" for kind in _CLASSES),
    *(f"best_missing_{kind}" for kind in _CLASSES),
    "missing_idf_max",
    "pairs",
    "triples",
    "missing_pairs",
    "subject_missing",
    "subject_first_missing",
    "name_missing",
    "role_found",
    "role_missing",
    "role_conflict",
    "negation_differs",
    "first_found",
    "last_found",
    "last_in_best",
    "role_swapped",
    "head_missing",
    "name_far",
    *(f"{level}_{kind}" for level in ("window", "region") for kind in _CLASSES),
    *(f"region_missing_{kind}" for kind in _CLASSES),
    "log_words",
)
_SHORT = 400  # words; pages up to this are alike (how short says which data a pair is from)


@dataclass(frozen=True, eq=False, slots=True)
class Aligned:
    """How the words of facts are found again in one entity's documents.

    Attributes:
        table: Shape ``(facts, len(FEATURES))``.
        best: Shape ``(facts,)``, the best sentence; -1 where no content word of the fact stands in
            any sentence.
        sought: Shape ``(3, T)``, of each content word the rows that `Positions.terms` has: of its
            key, of its key again, and of its loose form; -1 where no word of the documents has it.
        weights: Shape ``(T,)``, rarity, 0 for words of the titles.
        hits: Shape ``(T, sentences)``, rarity where the word stands in the sentence.
        windows: Shape ``(facts, 3)``, first block of the best window, of the one that adds most
            to it, and of the one that adds most to both; a window is two blocks of
            `Premise.blocks`.
    """

    table: NDArray[np.float32]
    best: NDArray[np.intp]
    sought: NDArray[np.int32]
    weights: NDArray[np.float32]
    hits: NDArray[np.float32]
    windows: NDArray[np.intp]


def align(claims: Claims, premise: Premise) -> Aligned:
    """Computes the features of every fact (at least one) against one entity's documents."""
    count = len(claims.starts)
    rows = premise.rows
    row, place = rows.get, claims.place
    looked = [
        [row(key, 0) for key in claims.keys],
        [row(key, 0) for key in claims.loose],
        map(premise.title.__contains__, claims.keys),
        map(premise.descriptor.__contains__, claims.keys),
        map(premise.exact.__contains__, claims.exact),
    ]
    words = np.array([list(column) for column in looked], dtype=np.intp)[:, place]
    keys, loose = words[0], words[1]
    in_title, described, same = words[2:].astype(np.float32)
    free = 1.0 - in_title
    weights = claims.weights * free[:, None]
    starts = claims.starts

    found = np.maximum(keys > 0, described).astype(np.float32)
    found_loose = np.maximum(found, loose > 0, dtype=np.float32)
    hit = np.maximum(premise.gather(keys), 0.6 * premise.gather(loose))
    idf = weights[:, 1:2]
    weighted = hit * idf
    by_sentence = np.add.reduceat(weighted, starts, axis=0)
    best = by_sentence.argmax(axis=1)
    in_best, in_two, _ = _two_best(hit, idf, by_sentence, best, claims)
    by_block = np.maximum.reduceat(hit, premise.blocks, axis=1)
    if by_block.shape[1] > 1:
        by_block = np.maximum(by_block[:, :-1], by_block[:, 1:])
    by_window = np.add.reduceat(by_block * idf, starts, axis=0)
    window = by_window.argmax(axis=1)
    in_window, in_region, beside = _two_best(by_block, idf, by_window, window, claims)
    third = _beside(by_block, in_region, idf, claims) if by_block.shape[1] > 2 else beside
    levels = np.stack(
        [
            np.ones_like(found),
            found,
            found_loose,
            same,
            in_best,
            in_two,
            described,
            in_window,
            in_region,
        ],
        axis=1,
    )
    sums = np.add.reduceat(levels[:, :, None] * weights[:, None, :], starts, axis=0)
    total = sums[:, 0]
    safe = np.maximum(total, 1e-6)
    shares = np.where(total[:, None] > 0, sums[:, 1:] / safe[:, None], 1.0)
    missing = total - sums[:, 2]
    best_missing = total - sums[:, 4]
    worst = np.maximum.reduceat((1.0 - found_loose) * weights[:, 1], starts)

    pair, triple = _share(claims.chains, premise.chains).reshape(2, count, 2)
    subject, lead, name = _share(claims.names, premise.exact).reshape(3, count, 2)
    head_missing = (1.0 - found_loose[claims.heads]) * (claims.heads > starts)
    far = _far(claims.names, premise)[2 * count :]
    roles = np.array([_roles(spoken, premise.roles) for spoken in claims.roles], dtype=np.float32)
    negated = np.abs(claims.shape[:, 5] - premise.negated[best])
    table = np.concatenate(
        [
            claims.shape,
            shares[:, :6].reshape(count, -1),
            missing,
            best_missing,
            worst[:, None],
            pair[:, :1],
            triple[:, :1],
            pair[:, 1:],
            subject[:, 1:],
            lead[:, 1:],
            name[:, 1:],
            roles[:, :3],
            negated[:, None],
            found_loose[claims.edges],
            in_best[claims.edges[:, 1:]],
            roles[:, 3:],
            head_missing[:, None],
            far[:, None],
            shares[:, 6:].reshape(count, -1),
            total - sums[:, 8],
            np.broadcast_to(log_words(premise.size), (count, 1)),
        ],
        axis=1,
    ).astype(np.float32)
    sought = words[[0, 0, 1]]
    reached = by_sentence[np.arange(count), best] > 0
    return Aligned(
        table=table,
        best=np.where(reached, best, -1),
        sought=np.where(sought > 0, sought, -1).astype(np.int32),
        weights=idf[:, 0],
        hits=weighted,
        windows=np.stack([window, beside, third], axis=1),
    )


def log_words(size: int) -> float:
    """Returns the logarithm of a page's number of words, the same for all short ones."""
    return float(np.log(max(size, _SHORT)))


def _two_best(
    hit: NDArray[np.float32],
    idf: NDArray[np.float32],
    sums: NDArray[np.float32],
    best: NDArray[np.intp],
    claims: Claims,
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.intp]]:
    """Returns what stands in each fact's best column, in the best two together, and the second."""
    owner = claims.owner
    rows = np.arange(len(owner))
    in_best = hit[rows, best[owner]]
    if hit.shape[1] == 1:
        return in_best, in_best, best
    second = _beside(hit, in_best, idf, claims)
    return in_best, np.maximum(in_best, hit[rows, second[owner]]), second


def _beside(
    hit: NDArray[np.float32], known: NDArray[np.float32], idf: NDArray[np.float32], claims: Claims
) -> NDArray[np.intp]:
    """Returns the column that adds most to what is known of each fact's words."""
    rest = np.maximum(hit - known[:, None], 0.0)
    found: NDArray[np.intp] = np.add.reduceat(rest * idf, claims.starts, axis=0).argmax(axis=1)
    return found


def _share(items: Owned, among: AbstractSet[str]) -> NDArray[np.float32]:
    """Returns the share found (1 where there is none) and the number missing, ``(cells, 2)``."""
    inside = np.array(list(map(among.__contains__, items.words)), dtype=np.float64)
    found = np.bincount(items.cell, inside[items.place], len(items.size))
    table = np.empty((len(found), 2), np.float32)
    table[:, 0] = np.where(items.size > 0, found / np.maximum(items.size, 1), 1.0)
    table[:, 1] = items.size - found
    return table


def _far(names: Owned, premise: Premise) -> NDArray[np.float32]:
    """Returns the number of names that resemble no name of the page's titles, ``(cells,)``."""
    exact = premise.exact
    far = [name not in exact and not resembles(name, premise.names) for name in names.words]
    found = np.array(far, dtype=np.float64)[names.place]
    return np.bincount(names.cell, found, len(names.size)).astype(np.float32)


def _roles(spoken: AbstractSet[str], page: AbstractSet[str]) -> tuple[float, float, float, float]:
    """Returns terms of the fact's roles found and missing, and wrong years of two kinds.

    The two kinds: years where the page gives another one for the same event, and years that the
    page gives to the other event.
    """
    if not spoken:
        return 0.0, 0.0, 0.0, 0.0
    found = spoken & page
    absent = spoken - page
    settled = {term[0] for term in found if _is_year(term)}
    conflict = swapped = 0
    for term in absent:
        if _is_year(term):
            conflict += any(other[0] == term[0] and _is_year(other) for other in page)
            opposite = _OTHER[term[0]] + term[2:]
            swapped += term[0] not in settled and opposite in page and opposite not in spoken
    return float(len(found)), float(len(absent)), float(conflict), float(swapped)


def _is_year(term: str) -> bool:
    return len(term) in (5, 6) and term[2:].isdecimal()
