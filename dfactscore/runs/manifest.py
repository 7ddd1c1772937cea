"""What a run is: its settings, its input, the versions that made it."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from dfactscore._util.jsonl import read_json, write_json
from dfactscore._util.near import near_file
from dfactscore._util.shown import shown
from dfactscore._util.validated import Count, Form, Text, misfit
from dfactscore._version import __version__
from dfactscore.errors import InputError, RunError
from dfactscore.linking import CandidateMode
from dfactscore.scoring.biography import ScoreOptions

__all__ = [
    "SCHEMA",
    "check_same",
    "difference",
    "new_manifest",
    "read_manifest",
    "versions",
    "write_manifest",
]

SCHEMA = 1
_FILE = "manifest.json"


class _Input(Form):
    file: Text
    sha256: Text | None = None
    records: Count
    bad: Count


class _Role(Form):
    name: Text = ""


class _Settings(Form):
    decomposer: _Role
    grouper: _Role
    verifier: _Role
    evidence: Text
    candidates: CandidateMode
    scores: dict[Text, Any]
    snapshots: dict[Text, list[Text]] = Field(default_factory=dict)
    dataset: dict[Text, list[Text]] | None = None


class _Manifest(Form):
    command: Text
    status: Text
    input: _Input
    settings: _Settings
    versions: dict[Text, Text]
    cascade_share: float | None = None


def new_manifest(
    *, command: str, source: Mapping[str, Any], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Describes a run before it starts.

    Args:
        command: What made it (``"score"``).
        source: The input: file name, SHA-256, counts.
        settings: All resolved settings, secrets left out.
    """
    return {
        "schema": SCHEMA,
        "command": command,
        "status": "running",
        "input": dict(source),
        "settings": dict(settings),
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """What runs here: this package and Python."""
    return {"dfactscore": __version__, "python": platform.python_version()}


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Writes the manifest in one step."""
    write_json(folder / _FILE, manifest)


def read_manifest(folder: Path, form: type[Form] | None = None) -> dict[str, Any]:
    """Reads the manifest of a run.

    Args:
        folder: The folder.
        form: What it must look like, where it is not a run of biographies.

    Raises:
        RunError: If the folder is not a run, or a run that this version cannot read.
    """
    path = folder / _FILE
    if folder.is_file():
        raise RunError(
            f"{folder}: is a file, not a run; 'dfactscore score' makes a run folder of biographies"
        )
    if not folder.is_dir():
        raise RunError(f"{folder}: no such run folder{near_file(folder, folders=_FILE)}")
    if not path.exists():
        raise RunError(f"{folder}: not a run folder (it has no {_FILE})")
    manifest = read_json(path, error=RunError)
    schema = manifest.get("schema") if isinstance(manifest, dict) else None
    if schema != SCHEMA:
        raise RunError(
            f"{path}: schema {shown(schema)}, this version reads {SCHEMA} "
            f"(made by {_maker(manifest) or 'an unknown version'}, this is {__version__})"
        )
    if form is None and isinstance(manifest, dict) and manifest.get("command") == "meta":
        raise RunError(
            f"{folder}: an evaluation of 'dfactscore meta run', not a run of biographies"
        )
    problem = (
        misfit(form, manifest)
        if form is not None
        else misfit(_Manifest, manifest) or _wrong_scores(manifest)
    )
    if problem:
        raise RunError(f"{path}: damaged ({problem}); restore it or start a new run")
    return dict(manifest)


def _maker(manifest: object) -> str:
    """The version that wrote a manifest, of which nothing is known yet."""
    versions = manifest.get("versions") if isinstance(manifest, dict) else None
    return str(versions.get("dfactscore") or "") if isinstance(versions, dict) else ""


def _wrong_scores(manifest: Mapping[str, Any]) -> str:
    try:
        ScoreOptions(**manifest["settings"]["scores"])
    except (TypeError, InputError) as error:
        return f"settings.scores: {error}"
    return ""


def check_same(folder: Path, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    """Refuses to resume a run whose settings or version are different.

    What the input holds is checked against what is judged, not here.

    Raises:
        RunError: Naming the first thing that differs.
    """
    made_by = _maker(old)
    if made_by != __version__:
        raise RunError(
            f"{folder}: made by dfactscore {made_by or 'of an unknown version'}, this is "
            f"{__version__}, which may judge otherwise; choose another --out"
        )
    for part in ("command", "settings"):
        found = difference(_fixed(old.get(part)), _fixed(new.get(part)), part)
        if found:
            raise RunError(f"{folder}: holds another run: {found}; choose another --out")


def _fixed(part: Any) -> Any:
    """What may not change: the limit may, as long as nothing that is judged gets lost."""
    return {k: v for k, v in part.items() if k != "limit"} if isinstance(part, dict) else part


def difference(old: Any, new: Any, path: str) -> str:
    """The first thing in which two nested values differ, in words; empty where they are equal."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            found = difference(old.get(key), new.get(key), f"{path}.{key}")
            if found:
                return found
        return ""
    return "" if old == new else f"{path} was {shown(old)} and is now {shown(new)}"
