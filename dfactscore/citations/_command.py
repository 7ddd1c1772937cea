"""The functions behind `dfactscore citations`."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from dfactscore._asking.session import LLMSession, closing
from dfactscore._errors import InputError
from dfactscore._jobs.engines import build_engine
from dfactscore._readers import Reading, read_biographies
from dfactscore._util.files import check_output, make_folder, refuse_input
from dfactscore._util.jsonl import write_jsonl
from dfactscore._util.numbers import counted
from dfactscore._util.reporting import Progress, log_lines
from dfactscore._util.settings import load
from dfactscore._util.tasks import run_sync
from dfactscore._util.usage import Usage
from dfactscore.citations._biographies import (
    citation_record,
    citation_work,
    read_judged,
    score_citations_async,
)
from dfactscore.citations._entailment import (
    CountsTruncated,
    Entailer,
    NotLoaded,
    VerifierEntailer,
    builtin_entailer,
)
from dfactscore.citations._scores import CitationScore
from dfactscore.citations._settings import CitationSettings
from dfactscore.work import beside, would_ask
from dfactscore.work._work_folder import new_manifest, read_manifest

_LOG = logging.getLogger(__name__)


def begin(given: dict[str, Any], config: Path | None, *, overwrite: bool) -> CitationSettings:
    """Checks the settings and prepares the output.

    An output file that cannot be resumed is removed.
    """
    used = {"bios", "judged", "n_passages", "paragraphs", "limit", "out"}
    unused = next((name for name in given if name not in used), None)
    if "judged" in given and unused is not None:
        flag = unused.replace("_", "-")
        raise InputError(f"citations: --judged only recomputes; --{flag} cannot be used with it")
    settings = load(CitationSettings, given, config)
    if settings.paragraphs is not None and settings.judged is None:
        raise InputError("citations: --paragraphs needs --judged, a file that leaves some out")
    if (settings.bios is None) == (settings.judged is None):
        raise InputError("citations: give either a file of biographies or --judged FILE")
    if settings.dry_run and settings.bios is None:
        raise InputError("citations: --dry-run needs a file of biographies; --judged asks nothing")
    out, read = settings.out, (settings.bios, settings.judged)
    if out is not None:
        make_folder(out.parent)
        manifest = beside(out).manifest
        refuse_input(out, read)
        check_output(out, "citations", inputs=read, force=overwrite)
        restarts = overwrite or not manifest.exists()
        if settings.judged is None and not settings.dry_run and restarts:
            out.unlink(missing_ok=True)
            manifest.unlink(missing_ok=True)
    return settings


def open_entailer(settings: CitationSettings, session: LLMSession | None) -> Entailer:
    """Opens the entailment model; a dry run does not load a local model."""
    if settings.entailment == "builtin":
        return builtin_entailer(settings.threshold)
    if settings.entailment == "llm":
        return VerifierEntailer(build_engine(settings.judge(), session).verifier)
    if settings.dry_run:
        return NotLoaded("nli")
    from dfactscore.citations._entailment import TRUE_MODEL, NLIEntailer

    options = settings.nli_options()
    if settings.threshold is not None:
        options["threshold"] = settings.threshold
    entailer = NLIEntailer(settings.nli_model or TRUE_MODEL, **options)
    _LOG.info(entailer.model.describe())
    return entailer


def estimate(settings: CitationSettings, entailer: Entailer) -> tuple[Usage, int]:
    """Returns an upper bound on the remaining requests and the number of paragraphs; sends none."""
    reading, source = _read(settings)
    precision = not settings.recall_only
    work = citation_work(reading.biographies, entailer, precision=precision, source=source)
    place = None if settings.out is None else beside(settings.out)
    return would_ask(work, place).usage, len(reading.biographies)


def judge(
    settings: CitationSettings,
    entailer: Entailer,
    session: LLMSession | None,
    *,
    progress: Progress | None = None,
) -> tuple[list[CitationScore], int]:
    """Returns the scores, and the number of failed records, paragraphs and sentences."""
    reading, source = _read(settings)
    log_lines(_LOG, reading.cuts)
    for bad in reading.bad:
        _LOG.info(f"skipped record: {bad}")
    bare = [b for b in reading.biographies if not b.passages]
    if bare:
        _LOG.warning(
            f"{counted(len(bare), 'biography')} without passages, whose citations count "
            f"as wrong (the first is {bare[0].id!r})"
        )
    work = score_citations_async(
        reading.biographies,
        entailer,
        precision=not settings.recall_only,
        out=settings.out,
        source=source,
        progress=progress,
    )
    scores = run_sync(closing(session, work))
    if isinstance(entailer, CountsTruncated) and entailer.truncated:
        _LOG.info(f"{entailer.truncated} questions were longer than the model's input and were cut")
    unread = sum(s.outcome == "unreadable" for score in scores for s in score.sentences)
    if unread:
        said = counted(unread, "sentence")
        _LOG.warning(f"{said} got no readable answer, counted as not entailed")
    unseen = sum(score.on_unseen_text(s) for score in scores for s in score.sentences)
    if unseen:
        _LOG.info(
            f"{unseen} sentences cite passages that were shortened for the model: they are "
            "judged on text that it may not have seen (--out marks them)"
        )
    unjudged = sum(score.status == "not_judged" for score in scores)
    if unjudged:
        said = counted(unjudged, "paragraph")
        _LOG.warning(f"{said} without a score (status 'not_judged'): no answer could be read")
    failed = sum(score.status == "error" for score in scores)
    return scores, len(reading.bad) + failed + unread


def manifest_of(settings: CitationSettings, entailer: Entailer | None = None) -> dict[str, Any]:
    """Creates a manifest for the scores, for their signature."""
    if entailer is not None:
        about, judge = {"limit": settings.limit}, dict(entailer.settings)
        return new_manifest(command="citations", source=about, settings=judge)
    assert settings.judged is not None
    path = beside(settings.judged).manifest
    if not path.exists():
        manifest = new_manifest(command="citations", source={}, settings={"entailer": "judged"})
    else:
        manifest = read_manifest(path, command="citations")
    if settings.limit is not None:
        manifest["input"] = {**manifest["input"], "limit": settings.limit}
    return manifest


def recompute(settings: CitationSettings, judged: Path) -> list[CitationScore]:
    """Recomputes scores from judged sentences and writes them to ``--out``."""
    scores = read_judged(judged, n_passages=settings.n_passages)[: settings.limit]
    if settings.out is not None:
        write_jsonl(settings.out, map(citation_record, scores))
        beside(settings.out).manifest.unlink(missing_ok=True)  # describes the old file
    return scores


def _read(settings: CitationSettings) -> tuple[Reading, dict[str, Any]]:
    """Reads the biographies; returns them and their manifest entry."""
    assert settings.bios is not None
    reading = read_biographies(
        settings.bios, limit=settings.limit, columns=settings.columns, text=settings.text
    )
    return reading, {"file": settings.bios.name, "limit": settings.limit, "bad": len(reading.bad)}
