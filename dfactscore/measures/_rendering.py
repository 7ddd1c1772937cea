"""Renders tables for a terminal and as Markdown, LaTeX and HTML; all text is escaped."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from dfactscore._util.message_text import without_controls
from dfactscore.measures._table import Cell, Column, Table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text


_LATEX = {
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}",
    "×": r"$\times$", "≤": r"$\leq$", "–": "--", "−": "$-$", "·": r"$\cdot$", "…": r"\ldots{}",
    "†": r"\dag{}", "|": r"\textbar{}",
}  # fmt: skip
_MARKDOWN = str.maketrans({c: f"\\{c}" for c in r"\`*_{}[]<>|#"})
_RAISED = str.maketrans("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")


def superscript(letters: str) -> str:
    """Converts letters to superscript, for significance marks."""
    return letters.translate(_RAISED)


def markdown_text(text: str) -> str:
    """Escapes a text for Markdown and puts it on one line."""
    return " ".join(text.split()).translate(_MARKDOWN)


def latex_text(text: str) -> str:
    """Escapes a text for LaTeX."""
    return "".join(_LATEX.get(c, c) for c in text)


def to_markdown(table: Table) -> str:
    """Renders a table as Markdown; the text under a value is put in brackets after the value."""
    head = [markdown_text(column.title) for column in table.columns]
    lines = [head, ["---" if column.left else "---:" for column in table.columns]]
    lines += [[_markdown(cell) for cell in row] for row in table.rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def markdown_section(table: Table, *, heading: str = "**") -> str:
    """Renders a table as Markdown, with the title above and the notes below."""
    end = "" if heading.startswith("#") else heading
    lines = [f"{heading}{markdown_text(table.title)}{end}", ""] if table.title else []
    lines += [to_markdown(table), ""] if table.rows else []
    return "\n".join([*lines, *map(markdown_text, table.notes)])


def _markdown(cell: Cell | str) -> str:
    if isinstance(cell, str):
        return markdown_text(cell)
    value = markdown_text(cell.text) + superscript(cell.mark)
    return f"{value} ({markdown_text(cell.under)})" if cell.under else value


def to_latex(table: Table) -> str:
    """Renders a table as a booktabs ``tabular``; the text under a value is put on a second line."""
    titles = [latex_text(c.title) if c.tex is None else c.tex for c in table.columns]
    lines = [
        r"\begin{tabular}{" + "".join("l" if c.left else "r" for c in table.columns) + "}",
        r"\toprule",
        " & ".join(titles) + r" \\",
        r"\midrule",
    ]
    for row in table.rows:
        lines.append(" & ".join(map(_latex, row)) + r" \\")
        under = [cell.under if isinstance(cell, Cell) else "" for cell in row]
        if any(under):
            small = [rf"{{\scriptsize {latex_text(text)}}}" if text else "" for text in under]
            lines.append(" & ".join(small) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def _latex(cell: Cell | str) -> str:
    if isinstance(cell, str) or not cell.mark:
        return latex_text(str(cell))
    return f"{latex_text(cell.text)}$^{{{cell.mark}}}$"


def to_html(table: Table, *, kind: str = "") -> str:
    """Renders a table as HTML.

    Args:
        table: The table.
        kind: The CSS class of the table, if the page has a style sheet; if empty, an inline style
            aligns each cell.
    """
    line = "\n" if kind else ""
    titles = "".join(
        f"{_tag('th', True, kind)}{escape(column.title)}</th>" for column in table.columns
    )
    head = f"{line}<thead><tr>{titles}</tr></thead>{line}" if _has_head(table) else line
    body = ""
    for row in table.rows:
        cells = (escape(str(cell)) for cell in row)
        contents = (f"<bdi>{cell}</bdi>" if kind else cell for cell in cells)
        tags = (_tag("td", column.left, kind) for column in table.columns)
        body += "".join(f"{t}{c}</td>" for t, c in zip(tags, contents, strict=True)).join(
            ("<tr>", f"</tr>{line}")
        )
    table_tag = f'<table class="{kind}">' if kind else "<table>"
    return f"{table_tag}{head}<tbody>{line}{body}</tbody>{line}</table>{line}"


def _has_head(table: Table) -> bool:
    return any(column.title for column in table.columns)


def _tag(name: str, left: bool, kind: str) -> str:
    if not kind:
        return f'<{name} style="text-align:{"left" if left else "right"}">'
    return '<th scope="col">' if name == "th" else f"<{name}>"


def drawn(draw: Callable[[Console], None], *, width: int, color: bool = False) -> str:
    r"""Returns the console output of a function, with trailing spaces removed from lines.

    Example:
        >>> drawn(lambda console: console.print("[b] stays as it is   "), width=40)
        '[b] stays as it is\n'
    """
    from rich.console import Console

    out = io.StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        highlight=False,
        legacy_windows=False,
        emoji=False,
        markup=False,
        force_jupyter=False,  # otherwise rich displays the lines in a notebook
    )
    draw(console)
    text = out.getvalue() if color else without_controls(out.getvalue())
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def text_tables(tables: Iterable[Table], *, width: int = 100) -> str:
    """Formats tables, including titles and notes, for a terminal that is `width` columns wide."""

    def draw(console: Console) -> None:
        for number, table in enumerate(tables):
            if number:
                console.print()
            print_table(console, table)

    return drawn(draw, width=width)


def print_table(console: Console, table: Table) -> None:
    """Prints a table, with the title above and the notes below."""
    if table.title:
        console.print(table.title)
    if table.rows:
        console.print(rich_table(table))
    for note in table.notes:
        console.print(note)


def rich_table(table: Table) -> RichTable:
    """Converts a table to a rich table in which numbers are aligned despite their marks."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    has_head = any(column.title for column in table.columns)
    output = RichTable(
        box=box.SIMPLE_HEAD if has_head else None,
        show_header=has_head,
        pad_edge=False,
        show_edge=False,
        padding=(0, 1),
    )
    columns = []
    for i, column in enumerate(table.columns):
        width, cells = _cells(column, [row[i] for row in table.rows])
        output.add_column(
            Text(column.title.rjust(width)),
            # Padded text is not aligned by rich, which would remove the spaces at its end.
            justify="left" if column.left or width else "right",
            overflow="fold",
            no_wrap=not column.fold,
            min_width=column.width or None,
            max_width=column.widest or None,
        )
        columns.append(cells)
    for row in zip(*columns, strict=True):
        output.add_row(*row)
    return output


def _cells(column: Column, values: list[Cell | str]) -> tuple[int, list[Text]]:
    """Returns the width to which the cells are padded (0 for none), and the cells as rich text."""
    from rich.text import Text

    cells = [Cell(cell) if isinstance(cell, str) else cell for cell in values]
    cells = [replace(cell, text=without_controls(cell.text)) for cell in cells]
    if not any(cell.mark or cell.under for cell in cells):
        return 0, [Text(cell.text, style=cell.style) for cell in cells]
    marks = [superscript(cell.mark) for cell in cells]
    mark_width = max(map(len, marks))
    width = (
        0
        if column.left
        else max(
            len(column.title),
            *(len(cell.text) + mark_width for cell in cells),
            *(len(cell.under) for cell in cells),
        )
    )
    texts = []
    for cell, mark in zip(cells, marks, strict=True):
        text = Text(cell.text.rjust(width - mark_width) + mark.ljust(mark_width), style=cell.style)
        if any(other.under for other in cells):
            text.append(f"\n{cell.under.rjust(width)}", style="dim not bold")
        texts.append(text)
    return width, texts
