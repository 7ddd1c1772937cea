"""`dfactscore score` and `dfactscore rescore`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from dfactscore._util.settings import setting
from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import argument, command
from dfactscore.cli.root import app
from dfactscore.jobs.settings import Config, LinkSettings

__all__ = ["rescore", "score"]


@command(app, Config, config=True)
def score(
    settings: Config,
    given: dict[str, Any],
    *,
    f1_at: opt.F1At = None,
    columns: opt.Columns = None,
    output: opt.OutputFormat = "table",
    quiet: opt.Quiet = False,
) -> None:
    """Score a file of biographies.

    The built-in engine (rules and a small model) judges by default; with --engine llm, a language
    model of your choice (--model, --base-url, or --gguf).
    """
    from dfactscore.cli.scoring_job import run_job
    from dfactscore.jobs.settings import check_flags

    shown = _measures(columns)
    check_flags(settings, given)
    failed = run_job(settings, form=output, quiet=quiet, f1_at=_numbers(f1_at), columns=shown)
    if failed:
        raise typer.Exit(1)


class _Rescore(LinkSettings):
    """One `dfactscore rescore` command."""

    of: int | None = setting(
        None, "Texts that there were, for predictions of those that answered.", panel="Input"
    )


@command(app, _Rescore, defaults=False)
def rescore(
    given: dict[str, Any],
    *,
    run: Annotated[
        Path,
        argument("Run folder, released evaluation, labeled file or published predictions."),
    ],
    f1_at: opt.F1At = None,
    columns: opt.Columns = None,
    form: opt.OutputFormat = "table",
) -> None:
    """Recompute scores from saved verdicts, with other options.

    An option that is not given stays as it was in the run.
    """
    from dfactscore._util.settings import from_flags, settle
    from dfactscore.cli.output import about_run, message, print_scores
    from dfactscore.jobs.rescore import rescore as rescore_run

    shown = _measures(columns)
    settings = settle(_Rescore, from_flags(given, _Rescore))
    of = settings.of
    given.pop("of", None)
    if run.is_file():
        _refuse_options(run, given)
        _rescore_file(run, settings.gamma, form, of, f1_at)
        return
    found = rescore_run(run, **{name: getattr(settings, name) for name in given})
    about = about_run(run, found.settings)
    print_scores(found.rows, found.summary, form, about, _numbers(f1_at), shown)
    if found.unfinished:
        message(
            f"warning: the run is not finished: {len(found.rows)} of {found.expected} biographies "
            "are judged; run the command that started it again to resume it"
        )


def _measures(columns: str | None) -> tuple[str, ...]:
    """The measures to show, refused before anything is done where one is unknown."""
    from dfactscore.results.summary import shown_measures

    keys = opt.listed(columns)
    shown_measures(keys)
    return keys


def _numbers(f1_at: list[str] | None) -> tuple[float, ...]:
    """The K of F1@K; what belongs to several runs is for `compare`.

    Raises:
        InputError: If one is not a number above 0.
    """
    from dfactscore.comparison.f1 import parse_ks
    from dfactscore.errors import InputError

    ks = parse_ks(f1_at or ())
    for k in ks:
        if isinstance(k, str):
            raise InputError(
                f"--f1-at {k} is of all runs that are compared, never of one alone: give it to "
                "'dfactscore compare'"
            )
    return tuple(k for k in ks if not isinstance(k, str))


def _refuse_options(file: Path, given: dict[str, Any]) -> None:
    from dfactscore.errors import InputError

    wrong = ", ".join(f"--{name}" for name in sorted(given) if name != "gamma")
    if wrong:
        raise InputError(
            f"{file}: contains verdicts without a matrix, so {wrong} cannot be applied to it; of "
            "the scoring options only --gamma can"
        )


def _rescore_file(
    path: Path,
    gamma: float | None,
    form: opt.Format,
    of: int | None,
    f1_at: list[str] | None,
) -> None:
    """Prints the aggregates of a released file, as fractions under their own names."""
    from dfactscore.readers.human_labels import human_counts, human_factscore, read_annotations
    from dfactscore.readers.model_labels import has_model_labels, labeled_scores
    from dfactscore.scoring.released_scores import read_released, recompute

    values: dict[str, Any]
    if (first := _first_line(path)) is not None and has_model_labels(first):
        values = dict(labeled_scores(path, of=of))
    elif first is not None and "annotations" in first:
        records = read_annotations(path)
        values = {
            "human_factscore": human_factscore(records),
            "human_factscore_irrelevant_sentences": human_factscore(
                records, irrelevant_sentences=True
            ),
            "respond_ratio": sum(r["annotations"] is not None for r in records) / len(records),
            **_human_f1(human_counts(records), f1_at),
        }
    else:
        values = recompute(read_released(path), gamma=gamma)
    if form == "json":
        from dfactscore.cli.output import print_json

        print_json(values)
    elif form == "csv":
        from dfactscore._util.csv_text import csv_text

        print(csv_text([values]), end="")
    else:
        width = max(map(len, values))
        for key, value in values.items():
            print(f"{key:<{width}}  {'-' if value is None else format(value, '.6f')}")


def _human_f1(counts: list[tuple[int, int, int]], f1_at: list[str] | None) -> dict[str, float]:
    """Mean F1@K of the outputs that have facts; median and max are of their facts."""
    import statistics

    from dfactscore.comparison.f1 import parse_ks
    from dfactscore.metrics import PAPER_KS, f1_at_k, f1_key

    if not counts:
        return {}
    sizes = [n for *_, n in counts]
    of = {"median": statistics.median(sizes), "max": max(sizes)}
    numbers = [k if isinstance(k, float) else of[k] for k in parse_ks(f1_at or ()) or PAPER_KS]
    return {f1_key(k): statistics.fmean(f1_at_k(s, ns, k) for s, ns, _ in counts) for k in numbers}


def _first_line(path: Path) -> Mapping[str, Any] | None:
    """The first record of a JSONL file; None for other files."""
    if path.suffix.lower() != ".jsonl":
        return None
    from dfactscore._util.jsonl import read_jsonl
    from dfactscore.errors import InputError

    record = next((record for _, record in read_jsonl(path, error=InputError)), None)
    return record if isinstance(record, Mapping) else None
