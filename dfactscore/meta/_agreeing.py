"""Measures how far the judges of two runs agree on the facts and pages that both judged."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dfactscore._errors import RunError
from dfactscore._results.judge import judge_name
from dfactscore._runs import load_run
from dfactscore._scoring.record import Record
from dfactscore._util.numbers import counted, number, percent
from dfactscore._util.tables import csv_text
from dfactscore.measures._agreement import kappa_of_table
from dfactscore.measures._table import json_text


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
