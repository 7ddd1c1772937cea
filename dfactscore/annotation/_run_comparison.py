"""Compares an automatic run with annotations, by paragraph and by fact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dfactscore._errors import InputError
from dfactscore._runs import load_run
from dfactscore.annotation._assigned_paragraphs import Item
from dfactscore.annotation._measures import Figured, Sums, drawn_interval, kappa_figure
from dfactscore.annotation._paragraphs import automatic_of, public_text
from dfactscore.measures._error_rates import areas, rates


@dataclass(frozen=True, slots=True)
class Matched:
    """A run's results for a paragraph."""

    scores: Mapping[str, float | None]  # `fs`, `dfs`, `n_bio` and `n_ent`; None if undefined
    facts: Sequence[Mapping[str, Any]] | None


def stored(item: Item) -> Matched:
    """The results from the run that the paragraph comes from."""
    results = item.automatic
    scores = {key: results.get(key) for key in ("fs", "dfs", "n_bio", "n_ent")}
    return Matched(scores, results.get("facts"))


def match_runs(folders: Sequence[Path], items: Sequence[Item]) -> dict[int, Matched]:
    """Finds a study's paragraphs in other runs, by name and text."""
    by_text: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        by_text.setdefault((item.name, item.text), []).append(item)
    matches: dict[int, Matched] = {}
    homes: dict[int, Path] = {}
    for folder in folders:
        for record in load_run(folder).records(texts=False):
            key = (public_text(record.name), public_text(record.biography.text))
            same = by_text.get(key, [])
            same_record = [item for item in same if item.record == public_text(record.id)]
            for item in same_record or same:
                if item.id in homes and homes[item.id] != folder:
                    raise InputError(
                        f"{folder}: has paragraph {record.id!r} of {homes[item.id]}, too; report "
                        "runs of the same paragraphs one at a time"
                    )
                homes[item.id] = folder
                results = automatic_of(record)
                equal = [public_text(f.text) for f in record.facts] == list(item.facts)
                matches[item.id] = Matched(results, results["facts"] if equal else None)
    if not matches:
        names = ", ".join(map(str, folders))
        raise InputError(f"{names}: contains no paragraph of the study")
    # The results, keyed by paragraph row, including verdicts if the run has the same facts.
    return matches


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact in the comparison between people and the run."""

    supported: bool
    verdict: bool
    probability: float
    same_link: bool = True


@dataclass(frozen=True, slots=True)
class FactScores:
    """Agreement between automatic verdicts and human labels on facts."""

    balanced_accuracy: Figured
    kappa: Figured
    auc: Figured  # area under the ROC curve of the probability
    table: tuple[tuple[int, int], tuple[int, int]]


def fact_scores(
    paragraphs: Sequence[Sequence[FactRow]], *, resamples: int = 10_000, seed: int = 0
) -> FactScores:
    """Compares verdicts with human labels, and resamples paragraphs to compute intervals."""
    rows = [row for facts in paragraphs for row in facts]
    counts = np.zeros((len(paragraphs), 4))
    for line, facts in zip(counts, paragraphs, strict=True):
        for row in facts:
            line[(not row.supported) + 2 * (not row.verdict)] += 1
    tp, fp, fn, tn = (int(n) for n in counts.sum(axis=0)) if len(counts) else (0, 0, 0, 0)
    reason = ""
    if not rows:
        reason = "no fact has label and verdict"
    elif not tp + fn or not fp + tn:
        reason = "people gave one label only"
    accuracy = Figured(None, n=len(rows), reason=reason)
    auc = accuracy
    if not reason:

        def balanced(sums: Sums) -> Sums:
            return rates(sums)["balanced_accuracy"]

        interval = drawn_interval(counts, balanced, resamples=resamples, seed=seed)
        accuracy = Figured(float(balanced(counts.sum(axis=0))), interval, len(rows))
        wrong = np.array([not row.supported for row in rows])
        (area,) = areas(np.array([row.probability for row in rows]), wrong)
        auc = Figured(float(area), None, len(rows))
    pairs = [[(row.supported, row.verdict) for row in facts] for facts in paragraphs if facts]
    return FactScores(accuracy, kappa_figure(pairs, resamples, seed), auc, ((tp, fn), (fp, tn)))
