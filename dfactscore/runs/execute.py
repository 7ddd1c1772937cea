"""Scores a file of biographies into a run folder: resumable, nothing judged twice."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dfactscore._util.files import dump_json
from dfactscore._util.tasks import map_concurrently, run_sync
from dfactscore._util.usage import collect_usage
from dfactscore.engines.answers import checked_settings
from dfactscore.engines.protocols import Engine
from dfactscore.errors import RunError
from dfactscore.evidence.entities import gather_entities
from dfactscore.linking import STATUSES, CandidateMode
from dfactscore.readers import Reading
from dfactscore.records import Biography
from dfactscore.results.tables import csv_text, score_row
from dfactscore.runs.folder import Run
from dfactscore.runs.serial import biography_key
from dfactscore.scoring import ScoreOptions, Summary
from dfactscore.scoring.scored import Scored, score_judged, summarize_scored
from dfactscore.scoring.stages import Judged, judge_with_store

if TYPE_CHECKING:
    from dfactscore.retrieval import KnowledgeSource

__all__ = ["Outcome", "describe_input", "describe_settings", "execute", "finish"]

Progress = Callable[[int, int], None]
_ERROR = STATUSES.index("error")
Known = Mapping[str, tuple[Judged, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished run.

    Attributes:
        rows: The rows of ``scores.csv``, in the order of the input.
        summary: Their means.
        failed: How many biographies a role failed on.
        unanswered: How many verdicts are ``"error"``: asked for, and not had.
        status: ``"complete"``, or ``"incomplete"`` where records failed.
    """

    rows: tuple[Mapping[str, Any], ...]
    summary: Summary
    failed: int
    unanswered: int
    status: Literal["complete", "incomplete"]


def describe_input(name: str, reading: Reading) -> dict[str, Any]:
    """What the manifest says of the input: its name, and its content by hash.

    The hash is of the biographies, whatever file or objects they came from.
    """
    keys = "\n".join(biography_key(b) for b in reading.biographies)
    digest = hashlib.sha256(keys.encode("utf-8")).hexdigest()
    counts = {"records": len(reading.biographies) + len(reading.bad), "bad": len(reading.bad)}
    return {"file": name, "sha256": digest, **counts}


def describe_settings(
    engine: Engine,
    source: KnowledgeSource | None,
    options: ScoreOptions,
    candidates: CandidateMode,
    **more: Any,
) -> dict[str, Any]:
    """All settings that can change a result."""
    return {
        "decomposer": checked_settings(engine.decomposer),
        "grouper": checked_settings(engine.grouper),
        "verifier": checked_settings(engine.verifier),
        "evidence": "passages" if source is None else "page",
        "pages": None if source is None else _describe_source(source),
        "candidates": candidates,
        "scores": asdict(options),
        **more,
    }


def _describe_source(source: KnowledgeSource) -> dict[str, Any]:
    """What a source holds, wherever it lies: a moved file is no other source."""
    described = source.describe()
    if described.get("path"):
        path = Path(described["path"])
        described["path"] = path.name
        if described.get("kind") in ("jsonl", "folder"):  # a store says itself what it holds
            described["sha256"] = _digest(path)
    return described


def _digest(path: Path) -> str:
    """Hash of a file, or of the names and contents of a folder's texts."""
    total = hashlib.sha256()
    for file in sorted(path.rglob("*.txt")) if path.is_dir() else [path]:
        total.update(f"{file.relative_to(path)}\0".encode("utf-8", "replace"))
        with open(file, "rb") as opened:
            while block := opened.read(1 << 20):
                total.update(block)
    return total.hexdigest()


def execute(
    run: Run,
    biographies: Sequence[Biography],
    engine: Engine,
    source: KnowledgeSource | None,
    *,
    concurrency: int = 16,
    progress: Progress | None = None,
    session: Callable[[], Mapping[str, Any]] | None = None,
    known: Known | None = None,
) -> int:
    """Judges what is not judged yet.

    Args:
        run: The open run.
        biographies: In the order of the input.
        engine: The roles.
        source: Pages by title, or None to judge against the passages.
        concurrency: Biographies at a time, where the engine takes time.
        progress: Called with how many are done and how many there are.
        session: Asked at the end, or when the run is stopped, for what else to note about this
            call in ``timing.json``.
        known: Biographies that are judged already, by id, with what the source lacks for them.

    Returns:
        How many biographies were judged by this call.
    """
    started = time.time()
    fresh = [0]

    def note() -> None:
        more = dict(session()) if session else {}
        run.note_session(started, time.time() - started, fresh[0], **more)

    try:
        run_sync(
            _execute(run, biographies, engine, source, concurrency, progress, fresh, known or {})
        )
    except BaseException:
        with contextlib.suppress(RunError):  # what stopped the run is what has to be told
            note()
        raise
    note()
    return fresh[0]


async def _execute(
    run: Run,
    biographies: Sequence[Biography],
    engine: Engine,
    source: KnowledgeSource | None,
    concurrency: int,
    progress: Progress | None,
    fresh: list[int],
    known: Known,
) -> None:
    async def one(biography: Biography) -> None:
        stages = run.stages(biography)
        if not stages.forget_failures() and run.done(stages.key):
            return
        if biography.id in known:
            judged, missing = known[biography.id]
            stages.save_all(judged)
        else:
            gathered = gather_entities(biography, source)
            missing = gathered.missing
            with collect_usage():
                judged = await judge_with_store(biography, engine, gathered.entities, stages)
        run.save(stages.key, judged, missing)
        fresh[0] += 1

    done = 0
    try:
        async for _ in map_concurrently(one, biographies, concurrency=concurrency):
            done += 1
            if progress:
                progress(done, len(biographies))
    finally:
        if engine.close:
            await engine.close()


def finish(
    run: Run,
    reading: Reading,
    *,
    options: ScoreOptions,
    candidates: CandidateMode,
    dataset: Mapping[str, Collection[str]] | None = None,
    more: Mapping[str, Any] | None = None,
) -> Outcome:
    """Puts the journals in order and writes scores, summary, errors and manifest.

    Args:
        run: The run, judged.
        reading: Its input.
        options: How to score.
        candidates: Entities that a group may be linked to.
        dataset: Titles of each name's entities, for candidates ``"dataset"``.
        more: What else belongs into the manifest.
    """
    run.settle([run.stages(b).key for b in reading.biographies])
    rows: list[Mapping[str, Any]] = []
    failed: list[Judged] = []
    unanswered = sent = pairs = 0
    given = {b.id for b in reading.biographies if b.verdicts is not None}

    def scored() -> Iterator[Scored]:
        nonlocal unanswered, sent, pairs
        for judged in run.judged(texts=False):
            names = (dataset or {}).get(judged.biography.name, ())
            one = score_judged(judged, options=options, candidates=candidates, dataset=names)
            rows.append(score_row(one))
            if judged.status in ("error", "grouping_failed"):
                failed.append(judged)
            if judged.matrix is not None:
                unanswered += int((judged.matrix.status == _ERROR).sum())
                if judged.biography.id not in given:
                    pairs += judged.matrix.status.size
                    sent += 0 if judged.matrix.sent is None else int(judged.matrix.sent.sum())
            yield one

    summary = summarize_scored(scored(), n_bad=len(reading.bad))
    run.write_text("scores.csv", csv_text(rows))
    run.write_text("summary.json", dump_json(asdict(summary), indent=2) + "\n")
    run.write_errors(reading.bad, failed)
    status: Literal["complete", "incomplete"] = (
        "incomplete" if reading.bad or failed else "complete"
    )
    usage = run.usage()
    asked = {"usage": usage.to_dict(), "total": asdict(usage.total())} if usage.tallies else {}
    cascade = run.manifest["settings"].get("verifier", {}).get("name") == "cascade"
    share = {"cascade_share": round(sent / pairs, 6) if pairs else None} if cascade else {}
    run.finish(status, **asked, **(more or {}), **share)
    return Outcome(tuple(rows), summary, len(failed), unanswered, status)
