"""`dfactscore longfact`: list and draw the prompts of LongFact."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Literal

from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import argument, command
from dfactscore._cli.output import lines_or_json
from dfactscore._cli.root import group
from dfactscore._errors import InputError
from dfactscore._util.files import check_output
from dfactscore._util.jsonl import write_json, write_jsonl
from dfactscore._util.settings import Settings, panels

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
