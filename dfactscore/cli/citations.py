"""`dfactscore citations`: citation recall and precision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from dfactscore._util.csv_text import csv_text
from dfactscore._util.files import make_folder
from dfactscore._util.jsonl import write_jsonl
from dfactscore._util.numbers import percent
from dfactscore._util.outputs import check_output, refuse_input
from dfactscore._util.settings import load
from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import command
from dfactscore.cli.output import lines_or_json, message, progress, write
from dfactscore.cli.root import app
from dfactscore.errors import InputError
from dfactscore.jobs.citation_settings import CitationSettings
from dfactscore.measures.table import Column, Table, aligned

if TYPE_CHECKING:
    from dfactscore.asking.session import LLMSession
    from dfactscore.citations import CitationScore, CitationSummary, Entailer

__all__ = ["citations"]


@command(app, CitationSettings, config=True)
def citations(
    given: dict[str, Any],
    config: Path | None,
    *,
    form: opt.OutputFormat = "table",
    overwrite: opt.Overwrite = False,
    quiet: opt.Quiet = False,
) -> None:
    """Score citations: recall and precision.

    ALCE's definitions; the paper's appendix D.
    """
    from dfactscore.citations import citation_record, read_judged
    from dfactscore.citations.entailment import NotLoaded
    from dfactscore.work import beside

    if "judged" in given:
        _refuse_engine(given)
    settings = load(CitationSettings, given, config)
    _refuse_input(settings)
    if settings.out is not None:
        _begin(settings, settings.out, overwrite=overwrite)
    how: dict[str, object] = {"entailer": "judged"}
    nli, asks = settings.entailment == "nli", settings.entailment == "llm"
    with settings.using_session(message, needed=asks and settings.judged is None) as session:
        if settings.dry_run:
            entailer = NotLoaded("nli") if nli else _entailer(settings, session)
            _estimate(settings, entailer, session, form)
            return
        if settings.judged is None:
            entailer = _entailer(settings, session)
            scores, failed = _score(settings, entailer, session, quiet=quiet)
            how = dict(entailer.settings)
            _warn(entailer, scores)
        else:
            found = read_judged(settings.judged, n_passages=settings.n_passages)
            scores, failed = found[: settings.limit], 0
    if settings.out is not None and settings.judged is not None:
        write_jsonl(settings.out, map(citation_record, scores))
        beside(settings.out).manifest.unlink(missing_ok=True)  # of what stood there
    _print(scores, how, form, settings.paragraphs)
    if settings.judged is not None and settings.paragraphs is None and form == "table":
        print(
            "over the paragraphs in the file: ALCE's log leaves out those without a citation that "
            "can be read; with --paragraphs N, the number there were, they count as 0"
        )
    if failed:
        raise typer.Exit(1)


def _refuse_input(settings: CitationSettings) -> None:
    """Refuses options that contradict each other."""
    if settings.paragraphs is not None and settings.judged is None:
        raise InputError("citations: --paragraphs needs --judged, a file that leaves some out")
    if (settings.bios is None) == (settings.judged is None):
        raise InputError("citations: give either a file of biographies or --judged FILE")
    if settings.dry_run and settings.bios is None:
        raise InputError("citations: --dry-run needs a file of biographies; --judged asks nothing")


def _begin(settings: CitationSettings, out: Path, *, overwrite: bool) -> None:
    """Refuses a place that cannot be written, before the judging, which may take hours.

    Makes way for a file that is written from its beginning: nothing can be resumed of it.
    """
    from dfactscore.work import beside

    make_folder(out.parent)
    read, manifest = (settings.bios, settings.judged), beside(out).manifest
    refuse_input(out, read)
    check_output(out, "citations", inputs=read, force=overwrite)
    if settings.judged is None and not settings.dry_run and (overwrite or not manifest.exists()):
        out.unlink(missing_ok=True)
        manifest.unlink(missing_ok=True)


def _estimate(
    settings: CitationSettings, entailer: Entailer, session: LLMSession | None, form: opt.Format
) -> None:
    """Prints what is left would ask, and asks nothing."""
    from dfactscore.citations.biographies import citation_work
    from dfactscore.cli.usage_table import print_usage
    from dfactscore.readers import read_biographies
    from dfactscore.work import beside, would_ask

    assert settings.bios is not None
    found = read_biographies(settings.bios, limit=settings.limit).biographies
    work = citation_work(found, entailer, precision=not settings.recall_only)
    usage = would_ask(work, None if settings.out is None else beside(settings.out)).usage
    about = f"at most, of {len(found)} paragraphs; nothing was asked"
    print_usage(usage, session.budget.prices if session else None, form, about)


def _warn(entailer: Entailer, scores: list[CitationScore]) -> None:
    """Says what was cut, could not be read, or rests on text that the model may not have seen."""
    from dfactscore.citations.entailment import CountsTruncated

    if isinstance(entailer, CountsTruncated) and entailer.truncated:
        message(f"{entailer.truncated} questions were longer than the model's input and were cut")
    unread = sum(s.outcome == "unreadable" for score in scores for s in score.sentences)
    if unread:
        message(f"warning: {unread} sentences got no readable answer and count as not entailed")
    unseen = sum(score.on_unseen_text(s) for score in scores for s in score.sentences)
    if unseen:
        message(
            f"{unseen} sentences cite passages that were shortened for the model: they are "
            "judged on text that it may not have seen (--out marks them)"
        )


def _refuse_engine(given: dict[str, Any]) -> None:
    """Refuses options of an engine where judgments are only read."""
    used = {"bios", "judged", "n_passages", "paragraphs", "limit", "out"}
    wrong = next((name for name in given if name not in used), None)
    if wrong is not None:
        flag = wrong.replace("_", "-")
        raise InputError(f"citations: --judged only recomputes; --{flag} cannot be used with it")


def _entailer(settings: CitationSettings, session: LLMSession | None) -> Entailer:
    """The entailment model."""
    if settings.entailment == "nli":
        from dfactscore.citations.nli import TRUE_MODEL, NLIEntailer

        options = settings.nli_options()
        if settings.threshold is not None:
            options["threshold"] = settings.threshold
        entailer = NLIEntailer(settings.nli_model or TRUE_MODEL, log=message, **options)
        message(entailer.model.describe())
        return entailer
    from dfactscore.citations.verifying import VerifierEntailer, builtin_entailer

    if settings.entailment == "llm":
        from dfactscore.jobs.engines import build_engine

        return VerifierEntailer(build_engine(settings.judge(), session).verifier)
    return builtin_entailer(settings.threshold)


def _score(
    settings: CitationSettings, entailer: Entailer, session: LLMSession | None, *, quiet: bool
) -> tuple[list[CitationScore], int]:
    from dfactscore._util.tasks import run_sync
    from dfactscore.asking.session import closing
    from dfactscore.citations import score_citations_async
    from dfactscore.readers import read_biographies

    assert settings.bios is not None
    reading = read_biographies(settings.bios, limit=settings.limit)
    for bad in reading.bad:
        message(f"skipped record: {bad}")
    bare = [b for b in reading.biographies if not b.passages]
    if bare:
        message(
            f"warning: {len(bare)} biographies have no passages, so their citations count as "
            f"wrong (the first is {bare[0].id!r})"
        )

    with progress("judging", quiet=quiet) as bar:
        work = score_citations_async(
            reading.biographies,
            entailer,
            precision=not settings.recall_only,
            out=settings.out,
            source={
                "file": settings.bios.name,
                "limit": settings.limit,
                "bad": len(reading.bad),
            },
            progress=bar,
            log=message,
        )
        found = run_sync(closing(session, work))
    return found, len(reading.bad) + sum(score.status == "error" for score in found)


def _print(
    scores: list[CitationScore], how: dict[str, object], form: opt.Format, paragraphs: int | None
) -> None:
    from dfactscore.citations import summarize

    summary = summarize(scores, paragraphs=paragraphs)
    if form == "csv":
        rows = [
            {
                "id": s.id,
                "name": s.name,
                "status": s.status,
                "citation_recall": None if s.recall is None else round(s.recall, 6),
                "citation_precision": None if s.precision is None else round(s.precision, 6),
            }
            for s in scores
        ]
        write(csv_text(rows))
        return
    lines_or_json(form, _as_json(summary, how), _lines(summary))


def _as_json(summary: CitationSummary, how: dict[str, object]) -> dict[str, Any]:
    row = asdict(summary)
    for key in ("citation_recall", "citation_precision"):
        row[f"{key}_percent"] = None if row[key] is None else 100 * row[key]
    return {**row, "entailment": how}


def _lines(summary: CitationSummary) -> Iterator[str]:
    outcomes, counted = summary.outcomes, summary.n_scored
    shares = (
        ("Citation recall", percent(summary.citation_recall, digits=2)),
        ("Citation precision", percent(summary.citation_precision, digits=2)),
    )
    yield aligned(Table((Column(left=True), Column(width=6)), shares))
    missing = f" ({summary.n_missing} not in the file)" if summary.n_missing else ""
    yield (
        f"over {counted} of {summary.n_paragraphs} paragraphs{missing}, {summary.n_sentences} "
        f"sentences, {summary.n_citations} citations read"
    )
    yield (
        f"sentences: {outcomes['entailed']} entailed, {outcomes['not_entailed']} not, "
        f"{outcomes['uncited']} uncited, {outcomes['no_such_passage']} citing a passage that "
        f"does not exist, {outcomes['unreadable']} unreadable"
    )
    if counted != summary.n_paragraphs:
        yield (
            "unscored paragraphs (abstained or empty) counted as 0: recall "
            f"{percent(summary.citation_recall_all, digits=2):>6}"
        )
