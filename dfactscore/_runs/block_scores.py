"""Accumulates a run's totals block by block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dfactscore._results.tables import score_row, scores_csv
from dfactscore._runs import record_json
from dfactscore._runs.run import Lines, no_text, read_lines
from dfactscore._scoring.biography import ScoreOptions
from dfactscore._scoring.record import Record
from dfactscore._scoring.score import score_record
from dfactscore._scoring.summary import SummaryTally
from dfactscore._util.exception_text import is_of_all, where_raised
from dfactscore.linking import STATUSES, CandidateMode, Status
from dfactscore.work._journal import read_line

_UNREAD: tuple[Status, ...] = ("error", "unparsed")


@dataclass
class Missing:
    """Titles that a knowledge source lacks.

    Attributes:
        titles: The number of titles.
        texts: In how many biographies.
        replaced: In how many of them passages were taken instead.
        first: Message of the source about the first.
    """

    titles: int = 0
    texts: int = 0
    replaced: int = 0
    first: str = ""

    def add(self, other: Missing) -> None:
        """Adds the counts of later blocks."""
        self.titles += other.titles
        self.texts += other.texts
        self.replaced += other.replaced
        self.first = self.first or other.first


@dataclass
class BlockTally:
    """Results of a block of biographies.

    Attributes:
        table: Their rows of ``scores.csv``.
        rows: The same as mappings, if they are held.
        means: Their means.
        failed: Id, status and reason of those on which a role failed.
        verdicts: The number that are ``"error"`` or ``"unparsed"``, and that a cascade ``"sent"``
            on, of the ``"pairs"`` that were not given with the input.
        missing: Titles without a page.
        not_english: The reasons why texts were not read, with their counts.
        asked: Whether a model was asked for any stage.
        columns: For each entity the digests of its documents.
        texts: The digests of all documents and passages, in order, each once.
    """

    table: str = ""
    rows: list[Mapping[str, Any]] = field(default_factory=list)
    means: SummaryTally = field(default_factory=SummaryTally)
    failed: list[dict[str, Any]] = field(default_factory=list)
    verdicts: Counter[str] = field(default_factory=Counter)
    missing: Missing = field(default_factory=Missing)
    not_english: Counter[str] = field(default_factory=Counter)
    asked: bool = False
    columns: list[tuple[str, ...]] = field(default_factory=list)
    texts: dict[str, None] = field(default_factory=dict)


@dataclass(frozen=True)
class ScoreBlock:
    """Scores the journals' contents for a block of biographies.

    Attributes:
        folder: The run folder, for messages; nothing is read from it.
        options: The score options.
        candidates: The entities that a group may be linked to.
        dataset: Titles of each name's entities, for candidates ``"dataset"``.
        outside: Descriptions of each name's bearers without a page.
        hold: Give the rows as mappings, too.
        given: Keys of biographies whose verdicts came with the input.
        fetch: Gives a document's text by its digest; without it, records have none.
        each: Called with each scored record.
    """

    folder: Path
    options: ScoreOptions
    candidates: CandidateMode
    dataset: Mapping[str, Collection[str]]
    outside: Mapping[str, Collection[str]] = field(default_factory=dict)
    hold: bool = False
    given: Collection[str] = ()
    fetch: Callable[[str], str] = no_text
    each: Callable[[Record], None] | None = None

    def __call__(self, block: Sequence[Lines]) -> BlockTally:
        """Scores a block.

        Raises:
            RunError: If lines of a biography are damaged or do not go together.
        """
        tally = BlockTally()
        rows: list[Mapping[str, Any]] = []
        for lines in block:
            biography, stages = read_lines(self.folder, lines)
            record = self._scored(record_json.record_from_json(biography, stages, self.fetch))
            cells = stages["verdicts"]
            tally.columns += columns(cells)
            tally.texts.update(dict.fromkeys(digests(biography, cells)))
            tally.asked |= any(row is not None and "usage" in row for row in stages.values())
            _count(tally, record, given=record.key in self.given)
            if self.each is not None:
                self.each(record)
            rows.append(score_row(record))
            tally.means.add(record)
        tally.table = scores_csv(rows, header=False)
        tally.rows = rows if self.hold else []
        return tally

    def _scored(self, record: Record) -> Record:
        """The record with its scores; what no one foresaw makes it an error."""
        try:
            return score_record(
                record,
                options=self.options,
                candidates=self.candidates,
                dataset=self.dataset.get(record.name, ()),
                outside=self.outside.get(record.name, ()),
            )
        except Exception as error:
            if is_of_all(error):
                raise
            return replace(record, status="error", reason=where_raised(error))


def _count(tally: BlockTally, record: Record, *, given: bool) -> None:
    if record.status in ("error", "grouping_failed", "not_judged"):
        row = {"id": record.id, "stage": record.status, "reason": record.reason}
        tally.failed.append(row)
    if record.status == "not_english":
        tally.not_english[record.reason] += 1
    if record.status not in ("abstained", "no_answer", "no_facts") and record.missing:
        replaced = int(bool(record.biography.passages))
        tally.missing.add(Missing(len(record.missing), 1, replaced, record.missing[0]))
    if (matrix := record.matrix) is not None:
        for status in _UNREAD:
            tally.verdicts[status] += int((matrix.status == STATUSES.index(status)).sum())
        if not given:
            tally.verdicts["pairs"] += matrix.status.size
            tally.verdicts["sent"] += 0 if matrix.sent is None else int(matrix.sent.sum())


def columns(cells: Mapping[str, Any] | None) -> Iterator[tuple[str, ...]]:
    """For each entity of a line of verdicts the digests of its documents."""
    for entity in (cells or {}).get("entities", ()):
        yield tuple(document["text"] for document in entity["documents"])


def digests(biography: Mapping[str, Any] | None, cells: Mapping[str, Any] | None) -> Iterator[str]:
    """The texts that the records of a biography refer to."""
    for documents in columns(cells):
        yield from documents
    yield from (p["text"] for p in (biography or {}).get("passages", ()))


def count_words(block: Sequence[bytes]) -> list[int]:
    """Returns the number of words of each document of a block of journal lines."""
    return [len(str(read_line(line, "documents.jsonl")["text"]).split()) for line in block]
