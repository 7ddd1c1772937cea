"""Renders tables as Markdown, LaTeX and HTML; all text is escaped."""

from __future__ import annotations

from html import escape

from dfactscore.measures._table import Cell, Table

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
