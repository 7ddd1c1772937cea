"""Writes the report: terminal, Markdown, CSV, JSON, HTML."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from html import escape
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._util.console import drawn
from dfactscore._util.csv_text import csv_text
from dfactscore._util.files import make_folder, write_text
from dfactscore._util.jsonl import write_json
from dfactscore.annotation.tables import Table, headline, report_tables

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "markdown_table",
    "render_html",
    "render_markdown",
    "render_text",
    "text_tables",
    "write_report",
]

_MARKDOWN = str.maketrans({c: f"\\{c}" for c in r"\`*_{}[]<>|#"})


def render_text(report: Mapping[str, Any], *, width: int = 100) -> str:
    """The report for a terminal, in that many columns."""
    return drawn(lambda console: _draw(console, report), width=width)


def _draw(console: Console, report: Mapping[str, Any]) -> None:
    for line in headline(report):
        console.print(line)
    for table in report_tables(report):
        if table.rows:
            console.print()
            _draw_table(console, table)


def text_tables(tables: Sequence[Table], *, width: int = 100) -> str:
    """Tables for a terminal, in that many columns."""

    def draw(console: Console) -> None:
        for number, table in enumerate(tables):
            if number:
                console.print()
            _draw_table(console, table)

    return drawn(draw, width=width)


def _draw_table(console: Console, table: Table) -> None:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    if table.title:
        console.print(table.title)
    if table.rows:
        shown = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1))
        for name in table.header:
            shown.add_column(Text(name), overflow="fold")
        for row in table.rows:
            shown.add_row(*map(Text, row))
        console.print(shown)
    for note in table.notes:
        console.print(note)


def render_markdown(report: Mapping[str, Any]) -> str:
    """The report as Markdown."""
    lines = ["# Annotation report", "", *(f"{_plain(line)}  " for line in headline(report))]
    for table in report_tables(report):
        if table.rows:
            lines += ["", markdown_table(table, heading="## ")]
    return "\n".join(lines).rstrip() + "\n"


def markdown_table(table: Table, *, heading: str = "**") -> str:
    """One table in Markdown."""
    end = "" if heading.startswith("#") else heading
    lines = [f"{heading}{_plain(table.title)}{end}", ""] if table.title else []
    if table.rows:
        lines += [_row(table.header), "| " + " | ".join("---" for _ in table.header) + " |"]
        lines += [*(_row(row) for row in table.rows), ""]
    return "\n".join([*lines, *(_plain(note) for note in table.notes)])


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_plain(cell) for cell in cells) + " |"


def _plain(text: str) -> str:
    return " ".join(text.split()).translate(_MARKDOWN)


def render_html(report: Mapping[str, Any]) -> str:
    """The report as one page that needs no other file and runs nothing."""
    home = resources.files("dfactscore.annotation.web")
    style = home.joinpath("static", "annotate.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:"
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<link rel="icon" href="data:,">\n'
        f"<title>Annotation report</title>\n<style>{style}</style>\n</head>\n<body>\n"
        '<header class="top"><h1>Annotation report</h1></header>\n<main>\n'
    ]
    parts += [f"<p>{escape(line)}</p>\n" for line in headline(report)]
    parts += [_html_table(table) for table in report_tables(report) if table.rows]
    return "".join([*parts, "</main>\n</body>\n</html>\n"])


def _html_table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.header)
    body = "".join(
        "<tr>" + "".join(f"<td><bdi>{escape(cell)}</bdi></td>" for cell in row) + "</tr>\n"
        for row in table.rows
    )
    notes = "".join(f'<p class="muted">{escape(note)}</p>\n' for note in table.notes)
    return (
        f"<section>\n<h2>{escape(table.title)}</h2>\n"
        f'<div class="scroll" role="region" aria-label="{escape(table.title)}" tabindex="0">\n'
        f'<table class="figures">\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n'
        f"</table>\n</div>\n{notes}</section>\n"
    )


def write_report(report: Mapping[str, Any], folder: Path) -> list[Path]:
    """Writes ``report.json``, ``.html`` and ``.md``, and a CSV file for each table.

    Raises:
        RunError: If the folder cannot be written.
    """
    make_folder(folder)
    write_json(folder / "report.json", report)
    write_text(folder / "report.html", render_html(report))
    write_text(folder / "report.md", render_markdown(report))
    files = [folder / f"report.{kind}" for kind in ("html", "json", "md")]
    for table in report_tables(report):
        if table.rows:
            place = folder / f"{table.name}.csv"
            write_text(
                place, csv_text(dict(zip(table.header, row, strict=True)) for row in table.rows)
            )
            files.append(place)
    return files
