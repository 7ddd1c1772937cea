"""The manifest of a run of biographies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from dfactscore._errors import InputError, RunError
from dfactscore._scoring.score_options import ScoreOptions
from dfactscore._util.message_text import near_file
from dfactscore._util.validated import Count, Form, Text
from dfactscore.linking import CandidateMode
from dfactscore.work import _work_folder as work_manifest

_FILE = "manifest.json"


class _Input(Form):
    file: Text
    sha256: Text | None = None
    records: Count
    bad: Count


class _RoleName(Form):
    name: Text = ""


class _RunSettings(Form):
    decomposer: _RoleName
    grouper: _RoleName
    verifier: _RoleName
    evidence: Text
    candidates: CandidateMode
    scores: dict[Text, Any]
    snapshots: dict[Text, list[Text]] = Field(default_factory=dict)
    dataset: dict[Text, list[Text]] | None = None
    outside: dict[Text, list[Text]] | None = None


class RunManifest(Form):
    """The format of the manifest of a run over biographies."""

    command: Text
    status: Text
    input: _Input
    settings: _RunSettings
    versions: dict[Text, Text]
    cascade_share: float | None = None


def read_manifest(folder: Path, form: type[Form] = RunManifest) -> dict[str, Any]:
    """Reads the manifest of a run folder."""
    path = folder / _FILE
    if folder.is_file():
        raise RunError(
            f"{folder}: is a file, not a run; 'dfactscore score' makes a run folder of biographies"
        )
    if not folder.is_dir():
        raise RunError(f"{folder}: no such run folder{near_file(folder, folders=_FILE)}")
    if not path.exists():
        raise RunError(f"{folder}: not a run folder (it has no {_FILE})")
    manifest = work_manifest.read_manifest(path, work_manifest.AnyManifest)
    command = manifest.get("command")
    if form is RunManifest and command in _OTHER_COMMANDS:
        raise RunError(f"{folder}: {_OTHER_COMMANDS[command]}, not a run of biographies")
    manifest = work_manifest.checked(path, manifest, form)
    if form is RunManifest and (problem := _wrong_scores(manifest)):
        raise work_manifest.damaged(path, problem)
    return manifest


_OTHER_COMMANDS = {
    "meta": "an evaluation of 'dfactscore meta run'",
    "factor score": "a run of 'dfactscore factor score'",
}


def _wrong_scores(manifest: Mapping[str, Any]) -> str:
    try:
        ScoreOptions(**manifest["settings"]["scores"])
    except (TypeError, InputError) as error:
        return f"settings.scores: {error}"
    return ""
