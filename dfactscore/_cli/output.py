"""Prints results to standard output, and messages, logs and usage to standard error."""

from __future__ import annotations

import logging
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._asking.budget import PriceList
from dfactscore._cli.options import Format, TextFormat
from dfactscore._errors import InputError
from dfactscore._util.files import dump_json, write_text
from dfactscore._util.message_text import without_controls
from dfactscore._util.numbers import percent
from dfactscore._util.reporting import progress as progress
from dfactscore._util.standard_streams import write as write
from dfactscore._util.standard_streams import write_data as write_data
from dfactscore._util.tables import csv_text
from dfactscore._util.usage import Tally, Usage
from dfactscore.measures._table import Column, Table, aligned, finite

if TYPE_CHECKING:
    from dfactscore._scoring import Summary


_SHOWN = 40  # the maximum number of biographies to list
_ABOVE = ("run", "judge", "search", "report")
_SUFFIXES: dict[str, TextFormat] = {
    ".txt": "table",
    ".md": "markdown",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
}


def message(text: str) -> None:
    """Prints a line to standard error."""
    print(without_controls(text), file=sys.stderr, flush=True)


def warn(problem: str) -> None:
    """Prints a warning to standard error if there is a problem."""
    if problem:
        message(f"warning: {problem}")


def print_json(value: Any, *, indent: int | None = 2) -> None:
    """Prints JSON to standard output, with null in place of NaN and infinities."""
    write_data(dump_json(finite(value), indent=indent) + "\n")


def lines_or_json(form: str, value: Any, lines: Iterable[str], *, indent: int | None = 2) -> None:
    """Prints a value as JSON if `form` is ``"json"``, or else as lines of text."""
    if form == "json":
        print_json(value, indent=indent)
    else:
        for line in lines:
            write(f"{line}\n")


def columns_of(width: int | None = None) -> int:
    """Returns the width for tables: the given width, or else that of the terminal."""
    return width or shutil.get_terminal_size((100, 24)).columns


def form_of(form: TextFormat | None, out: Path | None) -> TextFormat:
    """Returns the given format, or else the format for the file's suffix, or else ``"table"``."""
    suffix = out.suffix.lower() if out else ""
    if form is None and suffix and suffix not in _SUFFIXES:
        suffixes = ", ".join(_SUFFIXES)
        raise InputError(f"{out}: unknown suffix {suffix!r}; choose {suffixes}, or give --format")
    return form or _SUFFIXES.get(suffix, "table")


def show(result: Any, form: str, out: Path | None = None, **options: Mapping[str, Any]) -> None:
    """Prints a result in a format, or writes it to a file."""
    text = getattr(result, f"to_{'text' if form == 'table' else form}")(**options.get(form, {}))
    if out is None:
        styled = bool(options.get(form, {}).get("color"))
        write(text, styled=styled) if form == "table" else write_data(text)
    else:
        write_text(out, text)


def print_scores(
    rows: Sequence[Mapping[str, Any]],
    summary: Summary,
    form: Format,  # table, JSON (a single object) or CSV (in the format of `scores.csv`)
    about: dict[str, Any],
    f1_at: Sequence[float] = (),
    columns: Sequence[str] = (),
) -> None:
    """Prints scores."""
    from dfactscore._results.summary import summary_table
    from dfactscore._results.tables import f1_means, scores_csv
    from dfactscore._text.clean_text import one_line

    if form == "csv":
        write_data(scores_csv(()))
        for row in rows:
            write_data(scores_csv([row], header=False))
    elif form == "json":
        means = summary.to_dict()
        if f1_at:
            means["f1"] = {
                f"{k:g}": {"all": f1, "answered": answered}
                for k, (f1, answered) in f1_means(rows, f1_at).items()
            }
        _print_rows({**about, "summary": means, "biographies": []}, rows)
    else:
        if len(rows) <= _SHOWN:
            write(_list(rows) + "\n\n")
        write(about_line(about) + "\n")
        texts = ((row["name"], row["fs"], row["dfs"]) for row in rows)
        write(aligned(summary_table(summary, texts, columns=columns)) + "\n")
        if not columns:
            write("% with 95 % intervals over names; more: --columns all\n")
        for k, (f1, answered) in f1_means(rows, f1_at).items():
            write(f"F1@{k:g} (of texts that answer)  {percent(f1)} ({percent(answered)})\n")
        lacking = Counter(r["reason"] for r in rows if r["dfs"] is None and r["fs"] is not None)
        del lacking[None]
        for reason, count in lacking.most_common(3):
            write(f"no D-FActScore of {count} of {len(rows)}: {one_line(reason, 200)}\n")
        if "signature" in about:
            write(f"signature: {about['signature']}\n")


def _print_rows(result: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> None:
    """Prints JSON whose last field is an empty list, and fills the list with rows one at a time."""
    text = dump_json(result, indent=2)
    sign = text[:-3]  # up to and including the list's opening bracket
    for row in rows:
        inner = dump_json(row, indent=2).replace("\n", "\n    ")
        write_data(f"{sign}\n    {inner}")
        sign = ","
    write_data(f"{text}\n" if sign != "," else "\n  ]\n}\n")


def _list(rows: Sequence[Mapping[str, Any]]) -> str:
    numbers = (Column("FS", width=5), Column("D-FS", width=5))
    columns = (
        Column("id", left=True, width=14),
        Column("name", left=True, width=22),
        *numbers,
        *map(Column, ("people", "entities", "facts")),
        Column(" kind", left=True),
    )
    return aligned(Table(columns, tuple(map(_listed, rows))), gap=" ")


def _listed(row: Mapping[str, Any]) -> tuple[str, ...]:
    from dfactscore._scoring.biography_scores import kind_label

    kind = row["status"].replace("_", " ")
    if row["category"]:
        kind = kind_label(row["category"], mixed=row["mixed_groups"], n_ent=row["n_ent"])
    kind += ", about someone of another name" if row["off_target"] else ""
    counts = (_dash(row[name]) for name in ("n_bio", "n_ent", "n_facts"))
    shares = (percent(row[name]) for name in ("fs", "dfs"))
    return (_fit(row["id"], 14), _fit(row["name"], 22), *shares, *counts, f" {kind}")


def _fit(text: str, width: int) -> str:
    """Truncates a text to a width on the terminal, where Chinese characters take up two columns."""
    from rich.cells import cell_len, set_cell_size

    from dfactscore._text.clean_text import one_line

    short = one_line(text, width)
    if cell_len(short) > width:
        short = set_cell_size(short, width - 1).rstrip() + "…"
    return short


def _dash(value: int | None) -> str:
    return "-" if value is None else str(value)


def _searched(verifier: Mapping[str, Any]) -> dict[str, str]:
    """Returns the scope of FS or, if the run used a search, the search service."""
    if "search" in verifier:
        return {"search": str(verifier["search"].get("service"))}
    return {"fs_scope": "corpus" if "fs_scope" in verifier else "retrieved pages"}


def about_line(about: Mapping[str, Any]) -> str:
    """Returns the line shown above a table of scores: the run, its judge and its report."""
    return ", ".join(f"{key}: {about[key]}" for key in _ABOVE if about.get(key))


def about_run(
    folder: Path, settings: Mapping[str, Any], signature: str, report: str = ""
) -> dict[str, Any]:
    """Describes a run and its settings, for use in JSON and in the lines around tables.

    Scoring options are included if they differ from the paper's.
    """
    from dfactscore._evidence.snapshots import describe_snapshots
    from dfactscore._results.judge import judge_name
    from dfactscore._runs.judge_accuracy import checked_line
    from dfactscore._scoring import ScoreOptions

    values = {"candidates": settings["candidates"], **settings["scores"]}
    defaults = {"candidates": "retrieved", **asdict(ScoreOptions())}
    options = ", ".join(f"{k}={v}" for k, v in values.items() if v != defaults.get(k))
    roles = [settings[role] for role in ("decomposer", "grouper", "verifier")]
    names = [str(role.get("name", "?")) for role in roles]
    judge = judge_name(settings)
    if judge != names[-1] and (checked := checked_line(settings["verifier"], folder)):
        judge += f", which {checked}"
    dates = describe_snapshots(settings.get("snapshots", {}))
    return {
        "run": str(folder),
        **({"judge": judge} if judge != names[-1] else {}),
        "engine": names[0] if len(set(names)) == 1 else " / ".join(names),
        "evidence": settings["evidence"],
        **_searched(settings["verifier"]),
        **({"options": options} if options else {}),
        **({"snapshots": dates} if dates else {}),
        **({"report": report} if report else {}),
        "signature": signature,
    }


_HEAD = ("stage", "model", "calls", "cached", "prompt tokens", "answer tokens", "cost")


def print_usage(usage: Usage, prices: PriceList | None, form: Format, about: str) -> None:
    """Prints one row per stage and model, and the total."""
    tallies = [*sorted(usage.tallies.items()), (("total", ""), usage.total())]
    rows = [dict(zip(_HEAD, (*of, *_row(tally)), strict=True)) for of, tally in tallies]
    if form == "json":
        print_json(rows)
    elif form == "csv":
        write_data(csv_text(rows))
    else:
        cells = tuple(tuple(map(_cell, row.values())) for row in rows)
        columns = tuple(Column(title, left=i < 2) for i, title in enumerate(_HEAD))
        print(aligned(Table(columns, cells)))
    message(about)
    if usage.total().cost is None:
        message(
            "cost unknown: a model is not in the price list; give your own list with --prices FILE"
        )
    elif prices is not None and usage.total().cost:
        message(f"prices in {prices.currency} as of {prices.date or 'the file'}; check them")


def _row(tally: Tally) -> tuple[int | float | None, ...]:
    tokens = (tally.prompt_tokens, tally.completion_tokens)
    return (tally.calls, tally.cached, *tokens, tally.cost)


def _cell(value: str | float | None) -> str:
    if value is None:
        return "?"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


_LOGGER = logging.getLogger("dfactscore")


class _Lines(logging.Handler):
    """Prints log records as lines."""

    def emit(self, record: logging.LogRecord) -> None:
        """Prints a record as a line."""
        warning = "warning: " if record.levelno >= logging.WARNING else ""
        message(f"{warning}{record.getMessage()}")


@contextmanager
def logs_shown() -> Iterator[None]:
    """Prints log messages within the block."""
    handler, level = _Lines(), _LOGGER.level
    _LOGGER.addHandler(handler)
    _LOGGER.setLevel(logging.INFO)
    try:
        yield
    finally:
        _LOGGER.removeHandler(handler)
        _LOGGER.setLevel(level)


def hide_logs(*, quiet: bool) -> None:
    """Hides log messages for the rest of a quiet command."""
    if quiet:
        _LOGGER.setLevel(logging.CRITICAL)
