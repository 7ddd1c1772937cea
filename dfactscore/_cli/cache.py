"""`dfactscore cache`: the answer cache."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dfactscore._cli import options as opt
from dfactscore._cli.from_settings import argument, command
from dfactscore._cli.output import write_data
from dfactscore._cli.root import group
from dfactscore._errors import InputError
from dfactscore._util.files import check_output, dump_json
from dfactscore._util.jsonl import write_jsonl
from dfactscore._util.numbers import counted
from dfactscore._util.settings import Settings, panels

if TYPE_CHECKING:
    from dfactscore._asking.cache import AnswerCache


cache_app = group("cache")
_input, _output = panels("Input Output")


class _Cache(Settings):
    """The answer cache."""

    cache: Path | None = _input(None, "Answer cache file.", named="the user's cache folder")


class _Clear(_Cache):
    """The settings of `dfactscore cache clear`."""

    model: str | None = _input(None, "Only answers from this model.")
    yes: bool = _output(False, "Do not ask for confirmation.", flags=("--yes", "-y"))


@command(cache_app, _Cache)
def info(settings: _Cache) -> None:
    """Show the path and contents of the cache."""
    stats = _open(settings.cache, read_only=True).stats()
    print(f"{stats.path}: {counted(stats.answers, 'answer')}, {stats.size / 1e6:.1f} MB")
    for endpoint, model, stage, count in stats.by_model:
        print(f"  {count:>8}  {stage:<10} {model}  {endpoint}")


@command(cache_app, _Clear)
def clear(settings: _Clear) -> None:
    """Delete cached answers."""
    store, model = _open(settings.cache), settings.model
    if not settings.yes:
        answers = f"{model}'s answers" if model else "all answers"
        typer.confirm(f"Delete {answers} in {store.path}?", abort=True, err=True)
    print(f"{counted(store.clear(model=model), 'answer')} deleted from {store.path}")


@command(cache_app, _Cache)
def export(
    settings: _Cache,
    *,
    out: Annotated[
        Path,
        argument("JSONL file to write, or - for standard output.", "Output"),
    ],
    overwrite: opt.Overwrite = False,
) -> None:
    """Write all answers with their prompts as JSONL."""
    store = _open(settings.cache, read_only=True)
    if str(out) == "-":
        for record in store.records():
            write_data(dump_json(record) + "\n")
        return
    check_output(out, "answers", inputs=[store.path], force=overwrite, named="name")
    count = write_jsonl(out, store.records())
    print(f"{counted(count, 'answer')} written to {out}")


def _open(cache: Path | None, *, read_only: bool = False) -> AnswerCache:
    from dfactscore._asking.cache import AnswerCache, default_cache_path

    path = cache or default_cache_path()
    if not path.exists():
        raise InputError(f"{path}: the cache does not exist yet")
    return AnswerCache(path, read_only=read_only)
