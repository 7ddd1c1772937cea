"""Measures how close each name, date, number and word of a fact is to the fact's other words."""

# ruff: noqa: SIM905 (word lists read better as text)

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines._builtin.verify.claims import UNIT_SHAPE, Claims, Units
from dfactscore.engines._builtin.verify.features import Aligned, log_words
from dfactscore.engines._builtin.verify.nearness import (
    FAR,
    Floats,
    Gaps,
    PageUnits,
    Places,
    UnitPlaces,
    choose_units,
    measure_gaps,
    place_units,
)
from dfactscore.engines._builtin.verify.positions import CONTEXT
from dfactscore.engines._builtin.verify.premise import Premise
from dfactscore.engines._builtin.verify.regions import Regions, regions

_Features = dict[str, NDArray[Any]]
CLOSE = 8.0  # positions
UNIT_FEATURES = tuple(
    """
    sort size weight place others before covered times near close rival_near rival_close
    rival_near_alike lead_near lead_close after rival_after lead_after ahead rival_ahead
    lead_ahead alike sentence best_sentence kin denied denied_there foreign next_sort of_subject
    fact_kin log_words inside type typed rival_typed lead_typed peak of_peak is_role verb backward
    subject holder holder_best under alike_near unlike_near event_gap rival_event lead_event
    before_gap next_gap order_before order_next rival_fine rival_fine_event lead_fine_event
    under_alike unreal fact_unreal order_verb
    """.split()
)
_PEAK_CONTEXT = tuple("denied_there" if name == "denied" else name for name in CONTEXT)
# features at the unit's best place, with their values if the page lacks the unit
_WHERE_FOUND = {
    **dict.fromkeys("covered sentence foreign order_before order_next order_verb".split(), 0.0),
    **dict.fromkeys("alike inside typed under under_alike".split(), -1.0),
    **dict.fromkeys("kin denied_there before_gap next_gap unreal".split(), FAR),
    "holder": -3.0,
}
_AT_PEAK = np.array([[UNIT_FEATURES.index(name)] for name in _WHERE_FOUND])
_NOT_FOUND = np.array(list(_WHERE_FOUND.values()), dtype=np.float32)[:, None]


@dataclass(frozen=True, eq=False, slots=True)
class Bound:
    """Features of the units of the chosen facts."""

    table: Floats  # shape `(units, len(UNIT_FEATURES))`
    owner: Places  # shape `(units,)`, index of each unit's fact among the chosen ones
    sort: NDArray[np.int32]  # shape `(units,)`, see `positions.CLASSES`
    # Shape `(units,)`, the entry of `Positions` that has the same class as the unit, is not in the
    # fact and is nearest to the fact's other words, preferably following the word before the unit;
    # -1 if there is none.
    rival: Places
    units: Places  # shape `(units,)`, index of each unit in `Claims.units`

    def only(self, facts: Places) -> Bound:
        """Returns the units of some of the chosen facts (ascending), renumbered from 0."""
        place = np.full(int(max(self.owner.max(initial=-1), facts.max())) + 1, -1, dtype=np.intp)
        place[facts] = np.arange(len(facts))
        owner = place[self.owner]
        mask = owner >= 0
        if mask.all():
            return self if len(facts) == len(place) else replace(self, owner=owner)
        return Bound(
            self.table[mask], owner[mask], self.sort[mask], self.rival[mask], self.units[mask]
        )


def bind(claims: Claims, premises: Sequence[Premise], aligned: Aligned, chosen: Places) -> Bound:
    """Computes the features of all units of the facts against several entities' documents."""
    has_entries = np.array([premise.entries.size > 0 for premise in premises])
    page_units = choose_units(claims, has_entries, chosen)
    units, sort = page_units.units, claims.units.sort[page_units.units]
    if not len(units):
        return Bound(np.zeros((0, len(UNIT_FEATURES)), np.float32), units, sort, units, units)
    rows = chosen[page_units.facts]
    region = regions(premises, aligned.windows[rows], rows // len(claims.starts))
    placed = _place(claims.units, page_units, aligned, region)
    rivals, rival = _rival_features(placed)
    features = (
        _unit_features(placed)
        | _order_features(placed)
        | _peak_features(placed)
        | _sentence_features(placed, aligned.hits)
        | rivals
    )
    sizes = np.array([log_words(premise.size) for premise in premises])
    features |= _lead_features(features) | {"log_words": sizes[page_units.page_of]}
    table = np.empty((len(UNIT_FEATURES), len(units)), dtype=np.float32)
    for row, name in enumerate(UNIT_FEATURES):
        table[row] = features[name]
    nowhere = np.ones(len(units), dtype=np.bool_)
    nowhere[placed.unit_places.found_units] = False
    table[_AT_PEAK, np.flatnonzero(nowhere)] = _NOT_FOUND
    rival = np.where(rival < 0, -1, rival - region.offsets[page_units.page_of])
    return Bound(table.T, page_units.facts[page_units.fact_of], sort, rival, units)


@dataclass(frozen=True, eq=False, slots=True)
class _PlacedUnits:
    """Units, and their places on the pages."""

    units: Units
    page_units: PageUnits
    region: Regions
    gaps: Gaps
    unit_places: UnitPlaces
    graded: Floats  # shape `(2, S)`, nearness of the other words to the unit
    # Shape `(4, U, entries)`, whether the entry has the unit's `Positions.codes`.
    kinds: NDArray[np.bool_]
    # Shape `(3, U, entries)`, the number of positions from the word before the unit to the entry,
    # from the entry to the word after the unit, and between the entry and the event.
    far: Floats
    covered: Floats  # shape `(U,)`, `UnitPlaces.covered` at each unit's best place
    peak: Places  # shape `(U,)`, the best place as an entry of the region; 0 if there is none
    page_entry: Places  # shape `(U,)`, the best place as an entry of all pages


def _place(units: Units, page_units: PageUnits, aligned: Aligned, region: Regions) -> _PlacedUnits:
    gaps = measure_gaps(page_units, aligned, region)
    unit_places = place_units(page_units, gaps)
    graded = unit_places.near[:, unit_places.unit, unit_places.entry] * unit_places.covered
    best = unit_places.peaks(graded[0])
    peak = np.zeros(len(page_units.units), dtype=np.intp)
    peak[unit_places.found_units] = unit_places.entry[best]
    covered = np.zeros(len(page_units.units), dtype=np.float32)
    covered[unit_places.found_units] = unit_places.covered[best]
    count = len(page_units.words)
    far = gaps.far.reshape(3 * count, -1)[page_units.around[1:] + count * np.arange(3)[:, None]]
    far[~units.apart[:, page_units.units]] = FAR
    codes = region.read(region.at.codes, page_units.fact_of)
    kinds = codes == units.codes[:, page_units.units, None]
    page_entry = region.entry(page_units.fact_of, peak)
    return _PlacedUnits(
        units, page_units, region, gaps, unit_places, graded, kinds, far, covered, peak, page_entry
    )


def _unit_features(placed: _PlacedUnits) -> _Features:
    """Returns features of the unit itself, and its best values over all entries that contain it."""
    page_units, unit_places = placed.page_units, placed.unit_places
    places = unit_places.unit, unit_places.entry
    near = unit_places.near[0][places]
    alike = placed.kinds[0][places]
    close = unit_places.top(placed.graded)
    after, ahead, event = -unit_places.top(-placed.far[:, places[0], places[1]], -FAR)
    peak = unit_places.near[0].max(axis=1)
    holder = placed.region.at.holder[
        placed.region.entry(page_units.fact_of[unit_places.unit], unit_places.entry)
    ]
    return {
        **dict(zip(UNIT_SHAPE, placed.units.shape[:, page_units.units], strict=True)),
        "weight": unit_places.weight,
        "others": unit_places.others,
        "times": np.bincount(unit_places.unit, minlength=len(page_units.units)),
        "near": close[0],
        "close": close[1],
        "after": after,
        "ahead": ahead,
        "event_gap": event,
        "alike_near": unit_places.top(np.where(alike, near, np.float32(0))),
        "unlike_near": unit_places.top(np.where(alike, np.float32(0), near)),
        "holder_best": unit_places.top(holder.astype(np.float32), -3.0),
        "peak": peak,
        "of_peak": close[0] / np.maximum(peak, np.float32(1e-3)),
    }


def _peak_features(placed: _PlacedUnits) -> _Features:
    """Returns features of the page at the unit's best place."""
    page_units, at, entry = placed.page_units, placed.region.at, placed.page_entry
    lines = np.arange(len(page_units.units))
    context = dict(zip(_PEAK_CONTEXT, at.context[:, entry], strict=True))
    return {
        **context,
        "covered": placed.covered,
        "alike": placed.kinds[0, lines, placed.peak],
        "typed": placed.kinds[2, lines, placed.peak],
        "holder": at.holder[entry],
        "inside": context["inside"] - (placed.units.sizes[page_units.units] > 1),
        "under_alike": context["under"] == placed.units.before[page_units.units],
    }


def _order_features(placed: _PlacedUnits) -> _Features:
    """Returns features of the order of the unit, its event and its neighbors at its best place."""
    gaps, peak = placed.gaps.far, placed.peak
    _, lead, following, event = placed.page_units.around
    after, ahead = placed.far[:2, np.arange(len(peak)), peak]
    lead_back, event_ahead = gaps[1, np.stack([lead, event]), peak]
    next_back, event_behind = gaps[0, np.stack([following, event]), peak]
    has_lead, has_next, _ = placed.units.apart[:, placed.page_units.units]
    return {
        "before_gap": np.where(has_lead, np.minimum(after, lead_back), FAR),
        "next_gap": np.where(has_next, np.minimum(ahead, next_back), FAR),
        "order_before": np.where(has_lead, lead_back - after, 0),
        "order_next": np.where(has_next, next_back - ahead, 0),
        "order_verb": event_ahead - event_behind,
    }


def _sentence_features(placed: _PlacedUnits, hits: Floats) -> _Features:
    """Returns shares of the fact's other words in the unit's sentence and in the best sentence."""
    page_units = placed.page_units
    hit = hits[page_units.words]
    total = np.add.reduceat(hit, page_units.first)[page_units.fact_of]
    without = (total - page_units.runs.total(hit)) / placed.unit_places.others[:, None]
    return {
        "sentence": without[np.arange(len(without)), placed.region.at.column[placed.page_entry]],
        "best_sentence": without.max(axis=1),
    }


def _rival_features(placed: _PlacedUnits) -> tuple[_Features, Places]:
    """Returns features of the values of the unit's class that the fact lacks, and the best value.

    The best value is given as an entry of all pages, or -1 if there is none.
    """
    page_units, unit_places, region = placed.page_units, placed.unit_places, placed.region
    alike, fine, typed, same_sort = placed.kinds
    near = unit_places.near[0]
    same_sort = same_sort & region.real[region.row[page_units.fact_of]]
    rivals = same_sort & unit_places.unmatched[page_units.fact_of]
    elsewhere = same_sort & ~unit_places.matches
    fine = fine & elsewhere
    wide, narrow = _top(rivals, unit_places.near)
    by_type, by_word, by_class = _top(np.stack([rivals & typed, rivals & alike, fine]), near)
    after, ahead, event = _least(elsewhere, placed.far)
    following = near + np.float32(0.3) * (placed.far[0] <= CLOSE)
    best = np.where(rivals, following, np.float32(-1)).argmax(axis=1)
    exists = rivals[np.arange(len(best)), best]
    features = {
        "rival_near": wide,
        "rival_close": narrow,
        "rival_typed": by_type,
        "rival_near_alike": by_word,
        "rival_fine": by_class,
        "rival_after": after,
        "rival_ahead": ahead,
        "rival_event": event,
        "rival_fine_event": _least(fine, placed.far[2]),
    }
    return features, np.where(exists, region.entry(page_units.fact_of, best), -1)


def _lead_features(of: _Features) -> _Features:
    """Returns the differences between the nearness of the unit and the nearness of its rivals."""
    return {
        "lead_near": of["near"] - of["rival_near"],
        "lead_close": of["close"] - of["rival_close"],
        "lead_typed": of["near"] - of["rival_typed"],
        "lead_after": of["rival_after"] - of["after"],
        "lead_ahead": of["rival_ahead"] - of["ahead"],
        "lead_event": of["rival_event"] - of["event_gap"],
        "lead_fine_event": of["rival_fine_event"] - of["event_gap"],
    }


def _top(mask: NDArray[np.bool_], values: Floats) -> Floats:
    """Returns the largest value per row within the mask, but at least 0."""
    return np.asarray(np.where(mask, values, np.float32(0)).max(axis=-1))


def _least(mask: NDArray[np.bool_], gaps: Floats) -> Floats:
    """Returns the smallest gap per row within the mask, capped at `FAR`."""
    return np.asarray(np.where(mask, gaps, np.float32(FAR)).min(axis=-1))
