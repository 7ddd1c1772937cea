"""Compares FACTOR runs on the same items using a paired permutation test and McNemar's test."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from dfactscore._errors import InputError, RunError
from dfactscore._results.signature import signature_lines, signature_of
from dfactscore._util.jsonl import read_json
from dfactscore._util.numbers import finite, mean, percent
from dfactscore._util.tables import csv_rows, csv_text
from dfactscore._util.validated import Count, Form, misfit
from dfactscore.factor._scoring import COMMAND
from dfactscore.measures._resampling import Interval, Pair, Tested, paired_tests
from dfactscore.measures._table import Column, Table, aligned, json_text
from dfactscore.work._work_folder import read_manifest


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The difference between the first and second run, on the items in both."""

    first: str
    second: str
    context: str
    n: int
    difference: float
    interval: Interval
    p: float
    p_holm: float
    only_first: int  # number of items that only the first, or only the second, run gets right
    only_second: int
    p_mcnemar: float


@dataclass(frozen=True)
class FactorComparison:
    """Runs of `factor score` side by side; printing it prints the tables."""

    levels: Sequence[Mapping[str, Any]]  # one row per run and context
    tests: Sequence[PairedTest]
    notes: Sequence[str] = ()  # settings that differ, and pairs that cannot be tested
    signatures: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self) -> str:
        """The tables as text."""
        columns = (
            Column("run", left=True, width=24),
            Column("context", left=True, width=10),
            *(Column(title, width=width) for title, width in _WIDTHS.items()),
        )
        rows = (
            (
                row["run"],
                row["context"],
                str(row["items"]),
                percent(row["accuracy"]),
                f"{percent(row['low'])}–{percent(row['high'])}",
                percent(row["accuracy_tie_credit"]),
                percent(row["pairwise"]),
            )
            for row in self.levels
        )
        lines = [aligned(Table(columns, tuple(rows)), gap=" ")]
        for test in self.tests:
            low, high = test.interval
            lines.append(
                f"{test.first} − {test.second} ({test.context}, {test.n} items): "
                f"{100 * test.difference:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}], "
                f"p {test.p:.3f}, Holm {test.p_holm:.3f}; only one right: {test.only_first} and "
                f"{test.only_second}, McNemar p {test.p_mcnemar:.3f}"
            )
        return "\n".join([*lines, *self.notes, *signature_lines(self.signatures)]) + "\n"

    def to_csv(self, part: str = "levels") -> str:
        """One part as CSV, with unrounded values."""
        if part == "levels":
            return csv_text(self.levels)
        return csv_text(_flat(test) for test in self.tests)

    def to_json(self) -> str:
        """Both parts as JSON."""
        parts = {
            "levels": self.levels,
            "differences": [_flat(test) for test in self.tests],
            "notes": self.notes,
            "signatures": self.signatures,
        }
        return json_text(parts)


_WIDTHS = {"items": 5, "accuracy": 8, "95 %": 12, "ties shared": 11, "pairs": 6}


def _flat(test: PairedTest) -> dict[str, Any]:
    row = asdict(test)
    low, high = row.pop("interval")
    values = {**row, "low": low, "high": high}
    return {k: finite(v) if isinstance(v, float) else v for k, v in values.items()}


def is_factor_run(path: str | Path) -> bool:
    """Whether a folder contains a run of `factor score`."""
    try:
        manifest = read_json(Path(path) / "manifest.json", error=RunError)
    except RunError:
        return False
    return isinstance(manifest, dict) and manifest.get("command") == COMMAND


def mcnemar(only_first: int, only_second: int) -> float:
    """The p-value of McNemar's exact two-sided test.

    Example:
        >>> mcnemar(1, 9)
        0.021484375
    """
    n = only_first + only_second
    if n == 0:
        return 1.0
    tail = sum(math.comb(n, k) for k in range(min(only_first, only_second) + 1))
    return float(min(1.0, 2 * tail / 2**n))


def compare_factor(
    runs: Mapping[str, str | Path],
    *,
    confidence: float = 0.95,
    resamples: int = 10_000,
    seed: int = 0,
) -> FactorComparison:
    """Compares finished runs."""
    tables = {label: _table(Path(path)) for label, path in runs.items()}
    levels = []
    for label, path in runs.items():
        for context, summary in _summaries(Path(path), _only_context(tables[label])).items():
            levels.append(
                {
                    "run": label,
                    "context": context,
                    "items": summary.items,
                    "accuracy": summary.accuracy,
                    "low": summary.interval[0],
                    "high": summary.interval[1],
                    "accuracy_tie_credit": summary.accuracy_tie_credit,
                    "pairwise": summary.pairwise_accuracy,
                }
            )
    manifests = {label: read_manifest(Path(path) / "manifest.json") for label, path in runs.items()}
    notes = _unlike(manifests)
    named: list[tuple[str, str, str]] = []
    pairs: list[Pair] = []
    for first, second in combinations(tables, 2):
        shared = [c for c in tables[first] if c in tables[second]]
        if not shared:
            notes.append(f"{first} and {second}: no context in common")
        for context in shared:
            pair = _pair(tables[first][context], tables[second][context])
            if pair is None:
                notes.append(f"{first} and {second}: fewer than two items in common")
            else:
                named.append((first, second, context))
                pairs.append(pair)
    tested = paired_tests(pairs, confidence=confidence, resamples=resamples, seed=seed)
    tests = [
        _test(*names, pair, result)
        for names, pair, (result,) in zip(named, pairs, tested, strict=True)
    ]
    signatures = {label: signature_of(manifest) for label, manifest in manifests.items()}
    return FactorComparison(levels, tests, notes, signatures)


def _only_context(table: Mapping[str, Any]) -> str:
    return next(iter(table), "none")


class _Summary(Form):
    items: Count
    accuracy: float | None
    interval: Annotated[tuple[float | None, float | None], Field(strict=False)]
    accuracy_tie_credit: float | None
    pairwise_accuracy: float | None


def _summaries(folder: Path, context: str) -> dict[str, _Summary]:
    """A run's summaries, by context."""
    place = folder / "summary.json"
    about = read_json(place, error=InputError)
    contexts = about.get("contexts") if isinstance(about, Mapping) else None
    summaries = contexts if isinstance(contexts, Mapping) and contexts else {context: about}
    for summary in summaries.values():
        if problem := misfit(_Summary, summary):
            raise InputError(f"{place}: damaged ({problem}); run 'dfactscore factor score' again")
    return {name: _Summary.model_validate(summary) for name, summary in summaries.items()}


def _table(folder: Path) -> dict[str, dict[str, tuple[float, str]]]:
    """For each context and item, the share of readings that are right, and the cluster."""
    place = folder / "scores.csv"
    if not place.exists():
        raise InputError(f"{folder}: an unfinished run, it has no scores.csv")
    values: dict[str, dict[str, list[float]]] = {}
    clusters: dict[str, str] = {}
    columns = ("id", "cluster", "context", "right")
    for _, row in csv_rows(place, columns, error=InputError):
        of = values.setdefault(row["context"], {}).setdefault(row["id"], [])
        of.append(float(row["right"] == "true"))
        clusters[row["id"]] = row["cluster"]
    return {
        context: {key: (mean(numbers) or 0.0, clusters[key]) for key, numbers in items.items()}
        for context, items in values.items()
    }


def _pair(a: Mapping[str, tuple[float, str]], b: Mapping[str, tuple[float, str]]) -> Pair | None:
    common = [key for key in a if key in b]
    if len(common) < 2:
        return None
    differences = np.array([a[key][0] - b[key][0] for key in common])
    return Pair(differences[:, None], [a[key][1] for key in common])


def _test(first: str, second: str, context: str, pair: Pair, result: Tested) -> PairedTest:
    only_first = int((pair.differences > 0).sum())
    only_second = int((pair.differences < 0).sum())
    return PairedTest(
        first, second, context, result.n, result.difference, result.interval, result.p,
        result.p_holm, only_first, only_second, mcnemar(only_first, only_second),
    )  # fmt: skip


def _unlike(manifests: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Notes on settings that differ between runs."""
    settings = {label: manifest["settings"] for label, manifest in manifests.items()}
    notes = []
    for key in ("column", "normalize", "policy", "contexts", "retrieval"):
        values = {
            label: json.dumps(run_settings.get(key)) for label, run_settings in settings.items()
        }
        if len(set(values.values())) > 1:
            differing = ", ".join(f"{value} in {label}" for label, value in values.items())
            notes.append(f"scored differently: {key} is {differing}")
    return notes
