"""The `dfactscore` command."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from dfactscore._util.stopping import stoppable
from dfactscore.cli.listed import COMMANDS
from dfactscore.cli.root import app

__all__ = ["ListedGroup", "app", "main", "read_all"]

# Commands that keep their work as they go, so that the same command finds it there.
_RESUMES = frozenset({"ambigbio", "factor", "generate", "index", "meta", "run", "safe", "score"})
_INTERRUPTED = 130
_NEW_NAMES = {"--output": "--out", "--json": "--format json"}


class ListedGroup(TyperGroup):
    """A group that knows name and help of its commands before their modules are read.

    Reading all modules takes most of a second, for which a version, the list of commands or a
    mistake in a command's name need not wait.
    """

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self.commands = {
            name: self.commands.get(name) or TyperCommand(name, help=about)
            for name, (_, about) in COMMANDS.items()
        }

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that the words name, its module read."""
        name, command, rest = super().resolve_command(ctx, args)
        if name is None:
            return name, command, rest
        _read(name)
        return name, typer.main.get_group(app).commands[name], rest


def _print_version(asked: bool) -> None:
    if asked:
        from dfactscore import __version__
        from dfactscore.cli.installed import python_line

        print(f"dfactscore {__version__}")
        print(python_line())
        raise typer.Exit


@app.callback(cls=ListedGroup)
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


def read_all() -> Any:
    """The root with every command as its own module wrote it."""
    for name in COMMANDS:
        _read(name)
    return typer.main.get_command(app)


def main() -> None:
    """Runs the command line; a mistake of the user is one line and exit status 2."""
    resumes = bool(_RESUMES.intersection(sys.argv[1:2]))
    more = "; what is done is kept, run the same command again to resume" if resumes else ""
    with stoppable("dfactscore", more):
        _call()


def _call() -> None:
    import warnings

    from dfactscore._util.shown import message_line

    # One line for the user, not a line of our source.
    warnings.formatwarning = lambda said, *_, **__: f"dfactscore: warning: {message_line(said)}\n"
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
    if status == _INTERRUPTED:  # as typer reports Ctrl-C
        raise KeyboardInterrupt
    raise SystemExit(status or 0)


def _read(name: str) -> None:
    """Reads the module of a command, which adds it to `app`."""
    import_module(f"dfactscore.cli.{COMMANDS[name][0]}")


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
