"""`dfactscore score` and `dfactscore rescore`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dfactscore.cli import options as opt
from dfactscore.cli.app import app

if TYPE_CHECKING:
    from dfactscore.judging import Engine
    from dfactscore.metrics.biography import ScoreOptions
    from dfactscore.scoring import Scored
    from retrieval import KnowledgeSource

__all__ = ["about_run", "rescore", "score"]


@app.command()
def score(
    input: Annotated[Path, typer.Argument(help="Biographies: .json (ALCE), .jsonl, .csv, .tsv.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Run folder; the same command resumes it.")
    ] = None,
    pages: Annotated[
        Path | None,
        typer.Option("--pages", help="Whole pages: .jsonl, a folder of .txt, a page store."),
    ] = None,
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
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Score only the first N.")
    ] = None,
    form: opt.OutputFormat = "table",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Score a file of biographies."""
    from dfactscore.cli.output import message, print_scores, progress
    from dfactscore.metrics import ScoreOptions
    from dfactscore.readers import read_biographies
    from dfactscore.runs import (
        Run,
        describe_input,
        describe_settings,
        execute,
        finish,
        new_manifest,
    )

    reading = read_biographies(input, limit=limit)
    engine = _engine()
    source = _open_pages(pages)
    scoring = _changed(ScoreOptions(), link, unreadable, irrelevant, threshold, soft, gamma)
    chosen = candidates or "retrieved"
    titles = _dataset(dataset, chosen)
    settings = describe_settings(
        engine,
        source,
        scoring,
        chosen,
        dataset=titles,
        limit=limit,
    )
    manifest = new_manifest(
        command="score", source=describe_input(input, reading), settings=settings
    )
    with Run(out or _default_out(input, manifest), manifest) as run:
        with progress("scoring", quiet=quiet) as bar:
            execute(run, reading.biographies, engine, source, progress=bar)
        outcome = finish(
            run,
            reading,
            options=scoring,
            candidates=chosen,
            dataset=titles,
        )
        about = about_run(run.folder, settings)
        print_scores(outcome.rows, outcome.summary, form, about)
        for bad in reading.bad:
            message(f"set aside: {bad}")
        if outcome.failed:
            message(f"{outcome.failed} failed: see {run.folder / 'errors.jsonl'}")
    if outcome.status != "complete":
        raise typer.Exit(1)


@app.command()
def rescore(
    run: Annotated[Path, typer.Argument(help="Run folder, released evaluation or labelled file.")],
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
        _rescore_file(run, gamma, form)
        return
    from dfactscore.cli.output import print_scores
    from dfactscore.runs import load_run
    from dfactscore.scoring import summarise_scored
    from dfactscore.tables import score_row

    loaded = load_run(run)
    scoring = _changed(loaded.options, link, unreadable, irrelevant, threshold, soft, gamma)
    chosen = candidates or loaded.candidates
    titles = _dataset(dataset, chosen) if dataset else None
    rows: list[dict[str, Any]] = []

    def scored() -> Iterator[Scored]:
        for one in loaded.scored(options=scoring, candidates=chosen, dataset=titles, texts=False):
            rows.append(score_row(one))
            yield one

    summary = summarise_scored(scored(), n_bad=loaded.n_bad)
    about = about_run(run, loaded.manifest["settings"])
    print_scores(rows, summary, form, about)


def _rescore_file(path: Path, gamma: float | None, form: opt.Format) -> None:
    """Prints the aggregates of a released file, as fractions under their own names."""
    from dfactscore.human_labels import human_factscore, read_annotations
    from dfactscore.released import read_released, recompute

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
        from dfactscore.tables import csv_text

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


def _changed(
    base: ScoreOptions,
    link: Any,
    unreadable: Any,
    irrelevant: Any,
    threshold: float | None,
    soft: bool | None,
    gamma: float | None,
) -> ScoreOptions:
    """The options with what the command line says in their place."""
    given = {
        "link": link,
        "unreadable": unreadable,
        "irrelevant": irrelevant,
        "threshold": threshold,
        "soft": soft,
        "gamma": gamma,
    }
    return replace(base, **{k: v for k, v in given.items() if v is not None})


def _engine() -> Engine:
    from dfactscore.scorer import Scorer

    return Scorer().engine


def _open_pages(pages: Path | None) -> KnowledgeSource | None:
    if pages is None:
        return None
    from dfactscore.scorer import open_pages

    return open_pages(pages)


def _dataset(path: Path | None, candidates: str) -> dict[str, list[str]] | None:
    """Titles of each name's people, from an AmbigBio file."""
    from dfactscore.errors import InputError

    if path is None:
        if candidates == "dataset":
            raise InputError("--candidates dataset needs --dataset FILE (an AmbigBio file)")
        return None
    raise InputError("--dataset is not read yet")


def _default_out(input: Path, manifest: dict[str, Any]) -> Path:
    """A folder of its own for each input and settings, so that the same command resumes."""
    import hashlib

    from dfactscore.runs.files import dump_json

    content = dump_json([manifest["input"], manifest["settings"]])
    digest = hashlib.sha256(content.encode("utf-8")).hexdigest()[:8]
    return Path("runs") / f"{input.stem}-{digest}"


def about_run(folder: Path, settings: Mapping[str, Any]) -> dict[str, Any]:
    """What stands above every table: where the run is and what its scores rest on."""
    names = [str(settings[r].get("name", "?")) for r in ("decomposer", "grouper", "verifier")]
    return {
        "run": str(folder),
        "engine": names[0] if len(set(names)) == 1 else " / ".join(names),
        "evidence": settings["evidence"],
        "fs_scope": "retrieved pages",
    }
