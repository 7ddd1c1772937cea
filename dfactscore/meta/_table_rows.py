"""The rows of the table, which contain each evaluator's figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dfactscore._util.usage import Usage
from dfactscore.measures._bootstrap import Interval
from dfactscore.meta._baselines import BASELINES
from dfactscore.meta._data_sets import Block, Item
from dfactscore.meta._decision_columns import Decided, Opinions, Options, columns_of, threshold_name
from dfactscore.meta._figures import figures_of, tests_of
from dfactscore.meta._unit_decisions import LabeledUnits, recalls


@dataclass(frozen=True, kw_only=True)
class Row:
    """A table row: one evaluator's results on one block.

    Attributes:
        block: Name of the block, such as ``"felm wk"``.
        evaluator: Name of the evaluator.
        references: ``"all"`` responses, or those with a reference text (``"with-text"``).
        level: Name of the unit that is counted.
        variant: ``"right"`` or ``"wrong"`` if the row counts unreadable answers as such;
            ``"leave"`` or ``"unflagged"`` if it shows one treatment of missing predictions;
            otherwise empty.
        threshold: ``"own"``, ``"fitted"`` or the number.
        n: Number of units counted.
        of: Total number of units, including those that are not counted.
        errors: Number of errors among the counted units.
        figures: Figures as fractions, by name; None if undefined.
        intervals: Bootstrap intervals of the figures, by name; not every figure has one.
        by_kind: Recall and number of errors, by type of error.
        usage: Number of model calls and tokens, and their cost; empty if no model was called.
        statuses: Number of units by the status of their judgment.
        note: Remarks on the row, or empty.
        p: The p-value of the paired test against the best baseline; None if not tested.
        p_holm: The p-value after correction for all tests in the block.
        against: Name of the best baseline.
        better: Whether the balanced accuracy is significantly higher than the baseline's; None
            if not tested.
        clusters: For each cluster, the counts used in paired tests: true positives, false
            positives, false negatives, true negatives.
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
        """The row as nested JSON values."""
        first = (
            "block",
            "evaluator",
            "references",
            "level",
            "variant",
            "threshold",
            "n",
            "of",
            "errors",
        )
        return {
            **{name: getattr(self, name) for name in first},
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
        """The row as written to a CSV file."""
        row = self.to_dict()
        intervals, kinds, usage = (row.pop(k) for k in ("intervals", "recall_by_type", "usage"))
        row.pop("statuses")
        for name, interval in intervals.items():
            row[f"{name}_low"], row[f"{name}_high"] = interval or (None, None)
        row |= {f"recall_{kind}": value["recall"] for kind, value in kinds.items()}
        row |= usage
        return row


def block_rows(block: Block, judgments: Sequence[Opinions], options: Options) -> list[Row]:
    """Returns a block's rows: one per combination of references, evaluator, level and variant."""
    rows: list[Row] = []
    for references, places in parts_of(block, options):
        rows += _rows(block, places, references, judgments, options)
    return rows


def parts_of(block: Block, options: Options) -> Iterator[tuple[str, list[int]]]:
    """The choices of references that get rows, each with the indices of its items."""
    texts = [item.has_text for item in block.items]
    for references in ("all", "with-text"):
        if options.references not in (None, references):
            continue
        # If all items have a reference text, both choices are the same.
        same = all(texts) and options.references is None
        if references == "with-text" and (same or not any(texts)):
            continue
        yield references, [i for i, text in enumerate(texts) if text or references == "all"]


def _rows(
    block: Block,
    places: list[int],
    references: str,
    judgments: Sequence[Opinions],
    options: Options,
) -> list[Row]:
    items = [block.items[i] for i in places]
    units = LabeledUnits.of(items)
    columns: list[Decided] = []
    for judged in judgments:
        selected = Opinions(
            judged.evaluator, [judged.opinions[i] for i in places] if judged.opinions else []
        )
        columns += columns_of(block, units, selected, options)
    figures = figures_of(columns, units, options)
    tests = tests_of(columns, figures, options)
    return [
        Row(
            block=block.name,
            evaluator=column.judged.evaluator,
            references=references,
            level=column.level.name,
            variant=column.variant,
            threshold=threshold_name(column, options),
            n=int(column.decisions.used.sum()),
            of=len(column.units),
            errors=int((column.units.error & column.decisions.used).sum()),
            figures=values | _correlation(column, items),
            intervals=intervals,
            by_kind=recalls(column.units, column.decisions) if not column.level.merge else {},
            usage=_usage(column.judged),
            statuses=dict(Counter(j.status for o in column.judged.given for j in o.judgements)),
            note=_note(column.judged, items),
            **test._asdict(),
            clusters=_clusters(column),
        )
        for column, (values, intervals), test in zip(columns, figures, tests, strict=True)
    ]


def _clusters(column: Decided) -> dict[str, tuple[float, ...]]:
    """The counts by cluster; empty for rows that are not compared with other runs."""
    if column.judged.evaluator in BASELINES or column.variant not in ("", "leave"):
        return {}
    counts = column.counts().tolist()
    return {name: tuple(row) for name, row in zip(column.units.clusters, counts, strict=True)}


def _correlation(column: Decided, items: Sequence[Item]) -> dict[str, float | None]:
    """Pearson's r between the shares of supported facts given by people and by the evaluator."""
    if column.level.name != "fact":
        return {}
    used = column.decisions.used
    size = np.bincount(column.units.item[used], minlength=len(items))
    truth = np.bincount(column.units.item[used], column.units.error[used], len(items))
    flagged = np.bincount(column.units.item[used], column.decisions.flagged[used], len(items))
    has = size > 0
    people, evaluator = truth[has] / size[has], flagged[has] / size[has]
    if len(people) < 2 or not people.std() or not evaluator.std():
        return {"r": None}
    return {"r": float(np.corrcoef(people, evaluator)[0, 1])}


def _usage(judged: Opinions) -> dict[str, Any]:
    usage = Usage()
    for opinion in judged.given:
        usage.merge(opinion.usage)
    if not usage.tallies:
        return {}
    total = usage.total()
    return {
        "calls": total.answers + total.failed,
        "tokens": total.prompt_tokens + total.completion_tokens,
        "cost": total.cost,
    }


def _note(judged: Opinions, items: Sequence[Item]) -> str:
    notes, opinions = [], judged.given
    fallback = sum(opinion.fallback for opinion in opinions)
    if fallback:
        notes.append(f"references for {len(opinions) - fallback} of {len(opinions)}")
    out = sum(opinion.out_of_range for opinion in opinions)
    if out:
        notes.append(f"{out} numbers out of range")
    if opinions and len(opinions) < len(items):
        notes.append(f"predictions for {len(opinions)} of {len(items)}")
    return "; ".join(notes)
