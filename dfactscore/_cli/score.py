"""`dfactscore score`, `dfactscore rescore` and `dfactscore demo`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import argument, command, option
from dfactscore._cli.output import (
    about_run,
    lines_or_json,
    message,
    print_scores,
    print_usage,
    progress,
    warn,
    write_data,
)
from dfactscore._cli.root import app
from dfactscore._errors import InputError
from dfactscore._jobs.settings import Config, LinkSettings
from dfactscore._util.numbers import counted
from dfactscore._util.settings import GivenSettings, Settings, from_flags, setting, settle
from dfactscore._util.tables import csv_text
from dfactscore.measures._table import aligned, labeled

if TYPE_CHECKING:
    from dfactscore._asking.session import LLMSession
    from dfactscore._cli.gate import Condition
    from dfactscore._readers import Reading
    from dfactscore._scorer.run_folder import Scoring
    from dfactscore.work import WouldAsk


class _Demo(Settings):
    """The settings of `dfactscore demo`."""

    out: Path | None = setting(
        None, "Run folder.", panel="Output", flags=("--out", "-o"), named="runs/demo-EXAMPLE"
    )


@command(app, _Demo)
def demo(
    settings: _Demo,
    *,
    example: Annotated[
        Literal["people", "ships"],
        argument("The example to score."),
    ] = "people",
) -> None:
    """Score the shipped example: people (or ships) with one name."""
    from dfactscore._jobs.settings import Config
    from dfactscore._results.result import Result
    from dfactscore._results.signature import signature_of
    from dfactscore._runs import load_run
    from dfactscore._scorer.command import score
    from dfactscore.examples import example as find

    out = settings.out
    shipped, folder = find(example), out or Path("runs") / f"demo-{example}"
    config = Config(input=shipped.biographies, pages=shipped.pages, out=folder)
    done = score(config)
    about = about_run(
        done.folder, done.manifest["settings"], signature_of(done.manifest), done.report
    )
    print_scores(done.outcome.rows, done.outcome.summary, "table", about)
    mixed = next((r["id"] for r in done.outcome.rows if r["mixed_groups"]), None)
    for record in load_run(done.folder).records():
        if record.id == mixed:
            print("\nA mixed text, fact by fact (+ supported, ≠ true of another person only):\n")
            print(Result(record))


@command(app, Config, config=True)
def score(
    settings: Config,
    given: dict[str, Any],
    keys: GivenSettings,
    *,
    f1_at: opt.F1At = None,
    columns: opt.Columns = None,
    fail_if: opt.FailIf = None,
    output: opt.ScoreFormat = "table",
    quiet: opt.Quiet = False,
) -> None:
    """Score a file of biographies.

    By default, the built-in engine (rules and a small model) judges; with --engine llm, a language
    model of your choice does (--model, --base-url, or --gguf).
    """
    from dfactscore._jobs.settings import check_flags

    measures = _measures(columns)
    check_flags(settings, given, keys)
    conditions = []
    if fail_if:
        from dfactscore._cli.gate import parse_condition

        conditions = [parse_condition(text) for text in fail_if]
    if output in ("junit", "github") and not conditions:
        raise InputError(f"--format {output} reports --fail-if, for example --fail-if 'mixed > 2%'")
    failed = run_job(
        settings,
        form=output,
        quiet=quiet,
        f1_at=_numbers(f1_at),
        columns=measures,
        fail_if=conditions,
    )
    if failed:
        raise typer.Exit(1)


def run_job(
    config: Config,
    *,
    form: opt.GateFormat,
    quiet: bool,
    f1_at: Sequence[float] = (),
    columns: Sequence[str] = (),
    fail_if: Sequence[Condition] = (),
) -> bool:
    """Scores biographies, once or repeatedly, or estimates the calls needed."""
    from dfactscore._jobs.sampling import read_input
    from dfactscore._results.signature import signature_of
    from dfactscore._scorer.command import repeat
    from dfactscore._scorer.command import score as score_all

    reading = read_input(config)
    if not config.uses_llm and (config.dry_run or config.repeats > 1):
        raise InputError(
            "--dry-run and --repeats are for language models; no role here asks one, and the "
            "answers are always the same (see --engine llm)"
        )
    if fail_if and (config.dry_run or config.repeats > 1):
        raise InputError("--fail-if checks the scores of one run; leave out --dry-run, --repeats")
    if config.repeats > 1 and config.no_cache:
        raise InputError("--repeats takes facts and groups from the cache; leave out --no-cache")
    with config.using_session(needed=config.uses_llm) as session:
        if config.dry_run and session is not None and form != "junit" and form != "github":
            return _estimate(config, reading, session, form)

        def spent() -> str:
            return "" if session is None else _spent(session)

        def beat() -> str:
            pulse = "" if session is None else session.pulse()
            return f"{pulse}, {spent()}" if pulse else spent()

        with progress("scoring", quiet=quiet, note=beat if session else None) as bar:
            if bar is not None and session is not None:
                bar(0, len(reading.biographies))
            if config.repeats > 1 and session is not None:
                several, text = repeat(config, session, reading=reading, progress=bar)
                print(text, end="")
                message(spent())
                return any(job.outcome.incomplete for job in several)
            done = score_all(config, reading=reading, session=session, progress=bar)
        about = about_run(
            done.folder, done.manifest["settings"], signature_of(done.manifest), done.report
        )
        if form != "junit" and form != "github":
            print_scores(done.outcome.rows, done.outcome.summary, form, about, f1_at, columns)
        fails = bool(fail_if) and _fails(fail_if, done, form, config)
        if session is not None:
            message(spent())
            total = done.manifest.get("total", {})
            if total.get("calls", 0) > session.usage.total().calls:
                message(f"all sessions of this run: {_sum(session, total)}")
        return done.outcome.incomplete or fails


def _fails(conditions: Sequence[Condition], done: Scoring, form: str, config: Config) -> bool:
    """Prints the conditions that hold and the texts that cause it; returns whether any does."""
    from dfactscore._cli.gate import failure_lines, failures, github_lines, junit, people_of
    from dfactscore._runs import load_run

    rows = list(done.outcome.rows)
    found = failures(conditions, rows)
    wrong = {row["id"] for failure in found for row in failure.texts}
    records = load_run(done.folder).records() if wrong else ()
    people = {record.id: people_of(record) for record in records if record.id in wrong}
    if form == "junit":
        write_data(junit(conditions, found, rows, people))
    elif form == "github":
        write_data(
            "".join(f"{line}\n" for line in github_lines(found, people, config.input or Path()))
        )
    else:
        for line in failure_lines(found, people):
            message(line)
    return bool(found)


def _estimate(config: Config, reading: Reading, session: LLMSession, form: opt.Format) -> bool:
    """Prints the estimated calls, tokens and cost of the job, all repetitions included."""
    from dfactscore._jobs.engines import calls_to_check
    from dfactscore._jobs.estimate import estimate
    from dfactscore._jobs.opening import open_job
    from dfactscore._scorer.command import repeat_folders
    from dfactscore.work import count_asked, in_folder

    if config.index is not None:
        raise InputError("--dry-run does not count the calls of --index")
    folders: list[Path | None] = [config.out] * config.repeats
    if config.out is not None and config.repeats > 1:
        folders = [*repeat_folders(config)]
    texts = reading.biographies
    config, checks = calls_to_check(config, session, len(texts), folders[0])

    def estimated(config: Config) -> list[WouldAsk]:
        return [
            estimate(
                open_job(config, session, sample=number),
                texts,
                None if folder is None else in_folder(folder),
                reading.drawn,
            )
            for number, folder in enumerate(folders)
        ]

    estimates = estimated(config)
    items = max(each.items for each in estimates)
    about = f"{counted(items, 'biography')}, no model was called; tokens are estimated"
    if checks and config.calls == "auto":
        few = estimated(config.model_copy(update={"calls": "few"}))
        fewer = count_asked([*checks, *(request for each in few for request in each.asked)])
        total = _sum(session, fewer.total().to_dict())
        about += f"; with few calls, if the model passes the check: {total}"
    usage = count_asked([*checks, *(request for each in estimates for request in each.asked)])
    print_usage(usage, session.budget.prices, form, about)
    return False


def _spent(session: LLMSession) -> str:
    return _sum(session, session.usage.total().to_dict())


def _sum(session: LLMSession, total: Mapping[str, Any]) -> str:
    """Describes calls, tokens and cost in words."""
    tokens = total["prompt_tokens"] + total["completion_tokens"]
    cost = "cost unknown"
    if total["cost"] is not None:
        cost = f"{total['cost']:.4f} {session.budget.prices.currency}"
    read = f" ({n} from the server's cache)" if (n := total.get("cached_tokens")) else ""
    cached = f", {total['cached']} from the cache" if "cached" in total else ""
    return f"{counted(total['calls'], 'call')}{cached}, {tokens} tokens{read}, {cost}"


class _Rescore(LinkSettings):
    """The settings of `dfactscore rescore`."""

    of: int | None = setting(
        None, "For published predictions, the number of texts including abstentions.", panel="Input"
    )
    out: Path | None = setting(
        None,
        "Write a run folder with the new scores, for 'compare', 'report' and 'mixing'.",
        panel="Output",
        flags=("--out", "-o"),
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
    signature: Annotated[
        bool,
        option("Output", "Explain a run's signature, or one given in quotes.", "--signature"),
    ] = False,
) -> None:
    """Recompute scores from saved verdicts, with other options.

    Options that you omit keep their values from the run.
    """
    from dfactscore._runs.rescore import rescore as rescore_run
    from dfactscore._runs.rescore import rescore_file, save_rescored
    from dfactscore.comparison._scores import parse_ks

    measures = _measures(columns)
    settings = settle(_Rescore, from_flags(given, _Rescore))
    of = settings.of
    given = {name: value for name, value in given.items() if name not in ("of", "out")}
    if settings.out is not None and (run.is_file() or signature):
        raise InputError("rescore: --out writes the new scores of a run folder")
    if signature and not run.is_dir() and " | " in str(run):
        _explain(str(run), form)
        return
    if run.is_file() and signature:
        raise InputError(f"{run}: only run folders have a signature; this is a file")
    if run.is_file():
        _refuse_options(run, given)
        values = rescore_file(run, gamma=settings.gamma, of=of, f1_at=parse_ks(f1_at or ()))
        if form == "csv":
            write_data(csv_text([values]))
            return
        rows = ((k, "-" if v is None else format(v, ".6f")) for k, v in values.items())
        lines_or_json(form, values, [aligned(labeled(rows, left=True))])
        return
    scores = rescore_run(run, **{name: getattr(settings, name) for name in given})
    if signature:
        _explain(scores.signature, form)
        return
    if settings.out is not None:
        save_rescored(run, scores, settings.out)
        message(f"{settings.out}: written")
    about = about_run(run, scores.settings, scores.signature)
    print_scores(scores.rows, scores.summary, form, about, _numbers(f1_at), measures)
    warn(scores.unfinished)
    warn(scores.older)


def _explain(signature: str, form: opt.Format) -> None:
    """Prints a signature and what each of its fields means."""
    from dfactscore._results.signature import explain_signature

    table = explain_signature(signature)
    rows = [
        dict(zip(("field", "value", "meaning"), map(str, row), strict=True)) for row in table.rows
    ]
    if form == "csv":
        write_data(csv_text(rows))
    else:
        lines_or_json(form, rows, [signature, "", aligned(table)])


def _measures(columns: str | None) -> tuple[str, ...]:
    """Returns the measures to show, after checking that they are known."""
    from dfactscore._results.summary import shown_measures

    keys = opt.listed(columns)
    shown_measures(keys)
    return keys


def _numbers(f1_at: list[str] | None) -> tuple[float, ...]:
    """Returns the values of K for F1@K as numbers."""
    from dfactscore.comparison._scores import parse_ks

    ks = parse_ks(f1_at or ())
    for k in ks:
        if isinstance(k, str):
            raise InputError(f"--f1-at {k} needs several runs: give it to 'dfactscore compare'")
    return tuple(k for k in ks if not isinstance(k, str))


def _refuse_options(file: Path, given: dict[str, Any]) -> None:
    wrong = ", ".join(f"--{name}" for name in sorted(given) if name != "gamma")
    if wrong:
        raise InputError(
            f"{file}: contains verdicts without a matrix, so {wrong} cannot be applied to it; of "
            "the scoring options only --gamma can"
        )
