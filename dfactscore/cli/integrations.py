"""`dfactscore integrations`: what other tools are pointed to."""

from __future__ import annotations

from typing import Annotated

import typer

from dfactscore.cli.from_settings import argument, command
from dfactscore.cli.root import app

__all__ = ["path"]

integrations_app = typer.Typer(
    name="integrations",
    help="Show what other evaluation tools are pointed to.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(integrations_app)


@command(integrations_app)
def path(*, host: Annotated[str, argument("The tool: lm-eval.")]) -> None:
    """Print the folder that a tool is given (lm_eval --include_path)."""
    from dfactscore.integrations import integration_path

    print(integration_path(host))
