"""`dfactscore citations`: citation recall and precision."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import command
from dfactscore.cli.root import app
from dfactscore.jobs.citation_settings import CitationSettings

if TYPE_CHECKING:
    from dfactscore.asking.session import LLMSession
    from dfactscore.citations import CitationScore, Entailer

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
    from dfactscore._util.files import make_folder
    from dfactscore._util.outputs import check_output, refuse_input
    from dfactscore._util.settings import load
    from dfactscore.citations import read_judged
    from dfactscore.citations.entailment import CountsTruncated
    from dfactscore.cli.output import message
    from dfactscore.errors import InputError
    from dfactscore.work import beside

    if "judged" in given:
        _refuse_engine(given)
    settings = load(CitationSettings, given, config)
    if settings.paragraphs is not None and settings.judged is None:
        raise InputError("citations: --paragraphs needs --judged, a file that leaves some out")
    if (settings.bios is None) == (settings.judged is None):
        raise InputError("citations: give either a file of biographies or --judged FILE")
    if settings.out is not None:  # before the judging, which may take hours
        make_folder(settings.out.parent)
        read = (settings.bios, settings.judged)
        refuse_input(settings.out, read)
        resumes = beside(settings.out).manifest.exists() and not overwrite
        check_output(settings.out, "citations", inputs=read, force=overwrite)
        if settings.judged is None and not resumes and not settings.dry_run:
            _begin(settings.out)
    if settings.dry_run:
        _estimate(settings, form)
        return
    failed = 0
    if settings.judged is not None:
        found = read_judged(settings.judged, n_passages=settings.n_passages)
        scores, how = found[: settings.limit], dict[str, object](entailer="judged")
    else:
        entailer, session = _entailer(settings)
        scores, failed = _score(settings, entailer, session, quiet=quiet)
        how = dict(entailer.settings)
        if isinstance(entailer, CountsTruncated) and entailer.truncated:
            message(
                f"{entailer.truncated} questions were longer than the model's input and were cut"
            )
        unread = sum(s.outcome == "unreadable" for score in scores for s in score.sentences)
        if unread:
            message(f"warning: {unread} sentences got no readable answer and count as not entailed")
        unseen = sum(score.on_unseen_text(s) for score in scores for s in score.sentences)
        if unseen:
            message(
                f"{unseen} sentences cite passages that were shortened for the model: they are "
                "judged on text that it may not have seen (--out marks them)"
            )
    if settings.out is not None and settings.judged is not None:
        _write(settings.out, scores)
        beside(settings.out).manifest.unlink(missing_ok=True)  # of what stood there
    _print(scores, how, form, settings.paragraphs)
    if settings.judged is not None and settings.paragraphs is None and form == "table":
        print(
            "over the paragraphs in the file: ALCE's log leaves out those without a citation that "
            "can be read; with --paragraphs N, the number there were, they count as 0"
        )
    if failed:
        raise typer.Exit(1)


def _begin(out: Path) -> None:
    """Makes way for a file that is written from its beginning: nothing can be resumed of it."""
    from dfactscore.work import beside

    out.unlink(missing_ok=True)
    beside(out).manifest.unlink(missing_ok=True)


def _estimate(settings: CitationSettings, form: opt.Format) -> None:
    """Prints what is left would ask, and asks nothing."""
    from dfactscore.asking.prices import PriceList
    from dfactscore.citations.biographies import citation_work
    from dfactscore.citations.entailment import NotLoaded
    from dfactscore.cli.usage_table import print_usage
    from dfactscore.errors import InputError
    from dfactscore.readers import read_biographies
    from dfactscore.work import beside, would_ask

    if settings.bios is None:
        raise InputError("citations: --dry-run needs a file of biographies; --judged asks nothing")
    found = read_biographies(settings.bios, limit=settings.limit).biographies
    nli = settings.entailment == "nli"
    entailer, session = (NotLoaded("nli"), None) if nli else _entailer(settings)
    try:
        work = citation_work(found, entailer, precision=not settings.recall_only)
        usage = would_ask(work, None if settings.out is None else beside(settings.out)).usage
        prices = PriceList({}) if session is None else session.budget.prices
    finally:
        if session is not None:
            session.close()
    print_usage(usage, prices, form, f"at most, of {len(found)} paragraphs; nothing was asked")


def _refuse_engine(given: dict[str, Any]) -> None:
    """Refuses options of an engine where judgments are only read."""
    from dfactscore.errors import InputError

    used = {"bios", "judged", "n_passages", "paragraphs", "limit", "out"}
    wrong = next((name for name in given if name not in used), None)
    if wrong is not None:
        flag = wrong.replace("_", "-")
        raise InputError(f"citations: --judged only recomputes; --{flag} cannot be used with it")


def _entailer(settings: CitationSettings) -> tuple[Entailer, LLMSession | None]:
    """The entailment model, and the language model's session where there is one."""
    from dfactscore.cli.output import message

    if settings.entailment == "nli":
        from dfactscore.citations.nli import TRUE_MODEL, NLIEntailer

        options = settings.nli_options()
        if settings.threshold is not None:
            options["threshold"] = settings.threshold
        entailer = NLIEntailer(settings.nli_model or TRUE_MODEL, log=message, **options)
        message(entailer.model.describe())
        return entailer, None
    from dfactscore.citations.verifying import VerifierEntailer, builtin_entailer

    if settings.entailment == "llm":
        from dfactscore.jobs.engines import build_engine

        session = settings.open_session(message)
        return VerifierEntailer(build_engine(settings.judge(), session).verifier), session
    return builtin_entailer(settings.threshold), None


def _score(
    settings: CitationSettings, entailer: Entailer, session: LLMSession | None, *, quiet: bool
) -> tuple[list[CitationScore], int]:
    from dfactscore._util.tasks import run_sync
    from dfactscore.citations import score_citations_async
    from dfactscore.cli.output import message, progress
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

    async def work() -> list[CitationScore]:
        assert settings.bios is not None
        try:
            with progress("judging", quiet=quiet) as bar:
                return await score_citations_async(
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
        finally:
            if session is not None:
                await session.aclose()

    try:
        found = run_sync(work())
        return found, len(reading.bad) + sum(score.status == "error" for score in found)
    finally:
        if session is not None:
            session.close()


def _write(out: Path, scores: list[CitationScore]) -> None:
    from dfactscore._util.jsonl import write_jsonl
    from dfactscore.citations import citation_record

    write_jsonl(out, map(citation_record, scores))


def _print(
    scores: list[CitationScore], how: dict[str, object], form: opt.Format, paragraphs: int | None
) -> None:
    from dataclasses import asdict

    from dfactscore._util.csv_text import csv_text
    from dfactscore._util.numbers import percent
    from dfactscore.citations import summarize
    from dfactscore.cli.output import print_json, write
    from dfactscore.measures.table import Column, Table, aligned

    summary = summarize(scores, paragraphs=paragraphs)
    if form == "json":
        row = asdict(summary)
        for key in ("citation_recall", "citation_precision"):
            row[f"{key}_percent"] = None if row[key] is None else 100 * row[key]
        print_json({**row, "entailment": how})
        return
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
    outcomes = summary.outcomes
    shares = (
        ("Citation recall", percent(summary.citation_recall, digits=2)),
        ("Citation precision", percent(summary.citation_precision, digits=2)),
    )
    print(aligned(Table((Column(left=True), Column(width=6)), shares)))
    counted = summary.n_scored
    missing = f" ({summary.n_missing} not in the file)" if summary.n_missing else ""
    print(
        f"over {counted} of {summary.n_paragraphs} paragraphs{missing}, {summary.n_sentences} "
        f"sentences, {summary.n_citations} citations read"
    )
    print(
        f"sentences: {outcomes['entailed']} entailed, {outcomes['not_entailed']} not, "
        f"{outcomes['uncited']} uncited, {outcomes['no_such_passage']} citing a passage that "
        f"does not exist, {outcomes['unreadable']} unreadable"
    )
    if counted != summary.n_paragraphs:
        print(
            "unscored paragraphs (abstained or empty) counted as 0: recall "
            f"{percent(summary.citation_recall_all, digits=2):>6}"
        )
