"""Whether each name, date, number and word of a fact is near the fact's other words."""

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
    Places,
    Standing,
    UnitsAsked,
    choose,
    measure_gaps,
    stand,
)
from dfactscore.engines._builtin.verify.positions import SAID
from dfactscore.engines._builtin.verify.premise import Premise
from dfactscore.engines._builtin.verify.regions import Regions, regions

_Features = dict[str, NDArray[Any]]
CLOSE = 8.0  # positions after the event's word
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
_SAID = tuple("denied_there" if name == "denied" else name for name in SAID)
# the values at the unit's best place, and those if the page lacks it
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
    """The units of some facts and their places.

    Attributes:
        table: Shape ``(units, len(UNIT_FEATURES))``.
        owner: Shape ``(units,)``, which of the chosen facts each is of.
        sort: Shape ``(units,)``, see `positions.CLASSES`.
        rival: Shape ``(units,)``, the entry of `Positions` of the value of its kind that is
            nearest to the fact's other words, preferably after the word before it; -1 if there is
            none.
        units: Shape ``(units,)``, which of `Claims.units` each is.
    """

    table: Floats
    owner: Places
    sort: NDArray[np.int32]
    rival: Places
    units: Places

    def only(self, facts: Places) -> Bound:
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


def bind(claims: Claims, premises: Sequence[Premise], aligned: Aligned, chosen: Places) -> Bound:
    """Computes the features of every unit of facts against several entities' documents at once.

    Args:
        claims: The facts.
        premises: The documents of each entity.
        aligned: The alignment of the facts' words to them.
        chosen: The pairs of facts and documents, ascending: rows as in `Aligned`.
    """
    known = np.array([premise.entries.size > 0 for premise in premises])
    asked = choose(claims, known, chosen)
    units, sort = asked.units, claims.units.sort[asked.units]
    if not len(units):
        return Bound(np.zeros((0, len(UNIT_FEATURES)), np.float32), units, sort, units, units)
    rows = chosen[asked.facts]
    region = regions(premises, aligned.windows[rows], rows // len(claims.starts))
    seen = _see(claims.units, asked, aligned, region)
    rivals, rival = _rivals(seen)
    features = _own(seen) | _order(seen) | _at_peak(seen) | _sentences(seen, aligned.hits) | rivals
    sizes = np.array([log_words(premise.size) for premise in premises])
    features |= _leads(features) | {"log_words": sizes[asked.page_of]}
    table = np.empty((len(UNIT_FEATURES), len(units)), dtype=np.float32)
    for row, name in enumerate(UNIT_FEATURES):
        table[row] = features[name]
    nowhere = np.ones(len(units), dtype=np.bool_)
    nowhere[seen.standing.found] = False
    table[_AT_PEAK, np.flatnonzero(nowhere)] = _NOT_FOUND
    rival = np.where(rival < 0, -1, rival - region.offsets[asked.page_of])
    return Bound(table.T, asked.facts[asked.fact_of], sort, rival, units)


@dataclass(frozen=True, eq=False, slots=True)
class _Seen:
    """Units and their places.

    Attributes:
        graded: Shape ``(2, S)``, how near the other words are to the unit.
        kinds: Shape ``(4, U, entries)``, whether the entry's `Positions.codes` are the unit's.
        far: Shape ``(3, U, entries)``, positions that the entry is after the word before the
            unit, before the word after it, and from its event.
        covered: Shape ``(U,)``, `Standing.covered` at each unit's best; `peak` is the entry of
            its region where that is, 0 for none; `there` the same among the entries of all pages.
    """

    units: Units
    asked: UnitsAsked
    region: Regions
    gaps: Gaps
    standing: Standing
    graded: Floats
    kinds: NDArray[np.bool_]
    far: Floats
    covered: Floats
    peak: Places
    there: Places


def _see(units: Units, asked: UnitsAsked, aligned: Aligned, region: Regions) -> _Seen:
    gaps = measure_gaps(asked, aligned, region)
    standing = stand(asked, gaps)
    graded = standing.near[:, standing.unit, standing.entry] * standing.covered
    best = standing.peaks(graded[0])
    peak = np.zeros(len(asked.units), dtype=np.intp)
    peak[standing.found] = standing.entry[best]
    covered = np.zeros(len(asked.units), dtype=np.float32)
    covered[standing.found] = standing.covered[best]
    count = len(asked.words)
    far = gaps.far.reshape(3 * count, -1)[asked.around[1:] + count * np.arange(3)[:, None]]
    far[~units.apart[:, asked.units]] = FAR
    codes = region.read(region.at.codes, asked.fact_of)
    kinds = codes == units.codes[:, asked.units, None]
    there = region.entry(asked.fact_of, peak)
    return _Seen(units, asked, region, gaps, standing, graded, kinds, far, covered, peak, there)


def _own(seen: _Seen) -> _Features:
    """Features of the unit alone, and the maximum over all entries that contain it."""
    asked, standing = seen.asked, seen.standing
    places = standing.unit, standing.entry
    near = standing.near[0][places]
    alike = seen.kinds[0][places]
    close = standing.top(seen.graded)
    after, ahead, event = -standing.top(-seen.far[:, places[0], places[1]], -FAR)
    peak = standing.near[0].max(axis=1)
    holder = seen.region.at.holder[seen.region.entry(asked.fact_of[standing.unit], standing.entry)]
    return {
        **dict(zip(UNIT_SHAPE, seen.units.shape[:, asked.units], strict=True)),
        "weight": standing.weight,
        "others": standing.others,
        "times": np.bincount(standing.unit, minlength=len(asked.units)),
        "near": close[0],
        "close": close[1],
        "after": after,
        "ahead": ahead,
        "event_gap": event,
        "alike_near": standing.top(np.where(alike, near, np.float32(0))),
        "unlike_near": standing.top(np.where(alike, np.float32(0), near)),
        "holder_best": standing.top(holder.astype(np.float32), -3.0),
        "peak": peak,
        "of_peak": close[0] / np.maximum(peak, np.float32(1e-3)),
    }


def _at_peak(seen: _Seen) -> _Features:
    """Features of the page at the unit's best place."""
    asked, at, there = seen.asked, seen.region.at, seen.there
    lines = np.arange(len(asked.units))
    said = dict(zip(_SAID, at.said[:, there], strict=True))
    return {
        **said,
        "covered": seen.covered,
        "alike": seen.kinds[0, lines, seen.peak],
        "typed": seen.kinds[2, lines, seen.peak],
        "holder": at.holder[there],
        "inside": said["inside"] - (seen.units.sizes[asked.units] > 1),
        "under_alike": said["under"] == seen.units.before[asked.units],
    }


def _order(seen: _Seen) -> _Features:
    """Features of the unit, its event and its neighbors, at its best place."""
    gaps, peak = seen.gaps.far, seen.peak
    _, lead, following, event = seen.asked.around
    after, ahead = seen.far[:2, np.arange(len(peak)), peak]
    lead_back, event_ahead = gaps[1, np.stack([lead, event]), peak]
    next_back, event_behind = gaps[0, np.stack([following, event]), peak]
    has_lead, has_next, _ = seen.units.apart[:, seen.asked.units]
    return {
        "before_gap": np.where(has_lead, np.minimum(after, lead_back), FAR),
        "next_gap": np.where(has_next, np.minimum(ahead, next_back), FAR),
        "order_before": np.where(has_lead, lead_back - after, 0),
        "order_next": np.where(has_next, next_back - ahead, 0),
        "order_verb": event_ahead - event_behind,
    }


def _sentences(seen: _Seen, hits: Floats) -> _Features:
    """Shares of the fact's other words in the unit's sentence, and in any."""
    asked = seen.asked
    own = hits[asked.words]
    whole = np.add.reduceat(own, asked.first)[asked.fact_of]
    without = (whole - asked.runs.total(own)) / seen.standing.others[:, None]
    return {
        "sentence": without[np.arange(len(without)), seen.region.at.column[seen.there]],
        "best_sentence": without.max(axis=1),
    }


def _rivals(seen: _Seen) -> tuple[_Features, Places]:
    """Distances of values of the unit's kind that the fact lacks, and the best of them.

    The latter is an entry of all pages, -1 if there is none.
    """
    asked, standing, region = seen.asked, seen.standing, seen.region
    alike, fine, typed, same = seen.kinds
    near = standing.near[0]
    same = same & region.real[region.row[asked.fact_of]]
    rivals = same & standing.unsaid[asked.fact_of]
    elsewhere = same & ~standing.stands
    fine = fine & elsewhere
    wide, narrow = _top(rivals, standing.near)
    by_type, by_word, by_class = _top(np.stack([rivals & typed, rivals & alike, fine]), near)
    after, ahead, event = _least(elsewhere, seen.far)
    following = near + np.float32(0.3) * (seen.far[0] <= CLOSE)
    best = np.where(rivals, following, np.float32(-1)).argmax(axis=1)
    there = rivals[np.arange(len(best)), best]
    features = {
        "rival_near": wide,
        "rival_close": narrow,
        "rival_typed": by_type,
        "rival_near_alike": by_word,
        "rival_fine": by_class,
        "rival_after": after,
        "rival_ahead": ahead,
        "rival_event": event,
        "rival_fine_event": _least(fine, seen.far[2]),
    }
    return features, np.where(there, region.entry(asked.fact_of, best), -1)


def _leads(of: _Features) -> _Features:
    """The difference between the unit's nearness and its rivals'."""
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
    """The largest value in each row that the mask allows, at least 0."""
    return np.asarray(np.where(mask, values, np.float32(0)).max(axis=-1))


def _least(mask: NDArray[np.bool_], gaps: Floats) -> Floats:
    """The smallest gap in each row that the mask allows."""
    return np.asarray(np.where(mask, gaps, np.float32(FAR)).min(axis=-1))
