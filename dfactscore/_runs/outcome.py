"""Finishes a run: writes scores, summary, errors and manifest from its journals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from dfactscore._readers import BadRecord
from dfactscore._results.tables import StoredRows, scores_csv
from dfactscore._runs.block_scores import MissingTitles, ScoreBlock, Totals
from dfactscore._runs.evidence_length import EvidenceLengths
from dfactscore._runs.input_records import record_keys
from dfactscore._runs.run import Run, no_text
from dfactscore._scoring.record import STAGES, Record
from dfactscore._scoring.summary import Summary, tally_of_bad
from dfactscore._util.bounded_memory import KeyTable
from dfactscore._util.files import atomic_write, dump_json
from dfactscore._util.jsonl import write_json
from dfactscore.work._blocks import BLOCK, blocks_of
from dfactscore.work._executors import SERIAL, Executor
from dfactscore.work._work_folder import WorkFolder

# Counts that the manifest gives for all sessions together, including unused answers and probes.
_ALL_SESSIONS = ("calls", "prompt_tokens", "completion_tokens", "cost")
MAX_HELD = 2000
"""Up to this number of biographies, a run gets a report, which a browser opens easily, and its rows
are held in memory; the rows of a larger run are read from its ``scores.csv``."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results of a finished run."""

    # The rows of `scores.csv`, in input order; for a large run, they are read from the file.
    rows: Sequence[Mapping[str, Any]]
    summary: Summary
    failed: int  # number of biographies on which a role failed or that have no readable verdict
    unanswered: int  # number of `"error"` verdicts, meaning that the request got no answer
    # The number of `"unparsed"` verdicts: either the answer could not be read, or the model cannot
    # read the fact.
    unparsed: int
    missing: MissingTitles
    status: Literal["complete", "incomplete"]  # `"complete"`, or `"incomplete"` if records failed
    not_english: Counter[str] = field(default_factory=Counter)
    first_failure: str = ""  # id of the first biography on which a role failed, and the reason

    @property
    def incomplete(self) -> bool:
        """Whether a record failed or a page was not judged; commands then exit with status 1."""
        unread = self.unanswered or self.summary.pages_not_judged
        return self.status != "complete" or bool(unread)


def finish_run(
    files: WorkFolder,
    records: Sequence[Record],
    bad: Sequence[BadRecord] = (),
    *,
    each: Callable[[Record], None] | None = None,
    entries: Mapping[str, Any] | None = None,
    executor: Executor = SERIAL,
    block: int = BLOCK,
) -> Outcome:
    """Sorts the journals of a judged run and writes scores, summary, errors and manifest."""
    run, keys = Run.of(files), record_keys(records)
    executor = executor if each is None else SERIAL
    for name in ("biographies", *STAGES):
        files.settle(name, keys)
    score_block = _score_block(run, records, each)
    totals = Totals(means=tally_of_bad(len(bad)))
    lengths, texts = EvidenceLengths(run, executor), KeyTable()
    rows: list[Mapping[str, Any]] = []
    with (
        atomic_write(run.folder / "scores.csv") as table,
        atomic_write(run.folder / "errors.jsonl") as errors,
    ):
        table.write(scores_csv(()))
        errors.writelines(_error_line(asdict(record) | {"stage": "input"}) for record in bad)
        for scored in executor.map_blocks(score_block, blocks_of(run.lines(), block)):
            table.write(scored.table)
            errors.writelines(map(_error_line, scored.errors))
            for digest in scored.texts:
                run.document_number(digest)  # raises if the document is lost
                texts.put(digest)
            lengths.add(scored.columns)
            totals.merge(scored.totals)
            rows += scored.rows
    files.settle("documents", texts)
    stored = StoredRows(run.folder / "scores.csv", totals.means.n - len(bad))
    outcome = _outcome(totals, tuple(rows) if score_block.hold else stored, bad)
    write_json(run.folder / "summary.json", outcome.summary.to_dict())
    entries = {**_usage(run, totals, files), **(entries or {}), **_cascade_share(run, totals)}
    if (median := lengths.median()) is not None:
        entries["evidence_words"] = median
    files.finish(outcome.status, **entries)
    return outcome


def _score_block(
    run: Run, records: Sequence[Record], each: Callable[[Record], None] | None
) -> ScoreBlock:
    given_keys: set[str] = set()
    if _has_cascade(run):
        given_keys = {r.key for r in records if r.biography.verdicts is not None}
    return ScoreBlock(
        run.folder,
        run.options,
        run.candidates,
        run.settings.get("dataset") or {},
        run.settings.get("outside") or {},
        hold=len(records) <= MAX_HELD,
        given_keys=given_keys,
        fetch=no_text if each is None else run.document,
        each=each,
    )


def _outcome(
    totals: Totals, rows: Sequence[Mapping[str, Any]], bad: Sequence[BadRecord]
) -> Outcome:
    return Outcome(
        rows=rows,
        summary=totals.means.summary(),
        failed=totals.failed,
        unanswered=totals.verdicts["error"],
        unparsed=totals.verdicts["unparsed"],
        missing=totals.missing,
        status="incomplete" if bad or totals.failed else "complete",
        not_english=totals.not_english,
        first_failure=totals.first_failure,
    )


def _has_cascade(run: Run) -> bool:
    return bool(run.settings.get("verifier", {}).get("name") == "cascade")


def _cascade_share(run: Run, totals: Totals) -> dict[str, float | None]:
    """Returns the manifest entry for the share of verdicts given by a cascade's second verifier."""
    if not _has_cascade(run):
        return {}
    sent, pairs = totals.verdicts["sent"], totals.verdicts["pairs"]
    return {"cascade_share": round(sent / pairs, 6) if pairs else None}


def _usage(run: Run, totals: Totals, files: WorkFolder) -> dict[str, Any]:
    """Returns the manifest entries for the answers' original cost and for this run's calls."""
    usage = run.usage() if totals.asked else None
    if usage is None or not usage.tallies:
        return {}
    by_stage, total = usage.to_dict(), usage.total().to_dict()
    tallies = [counts for models in by_stage.values() for counts in models.values()]
    for counts in (total, *tallies):
        for name in ("calls", "cached", "retries"):  # these belong to a session, not to an answer
            counts.pop(name, None)
    asked = files.asked()
    canceled = {"canceled": n} if (n := asked.get("canceled")) else {}
    all_sessions = {**{name: asked[name] for name in _ALL_SESSIONS}, **canceled}
    return {"usage": by_stage, "total": {**total, **all_sessions}}


def _error_line(row: Mapping[str, Any]) -> str:
    names = ("id", "file", "line", "stage", "reason")
    return dump_json({name: row[name] for name in names if name in row}) + "\n"
