"""Checks output paths, so that inputs and other programs' files are not overwritten."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from dfactscore._errors import InputError
from dfactscore._util.callbacks import MakeError

Kind = Literal[
    "alce", "ambigfactor", "answers", "audit", "citations", "comparison", "correction", "dataset",
    "dataset_csv", "dataset_log", "dataset_pages", "factor", "factor_items", "figure", "graphml",
    "longfact", "mixing", "report", "study_answers", "study_report",
]  # fmt: skip
_TEXT = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_ITEM = rf'\{{"id": {_TEXT}, "document": {_TEXT}, "prefix": '
# The beginning of each type of file; a file that begins differently is not from this package.
_BEGINNINGS: dict[Kind, str] = {
    "alce": r'\{\s*"args": \{[^{}]*"(?:generator|mode|engine|endpoint)"',
    "ambigfactor": rf'{_ITEM}|\{{\s*"command": "factor ambig"',
    "answers": r'\{"created": \d+, "endpoint"',
    "audit": r'(?:\xef\xbb\xbf)?"?page"?,"?url"?,"?kind"?,',
    "citations": r'\{(?:"key": "\w*", )?"id": [^\n]*"(?:citation_recall|status)"',
    "comparison": (
        r"\s*(?:run\s+n\s+FS|(?:\*\*[^\n]*\*\*\s+)?\|[^\n]*\| run \| n \|"
        r"|% \\usepackage\{booktabs\}"
        r'|model,n,answered|first,second,measure|\{\s*"confidence")'
    ),
    "correction": r'Corrected by |\*\*Corrected by|run,measure,texts,labels,|\{\s*"runs": \[',
    "dataset": r'\{"format": "ambigbio"',
    "dataset_csv": r"name,entities\r?\n",
    "dataset_log": rf'\{{"title": {_TEXT}, "kept": ',
    "dataset_pages": rf'\{{"title": {_TEXT}, "text": {_TEXT}, "id": "\d+", "url": ',
    "factor": (
        r"run\s+context\s+items|run,context,|first,second,context"
        r'|\{\s*"levels": \['
    ),
    "factor_items": rf'{_ITEM}|\{{\s*"command": "factor build"',
    "figure": r"\x89PNG|%PDF|<\?xml[^>]*>\s*<!DOCTYPE svg|<svg",
    "graphml": r"(?:<\?xml[^>]*>\s*)?<graphml",
    "longfact": (
        rf'\{{"id": "(?:objects|concepts)-[0-9a-f]{{10}}", "prompt": {_TEXT}, "task": '
        r'|\{\s*"source": \{\s*"longfact-'
    ),
    "mixing": r'id,name,n_named|\{\s*"min_foreign"',
    "report": r"(?s).*D-FActScore report</title>",
    "study_answers": (
        rf'\{{"study": "\w+", "item": |\{{"topic": {_TEXT}, "output": {_TEXT}, "annotations": '
        r'|\[\s*\{\s*"data": \{\s*"item": |<View>\s*<Header value="\$name"/>'
    ),
    "study_report": (
        r"# Annotation report|<!doctype html>[\s\S]*<title>Annotation report"
        r'|\{\s*"study": "\w+",\s*"blind": '
    ),
}
_HEAD_BYTES = 1 << 20  # the first line may contain a whole page


def check_output(
    path: Path | None,
    kind: Kind,
    *,
    inputs: Iterable[Path | str | None] = (),
    force: bool = False,  # whether a file of another type may be replaced, unless it is an input
    named: str = "--out",
    error: MakeError = InputError,
) -> None:
    """Checks, before any work, that a command may write to a file."""
    if path is None:
        return
    if path.is_dir():
        raise error(f"{path}: is a folder; {named} names a file")
    folder = path.parent
    if not folder.is_dir():
        raise error(f"{folder}: no such folder; create it first (mkdir -p {folder})")
    if not path.exists():
        if not os.access(folder, os.W_OK):
            raise error(f"{path}: cannot be written (permission denied); choose another {named}")
        return
    known = _is_kind(path, kind)
    refuse_input(path, inputs, folders=not known, named=named, error=error)
    if not (known or force):
        raise error(
            f"{path}: exists, and was not written by this command; choose another {named}, or "
            "give --overwrite to replace it"
        )


def refuse_input(
    path: Path | None,
    inputs: Iterable[Path | str | None],
    *,
    folders: bool = True,
    named: str = "--out",
    error: MakeError = InputError,
) -> None:
    """Refuses to write to an existing file that the command reads."""
    if path is None or not path.exists():
        return
    for place in inputs:
        if place is None or not Path(place).exists():
            continue
        inside = Path(place).is_dir() and path.resolve().is_relative_to(Path(place).resolve())
        if os.path.samefile(path, place) or (folders and inside):
            raise error(f"{path}: is read by this command; choose another {named}")


def _is_kind(path: Path, kind: Kind) -> bool:
    if not path.is_file():  # reading a pipe would block
        return False
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError:
        return False
    return not head.strip() or re.match(_BEGINNINGS[kind].encode(), head) is not None
