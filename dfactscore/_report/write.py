"""Writes the report of a run folder."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._report.page import ReportBuilder
from dfactscore._results.judge import judge_name
from dfactscore._results.signature import signature_of
from dfactscore._runs import load_run
from dfactscore._runs.corrected import read_corrected
from dfactscore._runs.judge_accuracy import accuracy_line
from dfactscore._scoring.record import Record
from dfactscore._scoring.summary import Summary
from dfactscore._util.files import atomic_write

_LOG = logging.getLogger(__name__)


def write_report(
    run: str | Path,
    path: str | Path | None = None,
    *,
    explained: bool = False,
    beside: str | Path | None = None,
    judged_by: str | Path | None = None,
) -> Path:
    """Renders a run folder as a single HTML file.

    Args:
        run: The run folder.
        path: The path of the report; by default ``report.html`` in the run folder, or
            ``report-and-RUN.html`` with a second run.
        explained: Whether to show the person each clause is about and the built-in grouper's rule
            that determined this.
        beside: A second run, shown side by side with the first.
        judged_by: A folder written by ``meta run`` that contains the verifier's accuracy.

    Returns:
        The path of the report.

    Raises:
        RunError: If the folder is not a run or cannot be read.
        InputError: If the file cannot be written.
    """
    loaded = load_run(run)
    other = None if beside is None else load_run(beside)
    for opened in (loaded, other):
        if opened is not None and opened.unfinished:
            _LOG.warning(opened.unfinished)
    labels = None if other is None else _labels(loaded.folder, other.folder)
    name = f"report-and-{labels[1].replace('/', '-')}.html" if labels else "report.html"
    target = loaded.folder / name if path is None else Path(path)
    if not target.parent.is_dir():
        raise InputError(f"{target}: no folder {target.parent}")
    builder = ReportBuilder(explained=explained)
    if other is None or labels is None:
        rows, means = builder.add_all(loaded.records(), loaded.n_bad)
        return write_page(
            builder,
            rows,
            means,
            loaded.manifest,
            target,
            judged_by=judged_by,
            corrected=read_corrected(loaded.folder),
        )
    settings = {
        label: _settings(opened.manifest, judged_by)
        for label, opened in zip(labels, (loaded, other), strict=True)
    }
    records = loaded.records(), other.records()
    return write_pair(builder, labels, records, target, settings, n_bad=(loaded.n_bad, other.n_bad))


def write_pair(
    builder: ReportBuilder,
    labels: tuple[str, str],
    records: tuple[Iterable[Record], Iterable[Record]],
    path: Path,
    settings: Mapping[str, Any],
    *,
    n_bad: tuple[int, int] = (0, 0),
) -> Path:
    """Writes a page that shows two sets of scored texts side by side."""
    rows, means = builder.add_all(_of_run(records[0], labels[0]), n_bad[0])
    second_rows, second_means = builder.add_all(_of_run(records[1], labels[1]), n_bad[1], run=1)
    return _write(
        builder,
        [*rows, *second_rows],
        means if rows else second_means,
        path,
        " and ".join(labels),
        settings,
        runs=labels,
    )


def _labels(first: Path, second: Path) -> tuple[str, str]:
    """Returns labels for two runs: the shortest path endings that differ."""
    first_parts, second_parts = first.resolve().parts, second.resolve().parts
    for length in range(1, max(len(first_parts), len(second_parts)) + 1):
        labels = "/".join(first_parts[-length:]), "/".join(second_parts[-length:])
        if labels[0] != labels[1]:
            return labels
    return f"{first_parts[-1]} (1)", f"{second_parts[-1]} (2)"


def _of_run(records: Iterable[Record], label: str) -> Iterator[Record]:
    """Yields the records with the run as their model, because the page shows results by model."""
    for record in records:
        model = f"{label}: {record.biography.model}" if record.biography.model else label
        yield replace(record, biography=replace(record.biography, model=model))


def write_page(
    builder: ReportBuilder,
    rows: Sequence[Mapping[str, Any]],
    means: Summary,
    manifest: Mapping[str, Any],
    path: Path,
    *,
    # A folder written by `meta run` that contains the verifier's accuracy.
    judged_by: str | Path | None = None,
    corrected: Mapping[str, Any] | None = None,
) -> Path:
    """Writes the page of a run."""
    title, settings = Path(manifest["input"]["file"]).stem, _settings(manifest, judged_by)
    if (judge := judge_name(manifest["settings"])) != "builtin":
        title += f", judged by {judge}"
    return _write(builder, rows, means, path, title, settings, corrected=corrected)


def _settings(manifest: Mapping[str, Any], judged_by: str | Path | None) -> dict[str, Any]:
    return {
        "signature": signature_of(manifest),
        "status": manifest.get("status"),
        "input": manifest["input"],
        **manifest["settings"],
        "judge": accuracy_line(manifest["settings"].get("verifier"), judged_by),
        "python": manifest["versions"].get("python"),
    }


def _write(
    builder: ReportBuilder,
    rows: Sequence[Mapping[str, Any]],
    means: Summary,
    path: Path,
    title: str,
    settings: Mapping[str, Any],
    **options: Any,
) -> Path:
    with atomic_write(path) as file:
        file.writelines(builder.page(rows, means, title=title, settings=settings, **options))
    return path
