"""The root of the command line, to which each command's module adds its own."""

from __future__ import annotations

import typer

__all__ = ["app"]

app = typer.Typer(
    name="dfactscore",
    help="FActScore and D-FActScore: factual precision of text about people who share a name.",
    no_args_is_help=True,
    context_settings={"max_content_width": 100},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
