"""`dfactscore factor`: score models on which of several completions is likelier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import argument, command
from dfactscore._cli.output import lines_or_json, message, progress, write_data
from dfactscore._cli.root import group
from dfactscore._errors import InputError
from dfactscore._util.jsonl import read_json
from dfactscore._util.numbers import counted, percent
from dfactscore._util.tables import csv_text
from dfactscore.factor._settings import (
    OFFERED,
    AmbigSettings,
    BuildSettings,
    FactorInfoSettings,
    FactorSettings,
)

factor = group("factor")


@command(factor, FactorSettings, only=OFFERED, config=True)
def score(
    settings: FactorSettings,
    *,
    form: opt.ShortFormat = "table",
    quiet: opt.Quiet = False,
) -> None:
    """Score a model on a file of items.

    The model runs with transformers (--hf), with llama.cpp (--gguf), or on a server that returns
    log-probabilities of the prompt (--base-url).
    """
    from dfactscore._util.tasks import run_sync
    from dfactscore.factor._score_job import read_items, score_items

    items = read_items(settings)
    for bad in items.bad[:5]:
        message(f"skipped item: {bad}")
    with settings.open_session() as session:
        if settings.dry_run:
            _estimate(settings, items, session)
            return
        with progress("scoring", quiet=quiet) as bar:
            results = run_sync(
                score_items(settings, items, session, contexts=settings.before, progress=bar)
            )
        total = session.usage.total()
    lines_or_json(form, {**results.summary, "signature": results.signature}, [str(results)])
    if total.calls or total.cached:
        cost = "unknown" if total.cost is None else f"{total.cost:.4f}"
        message(f"{counted(total.calls, 'call')}, {total.cached} from the cache, cost {cost}")
    if items.bad:
        message(f"{counted(len(items.bad), 'item')} left out: see {settings.out}/errors.jsonl")
    if items.bad or results.summary["coverage"] not in (None, 1.0):
        raise typer.Exit(1)


def _estimate(settings: FactorSettings, items: Any, session: Any) -> None:
    from dfactscore._cli.output import print_usage
    from dfactscore.factor._score_job import estimate_score

    usage = estimate_score(settings, items, session, settings.before)
    if settings.hf is not None:
        message("no cost: the model runs in this process")
        return
    about = f"{counted(len(items.items), 'item')}, no model was called; tokens are estimated"
    print_usage(usage, session.budget.prices, "table", about)


@command(factor, FactorInfoSettings)
def info(
    settings: FactorInfoSettings,
    *,
    file: Annotated[
        Path,
        argument("FACTOR items: the released .csv, or .jsonl; with --read, a completed sample."),
    ],
    form: opt.ShortFormat = "table",
) -> None:
    """Describe a file of items: types, lengths, and baselines without a model."""
    from dfactscore.factor._description import describe, description_text, read_checked, sample_rows
    from dfactscore.factor._factor_items import read_factor

    sample = settings.sample
    if (sample is None) != (not settings.for_people):
        raise InputError("factor info: --sample N and --for-people go together")
    if settings.read:
        checked = read_checked(file)
        shares = (
            f"{name}: " + ", ".join(f"{k} {v['share']:.3f} of {v['n']}" for k, v in groups.items())
            for name, groups in checked.items()
        )
        lines_or_json(form, checked, shares)
        return
    items = read_factor(file)
    if sample is not None:
        write_data(csv_text(sample_rows(items, sample, seed=settings.seed)))
        return
    about = describe(items)
    about["drops"] = _drops(file)
    lines_or_json(form, about, [description_text(about)])
    for bad in items.bad[:20]:
        message(f"cannot be used: {bad}")
    if items.bad:
        raise typer.Exit(1)


def _drops(file: Path) -> dict[str, int]:
    """Reads the number of omitted parts from the file's manifest, by reason."""
    place = file.with_suffix(".manifest.json")
    about = read_json(place, error=InputError) if place.exists() else {}
    drops = about.get("drops") if isinstance(about, dict) else None
    return dict(drops) if isinstance(drops, dict) else {}


@command(factor, AmbigSettings)
def ambig(
    settings: AmbigSettings,
    *,
    form: opt.ShortFormat = "table",
    overwrite: opt.Overwrite = False,
) -> None:
    """Build AmbigFACTOR: false completions that are true of a namesake."""
    from dfactscore._evidence.pages import open_dataset
    from dfactscore.factor._ambig import build_ambig
    from dfactscore.factor._ambig.namesakes import check_ambig, write_ambig

    pages, out, dataset, seed = settings.pages, settings.out, settings.dataset, settings.seed
    chosen = settings.chosen
    check_ambig(out, inputs=[pages, dataset], overwrite=overwrite)
    names = open_dataset(dataset, "").titles
    built = build_ambig(pages, names=names, slots=chosen, seed=seed)
    made_of = {"pages": pages.name, "slots": list(chosen), "seed": seed}
    about = write_ambig(built, out, {**made_of, "dataset": dataset.name if dataset else None})
    share = percent(about["leak_share"], missing="–")
    counts = {"completions": "false completions", "slots": "items by slot", "drops": "left out"}
    lines = [
        f"{counted(about['items'], 'item')} of {counted(about['people'], 'person', 'people')} of "
        f"{counted(about['names'], 'name')} "
        f"({about['names_offered']} offered), in {out}",
        f"leaks: {about['leaks']} ({share} %) with the value in their prefix; the measures "
        "exclude them",
        *_counted(about, counts),
    ]
    lines_or_json(form, about, lines)
    if about["empty_slots"]:
        message(f"the pages have no values for the slots {', '.join(about['empty_slots'])}")


@command(
    factor,
    BuildSettings,
    only=[n for n in BuildSettings.model_fields if n != "temperature"],
    config=True,
)
def build(
    settings: BuildSettings,
    *,
    form: opt.ShortFormat = "table",
    overwrite: opt.Overwrite = False,
    quiet: opt.Quiet = False,
) -> None:
    """Build FACTOR items from any pages: a sentence and three false variants.

    Rules write the variants; with --engine llm, a language model does.
    """
    from dfactscore._util.tasks import run_sync
    from dfactscore.factor._build.building import build_items

    with (
        settings.using_session(needed=settings.engine == "llm") as session,
        progress("building", quiet=quiet) as bar,
    ):
        built = run_sync(build_items(settings, session, overwrite=overwrite, progress=bar))
    about = built.about
    counts = {"candidates": "candidates", "passed": "passed", "drops": "left out"}
    sums = (
        f"{counted(about['items'], 'item')} of {counted(about['sentences'], 'sentence')} of "
        f"{counted(about['documents'], 'page')}"
    )
    lines_or_json(form, about, [sums, *_counted(about, counts)])
    if form == "table":
        by = about["filters"]
        message(f"filters: contradiction by {by['contradiction']}, fluency {by['fluency']}")
    if built.failed:
        raise typer.Exit(1)


def _counted(about: Mapping[str, Any], labels: Mapping[str, str]) -> Iterator[str]:
    """Yields one line of counts per field."""
    for name, label in labels.items():
        counts = ", ".join(f"{kind} {n}" for kind, n in about[name].items())
        yield f"{label}: {counts or 'none'}"
