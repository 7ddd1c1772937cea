"""Renders the report as text, Markdown or HTML, and writes it with CSV and JSON files."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from html import escape
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._util.files import make_folder, write_text
from dfactscore._util.jsonl import write_json
from dfactscore._util.outputs import check_output
from dfactscore.annotation._tables import headline, report_tables
from dfactscore.measures._markup import markdown_section, markdown_text, to_html
from dfactscore.measures._table import Table, to_csv
from dfactscore.measures._terminal import drawn, print_table

if TYPE_CHECKING:
    from rich.console import Console


def render_text(report: Mapping[str, Any], *, width: int = 100) -> str:
    """The report as text for a terminal `width` columns wide."""
    return drawn(lambda console: _draw(console, report), width=width)


def _draw(console: Console, report: Mapping[str, Any]) -> None:
    for line in headline(report):
        console.print(line)
    for table in report_tables(report):
        if table.rows:
            console.print()
            print_table(console, table)


def render_markdown(report: Mapping[str, Any]) -> str:
    """The report as Markdown."""
    lines = ["# Annotation report", "", *(f"{markdown_text(line)}  " for line in headline(report))]
    for table in report_tables(report):
        if table.rows:
            lines += ["", markdown_section(table, heading="## ")]
    return "\n".join(lines).rstrip() + "\n"


def render_html(report: Mapping[str, Any]) -> str:
    """The report as a single HTML page without scripts or external files."""
    home = resources.files("dfactscore.annotation._web")
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
    parts += [_section(table) for table in report_tables(report) if table.rows]
    return "".join([*parts, "</main>\n</body>\n</html>\n"])


def _section(table: Table) -> str:
    title = escape(table.title)
    notes = "".join(f'<p class="muted">{escape(note)}</p>\n' for note in table.notes)
    return (
        f"<section>\n<h2>{title}</h2>\n"
        f'<div class="scroll" role="region" aria-label="{title}" tabindex="0">\n'
        f"{to_html(table, kind='figures')}</div>\n{notes}</section>\n"
    )


def write_report(
    report: Mapping[str, Any],
    folder: Path,
    *,
    inputs: Iterable[Path] = (),
    overwrite: bool = False,
) -> list[Path]:
    """Writes ``report.json``, ``report.html``, ``report.md`` and a CSV file per table."""
    make_folder(folder)
    files = [folder / f"report.{kind}" for kind in ("html", "json", "md")]
    for file in files:
        check_output(file, "study_report", inputs=inputs, force=overwrite)
    tables = {folder / f"{t.name}.csv": to_csv(t) for t in report_tables(report) if t.rows}
    # CSV files next to a report are taken to be its tables.
    has_report = overwrite or files[1].exists()
    for file in tables:
        check_output(file, "study_report", inputs=inputs, force=has_report)
    write_json(folder / "report.json", report)
    write_text(folder / "report.html", render_html(report))
    write_text(folder / "report.md", render_markdown(report))
    for file, text in tables.items():
        write_text(file, text)
    return [*files, *tables]
