"""`dfactscore cache`: what the answer cache holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dfactscore.cli.app import app

if TYPE_CHECKING:
    from dfactscore.engines.llm.client.cache import AnswerCache

__all__ = ["clear", "export", "info"]

cache_app = typer.Typer(
    help="Answers of language models, kept so that none is paid for twice.", no_args_is_help=True
)
app.add_typer(cache_app, name="cache")

CacheFile = Annotated[
    Path | None, typer.Option("--cache", help="The cache file; by default the user's own.")
]


@cache_app.command()
def info(cache: CacheFile = None) -> None:
    """Show where the cache is and what it holds."""
    stats = _open(cache).stats()
    print(f"{stats.path}: {stats.answers} answers, {stats.size / 1e6:.1f} MB")
    for endpoint, model, stage, count in stats.by_model:
        print(f"  {count:>8}  {stage:<10} {model}  {endpoint}")


@cache_app.command()
def clear(
    cache: CacheFile = None,
    model: Annotated[str | None, typer.Option("--model", help="Only this model's.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete answers."""
    store = _open(cache)
    if not yes:
        whose = f"{model}'s answers" if model else "all answers"
        typer.confirm(f"Delete {whose} in {store.path}?", abort=True, err=True)
    print(f"{store.clear(model=model)} answers deleted from {store.path}")


@cache_app.command()
def export(
    out: Annotated[Path, typer.Argument(help="JSONL file to write, or - for standard output.")],
    cache: CacheFile = None,
) -> None:
    """Write all answers with their prompts as JSONL."""
    import sys

    from dfactscore._util.files import dump_json
    from dfactscore._util.jsonl import write_jsonl
    from dfactscore.errors import InputError

    store = _open(cache)
    if str(out) == "-":
        for record in store.records():
            sys.stdout.write(dump_json(record) + "\n")
        return
    if not out.parent.is_dir():
        raise InputError(f"{out}: there is no folder {out.parent}")
    count = write_jsonl(out, store.records())
    print(f"{count} answers written to {out}")


def _open(cache: Path | None) -> AnswerCache:
    from dfactscore.engines.llm.client.cache import AnswerCache, default_cache_path
    from dfactscore.errors import InputError

    path = cache or default_cache_path()
    if not path.exists():
        raise InputError(f"{path}: no cache there yet")
    return AnswerCache(path)
