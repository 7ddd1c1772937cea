"""Writes the report of a run folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dfactscore._util.files import atomic_write
from dfactscore.errors import InputError
from dfactscore.report.page import ReportBuilder
from dfactscore.runs import load_run
from dfactscore.runs.corrected import read_corrected
from dfactscore.runs.measured import measured_line
from dfactscore.scoring.record import Record
from dfactscore.scoring.summary import Summary, summarize_records

__all__ = ["write_page", "write_report"]


def write_report(
    run: str | Path,
    path: str | Path | None = None,
    *,
    explained: bool = False,
    beside: str | Path | None = None,
    judged_by: str | Path | None = None,
) -> Path:
    """Renders a run folder as one HTML file.

    Args:
        run: The run folder.
        path: Where to write it; ``report.html`` within the run by default.
        explained: Whether to show for each clause who it is about, and by which rule of the
            built-in grouper.
        beside: A second run, to be set side by side with the first by name.
        judged_by: A folder of ``meta run`` that says how good the verifier is.

    Returns:
        Where it was written.

    Raises:
        RunError: If the folder is not a run or cannot be read.
        InputError: If the file cannot be written.
    """
    loaded = load_run(run)
    target = loaded.folder / "report.html" if path is None else Path(path)
    if not target.parent.is_dir():
        raise InputError(f"{target}: no folder {target.parent}")
    builder = ReportBuilder(explained=explained)
    if beside is None:
        rows, means = builder.add_all(loaded.records(), loaded.n_bad)
        return write_page(
            builder, rows, means, loaded.manifest, target, judged_by=judged_by,
            corrected=read_corrected(loaded.folder),
        )  # fmt: skip
    other = load_run(beside)
    labels = _labels(loaded.folder, other.folder)
    found = builder.add_all(_of_run(loaded.records(), labels[0]), loaded.n_bad)[0]
    found += builder.add_all(_of_run(other.records(), labels[1]), other.n_bad, run=1)[0]
    means = summarize_records(
        (r for one in (loaded, other) for r in one.records(texts=False)),
        n_bad=loaded.n_bad + other.n_bad,
    )
    means = replace(means, models=dict.fromkeys(labels, len(found)))
    return write_page(
        builder, found, means, loaded.manifest, target, runs=labels, judged_by=judged_by
    )


def _labels(first: Path, second: Path) -> tuple[str, str]:
    """What two runs are called: their folders' names, with what tells these apart before them."""
    one, two = first.resolve().parts, second.resolve().parts
    for length in range(1, max(len(one), len(two)) + 1):
        labels = "/".join(one[-length:]), "/".join(two[-length:])
        if labels[0] != labels[1]:
            return labels
    return f"{one[-1]} (1)", f"{two[-1]} (2)"


def _of_run(records: Iterable[Record], label: str) -> Iterator[Record]:
    """The records with the run in the place of the model, for what the page says by model."""
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
    runs: Sequence[str] = (),
    judged_by: str | Path | None = None,
    corrected: Mapping[str, Any] | None = None,
) -> Path:
    """Writes the page of a run whose records a builder has seen.

    Args:
        builder: Has the records.
        rows: The rows of ``scores.csv``.
        means: Their means.
        manifest: The run's manifest.
        path: Where to write it.
        runs: Names of the two runs, where there are two.
        judged_by: A folder of ``meta run`` that says how good the verifier is.
        corrected: The run's means as corrected by labels, where they were.
    """
    settings = {
        "status": manifest.get("status"),
        "input": manifest["input"],
        **manifest["settings"],
        "verifier measured": measured_line(manifest["settings"].get("verifier"), judged_by),
        "python": manifest["versions"].get("python"),
    }
    title = " and ".join(runs) or Path(manifest["input"]["file"]).stem
    with atomic_write(path) as file:
        file.writelines(
            builder.page(
                rows, means, title=title, settings=settings, runs=runs, corrected=corrected
            )
        )
    return path
