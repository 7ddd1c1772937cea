"""Writes the report of a run folder."""

from __future__ import annotations

from pathlib import Path

from dfactscore.errors import InputError
from dfactscore.report.page import render_report
from dfactscore.runs import load_run

__all__ = ["write_report"]


def write_report(run: str | Path, path: str | Path | None = None) -> Path:
    """Renders a run folder as one HTML file.

    Args:
        run: The run folder.
        path: Where to write it; ``report.html`` within the run by default.

    Returns:
        Where it was written.

    Raises:
        RunError: If the folder is no run or cannot be read.
        InputError: If the file cannot be written.
    """
    from dfactscore._util.files import atomic_write

    loaded = load_run(run)
    manifest = loaded.manifest
    html = render_report(
        list(loaded.scored()),
        title=Path(manifest["input"]["file"]).stem,
        settings={
            "status": manifest.get("status"),
            "input": manifest["input"],
            **manifest["settings"],
            "python": manifest["versions"].get("python"),
        },
        n_bad=loaded.n_bad,
    )
    target = loaded.folder / "report.html" if path is None else Path(path)
    if not target.parent.is_dir():
        raise InputError(f"{target}: no folder {target.parent}")
    with atomic_write(target) as file:
        file.write(html)
    return target
