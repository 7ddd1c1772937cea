"""`dfactscore safe` and `dfactscore longfact`: score texts by searched evidence, and prompts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import argument, command
from dfactscore._cli.output import (
    about_line,
    about_run,
    lines_or_json,
    message,
    print_json,
    print_usage,
    progress,
    write,
    write_data,
)
from dfactscore._cli.root import app, group
from dfactscore._errors import InputError
from dfactscore._util.files import check_output
from dfactscore._util.jsonl import write_json, write_jsonl
from dfactscore._util.settings import GivenSettings, Settings, panels
from dfactscore._util.tables import csv_text
from dfactscore.measures._table import aligned, labeled
from dfactscore.safe._settings import SafeConfig

# Options that do not apply to a search.
_LEFT_OUT = {
    "index",
    "repeats",
    "gamma",
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
    judges the fact by the results.
    """
    from dfactscore._jobs.settings import check_flags
    from dfactscore._readers import read_biographies
    from dfactscore._results.signature import signature_of
    from dfactscore.safe._command import safe as run_safe
    from dfactscore.safe._safe_scores import summary_lines

    check_flags(settings, given, keys)
    if settings.input is None:
        raise InputError("no input: name a file of texts, or give 'input' in --config")
    reading = read_biographies(
        settings.input, limit=settings.limit, columns=settings.columns, text=settings.text
    )
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


longfact_app = group("longfact")
_input, _output = panels("Input Output")
Folder = Annotated[Path, argument("Folder with the files longfact-TASK_TOPIC.jsonl.")]


class _Topics(Settings):
    """The prompts of LongFact."""

    task: Literal["objects", "concepts"] | None = _input(
        None, "Only prompts of this task.", named="both"
    )
    topics: tuple[str, ...] = _input(
        (), "Only prompts on this topic; may be repeated.", named="all"
    )


class _Draw(_Topics):
    """The settings of `dfactscore longfact sample`."""

    out: Path = _output(
        ..., "File to write the sampled prompts to (.jsonl).", flags=("--out", "-o")
    )
    n: int = _input(250, "Number of prompts.", ge=1)
    seed: int = _input(1, "Random seed for sampling and resampling.")
    who_is: bool = _input(
        False, "Only prompts that ask who a person is or was.", flags=("--who-is",)
    )
    detail: bool = _input(
        False, "Also ask for names, numbers, dates and places.", flags=("--detail",)
    )


@command(longfact_app, _Topics, name="list")
def list_(settings: _Topics, *, folder: Folder, form: opt.ShortFormat = "table") -> None:
    """Count the prompts by topic."""
    from dfactscore.safe._inputs import read_longfact

    longfact = read_longfact(folder, task=settings.task, topics=settings.topics)
    counts = Counter((prompt.task, prompt.topic) for prompt in longfact.prompts)
    rows = [{"task": t, "topic": name, "prompts": n} for (t, name), n in sorted(counts.items())]
    distinct = len(longfact.prompts)
    sums = {"files": len(longfact.files), "rows": longfact.rows, "distinct": distinct}
    lines = [f"{row['task']:<9} {row['topic']:<28} {row['prompts']:>4}" for row in rows]
    lines.append("{files} files, {rows} rows, {distinct} distinct prompts".format(**sums))
    lines_or_json(form, {**sums, "topics": rows}, lines)


@command(longfact_app, _Draw)
def sample(settings: _Draw, *, folder: Folder, overwrite: opt.Overwrite = False) -> None:
    """Draw distinct prompts for 'dfactscore generate --questions'."""
    from dfactscore.safe._inputs import read_longfact
    from dfactscore.safe._inputs import sample as draw

    out = settings.out
    if out.suffix.lower() != ".jsonl":
        raise InputError(f"{out}: prompts are written as .jsonl")
    manifest_file = out.with_suffix(".manifest.json")
    for file in (out, manifest_file):
        check_output(file, "longfact", inputs=[folder], force=overwrite)
    longfact = read_longfact(folder, task=settings.task, topics=settings.topics)
    options = settings.model_dump(include={"n", "seed", "who_is", "detail"})
    rows = draw(longfact.prompts, options.pop("n"), **options)
    write_jsonl(out, rows)
    manifest = {
        "source": dict(longfact.files),
        "rows": longfact.rows,
        "distinct": len(longfact.prompts),
        "drawn": len(rows),
        "settings": {
            "task": settings.task,
            "topics": list(settings.topics) or None,
            "n": settings.n,
            **options,
        },
    }
    write_json(manifest_file, manifest, indent=1)
    print(f"{len(rows)} of {len(longfact.prompts)} prompts in {out}")
