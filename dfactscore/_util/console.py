"""Tables drawn by rich into a text: the one console behind what prints."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["drawn"]


def drawn(draw: Callable[[Console], None], *, width: int, color: bool = False) -> str:
    r"""What a function prints to a console, as a text without blanks at the ends of lines.

    Args:
        draw: Called with the console.
        width: Columns.
        color: Keep colors, as escape sequences.

    Example:
        >>> drawn(lambda console: console.print("[b] stays as it is   "), width=40)
        '[b] stays as it is\n'
    """
    from rich.console import Console

    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=color, color_system="standard" if color else None,
        highlight=False, legacy_windows=False, emoji=False, markup=False,
        force_jupyter=False,  # else rich shows the lines in a notebook instead of writing them
    )  # fmt: skip
    draw(console)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"
