"""Turns evaluators' judgments into columns of decisions about units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dfactscore.meta._baselines import BASELINES, RANDOM
from dfactscore.meta._choices import Threshold
from dfactscore.meta._judgements import Opinion
from dfactscore.meta._labeled import Block, LabelLevel
from dfactscore.meta._unit_decisions import (
    Decisions,
    LabeledUnits,
    cut,
    decide,
    fitted,
    merge,
    random_decisions,
)

Floats = NDArray[np.float64]
References = Literal["all", "with-text"]


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options that turn judgements into scores.

    Attributes:
        threshold: The evaluator's own, fitted on other folds, or a number.
        references: Only these rows; both if None.
        level: ``"segment"`` for the smallest units, ``"response"`` for the larger ones.
        missing: The count of a response without a prediction: left out, or not flagged.
        confidence: Of the intervals; tests are at the level ``1 - confidence``.
        resamples: Bootstrap samples and permutations.
        seed: Of both.
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
    """Judgments of an evaluator on the items of a block.

    Attributes:
        evaluator: Its name.
        opinions: One per item, in order; None if there is none.
    """

    evaluator: str
    opinions: Sequence[Opinion | None]

    @property
    def given(self) -> list[Opinion]:
        """The opinions that there are."""
        return [opinion for opinion in self.opinions if opinion is not None]


@dataclass(frozen=True)
class Decided:
    """Decisions that become a row."""

    said: Opinions
    level: LabelLevel
    variant: str
    units: LabeledUnits
    decisions: Decisions

    def counts(self) -> Floats:
        """Counts of each cluster, shape ``(clusters, 4)``."""
        d, error = self.decisions, self.units.error
        yes = np.where(d.used, d.flagged, 0.0)
        no = np.where(d.used, 1 - d.flagged, 0.0)
        parts = (yes * error, yes * ~error, no * error, no * ~error)
        size = len(self.units.clusters)
        return np.stack([np.bincount(self.units.cluster, p, size) for p in parts], axis=-1)

    def probable(self) -> tuple[Floats, NDArray[np.bool_], NDArray[np.intp]]:
        """Probability, label and cluster of the units that have a probability."""
        has = self.decisions.used & ~np.isnan(self.decisions.probability)
        return self.decisions.probability[has], self.units.error[has], self.units.cluster[has]


def columns_of(
    block: Block, units: LabeledUnits, said: Opinions, options: Options
) -> Iterator[Decided]:
    """The columns of an evaluator: one per level and, for missing answers, a way to count them."""
    variants: dict[str, Decisions] = {}
    if said.evaluator == RANDOM:
        variants[""] = random_decisions(units)
    else:
        lacking = any(opinion is None for opinion in said.opinions)
        policies = ("leave", "unflagged") if options.missing == "leave" else ("unflagged", "leave")
        for policy in policies if lacking else ("",):
            counts = policy == "unflagged"
            made = decide(units, said.opinions, missing_counts=counts)
            made = _thresholded(block.name, units, made, said, options)
            variants[policy] = made
            if (made.used & ~made.known).any() and policy in ("", "leave"):
                name = f"{policy} " if policy else ""
                variants[f"{name}right"] = made.bounded(units, True)
                variants[f"{name}wrong"] = made.bounded(units, False)
    for level in block.levels:
        first = level.merge is None
        if options.level == "response" and first and len(block.levels) > 1:
            continue
        if options.level == "segment" and not first:
            continue
        for variant, decisions in variants.items():
            yield Decided(said, level, variant, *merge(units, decisions, level))


def _thresholded(
    block: str, units: LabeledUnits, made: Decisions, said: Opinions, options: Options
) -> Decisions:
    if options.threshold == "own" or np.isnan(made.probability).all():
        return made
    if said.evaluator in BASELINES:
        return made
    if options.threshold == "fitted":
        return fitted(units, made, said.opinions, block)
    return cut(made, float(options.threshold), said.opinions, units)


def threshold_name(column: Decided, options: Options) -> str:
    """``"own"``, ``"fitted"`` or the number."""
    if np.isnan(column.decisions.probability).all():
        return "own"
    return options.threshold if isinstance(options.threshold, str) else f"{options.threshold:g}"
