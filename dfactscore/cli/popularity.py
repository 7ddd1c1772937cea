"""`dfactscore popularity`: is the subject the best known of those retrieved?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dfactscore.cli import options as opt
from dfactscore.cli.app import app

__all__ = ["popularity"]


@app.command()
def popularity(
    run: Annotated[Path, typer.Argument(help="A run folder.")],
    views: Annotated[
        Path,
        typer.Option(help="Page views: an AmbigBio file with them, or JSONL {title, views}."),
    ],
    form: opt.OutputFormat = "table",
) -> None:
    """How often a biography of one person is about the most viewed of those retrieved.

    Counted are biographies that one reader takes for one person, of one entity, with at least two
    entities of the name among the passages. The paper finds 45 to 55 %.
    """
    import json
    from dataclasses import asdict

    from dfactscore.mixing.popularity import popularity as count
    from dfactscore.mixing.popularity import read_views, subjects
    from dfactscore.runs import load_run

    known = read_views(views)
    cases, left_out = subjects(load_run(run).records(texts=False))
    result = count(cases, known, left_out)
    if form == "json":
        print(json.dumps(asdict(result), indent=2))
        return
    if form == "csv":
        low, high = result.interval or (None, None)
        print("n,share,low,high,chance")
        print(",".join("" if v is None else str(v) for v in (
            result.n, result.share, low, high, result.chance,
        )))  # fmt: skip
        return
    if result.share is None or result.interval is None or result.chance is None:
        print("no biography counts")
    else:
        low, high = result.interval
        print(
            f"most viewed of those retrieved: {100 * result.share:.1f} % "
            f"[{100 * low:.1f}, {100 * high:.1f}] of {result.n} biographies; "
            f"by chance {100 * result.chance:.1f} %"
        )
    for reason, number in result.left_out.items():
        if number:
            print(f"left out: {number}, {reason}")
