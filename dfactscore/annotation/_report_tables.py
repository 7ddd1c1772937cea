"""The report's tables, and the text, HTML, CSV and JSON files that contain them."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._util.files import check_output, make_folder, write_text
from dfactscore._util.jsonl import write_json
from dfactscore._util.numbers import number
from dfactscore.annotation._report import MEASURES, POOLED, QUESTIONS
from dfactscore.measures._rendering import (
    drawn,
    markdown_section,
    markdown_text,
    print_table,
    to_html,
)
from dfactscore.measures._table import Table, to_csv, words

if TYPE_CHECKING:
    from rich.console import Console


_DASH = "–"
_FEWEST = 10  # paragraphs; with fewer, the interval of a correlation is misleading
_TITLES = {"fs": "FS", "dfs": "D-FS", "n_bio": "#bio", "n_ent": "#ent"}
_QUESTIONS = {
    "n_bio": "#bio",
    "label": "label",
    "supported": "supported or not",
    "found_in": "found in",
    "link": "link",
}


def headline(report: Mapping[str, Any]) -> list[str]:
    """The lines above the tables: the number of paragraphs and answers, and any warnings."""
    n = report["paragraphs"]
    lines = [
        f"Study {report['study']}: {n['annotated']} of {n['all']} paragraphs annotated"
        f"{', ' + str(n['skipped']) + ' skipped' if n['skipped'] else ''}.",
        f"Answers: {n['single']} single, {n['agreed']} agreed, {n['adjudicated']} adjudicated, "
        f"{n['undecided']} undecided doubles with different answers (their scores are the means of "
        "both answers; they have no gold labels).",
        "Irrelevant facts "
        + ("stay in the denominator." if report["irrelevant"] == "keep" else "are dropped."),
    ]
    counts = [
        (f"{_scope(name)} ({means['n']})", means["n"]) for name, means in _scopes(report["means"])
    ]
    counts.append(("agreement", report["agreement"][POOLED]["doubles"]))
    if few := [name for name, count in counts if 0 < count < _FEWEST]:
        lines.append(
            f"Fewer than {_FEWEST} paragraphs: {', '.join(few)}; these figures are unreliable, and "
            "their correlations have no interval."
        )
    if not report["blind"]:
        lines.append("The study was not blind: annotators saw the verdicts of the run.")
    if n["in_run"] < n["annotated"]:
        lines.append(f"{n['annotated'] - n['in_run']} annotated paragraphs are not in the run.")
    if n["other_facts"]:
        lines.append(
            f"{n['other_facts']} paragraphs have other facts in the run; only their scores are "
            "compared."
        )
    return lines


def report_tables(report: Mapping[str, Any]) -> list[Table]:
    """All tables in a report."""
    return [
        _means(report),
        _agreement(report),
        _kappas(report),
        *_confusions(report),
        _annotators(report),
        _correlations(report),
        _facts(report),
        _order(report),
    ]


def _cell(figure: Mapping[str, Any], *, share: bool = False, digits: int = 3) -> str:
    """A value with its interval, or a dash and the reason if it is undefined."""
    value = figure["value"]
    if value is None:
        return f"{_DASH} ({figure.get('reason', 'no value')})"
    scale = 100 if share else 1
    digits = 1 if share else digits
    low, high = figure.get("low"), figure.get("high")
    text = number(value * scale, digits=digits)
    if low is None or high is None:
        return text
    return f"{text} [{number(low * scale, digits=digits)}, {number(high * scale, digits=digits)}]"


def _scopes(section: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The models, followed by all models together if there are several."""
    rows = list(section.items())
    return rows[:-1] if len(rows) == 2 else rows


def _scope(name: str) -> str:
    return "all models" if name == POOLED else name


def _means(report: Mapping[str, Any]) -> Table:
    rows = []
    for name, means in _scopes(report["means"]):
        for source in ("people", "automatic"):
            cells = [_cell(means[source][m], share=m in ("fs", "dfs"), digits=2) for m in MEASURES]
            rows.append((_scope(name), source, str(means[source]["fs"]["n"]), *cells))
    return words(
        "means",
        "Means by people and by the automatic run",
        ("model", "by", "n", "FS, %", "D-FS, %", "#bio", "#ent"),
        rows,
        ("Intervals: 95 %, by bootstrap over paragraphs.",),
    )


def _agreement(report: Mapping[str, Any]) -> Table:
    rows = []
    notes = []
    for name, questions in _scopes(report["agreement"]):
        for question in QUESTIONS:
            figures = questions[question]
            exact = figures["exact"]
            rows.append(
                (
                    _scope(name),
                    _QUESTIONS[question],
                    str(figures["percent"]["n"]),
                    _cell(figures["percent"], share=True),
                    f"[{100 * exact[0]:.1f}, {100 * exact[1]:.1f}]" if exact else "",
                    _cell(figures["alpha"]),
                )
            )
        for key, title in (
            ("b_cubed_f1", "grouping, B-cubed F1"),
            ("adjusted_rand", "grouping, adjusted Rand"),
        ):
            rows.append(
                (_scope(name), title, str(questions[key]["n"]), _cell(questions[key]), "", "")
            )
        if questions["revised_left_out"]:
            notes.append(
                f"{_scope(name)}: {questions['revised_left_out']} paragraphs are left out of #bio, "
                "because their number was changed after the pages were seen."
            )
    return words(
        "agreement",
        "Agreement",
        ("model", "question", "n", "percent equal", "exact 95 %", "Krippendorff's α"),
        rows,
        ("n: paragraphs for #bio and grouping, facts for the others.", *notes),
    )


def _kappas(report: Mapping[str, Any]) -> Table:
    rows = []
    for name, questions in _scopes(report["agreement"]):
        for question in QUESTIONS:
            for pair in questions[question]["kappa"]:
                names = f"{pair['first']}, {pair['second']}"
                cells = (_scope(name), _QUESTIONS[question], names, str(pair["n"]), _cell(pair))
                rows.append(cells)
    header = ("model", "question", "people", "n", "κ")
    return words("kappa", "Cohen's κ of each pair of people", header, rows)


def _confusions(report: Mapping[str, Any]) -> list[Table]:
    tables = []
    for number_, confusion in enumerate(report["agreement"][POOLED]["confusion"], 1):
        labels = [label.replace("_", " ") for label in confusion["labels"]]
        rows = tuple(
            (label, *map(str, counts), str(sum(counts)))
            for label, counts in zip(labels, confusion["counts"], strict=True)
        )
        header = (f"{confusion['first']} ↓ {confusion['second']} →", *labels, "sum")
        title = f"Labels of {confusion['first']} and {confusion['second']}"
        tables.append(words(f"confusion-{number_}", title, header, rows))
    return tables


def _annotators(report: Mapping[str, Any]) -> Table:
    rows = []
    for annotator in report["annotators"]:
        share = annotator["supported"]
        rows.append(
            (
                annotator["annotator"],
                str(annotator["done"]),
                str(annotator["open"]),
                str(annotator["skipped"]),
                str(annotator["facts"]),
                number(None if share is None else 100 * share, digits=1),
                number(annotator["median_seconds"], digits=0),
                str(annotator["revised"]),
            )
        )
    header = (
        "annotator",
        "done",
        "begun",
        "skipped",
        "facts",
        "supported, %",
        "median seconds",
        "changed after pages",
    )
    return words("annotators", "Annotators", header, rows)


def _interval(pair: Sequence[float] | None) -> str:
    if pair is None:
        return _DASH
    return f"[{pair[0]:.3f}, {pair[1]:.3f}]"


def _correlations(report: Mapping[str, Any]) -> Table:
    rows = []
    for name, comparison in _scopes(report["automatic"]):
        for m in ("dfs", "fs", "n_bio", "n_ent"):
            figures = comparison[m]
            undefined = f"{_DASH} ({figures['reason']})"
            r, has_intervals = (
                figures["pearson"],
                figures["n"] >= _FEWEST and figures["fisher"] is not None,
            )
            rows.append(
                (
                    _scope(name),
                    _TITLES[m],
                    str(figures["n"]),
                    undefined if r is None else f"{r:.3f}",
                    *(
                        _interval(figures[key] if has_intervals else None)
                        for key in ("fisher", "bootstrap")
                    ),
                    number(figures["spearman"], digits=3, missing=_DASH),
                    number(figures["mae"], digits=3, missing=_DASH),
                    _DASH if figures["bias"] is None else f"{figures['bias']:+.3f}",
                )
            )
    header = ("model", "score", "n", "Pearson r", "Fisher 95 %", "bootstrap 95 %", "Spearman",
              "mean absolute error", "bias")  # fmt: skip
    return words(
        "correlation",
        "Scores of the automatic run and of people, per paragraph",
        header,
        rows,
        ("Bias: automatic minus people.",),
    )


def _facts(report: Mapping[str, Any]) -> Table:
    rows, notes = [], []
    for name, comparison in _scopes(report["automatic"]):
        n_same, n_facts = (
            comparison[key]["balanced_accuracy"]["n"] for key in ("facts_same_link", "facts")
        )
        notes.append(
            f"{_scope(name)}: the run links {n_same} of {n_facts} facts to the page that people "
            "chose."
        )
        for link, facts in (
            ("any", comparison["facts"]),
            ("people's", comparison["facts_same_link"]),
        ):
            (tp, fn), (fp, tn) = facts["table"]
            rows.append(
                (
                    _scope(name),
                    link,
                    str(facts["balanced_accuracy"]["n"]),
                    _cell(facts["balanced_accuracy"]),
                    _cell(facts["kappa"]),
                    _cell(facts["auc"]),
                    f"{tp} / {fn} / {fp} / {tn}",
                )
            )
    header = (
        "model",
        "link",
        "facts",
        "balanced accuracy",
        "κ",
        "AUC",
        "both / people only / run only / neither",
    )
    return words(
        "facts",
        "Verdicts of the automatic run and of people, per fact",
        header,
        rows,
        (
            "A fact is supported by the run if the linked page supports it. Link people's: only "
            "facts that the run links to the page that people chose.",
            *notes,
        ),
    )


def _order(report: Mapping[str, Any]) -> Table:
    rows = []
    for m, order in report["order"].items():
        if order is not None:
            rows.append(
                (
                    _TITLES[m],
                    " > ".join(order["people"]),
                    " > ".join(order["automatic"]),
                    f"{100 * order['same']:.1f}",
                )
            )
    header = ("score", "by people", "by the run", "the same, % of draws")
    notes = () if rows else ("There is only one model.",)
    return words("order", "Order of the models", header, rows, notes)


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
