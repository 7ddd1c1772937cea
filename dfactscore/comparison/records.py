"""A comparison as rows, CSV and JSON, unrounded."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._util.csv_text import csv_text
from dfactscore._util.files import dump_json
from dfactscore.comparison.scores import MEASURES
from dfactscore.scoring.category import CATEGORIES

if TYPE_CHECKING:
    from dfactscore.comparison.result import Comparison

__all__ = ["rows", "to_csv", "to_json"]


def rows(comparison: Comparison, part: Literal["levels", "differences"]) -> list[dict[str, Any]]:
    """One flat mapping per run (``levels``) or per pair and score (``differences``)."""
    if part == "levels":
        return [_level_row(comparison, i) for i in range(len(comparison.models))]
    if part == "differences":
        return [
            {
                "first": d.first,
                "second": d.second,
                "measure": d.measure,
                "n": d.n,
                "difference": d.difference,
                "low": d.interval.low,
                "high": d.interval.high,
                "effect": d.effect,
                "p": d.p,
                "p_holm": d.p_holm,
                "significant": d.significant,
            }
            for d in comparison.differences
        ]
    raise ValueError(f"unknown part {part!r}; choose levels or differences")


def _level_row(comparison: Comparison, index: int) -> dict[str, Any]:
    model = comparison.models[index]
    row: dict[str, Any] = {"model": model.label, "n": model.n, "answered": model.answered,
                           "scored": model.scored}  # fmt: skip
    if model.evidence:
        row["evidence"] = model.evidence
    have = dict.fromkeys(m for other in comparison.models for m in other.levels)
    present = [m for m in dict.fromkeys((*MEASURES, *have)) if m in have]
    if comparison.shown:
        parts = {"categories": CATEGORIES}
        wanted = [m for key in comparison.shown for m in parts.get(key, (key,))]
        present = [m for m in wanted if m in MEASURES or m in have]
    for measure in present:
        level = model.levels.get(measure)
        interval = level.interval if level else None
        row[measure] = level.mean if level else None
        row[f"{measure}_low"] = interval.low if interval else None
        row[f"{measure}_high"] = interval.high if interval else None
        row[f"{measure}_n"] = level.n if level else None
        if measure in ("fs", "dfs", "gap"):
            row[f"{measure}_exceeds"] = comparison.marks(model.label, measure)
    return row


def to_csv(comparison: Comparison, part: Literal["levels", "differences"]) -> str:
    """One part as CSV with a header line."""
    return csv_text(rows(comparison, part))


def to_json(comparison: Comparison) -> str:
    """Levels, differences, ranks, settings and notes."""
    document = {
        "confidence": comparison.confidence,
        "resamples": comparison.resamples,
        "seed": comparison.seed,
        "levels": rows(comparison, "levels"),
        "differences": rows(comparison, "differences"),
        "ranks": asdict(comparison.ranks) if comparison.ranks else None,
        "notes": list(comparison.notes),
    }
    return dump_json(_finite(document), indent=2) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None  # JSON has no NaN
    if isinstance(value, dict):
        return {k: _finite(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(v) for v in value]
    return value
