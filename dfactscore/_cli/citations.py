"""`dfactscore citations`: citation recall and precision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import command
from dfactscore._cli.output import lines_or_json, print_usage, progress, write_data
from dfactscore._cli.root import app
from dfactscore._util.numbers import counted, percent
from dfactscore._util.tables import csv_text
from dfactscore.citations._settings import CitationSettings
from dfactscore.measures._table import Column, Table, aligned

if TYPE_CHECKING:
    from dfactscore.citations import CitationScore, CitationSummary


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

    The definitions are those of ALCE and of the paper's appendix D.
    """
    from dfactscore.citations import _command as job

    settings = job.begin(given, config, overwrite=overwrite)
    if settings.judged is not None:
        scores = job.recompute(settings, settings.judged)
        _print(scores, job.manifest_of(settings), form, settings.paragraphs)
        if settings.paragraphs is None and form == "table":
            print(
                "over the paragraphs in the file: ALCE's log omits those without a readable "
                "citation; give the number of all paragraphs, --paragraphs N, to count them as 0"
            )
        return
    with settings.using_session(needed=settings.entailment == "llm") as session:
        entailer = job.open_entailer(settings, session)
        if settings.dry_run:
            usage, n = job.estimate(settings, entailer)
            about = f"at most, for {counted(n, 'paragraph')}; no model was called"
            print_usage(usage, session.budget.prices if session else None, form, about)
            return
        with progress("judging", quiet=quiet) as bar:
            scores, failed = job.judge(settings, entailer, session, progress=bar)
    _print(scores, job.manifest_of(settings, entailer), form, None)
    if failed:
        raise typer.Exit(1)


def _print(
    scores: list[CitationScore],
    manifest: dict[str, Any],
    form: opt.Format,
    paragraphs: int | None,
) -> None:
    from dfactscore._results.signature import signature_of
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
        write_data(csv_text(rows))
        return
    signature = signature_of(manifest)
    row = {**_as_json(summary, manifest["settings"]), "signature": signature}
    lines_or_json(form, row, [*_lines(summary), f"signature: {signature}"])


def _as_json(summary: CitationSummary, entailment: dict[str, Any]) -> dict[str, Any]:
    row = asdict(summary)
    for key in ("citation_recall", "citation_precision"):
        row[f"{key}_percent"] = None if row[key] is None else 100 * row[key]
    return {**row, "entailment": entailment}


def _lines(summary: CitationSummary) -> Iterator[str]:
    outcomes, n_scored = summary.outcomes, summary.n_scored
    shares = (
        ("Citation recall", percent(summary.citation_recall, digits=2)),
        ("Citation precision", percent(summary.citation_precision, digits=2)),
    )
    yield aligned(Table((Column(left=True), Column(width=6)), shares))
    missing = f" ({summary.n_missing} not in the file)" if summary.n_missing else ""
    yield (
        f"over {n_scored} of {counted(summary.n_paragraphs, 'paragraph')}{missing}, "
        f"{counted(summary.n_sentences, 'sentence')}, {counted(summary.n_citations, 'citation')} "
        "read"
    )
    yield (
        f"sentences: {outcomes['entailed']} entailed, {outcomes['not_entailed']} not, "
        f"{outcomes['uncited']} uncited, {outcomes['no_such_passage']} citing a passage that "
        f"does not exist, {outcomes['unreadable']} unreadable"
    )
    if n_scored != summary.n_paragraphs:
        yield (
            "unscored paragraphs (abstained, no answer, empty or not judged) counted as 0: recall "
            f"{percent(summary.citation_recall_all, digits=2):>6}"
        )
