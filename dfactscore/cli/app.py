"""The `dfactscore` command."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

# Each module adds its commands to `app` when it is imported.
_COMMANDS = (
    "ambigbio",
    "cache",
    "citations",
    "compare",
    "demo",
    "explain",
    "generate",
    "index",
    "mixing",
    "popularity",
    "report",
    "run",
    "score",
)

# What keeps its work as it goes, so that the same command finds it there.
_RESUMES = frozenset({"generate", "index", "run", "score"})
_INTERRUPTED = 130

app = typer.Typer(
    name="dfactscore",
    help="FActScore and D-FActScore of text about somebody whose name others share.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(asked: bool) -> None:
    if asked:
        from dfactscore import __version__

        print(f"dfactscore {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    pass


def main() -> None:
    """Runs the command line; a person's mistake is one line and exit status 2."""
    import warnings
    from importlib import import_module

    # One line for a person, not a line of our source.
    warnings.formatwarning = lambda message, *_, **__: f"dfactscore: warning: {message}\n"
    for command in _COMMANDS:
        import_module(f"dfactscore.cli.{command}")
    try:
        app()
    except Exception as error:
        if not _is_users(error):
            raise
        print(f"dfactscore: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    except SystemExit as end:
        if end.code == _INTERRUPTED:
            resumes = bool(_RESUMES.intersection(sys.argv[1:2]))
            more = "; what is done is kept, and the same command goes on" if resumes else ""
            print(f"dfactscore: stopped{more}", file=sys.stderr)
        raise


def _is_users(error: Exception) -> bool:
    """Whether it is one of the errors that these packages raise for a person to read."""
    names = {base.__name__ for base in type(error).__mro__}
    return bool(names & {"DFactScoreError", "RetrievalError", "AmbigBioError", "LinkingError"})
