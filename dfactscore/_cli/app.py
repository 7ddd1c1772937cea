"""The `dfactscore` command."""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from dfactscore._cli.command_list import COMMANDS, FIRST
from dfactscore._cli.help_screen import ALL, SHORT, fitting, show_all
from dfactscore._cli.root import app
from dfactscore._util.exception_text import ends_all_work
from dfactscore._util.printable import message_line
from dfactscore._util.stopping import stoppable

# Commands that keep their work as they go, so that the same command finds it there.
_RESUMES = frozenset(
    {"ambigbio", "factor", "generate", "index", "meta", "run", "safe", "score", "unmix"}
)
_INTERRUPTED = 130


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

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the words before the command."""
        show_all(self, ctx, args[:1])
        return super().parse_args(ctx, args)

    def get_help(self, ctx: Any) -> str:
        """The help on one screen."""
        return fitting(super().get_help, ctx, lines=30)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Writes the commands; in short what a beginner uses, and the names of the others."""
        if not ctx.meta[SHORT]:
            super().format_options(ctx, formatter)
            return
        names = list(self.commands)
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in names[:FIRST]])
        with formatter.section("More commands"):
            formatter.write_text(", ".join(names[FIRST:]))
        with formatter.section("Options"):
            own = [param.get_help_record(ctx) for param in self.get_params(ctx)]
            kept = [row for row in own if row and "completion" not in row[0]]
            formatter.write_dl([*kept, (ALL, "Show all commands and options.")])

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that the words name, its module read."""
        name, command, rest = super().resolve_command(ctx, args)
        if name is None:
            return name, command, rest
        _read(name)
        from dfactscore._cli.logs import logs_shown

        ctx.with_resource(logs_shown())
        return name, typer.main.get_group(app).commands[name], rest


def _print_version(asked: bool) -> None:
    if asked:
        from dfactscore import __version__
        from dfactscore._cli.installed import python_line

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
    gc.set_threshold(20_000)  # texts and verdicts form no circles; the default searches each 700
    with stoppable("dfactscore", more):
        _call()


def _call() -> None:
    import warnings

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
        message = _usage(error) or (str(error) if ends_all_work(error) else None)
        if message is None:
            raise
        print(f"dfactscore: {message_line(message)}", file=sys.stderr)
        raise SystemExit(2) from None
    if status == _INTERRUPTED:  # as typer reports Ctrl-C
        raise KeyboardInterrupt
    raise SystemExit(status or 0)


def _read(name: str) -> None:
    """Reads the module of a command, which adds it to `app`."""
    import_module(f"dfactscore._cli.{COMMANDS[name][0]}")


def _usage(error: Any) -> str | None:
    """A mistake in the words of a command as one line; None for other errors."""
    if not hasattr(error, "format_message"):
        return None
    context = getattr(error, "ctx", None)
    path = "dfactscore" if context is None else "dfactscore" + _behind(context.command_path)
    text = " ".join(error.format_message().replace("Value error, ", "").split())
    if hasattr(error, "possibilities") and context is not None:
        from dfactscore._cli.near_options import near_option

        text = f"No such option: {error.option_name}{near_option(error.option_name, context)}"
    if "extra argument" in text and context is not None:
        from dfactscore._cli.near_options import after_switch

        text += after_switch(text, sys.argv, context)
    return f"{text[:1].lower()}{text[1:].rstrip('.')}; see {path} --help"


def _behind(command_path: str) -> str:
    """The command's name without the program's, however that was started."""
    _, program, rest = command_path.rpartition("dfactscore")
    return rest if program else ""
