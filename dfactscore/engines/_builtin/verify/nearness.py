"""Measures the distance of the words and units of facts from every entry of a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dfactscore.engines._builtin.verify.claims import Claims
from dfactscore.engines._builtin.verify.features import Aligned
from dfactscore.engines._builtin.verify.page_entries import SENTENCE_GAP
from dfactscore.engines._builtin.verify.regions import Regions
from dfactscore.engines._builtin.verify.runs import Runs, starts_of

Floats = NDArray[np.float32]
Places = NDArray[np.intp]
KERNEL, NARROW = 14.0, 4.0  # numbers of positions over which nearness decays
_RATES = np.array([-1 / KERNEL, -1 / NARROW], dtype=np.float32)[:, None, None]
_REACH = 8  # maximum number of positions between an entry of a unit and the other words in the unit
FAR = 40.0
_NOWHERE = 1e8  # after all positions
assert SENTENCE_GAP > _REACH  # so that a unit is within one sentence


@dataclass(frozen=True, eq=False, slots=True)
class PageUnits:
    """The ``U`` units and ``W`` words of ``n`` pairs of facts and pages, page by page."""

    units: Places  # shape `(U,)`, indexes in `Claims.units`
    facts: Places  # shape `(n,)`, indexes of the facts among the chosen pairs
    fact_of: Places  # shape `(U,)`, index in `facts` of each unit
    page_of: Places  # shape `(U,)`, page of each unit
    words: Places  # shape `(W,)`, rows of `Aligned`
    fact_of_word: Places  # shape `(W,)`, index in `facts` of each word
    first: Places  # shape `(n,)`, index in `words` of each fact's first word
    around: Places  # shape `(4, U)`, `Units.around` as indexes in `words`
    runs: Runs


@dataclass(frozen=True, eq=False, slots=True)
class Gaps:
    """The distance from every entry of a fact's region to each of the fact's words."""

    match: NDArray[np.bool_]  # shape `(W, entries)`, whether the entry matches the word
    # Shape `(3, W, entries)`, the number of positions from the word's last place before the entry,
    # to its next place, and the smaller of the two; capped at `FAR`.
    far: Floats
    weights: Floats  # shape `(W,)`, rarity of the words
    # Shape `(2, W, entries)`, the word's weight, decayed with distance: slowly and quickly.
    spread: Floats


@dataclass(frozen=True, eq=False, slots=True)
class UnitPlaces:
    """The ``S`` places of units and the nearness of the facts' other words to every entry."""

    weight: Floats  # shape `(U,)`, total weight of the unit's words
    others: Floats  # shape `(U,)`, total weight of the other words in the fact
    # Shape `(2, U, entries)`, share of the other words, decayed with distance: slowly and quickly.
    near: Floats
    matches: NDArray[np.bool_]  # shape `(U, entries)`, whether the entry is one of the unit's words
    # Shape `(n, entries)`, whether the entry is none of the fact's words.
    unmatched: NDArray[np.bool_]
    unit: Places  # shape `(S,)`, the unit at each place, ascending
    entry: Places  # shape `(S,)`, the entry at each place
    covered: Floats  # shape `(S,)`, share of the unit's words within reach of the entry
    found_units: Places
    starts: Places  # index in `S` of each found unit's first place

    def top(self, values: Floats, nothing: float = 0.0) -> Floats:
        """Returns each unit's largest value, ``(…, U)``, or `nothing`; values are ``(…, S)``."""
        filled = np.full((*values.shape[:-1], len(self.weight)), nothing, dtype=np.float32)
        largest = np.maximum.reduceat(values, self.starts, axis=-1)
        filled[..., self.found_units] = np.maximum(largest, np.float32(nothing))
        return filled

    def peaks(self, values: Floats) -> Places:
        """Returns the index in ``S`` of each found unit's largest value (the first of equals)."""
        largest = np.empty(len(self.weight), dtype=np.float32)
        largest[self.found_units] = np.maximum.reduceat(values, self.starts)
        reached = np.flatnonzero(values == largest[self.unit])
        return reached[np.searchsorted(reached, self.starts)]


def choose_units(claims: Claims, has_entries: NDArray[np.bool_], chosen: Places) -> PageUnits:
    """Chooses the units and words of facts to compare with pages."""
    units, count = claims.units, len(claims.starts)
    chosen_cells = np.zeros((len(has_entries), count), dtype=np.bool_)
    chosen_cells.ravel()[chosen] = True
    chosen_cells[~has_entries] = False
    page_of, unit_indexes = np.nonzero(chosen_cells[:, units.owner])
    is_chosen = (chosen_cells[:, claims.owner] & (claims.weights[:, 0] > 0)).ravel()
    around = (is_chosen.cumsum() - 1)[units.around[:, unit_indexes] + page_of * len(claims.owner)]
    lengths = np.bincount(claims.owner)[chosen % count] - 1  # each fact begins with an empty word
    lengths[~chosen_cells.ravel()[chosen]] = 0
    facts = np.flatnonzero(lengths)  # facts without words have no unit
    lengths = lengths[facts]
    of = np.arange(len(facts)).repeat(lengths)
    words, first = np.flatnonzero(is_chosen), lengths.cumsum() - lengths
    runs = Runs(around[0], units.sizes[unit_indexes])
    return PageUnits(unit_indexes, facts, of[around[0]], page_of, words, of, first, around, runs)


def measure_gaps(page_units: PageUnits, aligned: Aligned, region: Regions) -> Gaps:
    """Measures the distance from every entry to each word."""
    rows, sought = (
        region.read(region.at.terms, page_units.fact_of_word),
        aligned.sought[:, page_units.words, None],
    )
    match = (rows[0] == sought[0]) | (rows[1] == sought[1]) | (rows[2] == sought[2])
    match &= region.real[region.row[page_units.fact_of_word]]
    where = region.read(region.at.place, page_units.fact_of_word)
    far = np.empty((3, *match.shape), dtype=np.float32)
    behind, ahead, distance = far
    latest, nearest = _around(match, where)
    np.subtract(where, latest, out=behind)
    np.subtract(nearest, where, out=ahead)
    np.minimum(behind, ahead, out=distance)
    np.maximum(distance, np.float32(0), out=distance)  # a list's names share a place
    weights = aligned.weights[page_units.words]
    spread = distance * _RATES
    np.exp(spread, out=spread)
    spread *= weights[:, None]
    np.minimum(far, np.float32(FAR), out=far)
    return Gaps(match, far, weights, spread)


def _around(match: NDArray[np.bool_], where: Floats) -> Iterator[Floats]:
    """Yields, for each entry in a row, the last match at or before it and the first at or after it.

    Few entries match, so the result between two matches is computed once and repeated.
    """
    edges = match.copy()
    edges[:, 0] = edges[:, -1] = True
    at = np.flatnonzero(edges)
    place, matched = where.ravel()[at], match.ravel()[at]
    rows = at // match.shape[1] * (2 * _NOWHERE)  # so that a row's places exceed the previous row's
    latest = np.maximum.accumulate(np.where(matched, place, -_NOWHERE) + rows)
    nearest = np.minimum.accumulate((np.where(matched, place, _NOWHERE) + rows)[::-1])[::-1]
    steps = at[1:] - at[:-1]
    for places, lengths in ((latest, np.append(steps, 1)), (nearest, np.append(1, steps))):
        yield (places - rows).astype(np.float32).repeat(lengths).reshape(match.shape)


def place_units(page_units: PageUnits, gaps: Gaps) -> UnitPlaces:
    """Finds the places of the units and the nearness of the facts' other words."""
    weight = np.add.reduceat(gaps.weights, page_units.around[0])
    total = np.add.reduceat(gaps.weights, page_units.first)[page_units.fact_of]
    others = np.maximum(total - weight, 1e-3)
    near = np.add.reduceat(gaps.spread, page_units.first, axis=1)[:, page_units.fact_of]
    near -= page_units.runs.total(gaps.spread)
    near /= others[:, None]
    matches = page_units.runs.total(gaps.match)
    unit, entry = matches.nonzero()
    starts = starts_of(unit)
    unmatched = ~np.logical_or.reduceat(gaps.match, page_units.first, axis=0)
    covered = _covered(page_units, gaps, unit, entry)
    covered /= np.maximum(weight, np.float32(1e-3))[unit]
    found_units = unit[starts]
    return UnitPlaces(
        weight, others, near, matches, unmatched, unit, entry, covered, found_units, starts
    )


def _covered(page_units: PageUnits, gaps: Gaps, unit: Places, entry: Places) -> Floats:
    """Returns the weight of the unit's words within reach of the entry, for each unit and entry."""
    sizes, word = page_units.runs.rows(unit)
    reached = gaps.far[2][word, entry.repeat(sizes)] <= _REACH
    return np.add.reduceat(gaps.weights[word] * reached, sizes.cumsum() - sizes)
