"""Turns journals into scores, summary, errors and manifest, block by block."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from dfactscore._readers import BadRecord
from dfactscore._results.tables import StoredRows, scores_csv
from dfactscore._runs.block_scores import BlockTally, Missing, ScoreBlock, count_words
from dfactscore._runs.records import record_keys
from dfactscore._runs.run import Run, no_text
from dfactscore._scoring.record import STAGES, Record
from dfactscore._scoring.summary import Summary, tally_of_bad
from dfactscore._util.files import atomic_write, dump_json
from dfactscore._util.jsonl import write_json
from dfactscore._util.key_table import KeyTable
from dfactscore.work._blocks import BLOCK, blocks_of
from dfactscore.work._executors import SERIAL, Executor
from dfactscore.work._work_folder import WorkFolder

_PAID = ("calls", "prompt_tokens", "completion_tokens", "cost")  # of all sessions, and the probe
HELD = 2000
"""Runs of up to so many biographies have a report, which a browser opens without trouble, and their
rows are held in memory; the rows of a larger run are read from its ``scores.csv``."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished run.

    Attributes:
        rows: The rows of ``scores.csv``, in the order of the input; of a large run they are read
            from there.
        summary: Their means.
        failed: The number of biographies with a failed role, or without a readable verdict.
        unanswered: The number of verdicts that are ``"error"``: requests without an answer.
        unparsed: The number of verdicts that are ``"unparsed"``: an answer that cannot be read, or
            a fact that the model cannot read.
        missing: Titles that the knowledge source lacks.
        status: ``"complete"``, or ``"incomplete"`` where records failed.
        not_english: The reasons why texts were not read, with their counts.
        first_failure: Id and reason of the first biography that a role failed on.
    """

    rows: Sequence[Mapping[str, Any]]
    summary: Summary
    failed: int
    unanswered: int
    unparsed: int
    missing: Missing
    status: Literal["complete", "incomplete"]
    not_english: Counter[str] = field(default_factory=Counter)
    first_failure: str = ""


def finish(
    files: WorkFolder,
    records: Sequence[Record],
    bad: Sequence[BadRecord] = (),
    *,
    each: Callable[[Record], None] | None = None,
    more: Mapping[str, Any] | None = None,
    executor: Executor = SERIAL,
    block: int = BLOCK,
) -> Outcome:
    """Puts the journals in order and writes scores, summary, errors and manifest.

    Args:
        files: The files of the run, judged.
        records: Its input.
        bad: Records of the input that could not be read.
        each: Called with each scored record, its texts included, in the order of the input.
        more: Further entries of the manifest.
        executor: Over what blocks are scored; in this process where `each` is given.
        block: Biographies that are scored at a time.

    Raises:
        RunError: If the journals do not go together, or something cannot be written.
    """
    run, keys = Run.of(files), record_keys(records)
    executor = executor if each is None else SERIAL
    for name in ("biographies", *STAGES):
        files.settle(name, keys)
    cascade = run.settings.get("verifier", {}).get("name") == "cascade"
    given = {r.key for r in records if r.biography.verdicts is not None} if cascade else ()
    work = ScoreBlock(
        run.folder,
        run.options,
        run.candidates,
        run.settings.get("dataset") or {},
        run.settings.get("outside") or {},
        hold=len(records) <= HELD,
        given=given,
        fetch=no_text if each is None else run.document,
        each=each,
    )
    total, texts = _Total(run, len(bad), executor), KeyTable()
    with (
        atomic_write(run.folder / "scores.csv") as table,
        atomic_write(run.folder / "errors.jsonl") as errors,
    ):
        table.write(scores_csv(()))
        errors.writelines(_error_line(asdict(one) | {"stage": "input"}) for one in bad)
        for tally in executor.map_blocks(work, blocks_of(run.lines(), block)):
            table.write(tally.table)
            errors.writelines(map(_error_line, tally.failed))
            for digest in tally.texts:
                run.document_number(digest)
                texts.put(digest)
            total.add(tally)
    files.settle("documents", texts)
    outcome = total.outcome(hold=work.hold, bad=bool(bad))
    write_json(run.folder / "summary.json", outcome.summary.to_dict())
    sent, pairs = total.verdicts["sent"], total.verdicts["pairs"]
    share = {"cascade_share": round(sent / pairs, 6) if pairs else None} if cascade else {}
    files.finish(
        outcome.status,
        **_usage(run, total, files),
        **(more or {}),
        **share,
        **total.evidence_words(),
    )
    return outcome


class _Total:
    """The tallies of all blocks put together, and how long the documents are."""

    def __init__(self, run: Run, n_bad: int, executor: Executor) -> None:
        self.means = tally_of_bad(n_bad)
        self.rows: list[Mapping[str, Any]] = []
        self.scored = self.failed = 0
        self.verdicts: Counter[str] = Counter()
        self.missing = Missing()
        self.not_english: Counter[str] = Counter()
        self.asked = False
        self.first_failure = ""
        self._run = run
        self._lengths: Counter[int] = Counter()
        self._words = array("I")
        for words in executor.map_blocks(count_words, blocks_of(run.document_lines(), 500)):
            self._words.extend(words)

    def add(self, tally: BlockTally) -> None:
        before = self.means.n
        self.means.merge(tally.means)
        self.scored += self.means.n - before
        self.rows += tally.rows
        self.failed += len(tally.failed)
        tried = [row for row in tally.failed if row["stage"] != "not_judged"]
        if tried and not self.first_failure:
            first = tried[0]
            self.first_failure = f"{first['id']!r}: {first['reason']}"
        self.verdicts.update(tally.verdicts)
        self.missing.add(tally.missing)
        self.not_english.update(tally.not_english)
        self.asked |= tally.asked
        for column in tally.columns:
            self._lengths[sum(self._words[self._run.document_number(d)] for d in column)] += 1

    def outcome(self, *, hold: bool, bad: bool) -> Outcome:
        """Sum of the blocks; rows that are not held are read from their file."""
        return Outcome(
            rows=tuple(self.rows)
            if hold
            else StoredRows(self._run.folder / "scores.csv", self.scored),
            summary=self.means.summary(),
            failed=self.failed,
            unanswered=self.verdicts["error"],
            unparsed=self.verdicts["unparsed"],
            missing=self.missing,
            status="incomplete" if bad or self.failed else "complete",
            not_english=self.not_english,
            first_failure=self.first_failure,
        )

    def evidence_words(self) -> dict[str, float]:
        """The median length of an entity's documents, for the manifest."""
        if not any(self._lengths):
            return {}
        count, passed = self._lengths.total(), 0
        middle = []
        for length in sorted(self._lengths):
            for place in {(count - 1) // 2, count // 2}:
                if passed <= place < passed + self._lengths[length]:
                    middle.append(length)
            passed += self._lengths[length]
        low, high = middle[0], middle[-1]
        return {"evidence_words": low if count % 2 else (low + high) / 2}


def _usage(run: Run, total: _Total, files: WorkFolder) -> dict[str, Any]:
    """Original cost of the answers, and the calls of this run."""
    usage = run.usage() if total.asked else None
    if usage is None or not usage.tallies:
        return {}
    made, whole = usage.to_dict(), usage.total().to_dict()
    tallies = [counts for models in made.values() for counts in models.values()]
    for counts in (whole, *tallies):
        for name in ("calls", "cached", "retries"):  # of a session, not of an answer
            counts.pop(name, None)
    asked = files.asked()
    return {"usage": made, "total": {**whole, **{name: asked[name] for name in _PAID}}}


def _error_line(row: Mapping[str, Any]) -> str:
    kept = {name: row[name] for name in ("id", "file", "line", "stage", "reason") if name in row}
    return dump_json(kept) + "\n"
