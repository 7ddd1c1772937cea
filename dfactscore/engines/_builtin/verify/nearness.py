"""Distances of facts' words, and with them their units, to every entry of a page."""

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
KERNEL, NARROW = 14.0, 4.0  # positions over which nearness decays
_RATES = np.array([-1 / KERNEL, -1 / NARROW], dtype=np.float32)[:, None, None]
_REACH = 8  # positions from its own words within which a unit is covered
FAR = 40.0
_NOWHERE = 1e8  # after all positions
assert SENTENCE_GAP > _REACH  # "covered" never reaches into another sentence


@dataclass(frozen=True, eq=False, slots=True)
class UnitsAsked:
    """The ``U`` units and ``W`` words of ``n`` facts that are set against pages, page by page.

    `units` are places in `Claims.units`, `facts` among the chosen facts, `words` rows of `Aligned`;
    `fact_of` and `page_of` say of what fact and page each unit is, `of` of what fact each word,
    `first` where each fact's words begin; `around`, shape ``(4, U)``, is that of `Units`.
    """

    units: Places
    facts: Places
    fact_of: Places
    page_of: Places
    words: Places
    of: Places
    first: Places
    around: Places
    runs: Runs


@dataclass(frozen=True, eq=False, slots=True)
class Gaps:
    """The distance of every entry of a fact's region from each of its words.

    Attributes:
        match: Shape ``(W, entries)``, whether the word is there.
        far: Shape ``(3, W, entries)``, positions that the entry is after the word, before it, and
            from it on either side, at the word's nearest place; at most `FAR`.
        weights: Shape ``(W,)``, rarity.
        spread: Shape ``(2, W, entries)``, the word's weight by its distance, wide and narrow.
    """

    match: NDArray[np.bool_]
    far: Floats
    weights: Floats
    spread: Floats


@dataclass(frozen=True, eq=False, slots=True)
class Standing:
    """The places of units, ``S`` in all, and the distance of the other words from every entry.

    Attributes:
        weight: Shape ``(U,)``, of the unit's words; so `others`, of the fact's other words.
        near: Shape ``(2, U, entries)``, share of the latter by their distance, wide and narrow.
        stands: Shape ``(U, entries)``, whether one of the unit's words is there.
        unsaid: Shape ``(n, entries)``, whether none of the fact's words does.
        unit, entry: Shape ``(S,)``, the units that the page has, ascending, and the entries.
        covered: Shape ``(S,)``, share of the unit within reach.
        found: The units that the page has, ascending; `starts`, where each begins in the ``S``.
    """

    weight: Floats
    others: Floats
    near: Floats
    stands: NDArray[np.bool_]
    unsaid: NDArray[np.bool_]
    unit: Places
    entry: Places
    covered: Floats
    found: Places
    starts: Places

    def top(self, values: Floats, nothing: float = 0.0) -> Floats:
        """The largest of each unit's ``(…, S)`` values, at least `nothing`, ``(…, U)``."""
        whole = np.full((*values.shape[:-1], len(self.weight)), nothing, dtype=np.float32)
        largest = np.maximum.reduceat(values, self.starts, axis=-1)
        whole[..., self.found] = np.maximum(largest, np.float32(nothing))
        return whole

    def peaks(self, values: Floats) -> Places:
        """The index in ``S`` of each found unit's largest value, the first of equals."""
        whole = np.empty(len(self.weight), dtype=np.float32)
        whole[self.found] = np.maximum.reduceat(values, self.starts)
        reached = np.flatnonzero(values == whole[self.unit])
        return reached[np.searchsorted(reached, self.starts)]


def choose(claims: Claims, known: NDArray[np.bool_], chosen: Places) -> UnitsAsked:
    """Finds the units and words of facts that are set against pages.

    Args:
        claims: The facts.
        known: Shape ``(pages,)``, whether the page has any entry.
        chosen: The pairs of facts and pages, ascending: rows as in `Aligned`.
    """
    units, many = claims.units, len(claims.starts)
    wanted = np.zeros((len(known), many), dtype=np.bool_)
    wanted.ravel()[chosen] = True
    wanted[~known] = False
    page_of, kept = np.nonzero(wanted[:, units.owner])
    is_wanted = (wanted[:, claims.owner] & (claims.weights[:, 0] > 0)).ravel()
    around = (is_wanted.cumsum() - 1)[units.around[:, kept] + page_of * len(claims.owner)]
    lengths = np.bincount(claims.owner)[chosen % many] - 1  # each fact begins with an empty word
    lengths[~wanted.ravel()[chosen]] = 0
    facts = np.flatnonzero(lengths)  # facts without words have no unit
    lengths = lengths[facts]
    of = np.arange(len(facts)).repeat(lengths)
    words, first = np.flatnonzero(is_wanted), lengths.cumsum() - lengths
    runs = Runs(around[0], units.sizes[kept])
    return UnitsAsked(kept, facts, of[around[0]], page_of, words, of, first, around, runs)


def measure_gaps(asked: UnitsAsked, aligned: Aligned, region: Regions) -> Gaps:
    """Measures how far every entry is from each word."""
    rows, sought = region.read(region.at.terms, asked.of), aligned.sought[:, asked.words, None]
    match = (rows[0] == sought[0]) | (rows[1] == sought[1]) | (rows[2] == sought[2])
    match &= region.real[region.row[asked.of]]
    where = region.read(region.at.place, asked.of)
    far = np.empty((3, *match.shape), dtype=np.float32)
    behind, ahead, distance = far
    latest, nearest = _around(match, where)
    np.subtract(where, latest, out=behind)
    np.subtract(nearest, where, out=ahead)
    np.minimum(behind, ahead, out=distance)
    np.maximum(distance, np.float32(0), out=distance)  # lists lead back
    weights = aligned.weights[asked.words]
    spread = distance * _RATES
    np.exp(spread, out=spread)
    spread *= weights[:, None]
    np.minimum(far, np.float32(FAR), out=far)
    return Gaps(match, far, weights, spread)


def _around(match: NDArray[np.bool_], where: Floats) -> Iterator[Floats]:
    """The largest place of each row's matches up to each entry, and the smallest from it on.

    Few entries match: what holds between two of them is found once, and repeated.
    """
    edges = match.copy()
    edges[:, 0] = edges[:, -1] = True
    at = np.flatnonzero(edges)
    place, found = where.ravel()[at], match.ravel()[at]
    rows = at // match.shape[1] * (2 * _NOWHERE)  # sets each row above the one before
    latest = np.maximum.accumulate(np.where(found, place, -_NOWHERE) + rows)
    nearest = np.minimum.accumulate((np.where(found, place, _NOWHERE) + rows)[::-1])[::-1]
    steps = at[1:] - at[:-1]
    for places, lengths in ((latest, np.append(steps, 1)), (nearest, np.append(1, steps))):
        yield (places - rows).astype(np.float32).repeat(lengths).reshape(match.shape)


def stand(asked: UnitsAsked, gaps: Gaps) -> Standing:
    """Finds the places of the units, and how near the other words of their facts are."""
    weight = np.add.reduceat(gaps.weights, asked.around[0])
    whole = np.add.reduceat(gaps.weights, asked.first)[asked.fact_of]
    others = np.maximum(whole - weight, 1e-3)
    near = np.add.reduceat(gaps.spread, asked.first, axis=1)[:, asked.fact_of]
    near -= asked.runs.total(gaps.spread)
    near /= others[:, None]
    stands = asked.runs.total(gaps.match)
    unit, entry = stands.nonzero()
    starts = starts_of(unit)
    unsaid = ~np.logical_or.reduceat(gaps.match, asked.first, axis=0)
    covered = _covered(asked, gaps, unit, entry)
    covered /= np.maximum(weight, np.float32(1e-3))[unit]
    found = unit[starts]
    return Standing(weight, others, near, stands, unsaid, unit, entry, covered, found, starts)


def _covered(asked: UnitsAsked, gaps: Gaps, unit: Places, entry: Places) -> Floats:
    """Weight of the unit's words within reach of the entry, by pairs of these."""
    sizes, word = asked.runs.rows(unit)
    reached = gaps.far[2][word, entry.repeat(sizes)] <= _REACH
    return np.add.reduceat(gaps.weights[word] * reached, sizes.cumsum() - sizes)
