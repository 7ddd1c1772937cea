"""`dfactscore meta`: the accuracy of evaluators on labeled data."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import argument, command
from dfactscore._cli.output import lines_or_json, message, print_usage, progress, show
from dfactscore._cli.root import group
from dfactscore._errors import InputError
from dfactscore._util.numbers import counted
from dfactscore.meta._settings import (
    MetaCalibrateSettings,
    MetaCompareSettings,
    MetaDataSettings,
    MetaPredictionSettings,
    MetaRunSettings,
)

meta_app = group("meta")

# Options for score tables, for several evaluators, or for runs that can be resumed.
_OF_TABLES = {
    "evaluators", "dry_run", "threshold", "references", "level", "missing", "confidence",
    "resamples", "random_seed", "samples", "calibration",
}  # fmt: skip

Data = Annotated[
    list[str],
    argument(
        "Labeled data; KIND is felm, wice, factcheck-stance, factcheck-claims, "
        "factscore-labels, qasem or pairs; a file without a kind holds pairs.",
        metavar="[KIND=]PATH...",
    ),
]


@command(meta_app, MetaDataSettings)
def data(settings: MetaDataSettings, *, data: Data, form: opt.ShortFormat = "table") -> None:
    """Count items, errors, clusters, references and odd records of labeled data."""
    from dfactscore.meta._command import open_data
    from dfactscore.meta._data_sets import describe, describe_text
    from dfactscore.meta._evaluating import limited

    sets = [limited(data_set, settings.limit) for data_set in open_data(settings, data)]
    rows = describe(sets)
    lines_or_json(form, rows, [describe_text(rows).removesuffix("\n")])
    _end(sets)


@command(meta_app, MetaRunSettings, config=True)
def run(
    settings: MetaRunSettings,
    *,
    data: Data,
    output: opt.OutputFormat = "table",
    quiet: opt.Quiet = False,
) -> None:
    """Judge labeled data with evaluators and score them."""
    from dfactscore.meta._command import asks_model, check_names, estimate_meta, open_data, run_meta

    out, dry_run = settings.out, settings.dry_run
    if out is None and not dry_run:
        raise InputError("--out is missing: give a folder for judgements and scores")
    sets, names = open_data(settings, data), settings.evaluators
    check_names(names, settings, sets)
    asks = asks_model(names, settings)
    with settings.using_session(needed=asks) as session:
        if dry_run:
            if session is None:
                raise InputError("--dry-run is for language models, and no evaluator calls one")
            estimate = estimate_meta(settings, sets, names, session)
            about = f"{estimate.items} responses, no model was called; tokens are estimated"
            print_usage(estimate.usage, session.budget.prices, output, about)
            return
        with progress("judging", quiet=quiet) as bar:
            result = run_meta(settings, sets, names, out, session=session, progress=bar)
        _print(result, output)
        if session is not None:
            total = session.usage.total()
            message(f"{counted(total.calls, 'call')}, {total.cached} answers from the cache")
    unjudged = _unjudged(result.rows)
    for block, evaluator in unjudged:
        message(f"{block}: all answers of {evaluator} are unreadable, so it has no figures")
    _end(sets, failed=bool(result.unanswered or unjudged))


@command(
    meta_app,
    MetaCalibrateSettings,
    only=[n for n in MetaCalibrateSettings.model_fields if n not in _OF_TABLES],
    config=True,
)
def calibrate(settings: MetaCalibrateSettings, *, data: Data, quiet: opt.Quiet = False) -> None:
    """Fit a map from a judge's probabilities to the shares of supported facts."""
    from dfactscore.meta._calibrating import UselessCalibration
    from dfactscore.meta._command import asks_model, calibrate_judge, open_data

    sets = open_data(settings, data)
    asks = asks_model([settings.judge], settings)
    with (
        settings.using_session(needed=asks) as session,
        progress("judging", quiet=quiet) as bar,
    ):
        try:
            calibration = calibrate_judge(settings, sets, session=session, progress=bar)
        except UselessCalibration as error:
            message(str(error))
            raise typer.Exit(1) from None
    print(calibration)
    message(f"{settings.out}: use it with dfactscore score --calibration {settings.out}")
    _end(sets)


@command(meta_app, MetaPredictionSettings)
def score(
    settings: MetaPredictionSettings,
    *,
    predictions: Annotated[
        Path, argument("Predictions: JSON lines, or a CSV file from FELM's script.")
    ],
    data: Data,
    form: opt.OutputFormat = "table",
) -> None:
    """Score predictions from elsewhere."""
    from dfactscore.meta._command import open_data
    from dfactscore.meta._evaluating import limited, score_predictions

    sets = [limited(data_set, settings.limit) for data_set in open_data(settings, data)]
    result = score_predictions(
        predictions, sets, reading=settings.reading, options=settings.options()
    )
    _print(result, form)
    _end(sets)


@command(meta_app, MetaCompareSettings)
def compare(
    settings: MetaCompareSettings,
    *,
    folders: Annotated[
        list[Path], argument("Folders written by 'dfactscore meta run'.", metavar="DIR...")
    ],
    form: opt.OutputFormat = "table",
) -> None:
    """Compare evaluators of one or several evaluations: one table, paired tests, Holm."""
    from dfactscore.meta._compare import compare_runs

    confidence, resamples = settings.confidence, settings.resamples
    if not 0 < confidence < 1 or resamples < 100:
        raise InputError(
            f"--confidence {confidence:g}, --resamples {resamples}: expected a level between 0 "
            "and 1, and at least 100 permutations"
        )
    comparison = compare_runs(
        *folders, confidence=confidence, resamples=resamples, seed=settings.seed
    )
    show(comparison, form)


@command(meta_app)
def agree(
    *,
    first: Annotated[Path, argument("A run folder.")],
    second: Annotated[Path, argument("A run folder of the same texts with another judge.")],
    form: opt.OutputFormat = "table",
) -> None:
    """Compare the verdicts and groups of two runs: share of equal ones, kappa."""
    from dfactscore.meta._compare import run_agreement

    show(run_agreement(first, second), form)


def _unjudged(rows: Iterable[Any]) -> list[tuple[str, str]]:
    """Returns the pairs of a block and an evaluator for which no answer was readable."""
    best: dict[tuple[str, str], float] = {}
    for row in rows:
        coverage = row.figures.get("coverage")
        if coverage is not None:
            key = (row.block, row.evaluator)
            best[key] = max(best.get(key, 0.0), coverage)
    return [key for key, coverage in best.items() if coverage == 0]


def _print(result: Any, form: opt.Format) -> None:
    show(result, form)
    if form == "csv":
        for note in result.notes:
            message(note)


def _end(sets: list[Any], *, failed: bool = False) -> None:
    """Lists the skipped records and exits with status 1 if there are any."""
    bad = [bad_record for data in sets for bad_record in data.bad]
    for record in bad:
        message(f"skipped record: {record}")
    if bad or failed:
        raise typer.Exit(1)
