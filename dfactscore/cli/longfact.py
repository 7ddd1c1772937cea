"""`dfactscore longfact`: list and draw the prompts of LongFact."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import argument, command, option
from dfactscore.cli.root import app

__all__ = ["list_", "sample"]

longfact_app = typer.Typer(
    name="longfact",
    help="List and draw the prompts of LongFact.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(longfact_app)

Folder = Annotated[Path, argument("Folder with the files longfact-TASK_TOPIC.jsonl.")]
TaskOption = Annotated[
    Literal["objects", "concepts"] | None,
    option("Input", "Only these prompts.", "--task", show_default="both"),
]
Topics = Annotated[
    list[str] | None,
    option("Input", "Only this topic; may be repeated.", "--topics", show_default="all"),
]


@command(longfact_app, name="list")
def list_(
    *, folder: Folder, task: TaskOption = None, topics: Topics = None,
    form: opt.ShortFormat = "table",
) -> None:  # fmt: skip
    """Count the prompts by topic."""
    from collections import Counter

    from dfactscore.cli.output import print_json
    from dfactscore.safe.longfact import read_longfact

    found = read_longfact(folder, task=task, topics=topics or ())
    counts = Counter((prompt.task, prompt.topic) for prompt in found.prompts)
    if form == "json":
        rows = [{"task": t, "topic": name, "prompts": n} for (t, name), n in sorted(counts.items())]
        print_json({"files": len(found.files), "rows": found.rows,
                    "distinct": len(found.prompts), "topics": rows})  # fmt: skip
        return
    for (kind, topic), n in sorted(counts.items()):
        print(f"{kind:<9} {topic:<28} {n:>4}")
    print(f"{len(found.files)} files, {found.rows} rows, {len(found.prompts)} distinct prompts")


@command(longfact_app)
def sample(
    *,
    folder: Folder,
    out: Annotated[Path, option("Output", "The drawn prompts (.jsonl).", "--out", "-o")],
    task: TaskOption = None,
    topics: Topics = None,
    n: Annotated[int, option("Input", "How many prompts.", "--n", min=1)] = 250,
    seed: Annotated[int, option("Input", "Random seed of the draw.")] = 1,
    who_is: Annotated[
        bool, option("Input", "Only prompts that ask who a person is or was.", "--who-is")
    ] = False,
    detail: Annotated[
        bool, option("Input", "Ask for names, numbers, dates and places, too.", "--detail")
    ] = False,
) -> None:
    """Draw distinct prompts, for 'dfactscore generate --questions'."""
    from dfactscore._util.jsonl import write_json, write_jsonl
    from dfactscore.errors import InputError
    from dfactscore.safe.longfact import read_longfact
    from dfactscore.safe.longfact import sample as draw

    if out.suffix.lower() != ".jsonl":
        raise InputError(f"{out}: prompts are written as .jsonl")
    found = read_longfact(folder, task=task, topics=topics or ())
    rows = draw(found.prompts, n, seed=seed, who_is=who_is, detail=detail)
    write_jsonl(out, rows)
    manifest = {
        "source": dict(found.files),
        "rows": found.rows,
        "distinct": len(found.prompts),
        "drawn": len(rows),
        "settings": {
            "task": task, "topics": topics, "n": n, "seed": seed, "who_is": who_is,
            "detail": detail,
        },
    }  # fmt: skip
    write_json(out.with_suffix(".manifest.json"), manifest, indent=1)
    print(f"{len(rows)} of {len(found.prompts)} prompts in {out}")
