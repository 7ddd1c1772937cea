"""The `dfactscore` command, which suggests options in place of unknown ones."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from dfactscore._cli.root import ALL, COMMANDS, FIRST, SHORT, app, fitting, show_all
from dfactscore._util.files import why
from dfactscore._util.message_text import ends_all_work, message_line, near_miss
from dfactscore._util.stopping import stoppable

# Each line lists the names that other tools use for the same option.
_ALIKE = tuple(
    frozenset(line.split())
    for line in (
        "k top top-k topk n num number",
        "n limit max head first count num number max-samples worst",
        "out output output-dir output-file output-path out-dir outdir save save-to dest",
        "workers jobs num-workers n-jobs j processes nproc parallel",
        "model llm model-name model-id lm",
        "base-url api-base endpoint url server host",
        "pages page knowledge knowledge-source corpus documents docs wiki wikipedia db db-path",
        "input file data bios biographies texts input-path",
        "max-cost budget cost-limit cost-estimate",
        "overwrite force f",
        "quiet silent q no-progress",
        "seed random-seed random-state",
        "verifier evaluators judge evaluator",
        "engine evaluator",
        "columns metric metrics measures",
        "pages evidence",
        "index fs-scope scope",
    )
)
_FORMATS = frozenset({"json", "csv", "tsv", "markdown", "latex", "table"})


def near_option(option: str, context: Any) -> str:
    """Returns suggestions for an unknown option, worded as the end of a message."""
    word = option.strip("-").replace("_", "-").casefold()
    params = [p for p in context.command.get_params(context) if not getattr(p, "hidden", False)]
    hints = getattr(context.command, "moved", {})
    if hint := hints.get(word) or hints.get(word.removeprefix("no-")):
        others = _meant(word, params) if any(word in group for group in _ALIKE) else []
        return f"; {hint}" + (f"; or did you mean {_shown(others[0])}?" if others else "")
    if word == "resume":
        return "; the same command again resumes"
    formats = next((p.metavar or "" for p in params if "--format" in p.opts), "").split("|")
    if word in _FORMATS.intersection(formats):
        return f"; did you mean --format {word}?"
    if meant := _meant(word, params):
        return f"; did you mean {' or '.join(map(_shown, meant[:2]))}?"
    forms = {word: _shown(p) for p in params for word in _words(p)}
    forms |= {
        name.replace("_", "-"): f"the key {name} of --config"
        for name in getattr(context.command, "in_file", ())
    }
    return near_miss(word, forms, most=2, show=forms.__getitem__)


def after_switch(error: str, words: Sequence[str], context: Any) -> str:
    """Returns an explanation of an unexpected argument after a switch, to end a message with."""
    value = error.rpartition("(")[2].partition(")")[0].split(" ")[0]
    previous = words[words.index(value) - 1] if value in words[1:] else ""
    params = context.command.get_params(context)
    switches = {word for p in params if getattr(p, "is_flag", False) for word in p.opts}
    if previous not in switches:
        return ""
    with_values = [p for p in params if not getattr(p, "is_flag", False)]
    meant = _meant(previous.strip("-"), with_values)
    hint = f"; did you mean {_shown(meant[0])}?" if meant else ""
    return f": {previous} takes no value{hint}"


def _meant(word: str, params: Sequence[Any]) -> list[Any]:
    """Finds options by name, or else by their names in other tools, or else by part of a name."""
    alike = set[str]().union(*(group for group in _ALIKE if word in group))
    for words in ({word}, alike, set(word.split("-"))):
        if matches := [param for param in params if _words(param) & words]:
            return matches
    return []


def _words(param: Any) -> set[str]:
    """Returns an option's names without leading dashes, or an argument's name."""
    if param.param_type_name == "argument":
        return {param.name.replace("_", "-")}
    return {name.strip("-") for name in (*param.opts, *param.secondary_opts)}


def _shown(param: Any) -> str:
    if param.param_type_name == "argument":
        return f"{param.name.upper()}, without a word before it"
    return str(max(param.opts, key=len))


# Commands that can be resumed.
_RESUMES = frozenset(
    {"ambigbio", "factor", "generate", "index", "meta", "run", "safe", "score", "unmix"}
)
_INTERRUPTED = 130


class ListedGroup(TyperGroup):
    """A command group that knows its commands' names and help without importing their modules.

    All the imports together take most of a second and are not needed to print the version or the
    list of commands, or to reject an unknown command.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = {
            name: self.commands.get(name) or TyperCommand(name, help=about)
            for name, (_, about) in COMMANDS.items()
        }

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parses the arguments that precede the command."""
        show_all(self, ctx, args[:1])
        return super().parse_args(ctx, args)

    def get_help(self, ctx: Any) -> str:
        """Returns help that fits on one screen."""
        return fitting(super().get_help, ctx, lines=30)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Writes the list of commands; the short help describes only the first ones."""
        if not ctx.meta[SHORT]:
            super().format_options(ctx, formatter)
            return
        names = list(self.commands)
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name][1]) for name in names[:FIRST]])
        with formatter.section("More commands"):
            formatter.write_text(", ".join(names[FIRST:]))
        with formatter.section("Options"):
            records = [param.get_help_record(ctx) for param in self.get_params(ctx)]
            rows = [row for row in records if row and "completion" not in row[0]]
            formatter.write_dl([*rows, (ALL, "Show all commands and options.")])

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Imports the module of the named command."""
        name, command, remaining = super().resolve_command(ctx, args)
        if name is None:
            return name, command, remaining
        _read(name)
        from dfactscore._cli.output import logs_shown

        ctx.with_resource(logs_shown())
        return name, typer.main.get_group(app).commands[name], remaining


def _print_version(is_set: bool) -> None:
    if is_set:
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
            help="Print the versions of dfactscore and Python, and the extras.",
            callback=_print_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    pass


def read_all() -> Any:
    """Returns the root command after importing all commands."""
    for name in COMMANDS:
        _read(name)
    return typer.main.get_command(app)


def main() -> None:
    """Runs the command line; after a user's mistake, prints one line and exits with status 2."""
    resumes = bool(_RESUMES.intersection(sys.argv[1:2]))
    hint = "; what is done is kept, run the same command again to resume" if resumes else ""
    gc.set_threshold(20_000)  # texts and verdicts do not form cycles; the default is 700
    with stoppable("dfactscore", hint):
        _call()


def _call() -> None:
    import warnings

    # Unlike the default format, this one omits the source line.
    warnings.formatwarning = lambda text, *_, **__: f"dfactscore: warning: {message_line(text)}\n"
    try:
        status = app(standalone_mode=False)
    except typer.Abort:
        print("dfactscore: aborted", file=sys.stderr)
        raise SystemExit(1) from None
    except Exception as error:
        if type(error).__name__ == "NoArgsIsHelpError":
            print(error.ctx.get_help(), file=sys.stderr)  # type: ignore[attr-defined]
            raise SystemExit(2) from None
        message = _usage(error) or (str(error) if ends_all_work(error) else _of_system(error))
        if message is None:
            raise
        print(f"dfactscore: {message_line(message)}", file=sys.stderr)
        raise SystemExit(2) from None
    if status == _INTERRUPTED:  # typer's status for Ctrl-C
        raise KeyboardInterrupt
    raise SystemExit(status or 0)


def _read(name: str) -> None:
    """Imports the module of a command, which adds the command to `app`."""
    import_module(f"dfactscore._cli.{COMMANDS[name][0]}")


def _usage(error: Any) -> str | None:
    """Formats an error in the arguments as one line; returns None for other errors."""
    if not hasattr(error, "format_message"):
        return None
    context = getattr(error, "ctx", None)
    path = "dfactscore" if context is None else "dfactscore" + _subcommand(context.command_path)
    text = " ".join(error.format_message().replace("Value error, ", "").split())
    if hasattr(error, "possibilities") and context is not None:
        text = f"No such option: {error.option_name}{near_option(error.option_name, context)}"
    if "extra argument" in text and context is not None:
        text += after_switch(text, sys.argv, context)
    return f"{text[:1].lower()}{text[1:].rstrip('.')}; see {path} --help"


def _of_system(error: Exception) -> str | None:
    """Formats an error of a file, a disk or the system; returns None for other errors."""
    if not isinstance(error, OSError) or error.errno is None:
        return None
    place = f"{error.filename}: " if error.filename else ""
    return f"{place}cannot be used ({why(error)}); what is done is kept, run the same command again"


def _subcommand(command_path: str) -> str:
    """Removes the program's name from a command's path, however the program was started."""
    _, program, command = command_path.rpartition("dfactscore")
    return command if program else ""
