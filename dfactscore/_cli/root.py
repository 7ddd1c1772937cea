"""The root of the command line."""

from __future__ import annotations

import typer

from dfactscore._cli.command_list import COMMANDS

app = typer.Typer(
    name="dfactscore",
    help="FActScore and D-FActScore: factual precision of text about people who share a name.",
    no_args_is_help=True,
    context_settings={"max_content_width": 100},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def group(name: str) -> typer.Typer:
    """Adds a command group, whose help comes from `COMMANDS`, to the root."""
    about = COMMANDS[name][1]
    commands = typer.Typer(name=name, help=about, no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(commands)
    return commands
