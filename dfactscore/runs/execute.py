"""Fills the records of a run folder: resumable, nothing judged twice."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import median
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._util.callbacks import Progress
from dfactscore._util.files import write_text
from dfactscore._util.jsonl import write_json
from dfactscore._util.tasks import map_concurrently, run_sync
from dfactscore.engines.protocols import Engine
from dfactscore.errors import RunError
from dfactscore.evidence.entities import gather_entities
from dfactscore.linking import STATUSES
from dfactscore.readers import BadRecord
from dfactscore.records import Biography
from dfactscore.results.tables import scores_csv, tabulate
from dfactscore.runs.serial import biography_key
from dfactscore.runs.writer import RunWriter
from dfactscore.scoring.record import Record
from dfactscore.scoring.stages import judge
from dfactscore.scoring.summary import Summary

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource

__all__ = ["Outcome", "begin_records", "execute", "finish"]

_ERROR = STATUSES.index("error")
_UNPARSED = STATUSES.index("unparsed")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished run.

    Attributes:
        rows: The rows of ``scores.csv``, in the order of the input.
        summary: Their means.
        failed: How many biographies a role failed on.
        unanswered: How many verdicts are ``"error"``: asked for, and not had.
        unparsed: How many verdicts are ``"unparsed"``: there is an answer that cannot be read, or
            a fact that the model cannot read.
        missing: Ids of biographies, and what the knowledge source says of a title that it lacks.
        status: ``"complete"``, or ``"incomplete"`` where records failed.
    """

    rows: tuple[Mapping[str, Any], ...]
    summary: Summary
    failed: int
    unanswered: int
    unparsed: int
    missing: tuple[tuple[str, str], ...]
    status: Literal["complete", "incomplete"]


def begin_records(biographies: Iterable[Biography]) -> list[Record]:
    """Records of which nothing but the biography is filled, with their keys."""
    return [Record(biography, biography_key(biography)) for biography in biographies]


def execute(
    run: RunWriter,
    records: Sequence[Record],
    engine: Engine,
    source: KnowledgeSource | None,
    *,
    concurrency: int = 16,
    progress: Progress | None = None,
    session: Callable[[], Mapping[str, Any]] | None = None,
) -> int:
    """Judges what is not judged yet.

    Args:
        run: The open run.
        records: In the order of the input; what is filled in them is kept as it is.
        engine: The roles.
        source: Pages by title, or None to judge against the passages.
        concurrency: Biographies at a time, where the engine takes time.
        progress: Called with how many are done and how many there are.
        session: Asked at the end, or when the run is stopped, for what else to note about this
            call in ``timing.json``.

    Returns:
        How many biographies were judged by this call.
    """
    started = time.time()
    fresh = [0]

    def note() -> None:
        more = dict(session()) if session else {}
        run.note_session(started, time.time() - started, fresh[0], **more)

    try:
        run_sync(_execute(run, records, engine, source, concurrency, progress, fresh))
    except BaseException:
        with contextlib.suppress(RunError):  # what stopped the run is what has to be said
            note()
        raise
    note()
    return fresh[0]


async def _execute(
    run: RunWriter,
    records: Sequence[Record],
    engine: Engine,
    source: KnowledgeSource | None,
    concurrency: int,
    progress: Progress | None,
    fresh: list[int],
) -> None:
    async def one(record: Record) -> None:
        found = run.resume(replace(record, status=None))
        if found.status is not None:
            return
        if record.status is not None:
            run.keep_all(record)
            run.end(record)
        else:
            gathered = gather_entities(record.biography, source)
            found = replace(found, entities=gathered.entities, missing=gathered.missing)
            run.end(await judge(found, engine, keep=run.keep))
        fresh[0] += 1

    done = 0
    try:
        async for _ in map_concurrently(one, records, concurrency=concurrency):
            done += 1
            if progress:
                progress(done, len(records))
    finally:
        if engine.close:
            await engine.close()


def finish(
    run: RunWriter,
    records: Sequence[Record],
    bad: Sequence[BadRecord] = (),
    *,
    each: Callable[[Record], None] | None = None,
    more: Mapping[str, Any] | None = None,
) -> Outcome:
    """Puts the journals in order and writes scores, summary, errors and manifest.

    Args:
        run: The run, judged.
        records: Its input.
        bad: Records of the input that could not be read.
        each: Called with each scored record, its texts included, in the order of the input.
        more: What else belongs into the manifest.
    """
    run.settle([record.key for record in records])
    failed: list[Record] = []
    missing: list[tuple[str, str]] = []
    words: list[int] = []
    unanswered = unparsed = sent = pairs = 0
    given = {r.key for r in records if r.biography.verdicts is not None}

    def scored() -> Iterator[Record]:
        nonlocal unanswered, unparsed, sent, pairs
        for record in run.records():
            if record.status in ("error", "grouping_failed"):
                failed.append(Record(record.biography, status=record.status, reason=record.reason))
            if record.status not in ("abstained", "no_facts"):
                missing.extend((record.id, said) for said in record.missing)
            if (matrix := record.matrix) is not None:
                unanswered += int((matrix.status == _ERROR).sum())
                unparsed += int((matrix.status == _UNPARSED).sum())
                if record.key not in given:
                    pairs += matrix.status.size
                    sent += 0 if matrix.sent is None else int(matrix.sent.sum())
            for entity in record.entities:
                words.append(sum(len(d.text.split()) for d in entity.documents))
            if each is not None:
                each(record)
            yield record

    rows, summary = tabulate(scored(), n_bad=len(bad))
    write_text(run.folder / "scores.csv", scores_csv(rows))
    write_json(run.folder / "summary.json", asdict(summary))
    run.write_errors(bad, failed)
    status: Literal["complete", "incomplete"] = "incomplete" if bad or failed else "complete"
    usage = run.usage()
    asked = {"usage": usage.to_dict(), "total": asdict(usage.total())} if usage.tallies else {}
    cascade = run.settings.get("verifier", {}).get("name") == "cascade"
    share = {"cascade_share": round(sent / pairs, 6) if pairs else None} if cascade else {}
    length = {"evidence_words": median(words)} if any(words) else {}
    run.finish(status, **asked, **(more or {}), **share, **length)
    return Outcome(tuple(rows), summary, len(failed), unanswered, unparsed, tuple(missing), status)
