"""Whether each name, date, number and word of a fact stands with the fact's other words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines.builtin.verify.claims import UNIT_SHAPE, Claims
from dfactscore.engines.builtin.verify.features import Aligned, log_words
from dfactscore.engines.builtin.verify.positions import SAID, SENTENCE_GAP, join
from dfactscore.engines.builtin.verify.premise import Premise
from dfactscore.engines.builtin.verify.regions import hits_of, joined, offsets, regions
from dfactscore.engines.builtin.verify.runs import Runs

__all__ = ["UNIT_FEATURES", "Bound", "bind", "bind_pages"]

Scalar = TypeVar("Scalar", bound=np.generic)
KERNEL, NARROW = 14.0, 4.0  # positions over which nearness decays
_RATES = np.array([-1 / KERNEL, -1 / NARROW], dtype=np.float32)[:, None, None]
_FAR = 40.0
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
_SAID = tuple("denied_there" if name == "denied" else name for name in SAID)
# what is read where the unit stands best, and what counts where it stands nowhere
_WHERE_FOUND = {
    "covered": 0.0,
    "alike": -1.0,
    "sentence": 0.0,
    "kin": _FAR,
    "denied_there": _FAR,
    "foreign": 0.0,
    "inside": -1.0,
    "typed": -1.0,
    "holder": -3.0,
    "under": -1.0,
    "before_gap": _FAR,
    "next_gap": _FAR,
    "order_before": 0.0,
    "order_next": 0.0,
    "under_alike": -1.0,
    "unreal": _FAR,
    "order_verb": 0.0,
}
_AT_PEAK = [UNIT_FEATURES.index(name) for name in _WHERE_FOUND]
_NOT_FOUND = np.array(list(_WHERE_FOUND.values()), dtype=np.float32)[:, None]


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
    return bind_pages(claims, [(premise, aligned)], chosen)


def bind_pages(
    claims: Claims, pages: Sequence[tuple[Premise, Aligned]], chosen: NDArray[np.intp]
) -> Bound:
    """Computes the features of every unit of facts against several entities' documents at once.

    Args:
        claims: The facts.
        pages: The documents of each entity, and how the facts' words are found in them.
        chosen: Which facts against which documents, ascending: the place in `pages` times the
            number of facts, plus the fact.
    """
    units, many = claims.units, len(claims.starts)
    wanted = np.zeros((len(pages), many), dtype=np.bool_)
    wanted.ravel()[chosen] = True
    wanted[[not len(premise.positions.place) for premise, _ in pages]] = False
    page_of, kept = np.nonzero(wanted[:, units.owner])
    if not len(kept):
        return Bound(
            np.zeros((0, len(UNIT_FEATURES)), np.float32),
            np.zeros(0, np.intp),
            np.zeros(0, np.int32),
            np.zeros(0, np.intp),
            kept,
        )
    is_wanted = (wanted[:, claims.owner] & (claims.weights[:, 0] > 0)).ravel()
    words = np.flatnonzero(is_wanted)
    around = units.around[:, kept] + page_of * len(claims.owner)
    starts, lead, following, event = (is_wanted.cumsum() - 1)[around]
    lengths = np.bincount(claims.owner)[chosen % many] - 1  # each fact begins with an empty word
    lengths[~wanted.ravel()[chosen]] = 0
    facts = np.flatnonzero(lengths)  # facts without words have no unit
    lengths = lengths[facts]
    first_of = lengths.cumsum() - lengths
    of = np.arange(len(facts)).repeat(lengths)
    fact_of = of[starts]
    sizes, has_lead, has_next = units.sizes[kept], *units.apart[:2, kept]
    runs = Runs(starts, sizes)
    lines = np.arange(len(kept))

    # where each word stands, and how far every entry is from it
    at = join([premise.positions for premise, _ in pages])
    index, real = regions(pages, *divmod(chosen[facts], many))
    sought = joined([aligned.sought for _, aligned in pages])[:, words, None]
    match = (_of(_entries(at.terms, index), of) == sought).any(axis=0)
    if real is not None:
        match &= real[of]
    where = _of(_entries(at.place, index), of)
    gaps = np.empty((3, *match.shape), dtype=np.float32)
    behind, ahead, distance = gaps
    latest = np.where(match, where, np.float32(-1e6))
    np.subtract(where, np.maximum.accumulate(latest, axis=1), out=behind)
    nearest = np.where(match, where, np.float32(1e7))[:, ::-1]
    np.subtract(np.minimum.accumulate(nearest, axis=1)[:, ::-1], where, out=ahead)
    np.minimum(behind, ahead, out=distance)
    np.maximum(distance, np.float32(0), out=distance)  # lists lead back
    weights = joined([aligned.weights for _, aligned in pages])[words]
    weight = weights[:, None]
    spread = np.empty_like(gaps)  # wide, narrow, and within reach
    np.exp(distance * _RATES, out=spread[:2])
    spread[:2] *= weight
    np.multiply(weight, distance <= 8, out=spread[2])
    np.minimum(gaps, np.float32(_FAR), out=gaps)

    # how near the fact's other words are to every entry, and whether the unit itself stands there
    own_weight = np.add.reduceat(weights, starts)
    others = np.maximum(np.add.reduceat(weights, first_of)[fact_of] - own_weight, 1e-3)
    own = runs.total(spread)
    both = np.add.reduceat(spread[:2], first_of, axis=1)[:, fact_of] - own[:2]
    both /= others[:, None]
    near = both[0]
    covered = own[2] / np.maximum(own_weight[:, None], 1e-3)
    graded = both * covered
    word, entry = match.nonzero()
    stands = np.zeros(near.shape, dtype=np.bool_)
    stands[lines.repeat(sizes)[word], entry] = True
    unsaid = np.ones((len(facts), near.shape[1]), dtype=np.bool_)
    unsaid[of[word], entry] = False
    peak = np.where(stands, graded[0], np.float32(-1)).argmax(axis=1).astype(np.intp)
    is_found = stands[lines, peak]

    # values of its kind that stand elsewhere
    alike, fine, typed, same = _of(_entries(at.codes, index), fact_of) == units.codes[:, kept, None]
    if real is not None:
        same &= real[fact_of]
    rivals = same & unsaid[fact_of]
    others_too = same & ~stands
    there_alike = stands & alike
    masks = np.stack(
        [rivals & typed, rivals & alike, others_too & fine, there_alike, stands ^ there_alike]
    )
    rival_typed, rival_alike, rival_fine, alike_near, unlike_near = _top(masks, near)
    own_near, own_close = _top(stands, graded)
    rival_near, rival_close = _top(rivals, both)

    # how far behind the word before it, before the word behind it, and from its event
    flat = gaps.reshape(-1, gaps.shape[2])
    count = len(words)
    unit_gaps = flat[np.stack([lead, following + count, event + 2 * count])]
    unit_gaps[~units.apart[:, kept]] = _FAR
    after_gap, _, event_gap = unit_gaps
    own_after, own_ahead, own_event = _least(stands, unit_gaps)
    rival_after, rival_ahead, rival_event = _least(others_too, unit_gaps)
    rival_fine_event = _least(masks[2], event_gap)
    following_it = near + np.float32(0.3) * (after_gap <= CLOSE)
    best_rival = np.where(rivals, following_it, np.float32(-1)).argmax(axis=1).astype(np.intp)
    has_rival = rivals[lines, best_rival]
    there_after, there_ahead = unit_gaps[:2, lines, peak]
    lead_back, next_back, event_ahead, event_behind = flat[
        np.stack([lead + count, following, event + count, event]), peak
    ]

    hits = hits_of(pages, words, len(claims.owner))
    in_all = np.add.reduceat(hits, first_of)[fact_of]
    without = (in_all - runs.total(hits)) / others[:, None]
    there, rival = (
        place if index is None else index[fact_of, place] for place in (peak, best_rival)
    )
    holders = _of(_entries(at.holder, index), fact_of)
    peak_near = near.max(axis=1)
    features = {
        **dict(zip(UNIT_SHAPE, units.shape[:, kept], strict=True)),
        **dict(zip(_SAID, at.said[:, there], strict=True)),
        "weight": own_weight,
        "others": others,
        "covered": covered[lines, peak],
        "times": stands.sum(axis=1),
        "near": own_near,
        "close": own_close,
        "rival_near": rival_near,
        "rival_close": rival_close,
        "rival_near_alike": rival_alike,
        "lead_near": own_near - rival_near,
        "lead_close": own_close - rival_close,
        "after": own_after,
        "rival_after": rival_after,
        "lead_after": rival_after - own_after,
        "ahead": own_ahead,
        "rival_ahead": rival_ahead,
        "lead_ahead": rival_ahead - own_ahead,
        "alike": alike[lines, peak],
        "sentence": without[lines, at.column[there]],
        "best_sentence": without.max(axis=1),
        "log_words": np.array([log_words(premise.size) for premise, _ in pages])[page_of],
        "inside": at.inside[there] - (sizes > 1),
        "typed": typed[lines, peak],
        "rival_typed": rival_typed,
        "lead_typed": own_near - rival_typed,
        "peak": peak_near,
        "of_peak": own_near / np.maximum(peak_near, np.float32(1e-3)),
        "holder": holders[lines if len(holders) > 1 else 0, peak],
        "holder_best": np.where(stands, holders, -3).max(axis=1),
        "alike_near": alike_near,
        "unlike_near": unlike_near,
        "event_gap": own_event,
        "rival_event": rival_event,
        "lead_event": rival_event - own_event,
        "before_gap": np.where(has_lead, np.minimum(there_after, lead_back), _FAR),
        "next_gap": np.where(has_next, np.minimum(there_ahead, next_back), _FAR),
        "order_before": np.where(has_lead, lead_back - there_after, 0),
        "order_next": np.where(has_next, next_back - there_ahead, 0),
        "rival_fine": rival_fine,
        "rival_fine_event": rival_fine_event,
        "lead_fine_event": rival_fine_event - own_event,
        "under_alike": at.under[there] == units.before[kept],
        "order_verb": event_ahead - event_behind,
    }
    table = np.empty((len(UNIT_FEATURES), len(kept)), dtype=np.float32)
    for row, name in enumerate(UNIT_FEATURES):
        table[row] = features[name]
    table[_AT_PEAK] = np.where(is_found, table[_AT_PEAK], _NOT_FOUND)
    if len(pages) > 1:
        rival = rival - offsets(pages)[page_of]
    return Bound(table.T, facts[fact_of], units.sort[kept], np.where(has_rival, rival, -1), kept)


def _top(mask: NDArray[np.bool_], values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The largest value in each row that the mask allows, at least 0."""
    return np.asarray(np.where(mask, values, np.float32(0)).max(axis=-1))


def _least(mask: NDArray[np.bool_], gaps: NDArray[np.float32]) -> NDArray[np.float32]:
    """The smallest gap in each row that the mask allows."""
    return np.asarray(np.where(mask, gaps, np.float32(_FAR)).min(axis=-1))


def _entries(table: NDArray[Scalar], index: NDArray[np.intp] | None) -> NDArray[Scalar]:
    """What is said of the entries of each fact's region; in one row where that is the page."""
    return table[..., None, :] if index is None else table[..., index]


def _of(table: NDArray[Scalar], owner: NDArray[np.intp]) -> NDArray[Scalar]:
    """The owners' rows, of the last but one axis; the one row where all share it."""
    return table if table.shape[-2] == 1 else table.take(owner, axis=-2)


assert SENTENCE_GAP > 8  # "covered" never reaches into another sentence
