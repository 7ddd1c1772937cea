"""`dfactscore score` and `dfactscore rescore`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dfactscore.cli import llm_options as llm
from dfactscore.cli import options as opt
from dfactscore.cli.app import app

if TYPE_CHECKING:
    from dfactscore.scoring.record import Record

__all__ = ["rescore", "score"]


@app.command()
def score(
    input: Annotated[
        Path | None, typer.Argument(help="Biographies: .json (ALCE), .jsonl, .csv, .tsv.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Run folder; the same command resumes it.")
    ] = None,
    config: llm.ConfigFile = None,
    pages: Annotated[
        Path | None,
        typer.Option("--pages", help="Whole pages: .jsonl, a folder of .txt, a page store."),
    ] = None,
    dataset: Annotated[
        Path | None, typer.Option("--dataset", help="AmbigBio file, for --candidates dataset.")
    ] = None,
    candidates: opt.Candidates = None,
    fs_scope: opt.FsScope = None,
    index: Annotated[
        Path | None, typer.Option("--index", help="Index folder, for --fs-scope corpus.")
    ] = None,
    link: opt.LinkOption = None,
    unreadable: opt.Unreadable = None,
    irrelevant: opt.Irrelevant = None,
    threshold: opt.Threshold = None,
    soft: opt.Soft = None,
    gamma: opt.Gamma = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", min=1, help="Score only the first N; a larger N, or none, goes on."
        ),
    ] = None,
    engine: llm.EngineChoice = None,
    decomposer: llm.DecomposerRole = None,
    grouper: llm.GrouperRole = None,
    verifier: llm.VerifierRole = None,
    strict: llm.Strict = None,
    relevance: llm.Relevance = None,
    cascade_low: llm.CascadeLow = None,
    cascade_high: llm.CascadeHigh = None,
    prompts: llm.Prompts = None,
    model: llm.Model = None,
    decomposer_model: llm.DecomposerModel = None,
    grouper_model: llm.GrouperModel = None,
    verifier_model: llm.VerifierModel = None,
    base_url: llm.BaseUrl = None,
    api_key_env: llm.ApiKeyEnv = None,
    gguf: llm.Gguf = None,
    temperature: llm.Temperature = None,
    seed: llm.Seed = None,
    structured: llm.Structured = None,
    max_answer_tokens: llm.MaxAnswerTokens = None,
    concurrency: llm.Concurrency = None,
    requests_per_minute: llm.RequestsPerMinute = None,
    tokens_per_minute: llm.TokensPerMinute = None,
    timeout: llm.Timeout = None,
    retries: llm.Retries = None,
    batch: llm.Batch = None,
    cache: llm.Cache = None,
    no_cache: llm.NoCache = None,
    prices: llm.Prices = None,
    max_cost: llm.MaxCost = None,
    max_calls: llm.MaxCalls = None,
    repeats: llm.Repeats = None,
    dry_run: llm.DryRun = None,
    form: opt.OutputFormat = "table",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Score a file of biographies.

    Rules and a small model judge by default; with --engine llm, a language model of your choice
    (--model, --base-url, or --gguf).
    """
    given = {name: value for name, value in locals().items() if name in _CONFIGURED}
    from dfactscore.cli.scoring_job import run_job
    from dfactscore.jobs.settings import check_flags, load_config

    settings = load_config(config, given)
    check_flags(settings, given)
    failed = run_job(settings, form=form, quiet=quiet)
    if failed:
        raise typer.Exit(1)


_CONFIGURED = frozenset(inspect.signature(score).parameters) - {"config", "form", "quiet"}


@app.command()
def rescore(
    run: Annotated[Path, typer.Argument(help="Run folder, released evaluation or labeled file.")],
    dataset: Annotated[
        Path | None, typer.Option("--dataset", help="AmbigBio file, for --candidates dataset.")
    ] = None,
    candidates: opt.Candidates = None,
    link: opt.LinkOption = None,
    unreadable: opt.Unreadable = None,
    irrelevant: opt.Irrelevant = None,
    threshold: opt.Threshold = None,
    soft: opt.Soft = None,
    gamma: opt.Gamma = None,
    form: opt.OutputFormat = "table",
) -> None:
    """Score what was judged anew, with other options; nothing is judged again."""
    if run.is_file():
        given = {
            "--candidates": candidates,
            "--dataset": dataset,
            "--irrelevant": irrelevant,
            "--link": link,
            "--soft": soft,
            "--threshold": threshold,
            "--unreadable": unreadable,
        }
        _refuse_options(run, [name for name, value in given.items() if value is not None])
        _rescore_file(run, gamma, form)
        return
    from dfactscore.cli.output import about_run, message, print_scores
    from dfactscore.evidence.pages import open_dataset
    from dfactscore.results.tables import score_row
    from dfactscore.runs import load_run
    from dfactscore.scoring.summary import summarize_records

    loaded = load_run(run)
    scoring = loaded.options.changed(
        link=link, unreadable=unreadable, irrelevant=irrelevant, threshold=threshold, soft=soft,
        gamma=gamma,
    )  # fmt: skip
    chosen = candidates or loaded.candidates
    recorded = loaded.manifest["settings"].get("dataset")
    titles = open_dataset(dataset, chosen)[0] if dataset or not recorded else None
    rows: list[dict[str, Any]] = []

    def scored() -> Iterator[Record]:
        for one in loaded.records(options=scoring, candidates=chosen, dataset=titles, texts=False):
            rows.append(score_row(one))
            yield one

    summary = summarize_records(scored(), n_bad=loaded.n_bad)
    settings = {**loaded.manifest["settings"], "candidates": chosen, "scores": asdict(scoring)}
    about = about_run(run, settings)
    print_scores(rows, summary, form, about)
    expected = loaded.manifest["input"].get("records", 0) - loaded.n_bad
    if len(rows) < expected:
        message(
            f"warning: the run is not finished: {len(rows)} of {expected} biographies are judged; "
            "the command that began it goes on with it"
        )


def _refuse_options(file: Path, options: list[str]) -> None:
    from dfactscore.errors import InputError

    if options:
        raise InputError(
            f"{file}: holds verdicts without a matrix: {', '.join(options)} cannot be applied to "
            "it; of the scoring options only --gamma can"
        )


def _rescore_file(path: Path, gamma: float | None, form: opt.Format) -> None:
    """Prints the aggregates of a released file, as fractions under their own names."""
    from dfactscore.readers.human_labels import human_factscore, read_annotations
    from dfactscore.scoring.released import read_released, recompute

    if _has_annotations(path):
        records = read_annotations(path)
        values: dict[str, Any] = {
            "human_factscore": human_factscore(records),
            "human_factscore_irrelevant_sentences": human_factscore(
                records, irrelevant_sentences=True
            ),
            "respond_ratio": sum(r["annotations"] is not None for r in records) / len(records),
        }
    else:
        values = recompute(read_released(path), gamma=gamma)
    if form == "json":
        import json

        print(json.dumps(values, indent=2))
    elif form == "csv":
        from dfactscore.results.tables import csv_text

        print(csv_text([values], values), end="")
    else:
        width = max(map(len, values))
        for key, value in values.items():
            print(f"{key:<{width}}  {'-' if value is None else format(value, '.6f')}")


def _has_annotations(path: Path) -> bool:
    if path.suffix.lower() != ".jsonl":
        return False
    with open(path, encoding="utf-8", errors="replace") as file:
        first = file.readline()
    return '"annotations"' in first
