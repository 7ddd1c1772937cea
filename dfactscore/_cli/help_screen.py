"""Fits help onto one screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import typer

ALL = "--help-all"
SHORT = "dfactscore.short"
"""Key of a context's meta: whether its help is written in short."""


def fitting(write: Callable[[Any], str], ctx: Any, *, lines: int) -> str:
    """The help in full if it has no more lines, or was asked for; else in short.

    Args:
        write: Writes it for a context.
        ctx: The context.
        lines: The largest number of lines.
    """
    ctx.meta[SHORT] = False
    full = write(ctx)
    if full.count("\n") < lines or ctx.meta.get(ALL):
        return full
    ctx.meta[SHORT] = True
    return write(ctx)


def show_all(command: Any, ctx: Any, args: Sequence[str]) -> None:
    """Prints all of a command's help and ends it, if that is asked for."""
    if ALL in args:
        ctx.meta[ALL] = True
        typer.echo(command.get_help(ctx))
        ctx.exit()
