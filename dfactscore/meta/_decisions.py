"""Turns evaluators' judgments into decisions on units, and merges small units into larger ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from dfactscore._errors import InputError
from dfactscore.measures._agreement import rates
from dfactscore.meta._data_sets import Block, Item, LabelLevel
from dfactscore.meta._judgements import BASELINES, RANDOM, READ, Opinion, Q
from dfactscore.meta._option_types import Threshold

Floats = NDArray[np.float64]
FOLDS = 5


@dataclass(frozen=True)
class LabeledUnits:
    """The smallest units of some items, as arrays of shape ``(units,)``."""

    item: NDArray[np.intp]
    cluster: NDArray[np.intp]
    error: NDArray[np.bool_]
    kind: tuple[str, ...]  # type of the error, or empty
    clusters: tuple[str, ...]  # ids of the clusters, in the order of their first items

    @classmethod
    def of(cls, items: Sequence[Item]) -> LabeledUnits:
        """Collects the segments of the items, in order."""
        places = {c: i for i, c in enumerate(dict.fromkeys(item.cluster for item in items))}
        sizes = [len(item.segments) for item in items]
        return cls(
            item=np.repeat(np.arange(len(items)), sizes),
            cluster=np.repeat(np.array([places[i.cluster] for i in items], dtype=np.intp), sizes),
            error=np.array([s.error for item in items for s in item.segments], dtype=bool),
            kind=tuple(s.kind for item in items for s in item.segments),
            clusters=tuple(places),
        )

    def __len__(self) -> int:
        return len(self.error)


@dataclass(frozen=True)
class Decisions:
    """An evaluator's decisions on units, stored as arrays of shape ``(units,)``."""

    # 1 if flagged, 0 if not; for random decisions, the probability of being flagged.
    flagged: Floats
    probability: Floats  # probability that the unit is supported; NaN if missing
    known: NDArray[np.bool_]
    used: NDArray[np.bool_]

    def bounded(self, units: LabeledUnits, right: bool) -> Decisions:
        """Replaces unreadable answers with all-right or all-wrong decisions."""
        truth = units.error.astype(np.float64)
        return replace(
            self, flagged=np.where(self.known, self.flagged, truth if right else 1 - truth)
        )


def decide(
    units: LabeledUnits, opinions: Sequence[Opinion | None], *, missing_counts: bool
) -> Decisions:
    """Derives decisions from judgments."""
    flagged, known = np.zeros(len(units)), np.zeros(len(units), dtype=bool)
    probability, used = np.full(len(units), np.nan), np.ones(len(units), dtype=bool)
    for place, start, end in _spans(units):
        opinion = opinions[place]
        if opinion is None:
            used[start:end] = missing_counts
            continue
        for index, judgement in zip(range(start, end), opinion.judgements, strict=True):
            known[index] = judgement.error is not None and judgement.status in READ
            flagged[index] = known[index] and bool(judgement.error)
            if judgement.probability is not None:
                probability[index] = judgement.probability
    return Decisions(flagged, probability, known, used)


def random_decisions(units: LabeledUnits) -> Decisions:
    """Flags each unit with probability one half; counts are expected values."""
    all_units = np.ones(len(units), dtype=bool)
    return Decisions(np.full(len(units), Q), np.full(len(units), np.nan), all_units, all_units)


def _spans(units: LabeledUnits) -> list[tuple[int, int, int]]:
    """The item, start and end of each sequence of units from the same item."""
    if not len(units):
        return []
    starts = np.flatnonzero(np.r_[True, units.item[1:] != units.item[:-1]]).tolist()
    ends = [*starts[1:], len(units)]
    return [(int(units.item[s]), s, e) for s, e in zip(starts, ends, strict=True)]


def apply_threshold(
    decisions: Decisions,
    threshold: Floats | float,
    opinions: Sequence[Opinion | None],
    units: LabeledUnits,
) -> Decisions:
    """Flags units whose probability is below a threshold, provided that they assert something."""
    asserts = np.ones(len(units), dtype=bool)
    for place, start, end in _spans(units):
        if (opinion := opinions[place]) is not None:
            asserts[start:end] = [j.status != "no_claim" for j in opinion.judgements]
    has = ~np.isnan(decisions.probability) & decisions.known
    below = np.where(has, decisions.probability, np.inf) < threshold
    return replace(decisions, flagged=np.where(has, below & asserts, decisions.flagged))


def apply_fitted_threshold(
    units: LabeledUnits, decisions: Decisions, opinions: Sequence[Opinion | None], block: str
) -> Decisions:
    """Flags units using thresholds fitted on the other folds.

    The CRC-32 of a cluster's id determines which of five folds it is in. A fold's threshold is the
    probability that gives the best balanced accuracy on the other folds; if there are several, it
    is the one nearest to one half.
    """
    folds = _folds(units)
    usable = decisions.used & decisions.known & ~np.isnan(decisions.probability)
    _check_folds(units, usable, folds, block)
    thresholds = np.zeros(len(units))
    for number in range(FOLDS):
        others = usable & (folds != number)
        best = _best_threshold(decisions.probability[others], units.error[others])
        thresholds[folds == number] = best
    return apply_threshold(decisions, thresholds, opinions, units)


def check_folds(units: LabeledUnits, block: str) -> None:
    """Rejects data on which no threshold can be fitted, before any evaluator is called."""
    _check_folds(units, np.ones(len(units), dtype=bool), _folds(units), block)


def _folds(units: LabeledUnits) -> NDArray[np.intp]:
    """The fold of each unit's cluster."""
    numbers = [crc32(c.encode("utf-8", "surrogatepass")) % FOLDS for c in units.clusters]
    return np.array(numbers, dtype=np.intp)[units.cluster]


def _check_folds(
    units: LabeledUnits, usable: NDArray[np.bool_], folds: NDArray[np.intp], block: str
) -> None:
    for number in range(FOLDS):
        in_fold = usable & (folds == number)
        clusters, errors = (
            len(set(units.cluster[in_fold].tolist())),
            int(units.error[in_fold].sum()),
        )
        if clusters < 2 or errors in (0, int(in_fold.sum())):
            raise InputError(
                f"--threshold fitted: fold {number + 1} of {FOLDS} of {block} has {clusters} "
                f"clusters, {errors} errors and {int(in_fold.sum()) - errors} others; each needs "
                "two clusters and both classes"
            )


def _best_threshold(probability: Floats, error: NDArray[np.bool_]) -> float:
    candidates = np.unique(np.r_[probability, 1.0])
    order = np.argsort(probability, kind="stable")
    below = np.searchsorted(probability[order], candidates, side="left")
    wrong = np.r_[0, np.cumsum(error[order])]
    tp, flagged = wrong[below].astype(np.float64), below.astype(np.float64)
    errors, right = float(error.sum()), float((~error).sum())
    counts = np.stack([tp, flagged - tp, errors - tp, right - flagged + tp], axis=-1)
    value = rates(counts)["balanced_accuracy"]
    top = candidates[value >= value.max() - 1e-12]
    return float(top[np.argmin(np.abs(top - 0.5))])


def merge(
    units: LabeledUnits, decisions: Decisions, level: LabelLevel
) -> tuple[LabeledUnits, Decisions]:
    """Merges the smallest units into the units of a level."""
    # Returns the units and decisions, unchanged for the smallest level. A larger unit is an error,
    # or flagged, if any of its parts is (`"worst"`) or all are (`"best"`); its probability is the
    # lowest or the highest, respectively. The unit is known if all its parts are, and used if any
    # part is.
    if level.merge is None:
        return units, decisions
    home = units.item if level.by == "item" else units.cluster
    names, first, place = np.unique(home, return_index=True, return_inverse=True)
    size = len(names)
    worst = level.merge == "worst"
    error = np.zeros(size, dtype=bool) if worst else np.ones(size, dtype=bool)
    clear = np.ones(size)
    probability = np.full(size, np.nan)
    known = np.ones(size, dtype=bool)
    used = np.zeros(size, dtype=bool)
    pick = np.fmin if worst else np.fmax
    (np.logical_or if worst else np.logical_and).at(error, place, units.error)
    chances = 1 - decisions.flagged if worst else decisions.flagged
    np.multiply.at(clear, place, chances)
    pick.at(probability, place, decisions.probability)
    np.logical_and.at(known, place, decisions.known)
    np.logical_or.at(used, place, decisions.used)
    merged = LabeledUnits(
        item=units.item[first],
        cluster=units.cluster[first],
        error=error,
        kind=("",) * size,
        clusters=units.clusters,
    )
    flagged = 1 - clear if worst else clear
    return merged, Decisions(flagged, probability, known, used)


def recalls(units: LabeledUnits, decisions: Decisions) -> Mapping[str, tuple[float, int]]:
    """The share of errors that are flagged and the number of errors, by type of error."""
    by_kind: dict[str, tuple[float, int]] = {}
    for kind in dict.fromkeys(k for k, e in zip(units.kind, units.error, strict=True) if e):
        members = np.array([k == kind for k in units.kind]) & units.error & decisions.used
        if members.any():
            by_kind[kind or "untyped"] = (
                float(decisions.flagged[members].mean()),
                int(members.sum()),
            )
    return by_kind


References = Literal["all", "with-text"]


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options for turning judgments into scores.

    Attributes:
        threshold: The threshold to use: the evaluator's own (``"own"``), one fitted on the other
            folds (``"fitted"``), or a number.
        references: Whether to write rows for all responses or for those with a reference text; if
            None, both.
        level: Units to write rows for: ``"segment"`` for the smallest, ``"response"`` for larger
            ones.
        missing: Whether to leave out responses that have no prediction, or count them as not
            flagged.
        confidence: Confidence level of the intervals; tests use the level ``1 - confidence``.
        resamples: Number of bootstrap samples and of permutations.
        seed: Random seed for samples and permutations.
    """

    threshold: Threshold = "own"
    references: References | None = None
    level: Literal["segment", "response", "both"] = "both"
    missing: Literal["leave", "unflagged"] = "leave"
    confidence: float = 0.95
    resamples: int = 10_000
    seed: int = 0


@dataclass(frozen=True)
class Opinions:
    """An evaluator's judgments of the items in a block."""

    evaluator: str
    opinions: Sequence[Opinion | None]

    @property
    def given(self) -> list[Opinion]:
        """The opinions that are not None."""
        return [opinion for opinion in self.opinions if opinion is not None]


@dataclass(frozen=True)
class Decided:
    """A column of decisions, which becomes a row of the table."""

    judged: Opinions
    level: LabelLevel
    variant: str  # how missing or unreadable answers are treated; see `Row`
    units: LabeledUnits
    decisions: Decisions

    def counts(self) -> Floats:
        """True positives, false positives, false negatives, true negatives: ``(clusters, 4)``."""
        d, error = self.decisions, self.units.error
        flagged = np.where(d.used, d.flagged, 0.0)
        unflagged = np.where(d.used, 1 - d.flagged, 0.0)
        parts = (flagged * error, flagged * ~error, unflagged * error, unflagged * ~error)
        size = len(self.units.clusters)
        return np.stack([np.bincount(self.units.cluster, p, size) for p in parts], axis=-1)

    def probable(self) -> tuple[Floats, NDArray[np.bool_], NDArray[np.intp]]:
        """Probability, label and cluster of the units that have a probability."""
        has = self.decisions.used & ~np.isnan(self.decisions.probability)
        return self.decisions.probability[has], self.units.error[has], self.units.cluster[has]


def columns_of(
    block: Block, units: LabeledUnits, judged: Opinions, options: Options
) -> Iterator[Decided]:
    """An evaluator's columns: one per combination of level and treatment of missing answers."""
    variants: dict[str, Decisions] = {}
    if judged.evaluator == RANDOM:
        variants[""] = random_decisions(units)
    else:
        lacking = any(opinion is None for opinion in judged.opinions)
        policies = ("leave", "unflagged") if options.missing == "leave" else ("unflagged", "leave")
        for policy in policies if lacking else ("",):
            counts = policy == "unflagged"
            decided = decide(units, judged.opinions, missing_counts=counts)
            decided = _thresholded(block.name, units, decided, judged, options)
            variants[policy] = decided
            if (decided.used & ~decided.known).any() and policy in ("", "leave"):
                name = f"{policy} " if policy else ""
                variants[f"{name}right"] = decided.bounded(units, True)
                variants[f"{name}wrong"] = decided.bounded(units, False)
    for level in block.levels:
        first = level.merge is None
        if options.level == "response" and first and len(block.levels) > 1:
            continue
        if options.level == "segment" and not first:
            continue
        for variant, decisions in variants.items():
            yield Decided(judged, level, variant, *merge(units, decisions, level))


def _thresholded(
    block: str, units: LabeledUnits, decided: Decisions, judged: Opinions, options: Options
) -> Decisions:
    if options.threshold == "own" or np.isnan(decided.probability).all():
        return decided
    if judged.evaluator in BASELINES:
        return decided
    if options.threshold == "fitted":
        return apply_fitted_threshold(units, decided, judged.opinions, block)
    return apply_threshold(decided, float(options.threshold), judged.opinions, units)


def threshold_name(column: Decided, options: Options) -> str:
    """Name of the threshold used for a column: ``"own"``, ``"fitted"`` or the number."""
    if np.isnan(column.decisions.probability).all():
        return "own"
    return options.threshold if isinstance(options.threshold, str) else f"{options.threshold:g}"
