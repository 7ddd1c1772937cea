"""The head of the report: what the run scores, with intervals, and how it was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore.comparison import Level, compare
from dfactscore.mixing.run import RunMixing
from dfactscore.scoring.category import CATEGORY_LABELS
from dfactscore.scoring.summary import Summary

__all__ = ["report_summary", "settings_rows"]


def report_summary(
    rows: Sequence[Mapping[str, Any]], means: Summary, mixing: RunMixing
) -> dict[str, Any]:
    """Means, intervals, shares and parts of the gap, as fractions.

    Args:
        rows: The rows of ``scores.csv``.
        means: Their means.
        mixing: Their mixing.
    """
    levels = compare({"run": rows}, by="run").models[0].levels if rows else {}
    mixed = mixing.summary()
    return {
        "n": means.n,
        "scored": means.n_scored,
        "statuses": dict(means.statuses),
        "fs": _level(means.fs, levels.get("fs")),
        "dfs": _level(means.dfs, levels.get("dfs")),
        "gap": _level(means.gap, levels.get("gap")),
        "oneGroup": means.dfs_one_group,
        "nBio": means.n_bio,
        "nEnt": means.n_ent,
        "nBioNamed": means.n_bio_named,
        "nEntNamed": means.n_ent_named,
        "nFacts": means.n_facts,
        "responseRate": means.response_rate,
        "coverage": means.coverage,
        "categories": dict(means.categories),
        "kinds": dict(CATEGORY_LABELS),
        "kept": _level(means.kept, levels.get("kept")),
        "mixed": means.mixed,
        "models": _models(rows) if len(means.models) > 1 else [],
        "offTarget": means.off_target,
        "mixedGroups": mixed.mixed_groups,
        "sameName": mixed.same_name,
        "otherPage": mixed.other_page,
        "linkConflict": mixed.link_conflict,
    }


def _models(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What each model of the run scores by itself."""
    found = compare({"run": rows}, by="model", tests=False).models
    shown = ("fs", "dfs", "kept", "gap")
    return [
        {
            "label": model.label,
            "n": model.n,
            "scored": model.scored,
            **{m: _level(_mean(model.levels.get(m)), model.levels.get(m)) for m in shown},
            "mixed": _mean(model.levels.get("mixed")),
        }
        for model in found
    ]


def _mean(level: Level | None) -> float | None:
    return None if level is None else level.mean


def _level(mean: float | None, level: Level | None) -> dict[str, Any]:
    interval = level.interval if level else None
    known = interval is not None and interval.low == interval.low  # NaN for a single name
    return {
        "mean": mean,
        "low": interval.low if interval and known else None,
        "high": interval.high if interval and known else None,
    }


def settings_rows(settings: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Settings as label and value, nested ones with a dotted label."""
    rows: list[tuple[str, str]] = []
    for key, value in settings.items():
        label = f"{prefix}{key}"
        if isinstance(value, Mapping):
            rows += settings_rows(value, f"{label}.")
        elif value is not None and value != "" and value != []:
            rows.append((label, str(value)))
    return rows
