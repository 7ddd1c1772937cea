"""`dfactscore longfact`: list and draw the prompts of LongFact."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dfactscore.cli import options as opt
from dfactscore.cli.from_settings import argument, command
from dfactscore.cli.root import app
from dfactscore.jobs.prompt_settings import DrawSettings, TopicSettings

__all__ = ["list_", "sample"]

longfact_app = typer.Typer(
    name="longfact",
    help="List and draw the prompts of LongFact.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(longfact_app)

Folder = Annotated[Path, argument("Folder with the files longfact-TASK_TOPIC.jsonl.")]


@command(longfact_app, TopicSettings, name="list")
def list_(settings: TopicSettings, *, folder: Folder, form: opt.ShortFormat = "table") -> None:
    """Count the prompts by topic."""
    from collections import Counter

    from dfactscore.cli.output import print_json
    from dfactscore.safe.longfact import read_longfact

    found = read_longfact(folder, task=settings.task, topics=settings.topics)
    counts = Counter((prompt.task, prompt.topic) for prompt in found.prompts)
    if form == "json":
        rows = [{"task": t, "topic": name, "prompts": n} for (t, name), n in sorted(counts.items())]
        print_json({"files": len(found.files), "rows": found.rows,
                    "distinct": len(found.prompts), "topics": rows})  # fmt: skip
        return
    for (kind, topic), n in sorted(counts.items()):
        print(f"{kind:<9} {topic:<28} {n:>4}")
    print(f"{len(found.files)} files, {found.rows} rows, {len(found.prompts)} distinct prompts")


@command(longfact_app, DrawSettings)
def sample(settings: DrawSettings, *, folder: Folder) -> None:
    """Draw distinct prompts, for 'dfactscore generate --questions'."""
    from dfactscore._util.jsonl import write_json, write_jsonl
    from dfactscore.errors import InputError
    from dfactscore.safe.longfact import read_longfact
    from dfactscore.safe.longfact import sample as draw

    out = settings.out
    if out.suffix.lower() != ".jsonl":
        raise InputError(f"{out}: prompts are written as .jsonl")
    found = read_longfact(folder, task=settings.task, topics=settings.topics)
    rows = draw(
        found.prompts, settings.n, seed=settings.seed, who_is=settings.who_is,
        detail=settings.detail,
    )  # fmt: skip
    write_jsonl(out, rows)
    manifest = {
        "source": dict(found.files),
        "rows": found.rows,
        "distinct": len(found.prompts),
        "drawn": len(rows),
        "settings": {
            "task": settings.task, "topics": list(settings.topics) or None, "n": settings.n,
            "seed": settings.seed, "who_is": settings.who_is, "detail": settings.detail,
        },
    }  # fmt: skip
    write_json(out.with_suffix(".manifest.json"), manifest, indent=1)
    print(f"{len(rows)} of {len(found.prompts)} prompts in {out}")
