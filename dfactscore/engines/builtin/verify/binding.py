"""Whether each name, date, number and word of a fact stands with the fact's other words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines.builtin.verify.claims import Claims
from dfactscore.engines.builtin.verify.features import Aligned, log_words
from dfactscore.engines.builtin.verify.positions import SENTENCE_GAP
from dfactscore.engines.builtin.verify.premise import Premise

__all__ = ["BOUND", "UNIT_FEATURES", "Bound", "bind", "summarize_units"]

KERNEL, NARROW = 14.0, 4.0  # positions over which nearness decays
_FAR = 40.0
UNIT_FEATURES = (
    "sort",
    "size",
    "weight",
    "place",
    "others",
    "before",
    "covered",
    "times",
    "near",
    "close",
    "rival_near",
    "rival_close",
    "rival_near_alike",
    "lead_near",
    "lead_close",
    "after",
    "rival_after",
    "lead_after",
    "ahead",
    "rival_ahead",
    "lead_ahead",
    "alike",
    "sentence",
    "best_sentence",
    "kin",
    "denied",
    "denied_there",
    "foreign",
    "next_sort",
    "of_subject",
    "fact_kin",
    "log_words",
    "inside",
)
_WORST = ("covered", "near", "lead_near", "lead_close", "lead_after", "lead_ahead", "sentence")
BOUND = (
    "first",
    "worst",
    "second_worst",
    "mean",
    "worst_number",
    "worst_name",
    "worst_word",
    "units",
    *(f"worst_{name}" for name in _WORST),
)


@dataclass(frozen=True, eq=False, slots=True)
class Bound:
    """The units of some facts and where they stand.

    Attributes:
        table: Shape ``(units, len(UNIT_FEATURES))``.
        owner: Shape ``(units,)``, which of the chosen facts each is of.
        sort: Shape ``(units,)``, see `positions.CLASSES`.
        rival: Shape ``(units,)``, the entry of `Positions` of the value of its kind that stands
            nearest to the fact's other words; -1 if there is none.
        units: Shape ``(units,)``, which of `Claims.units` each is.
    """

    table: NDArray[np.float32]
    owner: NDArray[np.intp]
    sort: NDArray[np.int32]
    rival: NDArray[np.intp]
    units: NDArray[np.intp]


def bind(claims: Claims, premise: Premise, aligned: Aligned, chosen: NDArray[np.intp]) -> Bound:
    """Computes the features of every unit of the chosen facts.

    Args:
        claims: The facts.
        premise: The documents.
        aligned: How the facts' words are found in them.
        chosen: The facts' numbers, ascending.
    """
    at = premise.positions
    wanted = np.zeros(len(claims.starts), dtype=np.bool_)
    wanted[chosen] = True
    units = claims.units
    kept = np.flatnonzero(wanted[units.owner])
    words = np.flatnonzero(wanted[claims.owner] & (claims.weights[:, 0] > 0))
    if not len(kept) or not len(at.rows):
        return Bound(
            np.zeros((0, len(UNIT_FEATURES)), np.float32),
            np.zeros(0, np.intp),
            np.zeros(0, np.int32),
            np.zeros(0, np.intp),
            kept[:0],
        )
    local = np.cumsum(wanted) - 1
    unit_owner = local[units.owner[kept]]
    owner = local[claims.owner[words]]
    starts = np.searchsorted(words, units.starts[kept])  # of each unit among the words
    sizes = np.diff(np.append(starts, len(words)))
    facts, first_of = np.unique(owner, return_index=True)  # facts without words have no unit
    fact_of = np.searchsorted(facts, unit_owner)
    first_unit = np.searchsorted(unit_owner, facts)
    sort, before = units.sort[kept], units.before[kept]

    index, real = _regions(premise, aligned.windows[chosen][facts])
    place = at.place[index]
    row, loose, also = at.rows[index], at.loose[index], at.also[index]
    of = np.searchsorted(facts, owner)
    key = aligned.rows[words].astype(np.int32)
    short = aligned.loose[words].astype(np.int32)
    key[key == 0] = -1
    short[short == 0] = -1
    match = (row[of] == key[:, None]) | (also[of] == key[:, None]) | (loose[of] == short[:, None])
    match &= real[of]
    where = place[of]
    behind = where - np.maximum.accumulate(np.where(match, where, np.float32(-1e6)), axis=1)
    nearest = np.where(match, where, np.float32(1e7))[:, ::-1]
    ahead = np.minimum.accumulate(nearest, axis=1)[:, ::-1] - where
    distance = np.minimum(behind, ahead)
    weight = aligned.weights[words][:, None]
    wide = weight * np.exp(distance * np.float32(-1 / KERNEL))
    narrow = weight * np.exp(distance * np.float32(-1 / NARROW))

    total = np.add.reduceat(aligned.weights[words], first_of)
    own_weight = np.add.reduceat(aligned.weights[words], starts)
    others = np.maximum(total[fact_of] - own_weight, 1e-3)[:, None]
    near = (np.add.reduceat(wide, first_of)[fact_of] - np.add.reduceat(wide, starts)) / others
    close = (np.add.reduceat(narrow, first_of)[fact_of] - np.add.reduceat(narrow, starts)) / others
    covered = np.add.reduceat(weight * (distance <= 8), starts) / np.maximum(
        own_weight[:, None], 1e-3
    )
    stands = np.logical_or.reduceat(match, starts)
    said = np.logical_or.reduceat(match, first_of)[fact_of]
    kind = at.sort[index][fact_of]
    own = at.own[index][fact_of]
    alike = at.before[index][fact_of] == before[:, None]
    same = (kind == sort[:, None]) & ~own & real[fact_of]
    rivals = same & ~said
    others_too = same & ~stands
    grade = np.where(stands, near * covered, np.float32(-1))
    peak = grade.argmax(axis=1)
    lines = np.arange(len(kept))
    is_found = stands[lines, peak]
    best_rival = np.where(rivals, near, np.float32(-1)).argmax(axis=1)
    has_rival = rivals[lines, best_rival]

    before_of = np.where(lines == first_unit[fact_of], -1, starts - 1)
    last = starts + sizes
    following = np.where(last < len(words), last, 0)
    has_next = (last < len(words)) & (of[following] == fact_of)
    lead = np.where(before_of >= 0, before_of, 0)
    after_gap = np.minimum(behind[lead], np.float32(_FAR))
    ahead_gap = np.minimum(ahead[following], np.float32(_FAR))
    after_gap[before_of < 0] = _FAR
    ahead_gap[~has_next] = _FAR

    def top(mask: NDArray[np.bool_], values: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(np.where(mask, values, np.float32(0)).max(axis=1))

    def least(mask: NDArray[np.bool_], values: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(np.where(mask, values, np.float32(_FAR)).min(axis=1))

    own_near, own_close = top(stands, near * covered), top(stands, close * covered)
    rival_near, rival_close = top(rivals, near), top(rivals, close)
    own_after, own_ahead = least(stands, after_gap), least(stands, ahead_gap)
    rival_after, rival_ahead = least(others_too, after_gap), least(others_too, ahead_gap)

    hits = aligned.hits[words]
    by_fact = np.add.reduceat(hits, first_of)[fact_of]
    without = (by_fact - np.add.reduceat(hits, starts)) / others
    column = at.column[index[fact_of, peak]]
    there = index[fact_of, peak]
    shape = claims.shape[chosen][facts][fact_of]
    fact_kin = np.logical_or.reduceat(_kin_words(claims)[words], first_of)[fact_of]
    next_sort = np.where(has_next, sort[np.minimum(lines + 1, len(kept) - 1)], -1)
    table = np.stack(
        [
            sort,
            sizes,
            own_weight,
            lines - first_unit[fact_of],
            others[:, 0],
            before,
            covered[lines, peak] * is_found,
            stands.sum(axis=1),
            own_near,
            own_close,
            rival_near,
            rival_close,
            top(rivals & alike, near),
            own_near - rival_near,
            own_close - rival_close,
            own_after,
            rival_after,
            rival_after - own_after,
            own_ahead,
            rival_ahead,
            rival_ahead - own_ahead,
            np.where(is_found, alike[lines, peak], -1),
            np.where(is_found, without[lines, column], 0),
            without.max(axis=1),
            np.where(is_found, at.kin[there], _FAR),
            units.denied[kept],
            np.where(is_found, at.denied[there], _FAR),
            np.where(is_found, at.foreign[there], 0),
            next_sort,
            np.minimum(1, shape[:, 6] + shape[:, 7]),
            fact_kin,
            np.broadcast_to(log_words(premise.size), len(kept)),
            np.where(is_found, at.inside[there] - (sizes > 1), -1),
        ],
        axis=1,
    ).astype(np.float32)
    rival = np.where(has_rival, index[fact_of, best_rival], -1)
    return Bound(table, unit_owner, sort, rival, kept)


def _kin_words(claims: Claims) -> NDArray[np.bool_]:
    kin = {"parent", "brother", "son", "spouse", "uncl", "aunt", "nephew", "niec", "cousin"}
    return np.array([key in kin for key in claims.keys], dtype=np.bool_)[claims.place]


def _regions(
    premise: Premise, windows: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Entries of the blocks of each fact's windows, shape ``(facts, n)``, and which are real."""
    at = premise.positions
    size = len(at.rows)
    if len(premise.blocks) <= 4:
        index = np.broadcast_to(np.arange(size), (len(windows), size))
        return index, np.ones(index.shape, dtype=np.bool_)
    bounds = np.searchsorted(at.column, np.append(premise.blocks, 10**9))
    first = windows.min(axis=1)
    second = windows.max(axis=1)
    a, b = bounds[first], bounds[first + 2]
    c, d = np.maximum(bounds[second], b), bounds[second + 2]
    d = np.maximum(c, d)
    lengths = (b - a) + (d - c)
    step = np.arange(lengths.max())
    index = np.where(step < (b - a)[:, None], a[:, None] + step, (c - (b - a))[:, None] + step)
    real = step < lengths[:, None]
    return np.where(real, index, size - 1), real


def summarize_units(
    bound: Bound, values: NDArray[np.float64], first: NDArray[np.float64]
) -> NDArray[np.float32]:
    """Sums up the units' log-odds of standing rightly, by fact, shape ``(facts, len(BOUND))``.

    Args:
        bound: The units of the facts.
        values: Shape ``(units,)``, log-odds.
        first: Shape ``(facts,)``, log-odds of the facts by the first stage.
    """
    count = len(first)
    table = np.zeros((count, len(BOUND)), dtype=np.float32)
    table[:, 0] = first
    table[:, 1:7] = 6.0
    if not len(values):
        return table
    order = np.lexsort((values, bound.owner))
    ranked = bound.owner[order]
    facts, starts = np.unique(ranked, return_index=True)
    sizes = np.diff(np.append(starts, len(ranked)))
    table[facts, 1] = values[order[starts]]
    two = sizes > 1
    table[facts[two], 2] = values[order[starts[two] + 1]]
    table[facts, 3] = np.add.reduceat(values[order], starts) / sizes
    for place, chosen in enumerate((bound.sort >= 2, bound.sort == 1, bound.sort == 0), 4):
        np.minimum.at(table[:, place], bound.owner[chosen], values[chosen].astype(np.float32))
    table[facts, 7] = sizes
    columns = [UNIT_FEATURES.index(name) for name in _WORST]
    table[np.ix_(facts, range(8, len(BOUND)))] = bound.table[order[starts]][:, columns]
    return table


assert SENTENCE_GAP > 8  # "covered" never reaches into another sentence
