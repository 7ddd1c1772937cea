"""The rows of the table: what each evaluator's decisions are worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dfactscore._util.usage import Usage
from dfactscore.comparison.bootstrap import Interval, resample_counts, weighted_sums
from dfactscore.comparison.holm import holm
from dfactscore.comparison.permutation import paired_permutation_pvalues
from dfactscore.meta.baselines import BASELINES, RANDOM
from dfactscore.meta.decisions import (
    Decisions,
    Threshold,
    Units,
    cut,
    decide,
    fitted,
    merge,
    random_decisions,
    recalls,
)
from dfactscore.meta.items import Block, Item, Level
from dfactscore.meta.judgements import Opinion
from dfactscore.meta.measures import RATES, areas, calibration, rates

__all__ = ["Options", "Row", "Said", "block_rows", "differences", "parts_of"]

Floats = NDArray[np.float64]
References = Literal["all", "with-text"]
_AT_A_TIME = 4_000_000  # cells of draws × units that are held at once


@dataclass(frozen=True, kw_only=True)
class Options:
    """How judgements become scores.

    Attributes:
        threshold: The evaluator's own, fitted on other folds, or a number.
        references: Only these rows; both where None.
        level: ``"segment"`` for the smallest units, ``"response"`` for the larger ones.
        missing: What a response without a prediction is: left out, or not flagged.
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
class Said:
    """What an evaluator said of the items of a block.

    Attributes:
        evaluator: Its name.
        opinions: One an item, in order; None where there is none.
    """

    evaluator: str
    opinions: Sequence[Opinion | None]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row.

    Attributes:
        block: Such as ``"felm wk"``.
        evaluator: Its name.
        references: ``"all"`` responses, or those ``"with-text"``.
        level: What is counted.
        variant: ``"right"`` or ``"wrong"``: unread answers taken so; ``"leave"`` or
            ``"unflagged"``: what a missing prediction is; else empty.
        threshold: ``"own"``, ``"fitted"`` or the number.
        n: Units counted.
        of: Units that there are.
        errors: Errors among those counted.
        figures: Fractions by name; None where one is undefined.
        intervals: Of some of them.
        by_kind: Recall and number of each type of error.
        usage: Calls, tokens and cost; empty where no model was asked.
        statuses: How many units have each status of a judgement.
        note: What a reader must know, or empty.
        p: Against the best row that does not read, paired over clusters; None where not tested.
        p_holm: Corrected for the tests of the block.
        against: That row.
        better: Whether balanced accuracy exceeds that row's; None where not tested.
        clusters: Counts of each cluster, for paired tests: true positives, false positives, false
            negatives, true negatives.
    """

    block: str
    evaluator: str
    references: str
    level: str
    variant: str
    threshold: str
    n: int
    of: int
    errors: int
    figures: Mapping[str, float | None]
    intervals: Mapping[str, Interval | None] = field(default_factory=dict)
    by_kind: Mapping[str, tuple[float, int]] = field(default_factory=dict)
    usage: Mapping[str, Any] = field(default_factory=dict)
    statuses: Mapping[str, int] = field(default_factory=dict)
    note: str = ""
    p: float | None = None
    p_holm: float | None = None
    against: str = ""
    better: bool | None = None
    clusters: Mapping[str, tuple[float, ...]] = field(default_factory=dict, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Nested JSON values."""
        return {
            "block": self.block,
            "evaluator": self.evaluator,
            "references": self.references,
            "level": self.level,
            "variant": self.variant,
            "threshold": self.threshold,
            "n": self.n,
            "of": self.of,
            "errors": self.errors,
            **self.figures,
            "intervals": {k: None if v is None else list(v) for k, v in self.intervals.items()},
            "recall_by_type": {
                kind: {"recall": share, "n": n} for kind, (share, n) in self.by_kind.items()
            },
            "usage": dict(self.usage),
            "statuses": dict(self.statuses),
            "note": self.note,
            "p": self.p,
            "p_holm": self.p_holm,
            "against": self.against,
            "better_than_not_reading": self.better,
        }

    def to_flat(self) -> dict[str, Any]:
        """One row of a CSV file."""
        row = self.to_dict()
        intervals, kinds, usage = (row.pop(k) for k in ("intervals", "recall_by_type", "usage"))
        row.pop("statuses")
        for name, interval in intervals.items():
            row[f"{name}_low"], row[f"{name}_high"] = interval or (None, None)
        row |= {f"recall_{kind}": value["recall"] for kind, value in kinds.items()}
        row |= usage
        return row


@dataclass(frozen=True)
class _Column:
    """Decisions that become a row."""

    said: Said
    level: Level
    variant: str
    units: Units
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


def block_rows(block: Block, said: Sequence[Said], options: Options) -> list[Row]:
    """The rows of a block: for each choice of references and each evaluator, its levels.

    Args:
        block: The items.
        said: What the evaluators said; those of `BASELINES` are what others are held against.
        options: How judgements become scores.

    Raises:
        InputError: If a threshold cannot be fitted.
    """
    rows: list[Row] = []
    for references, kept in parts_of(block, options):
        rows += _rows(block, kept, references, said, options)
    return rows


def parts_of(block: Block, options: Options) -> Iterator[tuple[str, list[int]]]:
    """The choices of references that have rows, each with the places of its items."""
    texts = [item.has_text for item in block.items]
    for references in ("all", "with-text"):
        if options.references not in (None, references):
            continue
        # Where all have text both rows are the same one.
        same = all(texts) and options.references is None
        if references == "with-text" and (same or not any(texts)):
            continue
        yield references, [i for i, text in enumerate(texts) if text or references == "all"]


def _rows(
    block: Block, kept: list[int], references: str, said: Sequence[Said], options: Options
) -> list[Row]:
    items = [block.items[i] for i in kept]
    units = Units.of(items)
    columns: list[_Column] = []
    for one in said:
        own = Said(one.evaluator, [one.opinions[i] for i in kept] if one.opinions else [])
        columns += _columns(block, units, own, options)
    figures = _figures(columns, units, options)
    tests = _tests(columns, figures, options)
    rows = []
    for column, (values, intervals), (p, p_holm, against) in zip(
        columns, figures, tests, strict=True
    ):
        rows.append(
            Row(
                block=block.name,
                evaluator=column.said.evaluator,
                references=references,
                level=column.level.name,
                variant=column.variant,
                threshold=_threshold_name(column, options),
                n=int(column.decisions.used.sum()),
                of=len(column.units),
                errors=int((column.units.error & column.decisions.used).sum()),
                figures=values | _correlation(column, items),
                intervals=intervals,
                by_kind=recalls(column.units, column.decisions)
                if column.level.merge is None
                else {},
                usage=_usage(column.said),
                statuses=_statuses(column.said),
                note=_note(column.said, items),
                p=p,
                p_holm=p_holm,
                against=against,
                better=None
                if p_holm is None
                else p_holm < 1 - options.confidence
                and (values["balanced_accuracy"] or 0)
                > _level_of(against, column, figures, columns),
                clusters=_clusters(column),
            )
        )
    return rows


def _clusters(column: _Column) -> dict[str, tuple[float, ...]]:
    """Counts by cluster, of rows that can be compared with another run's."""
    if column.said.evaluator in BASELINES or column.variant not in ("", "leave"):
        return {}
    counts = column.counts().tolist()
    return {name: tuple(row) for name, row in zip(column.units.clusters, counts, strict=True)}


def _level_of(against: str, column: _Column, figures: Any, columns: Sequence[_Column]) -> float:
    for other, (values, _) in zip(columns, figures, strict=True):
        if other.said.evaluator == against and other.level == column.level and not other.variant:
            return values["balanced_accuracy"] or 0.0
    return 0.0


def _columns(block: Block, units: Units, said: Said, options: Options) -> Iterator[_Column]:
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
            yield _Column(said, level, variant, *merge(units, decisions, level))


def _thresholded(
    block: str, units: Units, made: Decisions, said: Said, options: Options
) -> Decisions:
    if options.threshold == "own" or np.isnan(made.probability).all():
        return made
    if said.evaluator in BASELINES:
        return made
    if options.threshold == "fitted":
        return fitted(units, made, said.opinions, block)
    return cut(made, float(options.threshold), said.opinions, units)


def _threshold_name(column: _Column, options: Options) -> str:
    if np.isnan(column.decisions.probability).all():
        return "own"
    return options.threshold if isinstance(options.threshold, str) else f"{options.threshold:g}"


def _figures(
    columns: Sequence[_Column], units: Units, options: Options
) -> list[tuple[dict[str, float | None], dict[str, Interval | None]]]:
    """Figures and intervals of all columns; all share the draws."""
    counts = [column.counts() for column in columns]
    points = [rates(c.sum(axis=0)) for c in counts]
    probable = [column.probable() for column in columns]
    n = len(units.clusters)
    drawn: list[dict[str, list[Floats]]] = [{} for _ in columns]
    if n > 1 and options.resamples:
        both = np.hstack(counts)
        for block in resample_counts(n, resamples=options.resamples, seed=options.seed):
            sums = weighted_sums(block, both).reshape(len(block), len(columns), 4)
            for i, (found, (p, error, cluster)) in enumerate(zip(drawn, probable, strict=True)):
                for name, drawn_values in rates(sums[:, i]).items():
                    found.setdefault(name, []).append(drawn_values)
                if len(p):
                    parts = _parts(block, cluster)
                    found.setdefault("auc", []).append(areas(p, error, parts))
    result = []
    for column, point, (p, error, _), draws in zip(columns, points, probable, drawn, strict=True):
        values: dict[str, float | None] = {name: _known(float(point[name])) for name in RATES}
        values["auc"] = _known(float(areas(p, error)[0])) if len(p) else None
        values |= {"ece": None, "brier": None} | dict(calibration(p, error))
        used = column.decisions.used
        values["coverage"] = float(column.decisions.known[used].mean()) if used.any() else None
        intervals = {
            name: _interval(np.concatenate(parts), options.confidence)
            for name, parts in draws.items()
            if values.get(name) is not None and name != "flagged"
        }
        result.append((values, intervals))
    return result


def _parts(block: Floats, cluster: NDArray[np.intp]) -> Iterator[Floats]:
    step = max(1, _AT_A_TIME // max(1, len(cluster)))
    for start in range(0, len(block), step):
        yield block[start : start + step, cluster]


def _known(value: float) -> float | None:
    return None if value != value else value


def _interval(values: Floats, confidence: float) -> Interval | None:
    known = values[~np.isnan(values)]
    if not len(known):
        return None
    tail = 50 * (1 - confidence)
    low, high = np.percentile(known, [tail, 100 - tail])
    return Interval(float(low), float(high))


def differences(first: Floats, second: Floats) -> Floats:
    """Differences of balanced accuracy by cluster, whose mean is the difference of the whole.

    Labels are the same for both, so balanced accuracy is linear in the counts, and exchanging
    the two evaluators' decisions on a cluster changes the sign of its difference alone.

    Args:
        first: Counts of one evaluator, shape ``(clusters, 4)``.
        second: Those of the other one on the same units.
    """
    total = first.sum(axis=0)
    errors, right = total[0] + total[2], total[1] + total[3]
    gap = first - second
    found: Floats = len(first) * (gap[:, 0] / errors + gap[:, 3] / right) / 2
    return found


def _tests(
    columns: Sequence[_Column], figures: Any, options: Options
) -> list[tuple[float | None, float | None, str]]:
    """For each column p, corrected p and the row it is held against."""
    found: list[tuple[float | None, float | None, str]] = [(None, None, "")] * len(columns)
    for level in dict.fromkeys(column.level for column in columns):
        own = [i for i, c in enumerate(columns) if c.level == level]
        plain = [i for i in own if columns[i].said.evaluator in BASELINES]
        judged = [
            i
            for i in own
            if i not in plain
            and columns[i].variant in ("", "leave", "unflagged")
            and figures[i][0]["balanced_accuracy"] is not None
        ]
        if not plain or not judged:
            continue
        best = max(plain, key=lambda i: figures[i][0]["balanced_accuracy"] or 0.0)
        pvalues = []
        for i in judged:
            mask = columns[i].decisions.used
            other = columns[best]
            held = _Column(
                other.said, level, "", other.units,
                Decisions(other.decisions.flagged, other.decisions.probability,
                          other.decisions.known, other.decisions.used & mask),
            )  # fmt: skip
            gap = differences(columns[i].counts(), held.counts())
            (p,) = paired_permutation_pvalues(
                gap[:, None], resamples=options.resamples, seed=options.seed
            )
            pvalues.append(float(p))
        for i, p, adjusted in zip(judged, pvalues, holm(pvalues), strict=True):
            if p == p:
                found[i] = (p, adjusted, columns[best].said.evaluator)
    return found


def _correlation(column: _Column, items: Sequence[Item]) -> dict[str, float | None]:
    """Pearson's r of each item's share of supported facts, by people and by the evaluator."""
    if column.level.name != "fact":
        return {}
    used = column.decisions.used
    size = np.bincount(column.units.item[used], minlength=len(items))
    truth = np.bincount(column.units.item[used], column.units.error[used], len(items))
    said = np.bincount(column.units.item[used], column.decisions.flagged[used], len(items))
    has = size > 0
    people, evaluator = truth[has] / size[has], said[has] / size[has]
    if len(people) < 2 or not people.std() or not evaluator.std():
        return {"r": None}
    return {"r": float(np.corrcoef(people, evaluator)[0, 1])}


def _usage(said: Said) -> dict[str, Any]:
    usage = Usage()
    for opinion in said.opinions:
        if opinion is not None:
            usage.merge(opinion.usage)
    if not usage.tallies:
        return {}
    total = usage.total()
    return {
        "calls": total.answers + total.failed,
        "tokens": total.prompt_tokens + total.completion_tokens,
        "cost": total.cost,
    }


def _statuses(said: Said) -> dict[str, int]:
    counts: dict[str, int] = {}
    for opinion in said.opinions:
        for judgement in () if opinion is None else opinion.judgements:
            counts[judgement.status] = counts.get(judgement.status, 0) + 1
    return counts


def _note(said: Said, items: Sequence[Item]) -> str:
    notes = []
    given = [opinion for opinion in said.opinions if opinion is not None]
    fallback = sum(opinion.fallback for opinion in given)
    if fallback:
        notes.append(f"references for {len(given) - fallback} of {len(given)}")
    out = sum(opinion.out_of_range for opinion in given)
    if out:
        notes.append(f"{out} numbers out of range")
    if given and len(given) < len(items):
        notes.append(f"predictions for {len(given)} of {len(items)}")
    return "; ".join(notes)
