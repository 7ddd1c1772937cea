"""Writes the report of a run folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dfactscore._util.files import atomic_write
from dfactscore.errors import InputError
from dfactscore.report.page import ReportBuilder
from dfactscore.runs import load_run
from dfactscore.runs.measured import measured_line
from dfactscore.scoring.summary import Summary

__all__ = ["write_page", "write_report"]


def write_report(
    run: str | Path, path: str | Path | None = None, *, explained: bool = False
) -> Path:
    """Renders a run folder as one HTML file.

    Args:
        run: The run folder.
        path: Where to write it; ``report.html`` within the run by default.
        explained: Whether to show for each clause who it is about, and by which rule of the
            built-in grouper.

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
    rows, means = builder.add_all(loaded.records(), loaded.n_bad)
    return write_page(builder, rows, means, loaded.manifest, target)


def write_page(
    builder: ReportBuilder,
    rows: Sequence[Mapping[str, Any]],
    means: Summary,
    manifest: Mapping[str, Any],
    path: Path,
) -> Path:
    """Writes the page of a run whose records a builder has seen.

    Args:
        builder: Has the records.
        rows: The rows of ``scores.csv``.
        means: Their means.
        manifest: The run's manifest.
        path: Where to write it.
    """
    settings = {
        "status": manifest.get("status"),
        "input": manifest["input"],
        **manifest["settings"],
        "verifier measured": measured_line(manifest["settings"].get("verifier")),
        "python": manifest["versions"].get("python"),
    }
    title = Path(manifest["input"]["file"]).stem
    with atomic_write(path) as file:
        file.writelines(builder.page(rows, means, title=title, settings=settings))
    return path
