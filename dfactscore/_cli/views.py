"""Commands that show a run or texts, or paths for other tools."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import argument, command, option
from dfactscore._cli.output import columns_of, form_of, lines_or_json, show, warn, write_data
from dfactscore._cli.root import app, group
from dfactscore._errors import InputError
from dfactscore._jobs.settings import ColumnSettings, OwnerSettings
from dfactscore._util.datasets_folder import check_folder
from dfactscore._util.files import check_output, write_text
from dfactscore._util.jsonl import write_jsonl
from dfactscore._util.numbers import counted
from dfactscore._util.settings import Settings, panels
from dfactscore._util.tables import csv_text

if TYPE_CHECKING:
    from dfactscore._records import Biography
    from dfactscore._text.layouts import Block
    from dfactscore.engines._builtin.decompose.decomposer import ClauseFacts
    from dfactscore.engines._builtin.group.grouper import Explanation
    from dfactscore.mixing._popularity import PopularityResult


_input, _evidence, _scoring, _output = panels("Input Evidence Scoring Output")


class _ReportSettings(Settings):
    """The settings of `dfactscore report`."""

    out: Path | None = _output(
        None,
        "File to write.",
        flags=("--out", "-o"),
        named="RUN/report.html, RUN/report-and-OTHER.html",
    )
    explain: bool = _output(
        False, "Show who each clause is about, and the rule that decided it.", flags=("--explain",)
    )


@command(app, _ReportSettings)
def report(
    settings: _ReportSettings,
    *,
    run: opt.RunFolder,
    other: Annotated[
        Path | None,
        argument("A second run to compare with the first, name by name.", metavar="[RUN]"),
    ] = None,
    judged_by: opt.JudgedBy = None,
    overwrite: opt.Overwrite = False,
) -> None:
    """Write a run as one HTML file.

    The file shows all facts, groups, links and verdicts.
    """
    from dfactscore._report import write_report
    from dfactscore._runs.outcome import MAX_HELD
    from dfactscore._runs.run_manifest import read_manifest

    out = settings.out
    runs = [run] if other is None else [run, other]
    check_output(out, "report", inputs=runs, force=overwrite)
    count = sum(int(read_manifest(folder)["input"]["records"]) for folder in runs)
    if count > MAX_HELD:
        warn(
            f"{count} biographies; browsers open a page of {MAX_HELD} easily, and one of many "
            "more not at all"
        )
    written = write_report(run, out, explained=settings.explain, beside=other, judged_by=judged_by)
    typer.echo(str(written))


class _Mixing(Settings):
    """The settings of `dfactscore mixing`."""

    out: Path | None = _output(
        None,
        "Write all biographies to this .csv or .json file, or the rows to .tex or .md, instead.",
        flags=("--out", "-o"),
    )
    graphml: Path | None = _output(None, "Write the graph of mixed entities as GraphML.")
    plot: Path | None = _output(None, "Plot the graph of mixed entities (.png, .svg, .pdf).")
    by_number: Path | None = _output(
        None, "Plot mixing by the number of entities with the name (.png, .svg, .pdf)."
    )
    min_foreign: int | None = _scoring(
        None,
        "Number of facts of a namesake at which a group counts as mixed.",
        ge=1,
        named="as the run was scored",
    )
    rows: Literal["model", "number", "popularity", "layout"] | None = _output(
        None,
        "Also show a row per model, number of entities of the name, page views (--views) or "
        "layout of the text.",
        named="model, if there are several",
    )
    views: Path | None = _evidence(
        None, "Page views for --rows popularity, as for 'dfactscore popularity'."
    )
    worst: int = _output(10, "Number of biographies to list, most mixed first.", ge=0)


@command(app, _Mixing)
def mixing(
    settings: _Mixing,
    *,
    run: opt.RunFolder,
    form: opt.AnyFormat = "table",
    width: opt.Width = None,
    overwrite: opt.Overwrite = False,
) -> None:
    """Show where a run mixes people with the same name, and the cost."""
    from dfactscore._runs import load_run
    from dfactscore.mixing import run_mixing
    from dfactscore.mixing._popularity import read_views

    out, graphml, plot = settings.out, settings.graphml, settings.plot
    by_number = settings.by_number
    check_output(out, "mixing", inputs=[run], force=overwrite)
    check_output(graphml, "graphml", inputs=[run], force=overwrite, named="--graphml")
    check_output(plot, "figure", inputs=[run], force=overwrite, named="--plot")
    check_output(by_number, "figure", inputs=[run], force=overwrite, named="--by-number")
    loaded = load_run(run)
    warn(loaded.unfinished)
    if out is not None and out.suffix not in (".csv", ".json", ".tex", ".md"):
        raise InputError(
            f"{out}: cannot write a {out.suffix!r} file; choose .csv, .json, .tex or .md"
        )
    if settings.rows == "popularity" and settings.views is None:
        raise InputError("--rows popularity: needs page views; give --views FILE")
    views = None if settings.views is None else read_views(settings.views)
    result = run_mixing(loaded.records(), min_foreign=settings.min_foreign, views=views)
    rows = {"rows": settings.rows or "model"}
    table: dict[str, Any] = {"width": columns_of(width), "color": sys.stdout.isatty()}
    table["top"] = settings.worst
    table["rows"] = settings.rows
    kind = form if out is None else form_of(None, out)
    show(result, kind, out, table=table, latex=rows, markdown=rows)
    if graphml is not None:
        write_text(graphml, result.to_graphml())
    if plot is not None:
        result.plot("graph", plot)
    if by_number is not None:
        result.plot("by_number", by_number)


class _Views(Settings):
    """The settings of `dfactscore popularity`."""

    views: Path = _evidence(
        ..., "Page views: an AmbigBio file that includes them, or JSONL {title, views}."
    )


@command(app, _Views)
def popularity(settings: _Views, *, run: opt.RunFolder, form: opt.OutputFormat = "table") -> None:
    """Test whether biographies are about the most viewed person.

    The command prints the share of biographies about the most viewed person, among those about
    one person with passages about at least two people of the name. The paper finds 45 to 55 %.
    """
    from dfactscore._runs import load_run
    from dfactscore.mixing._popularity import popularity as count
    from dfactscore.mixing._popularity import read_views, subjects

    known, loaded = read_views(settings.views), load_run(run)
    warn(loaded.unfinished)
    cases, left_out = subjects(loaded.records(texts=False))
    result = count(cases, known, left_out)
    low, high = result.interval or (None, None)
    if form == "csv":
        row = {"n": result.n, "share": result.share, "low": low, "high": high}
        write_data(csv_text([{**row, "chance": result.chance}]))
    else:
        lines_or_json(form, asdict(result), _of_popularity(result))


def _of_popularity(result: PopularityResult) -> Iterator[str]:
    if result.share is None or result.interval is None or result.chance is None:
        yield "no biography can be counted"
    else:
        low, high = result.interval
        yield (
            f"most viewed of those retrieved: {100 * result.share:.1f} % "
            f"[{100 * low:.1f}, {100 * high:.1f}] of {result.n} biographies; "
            f"by chance {100 * result.chance:.1f} %"
        )
    for reason, number in result.left_out.items():
        if number:
            yield f"left out: {number}, {reason}"


class _Export(Settings):
    """The settings of `dfactscore export`."""

    out: Path = _output(..., "Folder (hf) or file (spans) to write.", flags=("--out", "-o"))
    license: str | None = _output(
        None,
        "License of the texts, by its name on the Hub (such as cc-by-4.0).",
        named="unknown",
    )


@command(app, _Export)
def export(
    settings: _Export,
    *,
    run: opt.RunFolder,
    form: Annotated[
        Literal["hf", "spans"],
        option(
            "Output",
            "Folder for Hugging Face datasets, or JSON lines of texts with labeled spans.",
            "--format",
        ),
    ] = "hf",
    overwrite: opt.Overwrite = False,
) -> None:
    """Write a run as a dataset, or as texts with labeled spans.

    A dataset is Parquet files and a card: one table of biographies, one of facts and one of
    entities.
    """
    from dfactscore._runs import load_run
    from dfactscore.integrations._run_dataset import export_run, spans_of

    out = settings.out
    if form == "spans":
        if settings.license is not None:
            raise InputError("--license is for --format hf; spans have no card")
        check_output(out, "spans", inputs=[run], force=overwrite)
        loaded = load_run(run)
        warn(loaded.unfinished)
        count = write_jsonl(out, map(spans_of, loaded.records()), error=InputError)
        print(f"{counted(count, 'text')}: {out}")
        return
    check_folder(out, inputs=[run], force=overwrite)
    loaded = load_run(run)
    warn(loaded.unfinished)
    rows = export_run(loaded, out, license=settings.license or "unknown")
    print(f"{', '.join(f'{number} {name}' for name, number in rows.items())}: {out}")


class _Explain(ColumnSettings, OwnerSettings):
    """The settings of `dfactscore explain`."""

    name: str | None = _input(None, "Only this name; for a plain text, its target name.")
    cues: bool = _output(False, "Show the cues found in each clause.", flags=("--cues",))
    why: bool = _output(
        False, "Show the rules that decided how each clause was split.", flags=("--why",)
    )


@command(app, _Explain)
def explain(
    settings: _Explain,
    *,
    file: Annotated[Path, argument("Biographies, or one plain text (.txt).")],
    form: opt.ShortFormat = "table",
) -> None:
    """Show the person, the rule and the facts of each clause.

    The clauses are shown as the built-in engine reads them. # marks lines whose layout tells people
    apart or states one fact, with the kind of block. + marks facts, ~ marks context about no one,
    and - marks omitted parts, with the reason.
    """
    from dfactscore._readers.shown_text import shown_text
    from dfactscore._scoring.explained_file import explain_file
    from dfactscore._text.clean_text import one_line

    explained = explain_file(
        file,
        name=settings.name,
        columns=settings.columns,
        text=settings.text,
        entities=settings.entities,
        why=settings.why,
    )
    for number, (biography, clauses) in enumerate(explained):
        raw, titles = biography.raw or biography.text, [p.title for p in biography.passages]
        blocks = shown_text(raw, biography.name, titles, choice=settings.text).blocks
        if form == "json":
            print(json.dumps(_explained(biography, blocks, clauses), ensure_ascii=False))
            continue
        print(f"{'' if not number else chr(10)}{biography.name or biography.id}")
        for line, block in blocks:
            print(f"  #  {one_line(line, 100)}  [{block.id}: {block.says}]")
        counts = Counter[str]()
        for clause, decomposed in clauses:
            others = "".join(f", {who + 1}" for who in clause.passing)
            print(f"  {clause.individual + 1}{others}  {clause.text}")
            print(f"     {clause.rule}: {clause.says}")
            if settings.cues:
                print(f"     {', '.join(clause.cues)}")
            for decision in decomposed.decisions:
                print(f"     {decision.table}/{decision.row}: {decision.says}")
            for fact in decomposed.facts:
                print(f"     {'~' if fact.label else '+'} {fact.text}")
            for text, reason in decomposed.left_out:
                print(f"     - {text}  [{reason}]")
            counts.update("of context" if fact.label else "" for fact in decomposed.facts)
            counts.update(f"left out: {reason}" for _, reason in decomposed.left_out)
        facts = counted(counts.pop("", 0), "fact")
        print(f"  {', '.join((facts, *(f'{n} {what}' for what, n in sorted(counts.items()))))}")


def _explained(
    biography: Biography,
    blocks: Sequence[tuple[str, Block]],
    clauses: Sequence[tuple[Explanation, ClauseFacts]],
) -> dict[str, object]:
    """Returns the explanation of a text as an object for JSON."""
    return {
        "id": biography.id,
        "name": biography.name,
        "blocks": [{"line": line, "block": b.id, "says": b.says} for line, b in blocks],
        "clauses": [
            {
                "text": clause.text,
                "people": [clause.individual + 1, *(who + 1 for who in clause.passing)],
                "rule": clause.rule,
                "says": clause.says,
                "cues": [*clause.cues],
                "decisions": [f"{d.table}/{d.row}" for d in decomposed.decisions],
                "facts": [{"text": f.text, "label": f.label} for f in decomposed.facts],
                "left_out": [{"text": t, "reason": reason} for t, reason in decomposed.left_out],
            }
            for clause, decomposed in clauses
        ],
    }


integrations_app = group("integrations")


@command(integrations_app)
def path(*, host: Annotated[str, argument("The tool: lm-eval.")]) -> None:
    """Print the folder to give to a tool (lm_eval --include_path)."""
    from dfactscore.integrations import integration_path

    print(integration_path(host))
