"""Exports a study's answers to files."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from dfactscore._errors import InputError
from dfactscore._util.files import make_folder
from dfactscore._util.jsonl import write_jsonl
from dfactscore._util.numbers import counted
from dfactscore._util.outputs import check_output
from dfactscore.annotation._formats import factscore_rows, own_rows
from dfactscore.annotation._gold import answered_items
from dfactscore.annotation._label_studio import STUDIO_FILES, write_label_studio
from dfactscore.annotation._study import Study

ExportFormat = Literal["jsonl", "factscore", "label-studio"]


def export_answers(
    study: Study,
    out: str | Path,  # file to write, or the folder for `"label-studio"`
    *,
    # `"jsonl"` for one line per person and paragraph, `"factscore"` for one line per gold answer in
    # FActScore's annotation format, or `"label-studio"` for tasks and labeling configurations.
    form: ExportFormat = "jsonl",
    with_events: bool = False,  # also write every change and when it was made (`"jsonl"` only)
    overwrite: bool = False,
) -> tuple[list[Path], str]:
    """Exports all answers."""
    out = Path(out)
    if with_events and form != "jsonl":
        raise InputError(f"--with-events goes with --format jsonl, not with {form}")
    files = [out]
    if form == "label-studio":
        make_folder(out)
        files = [out / name for name in STUDIO_FILES]
    for file in files:
        check_output(file, "study_answers", inputs=[study.path], force=overwrite)
    if form == "label-studio":
        files = write_label_studio(study, out)
        return files, counted(len(answered_items(study)), "paragraph")
    if form == "jsonl":
        n = write_jsonl(out, own_rows(study, with_events=with_events))
        return [out], counted(n, "answer")
    rows = list(factscore_rows(study))
    if not rows:
        raise InputError(f"{study.path}: no paragraph has a gold answer yet")
    write_jsonl(out, rows)
    undecided = sum((a.gold or ("",))[0] == "undecided" for a in answered_items(study))
    suffix = f"; {undecided} undecided doubles are left out: adjudicate them" if undecided else ""
    return [out], f"{counted(len(rows), 'paragraph')}{suffix}"
