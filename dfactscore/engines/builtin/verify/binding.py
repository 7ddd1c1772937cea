"""Whether each name, date, number and word of a fact stands with the fact's other words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines.builtin.verify.claims import Claims
from dfactscore.engines.builtin.verify.features import Aligned, log_words
from dfactscore.engines.builtin.verify.name_types import COARSE
from dfactscore.engines.builtin.verify.positions import SENTENCE_GAP
from dfactscore.engines.builtin.verify.premise import Premise

__all__ = ["UNIT_FEATURES", "Bound", "bind"]

Scalar = TypeVar("Scalar", bound=np.generic)
KERNEL, NARROW = 14.0, 4.0  # positions over which nearness decays
_RATES = np.array([-1 / KERNEL, -1 / NARROW], dtype=np.float32)[:, None, None]
_FAR = 40.0
_COARSE = np.array(COARSE)
CLOSE = 8.0  # positions behind the event's word
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
    "type",
    "typed",
    "rival_typed",
    "lead_typed",
    "peak",
    "of_peak",
    "is_role",
    "verb",
    "backward",
    "subject",
    "holder",
    "holder_best",
    "under",
    "alike_near",
    "unlike_near",
    "event_gap",
    "rival_event",
    "lead_event",
    "before_gap",
    "next_gap",
    "order_before",
    "order_next",
    "rival_fine",
    "rival_fine_event",
    "lead_fine_event",
    "under_alike",
    "unreal",
    "fact_unreal",
    "order_verb",
)


@dataclass(frozen=True, eq=False, slots=True)
class Bound:
    """The units of some facts and where they stand.

    Attributes:
        table: Shape ``(units, len(UNIT_FEATURES))``.
        owner: Shape ``(units,)``, which of the chosen facts each is of.
        sort: Shape ``(units,)``, see `positions.CLASSES`.
        rival: Shape ``(units,)``, the entry of `Positions` of the value of its kind that stands
            nearest to the fact's other words, rather behind the word before it; -1 if there is
            none.
        units: Shape ``(units,)``, which of `Claims.units` each is.
    """

    table: NDArray[np.float32]
    owner: NDArray[np.intp]
    sort: NDArray[np.int32]
    rival: NDArray[np.intp]
    units: NDArray[np.intp]

    def only(self, facts: NDArray[np.intp]) -> Bound:
        """Returns the units of these of the chosen facts, ascending, whose numbers begin at 0."""
        place = np.full(int(max(self.owner.max(initial=-1), facts.max())) + 1, -1, dtype=np.intp)
        place[facts] = np.arange(len(facts))
        owner = place[self.owner]
        kept = owner >= 0
        if kept.all():
            return self if len(facts) == len(place) else replace(self, owner=owner)
        return Bound(
            self.table[kept], owner[kept], self.sort[kept], self.rival[kept], self.units[kept]
        )


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
    first_unit = np.asarray(np.searchsorted(unit_owner, facts), dtype=np.intp)
    sort, before = units.sort[kept], units.before[kept]

    index, real = _regions(premise, aligned.windows[chosen][facts])
    place = at.place[index]
    row, loose, also = at.rows[index], at.loose[index], at.also[index]
    of = np.searchsorted(facts, owner)
    key = aligned.rows[words].astype(np.int32)
    short = aligned.loose[words].astype(np.int32)
    key[key == 0] = -1
    short[short == 0] = -1
    key, short = key[:, None], short[:, None]
    match = (_of(row, of) == key) | (_of(also, of) == key) | (_of(loose, of) == short)
    match &= _of(real, of)
    where = _of(place, of)
    behind = where - np.maximum.accumulate(np.where(match, where, np.float32(-1e6)), axis=1)
    nearest = np.where(match, where, np.float32(1e7))[:, ::-1]
    ahead = np.minimum.accumulate(nearest, axis=1)[:, ::-1] - where
    distance = np.maximum(np.minimum(behind, ahead), np.float32(0))  # lists lead back
    weight = aligned.weights[words][:, None]
    both = weight * np.exp(distance * _RATES)  # wide and narrow

    total = np.add.reduceat(aligned.weights[words], first_of)
    own_weight = np.add.reduceat(aligned.weights[words], starts)
    others = np.maximum(total[fact_of] - own_weight, 1e-3)[:, None]
    by_fact = np.add.reduceat(both, first_of, axis=1)[:, fact_of]
    both = (by_fact - np.add.reduceat(both, starts, axis=1)) / others
    near = both[0]
    peak_near = near.max(axis=1)
    covered = np.add.reduceat(weight * (distance <= 8), starts) / np.maximum(
        own_weight[:, None], 1e-3
    )
    stands = np.logical_or.reduceat(match, starts)
    said = np.logical_or.reduceat(match, first_of)[fact_of]
    fine = _of(at.type[index], fact_of)
    typed = _COARSE[fine] == _COARSE[units.type[kept]][:, None]
    finely = (fine == units.type[kept][:, None]) & (fine > 0)
    alike = _of(at.before[index], fact_of) == before[:, None]
    same = (_of(at.sort[index], fact_of) == sort[:, None]) & _of(real & ~at.own[index], fact_of)
    rivals = same & ~said
    others_too = same & ~stands
    grade = np.where(stands, near * covered, np.float32(-1))
    peak = grade.argmax(axis=1).astype(np.intp)
    lines = np.arange(len(kept))
    is_found = stands[lines, peak]

    event = np.searchsorted(words, units.event[kept])
    event_gap = np.minimum(distance[event], np.float32(_FAR))
    event_gap[(event >= starts) & (event < starts + sizes)] = _FAR
    before_of = np.where(lines == first_unit[fact_of], -1, starts - 1)
    last = starts + sizes
    following = np.where(last < len(words), last, 0)
    has_next = (last < len(words)) & (of[following] == fact_of)
    lead = np.where(before_of >= 0, before_of, 0)
    after_gap = np.minimum(behind[lead], np.float32(_FAR))
    ahead_gap = np.minimum(ahead[following], np.float32(_FAR))
    after_gap[before_of < 0] = _FAR
    ahead_gap[~has_next] = _FAR

    following_it = near + np.float32(0.3) * (after_gap <= CLOSE)
    best_rival = np.where(rivals, following_it, np.float32(-1)).argmax(axis=1).astype(np.intp)
    has_rival = rivals[lines, best_rival]

    def top(mask: NDArray[np.bool_], values: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray((values * mask).max(axis=-1))

    def least(mask: NDArray[np.bool_], values: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(np.where(mask, values, np.float32(_FAR)).min(axis=1))

    own_near, own_close = top(stands, both * covered)
    rival_near, rival_close = top(rivals, both)
    own_after, own_ahead = least(stands, after_gap), least(stands, ahead_gap)
    own_event, rival_event = least(stands, event_gap), least(others_too, event_gap)
    fine_rival = others_too & finely
    rival_fine_event = least(fine_rival, event_gap)
    there_after, there_ahead = after_gap[lines, peak], ahead_gap[lines, peak]
    lead_back = np.minimum(ahead[lead], np.float32(_FAR))[lines, peak]
    next_back = np.minimum(behind[following], np.float32(_FAR))[lines, peak]
    side = (
        np.minimum(ahead[event], np.float32(_FAR))[lines, peak]
        - np.minimum(behind[event], np.float32(_FAR))[lines, peak]
    )
    holders = _of(at.holder[index], fact_of)
    is_role = (claims.heads[chosen][facts][fact_of] >= units.starts[kept]) & (
        claims.heads[chosen][facts][fact_of] < units.starts[kept] + sizes
    )
    rival_after, rival_ahead = least(others_too, after_gap), least(others_too, ahead_gap)

    hits = aligned.hits[words]
    in_all = np.add.reduceat(hits, first_of)[fact_of]
    without = (in_all - np.add.reduceat(hits, starts)) / others
    rival_typed = top(rivals & typed, near)
    region = fact_of if len(index) > 1 else np.zeros_like(fact_of)
    there = index[region, peak]
    column = at.column[there]
    shape = claims.shape[chosen][facts][fact_of]
    fact_kin = np.logical_or.reduceat(claims.kin[words], first_of)[fact_of]
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
            units.type[kept],
            np.where(is_found, typed[lines, peak], -1),
            rival_typed,
            own_near - rival_typed,
            peak_near,
            own_near / np.maximum(peak_near, np.float32(1e-3)),
            is_role,
            units.verb[kept],
            units.backward[kept],
            shape[:, 9],
            np.where(is_found, holders[lines, peak] if len(holders) > 1 else holders[0, peak], -3),
            np.where(stands, holders, -3).max(axis=1),
            np.where(is_found, at.under[there], -1),
            top(stands & alike, near),
            top(stands & ~alike, near),
            own_event,
            rival_event,
            rival_event - own_event,
            np.where(is_found & (before_of >= 0), np.minimum(there_after, lead_back), _FAR),
            np.where(is_found & has_next, np.minimum(there_ahead, next_back), _FAR),
            np.where(is_found & (before_of >= 0), lead_back - there_after, 0),
            np.where(is_found & has_next, next_back - there_ahead, 0),
            top(fine_rival, near),
            rival_fine_event,
            rival_fine_event - own_event,
            np.where(is_found, at.under[there] == before, -1),
            np.where(is_found, at.unreal[there], _FAR),
            np.logical_or.reduceat(claims.unreal[words], first_of)[fact_of],
            np.where(is_found, side, 0),
        ],
        axis=1,
    ).astype(np.float32)
    rival = np.where(has_rival, index[region, best_rival], -1)
    return Bound(table, unit_owner, sort, rival, kept)


def _of(table: NDArray[Scalar], owner: NDArray[np.intp]) -> NDArray[Scalar]:
    """The owners' rows; the one row where all share it."""
    return table if len(table) == 1 else table[owner]


def _regions(
    premise: Premise, windows: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Entries of the blocks of each fact's windows, shape ``(facts, n)``, and which are real.

    One row for all facts where their windows are the whole page.
    """
    at = premise.positions
    size = len(at.rows)
    if len(premise.blocks) <= 2 * windows.shape[1]:
        return np.arange(size)[None, :], np.ones((1, size), dtype=np.bool_)
    bounds = np.searchsorted(at.column, np.append(premise.blocks, 10**9))
    ordered = np.sort(windows, axis=1)
    starts, ends = bounds[ordered], bounds[ordered + 2]
    starts[:, 1:] = np.maximum(starts[:, 1:], ends[:, :-1])  # windows may share blocks
    lengths = np.maximum(ends - starts, 0)
    filled = lengths.cumsum(axis=1)
    step = np.arange(filled[:, -1].max())
    index = np.full((len(windows), len(step)), size - 1, dtype=np.intp)
    for i in range(windows.shape[1] - 1, -1, -1):
        offset = filled[:, i] - lengths[:, i]
        shifted = starts[:, i, None] + step - offset[:, None]
        index = np.where(step < filled[:, i, None], shifted, index)
    return index, step < filled[:, -1:]


assert SENTENCE_GAP > 8  # "covered" never reaches into another sentence
