"""`dfactscore citations`: citation recall and precision."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dfactscore.cli import llm_options as llm
from dfactscore.cli import options as opt
from dfactscore.cli.app import app

if TYPE_CHECKING:
    from dfactscore.citations import CitationScore, Entailer
    from dfactscore.engines.llm.client.session import LLMSession

__all__ = ["citations"]


Entailment = Literal["builtin", "nli", "llm"]


@app.command()
def citations(
    bios: Annotated[
        Path | None,
        typer.Argument(help="Biographies with citations and passages (ALCE JSON, JSONL, CSV)."),
    ] = None,
    judged: Annotated[
        Path | None,
        typer.Option(help="Sentences judged before: only recompute; no entailment model is asked."),
    ] = None,
    entailment: Annotated[
        Entailment, typer.Option(help="What judges whether passages entail a sentence.")
    ] = "builtin",
    nli_model: Annotated[
        str | None,
        typer.Option(help="Hugging Face model or folder for nli (default: TRUE's T5-11B)."),
    ] = None,
    model: llm.Model = None,
    base_url: llm.BaseUrl = None,
    api_key_env: llm.ApiKeyEnv = None,
    gguf: llm.Gguf = None,
    concurrency: llm.Concurrency = None,
    requests_per_minute: llm.RequestsPerMinute = None,
    tokens_per_minute: llm.TokensPerMinute = None,
    timeout: llm.Timeout = None,
    retries: llm.Retries = None,
    cache: llm.Cache = None,
    no_cache: llm.NoCache = None,
    prices: llm.Prices = None,
    max_cost: llm.MaxCost = None,
    max_calls: llm.MaxCalls = None,
    threshold: Annotated[
        float | None, typer.Option(help="Probability of entailment for the built-in engine.")
    ] = None,
    recall_only: Annotated[
        bool, typer.Option("--recall-only", help="Do not ask what precision needs besides.")
    ] = False,
    n_passages: Annotated[
        int,
        typer.Option(min=1, help="With --judged: passages that could be cited, where not said."),
    ] = 5,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N biographies.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write every sentence with its judgment (JSONL).")
    ] = None,
    form: opt.OutputFormat = "table",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Citation recall and precision (ALCE's definitions; the paper's appendix D)."""
    asked = {name: value for name, value in locals().items() if name in _MODEL}
    from dfactscore._util.files import make_folder
    from dfactscore.citations import read_judged
    from dfactscore.citations.entailment import CountsTruncated
    from dfactscore.cli.output import message
    from dfactscore.errors import InputError

    if (bios is None) == (judged is None):
        raise InputError("citations: give either a file of biographies or --judged FILE")
    kind = "none" if judged is not None else entailment
    _check_fits(kind, asked, nli_model=nli_model, threshold=threshold)
    if out is not None:
        make_folder(out.parent)  # told before the judging, which may take hours
    failed = 0
    if judged is not None:
        scores = read_judged(judged, n_passages=n_passages)[:limit]
        how: dict[str, Any] = {"entailer": "judged"}
    else:
        assert bios is not None
        entailer, session = _entailer(entailment, nli_model, asked, threshold)
        scores, failed = _score(
            bios, entailer, session, limit, precision=not recall_only, quiet=quiet
        )
        how = dict(entailer.settings)
        if isinstance(entailer, CountsTruncated) and entailer.truncated:
            message(f"{entailer.truncated} questions were longer than the model reads and were cut")
        unread = sum(s.outcome == "unreadable" for score in scores for s in score.sentences)
        if unread:
            message(
                f"warning: {unread} sentences got no answer that could be read and count as not "
                "entailed; the same command asks for them again"
            )
    if out is not None:
        _write(out, scores)
    _print(scores, how, form)
    if failed:
        raise typer.Exit(1)


_MODEL = frozenset({
    "model", "base_url", "api_key_env", "gguf", "concurrency", "requests_per_minute",
    "tokens_per_minute", "timeout", "retries", "cache", "no_cache", "prices", "max_cost",
    "max_calls",
})  # fmt: skip


def _check_fits(kind: str, asked: dict[str, Any], **others: Any) -> None:
    """Refuses an option that the chosen way of judging would not look at."""
    from dfactscore.errors import InputError

    homes = {**dict.fromkeys(asked, "llm"), "nli_model": "nli", "threshold": "builtin"}
    for name, value in sorted({**asked, **others}.items()):
        if value is not None and homes[name] != kind:
            flag = name.replace("_", "-")
            raise InputError(f"citations: --{flag} is for --entailment {homes[name]}")


def _entailer(
    kind: Entailment, nli_model: str | None, asked: dict[str, Any], threshold: float | None
) -> tuple[Entailer, LLMSession | None]:
    """The entailment model, and the language model's session where there is one."""
    if kind == "nli":
        from dfactscore.citations.nli import TRUE_MODEL, NLIEntailer

        return NLIEntailer(nli_model or TRUE_MODEL), None
    from dfactscore.citations.verifying import VerifierEntailer, builtin_entailer

    if kind == "llm":
        from dfactscore.jobs.engines import build_engine, open_session
        from dfactscore.jobs.settings import load_config

        config = load_config(None, {**asked, "verifier": "llm"})
        session = open_session(config)
        return VerifierEntailer(build_engine(config, session).verifier), session
    return builtin_entailer(threshold), None


def _score(
    bios: Path,
    entailer: Entailer,
    session: LLMSession | None,
    limit: int | None,
    *,
    precision: bool,
    quiet: bool,
) -> tuple[list[CitationScore], int]:
    from dfactscore._util.tasks import run_sync
    from dfactscore.citations import score_citations_async
    from dfactscore.cli.output import message, progress
    from dfactscore.readers import read_biographies

    reading = read_biographies(bios, limit=limit)
    for bad in reading.bad:
        message(f"set aside: {bad}")
    bare = [b for b in reading.biographies if not b.passages]
    if bare:
        message(
            f"{len(bare)} biographies have no passages, so nothing that they cite exists "
            f"(the first is {bare[0].id!r})"
        )

    async def work() -> list[CitationScore]:
        try:
            with progress("judging", quiet=quiet) as bar:
                return await score_citations_async(
                    reading.biographies, entailer, precision=precision, progress=bar
                )
        finally:
            if session is not None:
                await session.aclose()

    try:
        return run_sync(work()), len(reading.bad)
    finally:
        if session is not None:
            session.close()


def _write(out: Path, scores: list[CitationScore]) -> None:
    from dfactscore._util.jsonl import write_jsonl
    from dfactscore.citations import citation_record

    write_jsonl(out, map(citation_record, scores))


def _print(scores: list[CitationScore], how: dict[str, object], form: opt.Format) -> None:
    import json
    from dataclasses import asdict

    from dfactscore.citations import summarize

    summary = summarize(scores)
    if form == "json":
        row = asdict(summary)
        for key in ("citation_recall", "citation_precision"):
            row[f"{key}_percent"] = None if row[key] is None else 100 * row[key]
        print(json.dumps({**row, "entailment": how}, indent=2))
        return
    if form == "csv":
        import csv

        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(["id", "name", "status", "citation_recall", "citation_precision"])
        for s in scores:
            cells = ["" if v is None else round(v, 6) for v in (s.recall, s.precision)]
            writer.writerow([s.id, s.name, s.status, *cells])
        return
    outcomes = summary.outcomes
    print(f"Citation recall     {_percent(summary.citation_recall)}")
    print(f"Citation precision  {_percent(summary.citation_precision)}")
    print(
        f"over {summary.n_scored} of {summary.n_paragraphs} paragraphs, {summary.n_sentences} "
        f"sentences, {summary.n_citations} citations read"
    )
    print(
        f"sentences: {outcomes['entailed']} entailed, {outcomes['not_entailed']} not, "
        f"{outcomes['uncited']} uncited, {outcomes['no_such_passage']} citing a passage that is "
        f"not there, {outcomes['unreadable']} unreadable"
    )
    if summary.n_scored != summary.n_paragraphs:
        print(
            "unscored paragraphs (abstained or empty) counted as 0: recall "
            f"{_percent(summary.citation_recall_all)}"
        )


def _percent(value: float | None) -> str:
    return "     –" if value is None else f"{100 * value:6.2f}"
