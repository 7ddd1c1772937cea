"""Scores blocks of biographies from their journal lines, and adds up the totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dfactscore._results.tables import score_row, scores_csv
from dfactscore._runs import record_json
from dfactscore._runs.run import (
    BiographyLines,
    document_digests,
    no_text,
    parse_lines,
    text_digests,
)
from dfactscore._scoring.record import Record, failed_record
from dfactscore._scoring.score import score_record
from dfactscore._scoring.score_options import ScoreOptions
from dfactscore._scoring.summary import SummaryTally
from dfactscore.linking import STATUSES, CandidateMode, Status

_UNREAD: tuple[Status, ...] = ("error", "unparsed")


@dataclass
class MissingTitles:
    """Titles missing from a knowledge source."""

    titles: int = 0
    texts: int = 0
    replaced: int = 0
    first: str = ""

    def merge(self, later: MissingTitles) -> None:
        """Adds the counts of later biographies."""
        self.titles += later.titles
        self.texts += later.texts
        self.replaced += later.replaced
        self.first = self.first or later.first


@dataclass
class Totals:
    """Totals over scored biographies."""

    means: SummaryTally = field(default_factory=SummaryTally)
    failed: int = 0
    first_failure: str = ""  # id of the first biography on which a role failed, and the reason
    # Number of verdicts that are `"error"` or `"unparsed"`. If verdicts were not supplied in the
    # input, their total number (`"pairs"`) and the number that a cascade sent to its second
    # verifier (`"sent"`) are included.
    verdicts: Counter[str] = field(default_factory=Counter)
    missing: MissingTitles = field(default_factory=MissingTitles)
    not_english: Counter[str] = field(default_factory=Counter)
    asked: bool = False

    def add(self, record: Record, *, has_given_verdicts: bool) -> None:
        """Adds a scored record."""
        self.means.add(record)
        if is_failed(record):
            self.failed += 1
            if record.status in ("error", "grouping_failed") and not self.first_failure:
                self.first_failure = f"{record.id!r}: {record.reason}"
        if record.status == "not_english":
            self.not_english[record.reason] += 1
        if record.status not in ("abstained", "no_answer", "failed", "no_facts") and record.missing:
            replaced = int(bool(record.biography.passages))
            self.missing.merge(MissingTitles(len(record.missing), 1, replaced, record.missing[0]))
        if (matrix := record.matrix) is not None:
            for status in _UNREAD:
                self.verdicts[status] += int((matrix.status == STATUSES.index(status)).sum())
            if not has_given_verdicts:
                self.verdicts["pairs"] += matrix.status.size
                self.verdicts["sent"] += 0 if matrix.sent is None else int(matrix.sent.sum())

    def merge(self, later: Totals) -> None:
        """Adds the totals of later biographies."""
        self.means.merge(later.means)
        self.failed += later.failed
        self.first_failure = self.first_failure or later.first_failure
        self.verdicts.update(later.verdicts)
        self.missing.merge(later.missing)
        self.not_english.update(later.not_english)
        self.asked |= later.asked


def is_failed(record: Record) -> bool:
    """Whether a role or service failed, or verdicts that the scores need could not be read."""
    return record.status in ("error", "failed", "grouping_failed", "partly_judged", "not_judged")


@dataclass
class ScoredBlock:
    """A block of scored biographies."""

    table: str = ""  # rows of `scores.csv`, as text
    rows: list[Mapping[str, Any]] = field(default_factory=list)
    errors: list[dict[str, Any]] = field(default_factory=list)
    totals: Totals = field(default_factory=Totals)
    columns: list[tuple[str, ...]] = field(default_factory=list)
    # The distinct digests of all documents and passages, in order.
    texts: dict[str, None] = field(default_factory=dict)


@dataclass(frozen=True)
class ScoreBlock:
    """A function that scores blocks of biographies from their journal lines."""

    folder: Path  # run folder, used only in messages; no file in it is read
    options: ScoreOptions
    candidates: CandidateMode
    # Titles of each name's entities, used if candidates is `"dataset"`.
    dataset: Mapping[str, Collection[str]]
    outside: Mapping[str, Collection[str]] = field(default_factory=dict)
    hold: bool = False
    given_keys: Collection[str] = ()
    fetch: Callable[[str], str] = no_text
    each: Callable[[Record], None] | None = None

    def __call__(self, block: Sequence[BiographyLines]) -> ScoredBlock:
        """Scores a block."""
        scored = ScoredBlock()
        rows: list[Mapping[str, Any]] = []
        for lines in block:
            biography, stages = parse_lines(self.folder, lines)
            record = self._scored(record_json.record_from_json(biography, stages, self.fetch))
            cells = stages["verdicts"]
            scored.columns += document_digests(cells)
            scored.texts.update(dict.fromkeys(text_digests(biography, cells)))
            scored.totals.asked |= any(row and "usage" in row for row in stages.values())
            scored.totals.add(record, has_given_verdicts=record.key in self.given_keys)
            if is_failed(record):
                error = {"id": record.id, "stage": record.status, "reason": record.reason}
                scored.errors.append(error)
            if self.each is not None:
                self.each(record)
            rows.append(score_row(record))
        scored.table = scores_csv(rows, header=False)
        scored.rows = rows if self.hold else []
        return scored

    def _scored(self, record: Record) -> Record:
        """Scores a record; an unexpected exception is recorded as its error."""
        try:
            return score_record(
                record,
                options=self.options,
                candidates=self.candidates,
                dataset=self.dataset.get(record.name, ()),
                outside=self.outside.get(record.name, ()),
            )
        except Exception as error:
            return failed_record(record, error)
