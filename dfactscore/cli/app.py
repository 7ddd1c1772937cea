"""The `dfactscore` command."""

from __future__ import annotations

import sys

import typer

app = typer.Typer(
    name="dfactscore",
    help="FActScore and D-FActScore of text about somebody whose name others share.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def _root() -> None:
    pass


def main() -> None:
    """Runs the command line; a person's mistake is one line and exit status 2."""
    from dfactscore.errors import DFactScoreError

    try:
        app()
    except DFactScoreError as error:
        print(f"dfactscore: {error}", file=sys.stderr)
        raise SystemExit(2) from None
