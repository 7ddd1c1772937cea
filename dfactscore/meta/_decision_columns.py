"""Turns evaluators' judgments into columns of decisions on units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dfactscore.meta._baselines import BASELINES, RANDOM
from dfactscore.meta._data_sets import Block, LabelLevel
from dfactscore.meta._judgements import Opinion
from dfactscore.meta._option_types import Threshold
from dfactscore.meta._unit_decisions import (
    Decisions,
    LabeledUnits,
    apply_fitted_threshold,
    apply_threshold,
    decide,
    merge,
    random_decisions,
)

Floats = NDArray[np.float64]
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
