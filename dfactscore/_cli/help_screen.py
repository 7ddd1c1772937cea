"""Fits help text onto one screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import typer

ALL = "--help-all"
SHORT = "dfactscore.short"
"""The key of a context's ``meta`` that requests the short help."""


def fitting(write: Callable[[Any], str], ctx: Any, *, lines: int) -> str:
    """Returns the full help if it fits on the screen or was requested, or else the short help."""
    ctx.meta[SHORT] = False
    full = write(ctx)
    if full.count("\n") < lines or ctx.meta.get(ALL):
        return full
    ctx.meta[SHORT] = True
    return write(ctx)


def show_all(command: Any, ctx: Any, args: Sequence[str]) -> None:
    """Prints the full help and exits if the arguments contain ``--help-all``."""
    if ALL in args:
        ctx.meta[ALL] = True
        typer.echo(command.get_help(ctx))
        ctx.exit()
