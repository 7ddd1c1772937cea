"""The `dfactscore` command."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

# Each module adds its commands to `app` when it is imported.
_COMMANDS = (
    "ambigbio",
    "annotate",
    "cache",
    "citations",
    "compare",
    "demo",
    "doctor",
    "explain",
    "export",
    "factor",
    "generate",
    "index",
    "integrations",
    "longfact",
    "meta",
    "mixing",
    "popularity",
    "report",
    "run",
    "safe",
    "score",
)

# Commands that keep their work as they go, so that the same command finds it there.
_RESUMES = frozenset({"factor", "generate", "index", "meta", "run", "safe", "score"})
_INTERRUPTED = 130
_NEW_NAMES = {"--output": "--out", "--json": "--format json"}

app = typer.Typer(
    name="dfactscore",
    help="FActScore and D-FActScore: factual precision of text about people who share a name.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(asked: bool) -> None:
    if asked:
        from dfactscore import __version__
        from dfactscore.cli.installed import python_line

        print(f"dfactscore {__version__}")
        print(python_line())
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Print the version, Python and the extras.",
            callback=_print_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    pass


def main() -> None:
    """Runs the command line; a mistake of the user is one line and exit status 2."""
    import warnings
    from importlib import import_module

    from dfactscore._util.shown import message_line

    # One line for the user, not a line of our source.
    warnings.formatwarning = lambda said, *_, **__: f"dfactscore: warning: {message_line(said)}\n"
    for command in _COMMANDS:
        import_module(f"dfactscore.cli.{command}")
    try:
        status = app(standalone_mode=False)
    except typer.Abort:
        print("dfactscore: aborted", file=sys.stderr)
        raise SystemExit(1) from None
    except Exception as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            print(error.ctx.get_help(), file=sys.stderr)  # type: ignore[attr-defined]
            raise SystemExit(2) from None
        message = _usage(error) or (str(error) if _is_users(error) else None)
        if message is None:
            raise
        print(f"dfactscore: {message_line(message)}", file=sys.stderr)
        raise SystemExit(2) from None
    if status == _INTERRUPTED:
        resumes = bool(_RESUMES.intersection(sys.argv[1:2]))
        more = "; what is done is kept, run the same command again to resume" if resumes else ""
        print(f"dfactscore: stopped{more}", file=sys.stderr)
    raise SystemExit(status or 0)


def _usage(error: Any) -> str | None:
    """A mistake in the words of a command as one line; None for other errors."""
    if not hasattr(error, "format_message"):
        return None
    context = getattr(error, "ctx", None)
    path = "dfactscore" if context is None else "dfactscore" + _behind(context.command_path)
    new = _NEW_NAMES.get(getattr(error, "option_name", None) or "")
    text = " ".join(error.format_message().replace("Value error, ", "").split())
    if new:
        text = f"No such option: {error.option_name}; did you mean {new}?"
    return f"{text[:1].lower()}{text[1:].rstrip('.')}; see {path} --help"


def _behind(command_path: str) -> str:
    """The command's name without the program's, however that was started."""
    _, program, rest = command_path.rpartition("dfactscore")
    return rest if program else ""


def _is_users(error: Exception) -> bool:
    """Whether it is one of the errors that these packages raise for the user to read."""
    names = {base.__name__ for base in type(error).__mro__}
    return bool(names & {"DFactScoreError", "RetrievalError", "AmbigBioError", "LinkingError"})
