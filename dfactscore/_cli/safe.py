"""`dfactscore safe`: score texts by evidence from searches."""

from __future__ import annotations

from typing import Any

import typer

from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import command
from dfactscore._cli.output import (
    about_line,
    about_run,
    message,
    print_json,
    print_usage,
    progress,
    write,
    write_data,
)
from dfactscore._cli.root import app
from dfactscore._errors import InputError
from dfactscore._util.settings import GivenSettings
from dfactscore._util.tables import csv_text
from dfactscore.measures._table import aligned, labeled
from dfactscore.safe._settings import SafeConfig

# Options that do not apply to a search.
_LEFT_OUT = {
    "fs_scope",
    "index",
    "repeats",
    "gamma",
    "passages_per_fact",
} | {"calls", "evidence"}


@command(
    app, SafeConfig, only=[n for n in SafeConfig.model_fields if n not in _LEFT_OUT], config=True
)
def safe(
    settings: SafeConfig,
    given: dict[str, Any],
    keys: GivenSettings,
    *,
    output: opt.OutputFormat = "table",
    quiet: opt.Quiet = False,
) -> None:
    """Score texts by searched evidence (SAFE, D-SAFE, F1@K).

    The command searches an index, a wiki or a search service for evidence of each fact, and
    judges the fact by the results. With --per-entity, it also judges the fact by evidence about the
    linked person.
    """
    from dfactscore._jobs.settings import check_flags
    from dfactscore._results.signature import signature_of
    from dfactscore.safe._command import safe as run_safe
    from dfactscore.safe._inputs import read_texts
    from dfactscore.safe._safe_scores import summary_lines

    check_flags(settings, given, keys)
    if settings.input is None:
        raise InputError("no input: name a file of texts, or give 'input' in --config")
    reading = read_texts(settings.input, limit=settings.limit, text=settings.text)
    with settings.using_session(needed=settings.uses_llm) as session:
        if settings.dry_run:
            _estimate(settings, reading, session, output)
            return
        with progress("searching and judging", quiet=quiet) as bar:
            done, table, usage = run_safe(settings, reading, session=session, progress=bar)
    about = about_run(
        done.folder, done.manifest["settings"], signature_of(done.manifest), done.report
    )
    if output == "json":
        print_json(
            {**about, "summary": dict(table.summary), "texts": [dict(r) for r in table.rows]}
        )
    elif output == "csv":
        write_data(csv_text(table.rows))
    else:
        write(about_line(about) + "\n")
        write(aligned(labeled(summary_lines(table), left=True)) + "\n")
        write(f"signature: {about['signature']}\n")
    # Only searches count: the calls of a model that writes queries have the same stage.
    if counts := usage.to_dict().get("search", {}).get(about["search"]):
        message(f"{about['search']}: {counts['calls']} searches, {counts['cached']} from the cache")
    if settings.per_entity and table.summary["d_safe"] is None:
        message("no D-SAFE: no text with facts has candidate people (give --pages, or passages)")
    elif settings.per_entity and not settings.all_columns:
        message(
            "facts without open support were not judged against people (use --all-columns to "
            "judge them)"
        )
    if done.outcome.incomplete:
        raise typer.Exit(1)


def _estimate(settings: SafeConfig, reading: Any, session: Any, form: opt.Format) -> None:
    """Prints the maximum number of searches, calls and tokens, and the maximum cost."""
    from dfactscore.safe._command import most_needed

    needed, usage = most_needed(settings, reading.biographies, session)
    total = usage.total()
    figures = {
        **needed,
        "calls": total.calls,
        "prompt_tokens": total.prompt_tokens,
        "answer_tokens": total.completion_tokens,
        "cost": total.cost if total.calls else 0.0,
    }
    about = "at most; nothing was searched, and the built-in engine estimated the facts"
    if form == "json":
        print_json(figures)
    elif form == "csv":
        write_data(csv_text([figures]))
    else:
        for name, count in needed.items():
            print(f"{name:<16}  {count}")
        if session is not None:
            print_usage(usage, session.budget.prices, form, f"{about}; tokens are estimated")
            return
    message(about)
