"""Compares evaluators of meta-evaluations using paired tests, and the judges of two runs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from dfactscore._errors import RunError
from dfactscore._results.judge import judge_name
from dfactscore._results.signature import signature_lines
from dfactscore._runs import load_run
from dfactscore._runs.judge_accuracy import read_evaluation
from dfactscore._scoring.record import Record
from dfactscore._util.jsonl import read_jsonl
from dfactscore._util.numbers import counted, number, percent, with_sign
from dfactscore._util.tables import csv_text
from dfactscore._util.validated import Form, Text, misfit
from dfactscore.comparison._comparison_tables import pvalue
from dfactscore.measures._agreement import kappa_of_table, rates
from dfactscore.measures._resampling import Pair, paired_tests
from dfactscore.measures._table import Column, Table, aligned, json_text
from dfactscore.meta._figures import differences
from dfactscore.meta._judgements import BASELINES

Place = tuple[str, str, str]
_COLUMNS = ("f1", "balanced_accuracy", "kappa", "auc", "coverage")


@dataclass(frozen=True, slots=True)
class MetaDifference:
    """The difference between two evaluators on the clusters that both judged."""

    block: str
    references: str  # `"all"` responses, or those with a reference text (`"with-text"`)
    level: str
    first: str
    second: str
    clusters: int
    difference: float  # balanced accuracy of the first minus that of the second, as a fraction
    p: float  # P-value of a two-sided paired permutation test over clusters
    p_holm: float
    significant: bool  # whether the corrected p-value is below the significance level


@dataclass(frozen=True)
class MetaComparison:
    """A comparison of the evaluators of several evaluations; `str` gives the tables.

    Attributes:
        rows: The rows of all evaluations; if there are several folders, ``evaluator`` includes the
            folder.
        differences: One entry per pair of evaluators, block and level.
        notes: Remarks below the tables.
        signatures: By evaluator, the line to quote in a paper so that its rows can be reproduced.
    """

    rows: tuple[Mapping[str, Any], ...]
    differences: tuple[MetaDifference, ...]
    notes: tuple[str, ...] = ()
    signatures: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self) -> str:
        """The figures for all evaluators, followed by the differences between them."""
        place = tuple(Column(title, left=True) for title in ("block", "references", "level"))
        titles = ("n", "F1", "bal.", "κ", "AUC", "cov.")
        columns = (*place, Column("evaluator", left=True), *map(Column, titles))
        lines = [aligned(Table(columns, tuple(map(_level, self.rows))))]
        if self.differences:
            headers = ("clusters", "points", "p", "Holm", "")
            columns = (*place, Column("difference", left=True), *map(Column, headers))
            rows = tuple(
                (
                    d.block,
                    d.references,
                    d.level,
                    f"{d.first} − {d.second}",
                    str(d.clusters),
                    with_sign(100 * d.difference),
                    pvalue(d.p),
                    pvalue(d.p_holm),
                    "*" if d.significant else "n.s.",
                )
                for d in self.differences
            )
            lines += ["", aligned(Table(columns, rows))]
            lines.append(
                "Differences of balanced accuracy, paired over clusters; Holm over all tests."
            )
        return "\n".join([*lines, *self.notes, *signature_lines(self.signatures)]) + "\n"

    def to_json(self) -> str:
        """Rows, differences, notes and signatures as JSON."""
        differences = [asdict(d) for d in self.differences]
        return json_text(
            {
                "rows": self.rows,
                "differences": differences,
                "notes": self.notes,
                "signatures": self.signatures,
            }
        )

    def to_csv(self) -> str:
        """The differences as CSV, with one difference per line."""
        return csv_text(
            [asdict(d) for d in self.differences],
            ("block", "references", "level", "first", "second", "clusters", "difference", "p",
             "p_holm", "significant"),
        )  # fmt: skip


def _level(row: Mapping[str, Any]) -> tuple[str, ...]:
    f1, balanced, kappa, auc, coverage = (row.get(name) for name in _COLUMNS)
    return (
        row["block"],
        row["references"],
        row["level"],
        row["evaluator"],
        str(row["n"]),
        percent(f1, missing="–"),
        percent(balanced, missing="–"),
        number(kappa, digits=3, missing="–"),
        percent(auc, missing="–"),
        percent(coverage, digits=0, missing="–"),
    )


def compare_runs(
    *folders: str | Path, confidence: float = 0.95, resamples: int = 10_000, seed: int = 0
) -> MetaComparison:
    """Compares the evaluators in folders written by ``meta run``.

    Args:
        *folders: The folders.
        confidence: Confidence level; tests use the significance level ``1 - confidence``.
        resamples: Number of random permutations.
        seed: Random seed for the permutations.

    Raises:
        RunError: If a folder is not a finished meta-evaluation.
    """
    if not folders:
        raise RunError("nothing to compare: give at least one folder of 'dfactscore meta run'")
    rows: list[dict[str, Any]] = []
    counts: dict[Place, dict[str, dict[str, tuple[float, ...]]]] = {}
    notes: list[str] = []
    signatures: dict[str, str] = {}
    seen: set[tuple[Place, str]] = set()
    for path in map(Path, folders):
        manifest, scores = read_evaluation(path)
        if manifest["status"] != "complete":
            notes.append(f"{path}: some responses got no answer; run it again")
        prefix = f"{path.name}: " if len(folders) > 1 else ""
        for name, signature in scores.get("signatures", {}).items():
            signatures.setdefault(f"{prefix}{name}", signature)
        for row in scores["rows"]:
            is_baseline = row["evaluator"] in BASELINES
            name = row["evaluator"] if is_baseline else f"{prefix}{row['evaluator']}"
            name += f" ({row['variant']})" if row["variant"] else ""
            place = (row["block"], row["references"], row["level"])
            if (place, name) in seen:
                if not is_baseline:
                    notes.append(f"two runs are called {name!r}; the first one counts")
                continue
            seen.add((place, name))
            rows.append({**row, "evaluator": name})
        for line, record in read_jsonl(path / "clusters.jsonl", error=RunError):
            if problem := misfit(_Clusters, record):
                raise _damaged(line, problem)
            place = (record["block"], record["references"], record["level"])
            by_evaluator = counts.setdefault(place, {})
            by_evaluator.setdefault(
                prefix + record["evaluator"], {k: tuple(v) for k, v in record["clusters"]}
            )
    blocks = {block: i for i, block in enumerate(dict.fromkeys(row["block"] for row in rows))}
    rows.sort(key=lambda row: (blocks[row["block"]], row["references"], row["level"]))
    entries = _differences(counts, confidence, resamples, seed)
    return MetaComparison(tuple(rows), tuple(entries), tuple(dict.fromkeys(notes)), signatures)


_Counts = Annotated[tuple[float, float, float, float], Field(strict=False)]


class _Clusters(Form):
    block: Text
    references: Text
    level: Text
    evaluator: Text
    clusters: list[Annotated[tuple[Text, _Counts], Field(strict=False)]]


def _damaged(line: object, problem: object) -> RunError:
    return RunError(f"{line}: damaged ({problem}); run 'dfactscore meta run' again")


def _differences(
    counts: Mapping[Place, Mapping[str, Mapping[str, tuple[float, ...]]]],
    confidence: float,
    resamples: int,
    seed: int,
) -> list[MetaDifference]:
    compared: list[tuple[Place, str, str, float]] = []
    pairs: list[Pair] = []
    for place, by_evaluator in counts.items():
        for first, second in combinations(by_evaluator, 2):
            shared = [
                c
                for c in by_evaluator[first]
                if _labels(by_evaluator[first][c]) == _labels(by_evaluator[second].get(c))
            ]
            a, b = (_table(by_evaluator[name], shared) for name in (first, second))
            values = [float(rates(t.sum(axis=0))["balanced_accuracy"]) for t in (a, b)]
            if any(value != value for value in values):
                continue
            compared.append((place, first, second, values[0] - values[1]))
            pairs.append(Pair(differences(a, b)[:, None]))
    tests = paired_tests(
        pairs, confidence=confidence, resamples=resamples, seed=seed, intervals=False
    )
    return [
        MetaDifference(
            *place, first, second, test.n, difference, test.p, test.p_holm, test.significant
        )
        for (place, first, second, difference), (test,) in zip(compared, tests, strict=True)
    ]


def _labels(counts: tuple[float, ...] | None) -> tuple[float, float] | None:
    """The number of units in a cluster labeled as errors, and the number of other units."""
    return None if counts is None else (counts[0] + counts[2], counts[1] + counts[3])


def _table(counts: Mapping[str, tuple[float, ...]], names: Sequence[str]) -> NDArray[np.float64]:
    return np.array([counts[name] for name in names], dtype=np.float64).reshape(len(names), 4)


@dataclass(frozen=True, slots=True)
class RunAgreement:
    """The agreement of two runs' judges and groupers, in pairs of a fact and a page, and texts."""

    first: str  # the judges
    second: str
    texts: int  # texts in both runs
    pairs: int  # pairs that both judges read
    unread: int  # pairs that one of the judges did not read
    both: int  # pairs that both judges call supported
    only_first: int
    only_second: int
    same_facts: int  # grouped texts with the same facts in both runs
    same_groups: int

    @property
    def agree(self) -> float:
        """The share of pairs with equal verdicts."""
        return 1 - (self.only_first + self.only_second) / self.pairs

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa of the verdicts; None if both judges give one verdict only."""
        neither = self.pairs - self.both - self.only_first - self.only_second
        return kappa_of_table([[self.both, self.only_first], [self.only_second, neither]])

    def _row(self) -> dict[str, Any]:
        return {**asdict(self), "agree": round(self.agree, 6), "kappa": self.kappa}

    def to_text(self) -> str:
        """Formats the agreement as lines."""
        shares = [
            percent((self.both + only) / self.pairs) for only in (self.only_first, self.only_second)
        ]
        unread = f" (and {self.unread} that one did not read)" if self.unread else ""
        lines = (
            f"first: {self.first}, second: {self.second}",
            f"{counted(self.pairs, 'pair')} of a fact and a page in "
            f"{counted(self.texts, 'text')}{unread}",
            f"equal verdicts: {percent(self.agree)} %, kappa {number(self.kappa)}",
            f"supported: {shares[0]} % by the first, {shares[1]} % by the second; "
            f"only by the first {self.only_first}, only by the second {self.only_second}",
            f"groups: equal in {self.same_groups} of {self.same_facts} texts with equal facts",
        )
        return "\n".join(lines) + "\n"

    def to_json(self) -> str:
        """Formats the agreement as JSON."""
        return json_text(self._row())

    def to_csv(self) -> str:
        """Formats the agreement as CSV."""
        return csv_text([self._row()])


def run_agreement(first: Path, second: Path) -> RunAgreement:
    """Compares the verdicts and groups of two runs, text by text."""
    runs = load_run(first), load_run(second)
    others = {_key(record): record for record in runs[1].records(texts=False)}
    counts: Counter[str] = Counter()
    for record in runs[0].records(texts=False):
        other = others.get(_key(record))
        if other is not None and record.matrix is not None and other.matrix is not None:
            counts["texts"] += 1
            counts.update(_compared(record, other))
    if not counts["pairs"]:
        raise RunError(
            f"{first} and {second}: no fact was judged against the same page in both; the facts "
            "must be equal: give them in the input (field 'facts'), or use one decomposer"
        )
    one, two = (judge_name(run.settings) for run in runs)
    numbers = {name: counts[name] for name in RunAgreement.__slots__[2:]}
    return RunAgreement(one, two, **numbers)


def _key(record: Record) -> tuple[str, str]:
    return record.id, record.biography.name


def _compared(first: Record, second: Record) -> Iterator[str]:
    """Yields what the pairs of a text count as."""
    pages = _positions([entity.id for entity in second.entities])
    facts = _positions([fact.text for fact in second.facts])
    for text, rows in _positions([fact.text for fact in first.facts]).items():
        for row, other_row in zip(rows, facts.get(text, ()), strict=False):
            for column, entity in enumerate(first.entities):
                for other_column in pages.get(entity.id, ()):
                    yield from _cell(first, (row, column), second, (other_row, other_column))
    if [fact.text for fact in first.facts] == [fact.text for fact in second.facts]:
        partitions = [sorted(group.facts for group in one.groups or ()) for one in (first, second)]
        if all(partitions):
            yield "same_facts"
            if partitions[0] == partitions[1]:
                yield "same_groups"


def _cell(
    first: Record, cell: tuple[int, int], second: Record, other: tuple[int, int]
) -> Iterator[str]:
    assert first.matrix is not None
    assert second.matrix is not None
    if not (first.matrix.readable[cell] and second.matrix.readable[other]):
        yield "unread"
        return
    verdicts = bool(first.matrix.support[cell]), bool(second.matrix.support[other])
    yield "pairs"
    names = {(True, True): "both", (True, False): "only_first", (False, True): "only_second"}
    if verdicts in names:
        yield names[verdicts]


def _positions(names: Sequence[str]) -> Mapping[str, list[int]]:
    positions: dict[str, list[int]] = defaultdict(list)
    for position, name in enumerate(names):
        positions[name].append(position)
    return positions
