"""The manifest of a work: settings, input, versions."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import Field

from dfactscore._errors import RunError
from dfactscore._util.jsonl import read_json, write_json
from dfactscore._util.printable import short_repr
from dfactscore._util.validated import Form, Text, misfit
from dfactscore._version import __version__

SCHEMA = 1


class AnyManifest(Form):
    """The form of all manifests, whose fields are checked by other forms."""


class WorkManifest(AnyManifest):
    """The form of the manifest of a work."""

    command: Text = ""
    status: Text = ""
    input: dict[Text, Any] = Field(default_factory=dict)
    settings: dict[Text, Any]
    versions: dict[Text, Text]


def new_manifest(
    *, command: str, source: Mapping[str, Any], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """The manifest of a work that starts.

    Args:
        command: The command (``"score"``).
        source: The input: file name, SHA-256, counts.
        settings: All resolved settings, without secrets.
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
    """The versions of this package and of Python."""
    return {"dfactscore": __version__, "python": platform.python_version()}


def write_manifest(path: Path, manifest: Mapping[str, Any]) -> None:
    """Writes a manifest atomically."""
    write_json(path, manifest)


def read_manifest(
    path: Path, form: type[Form] = WorkManifest, *, command: str = ""
) -> dict[str, Any]:
    """Reads the manifest of a work.

    Args:
        path: The file.
        form: The expected form.
        command: The expected command; empty for any command.

    Raises:
        RunError: If the file is damaged or not a manifest, or if another command or an unsupported
            version wrote it.
    """
    manifest = read_json(path, error=RunError)
    if command and (other := _command_of(manifest)) not in ("", command):
        raise other_run(path.parent, f"'dfactscore {other}' made it, not 'dfactscore {command}'")
    schema = manifest.get("schema") if isinstance(manifest, dict) else None
    if schema != SCHEMA:
        raise RunError(
            f"{path}: schema {short_repr(schema)}, this version reads {SCHEMA} "
            f"(made by {maker(manifest) or 'an unknown version'}, this is {__version__})"
        )
    return checked(path, manifest, form)


def _command_of(manifest: object) -> str:
    """The command that wrote a manifest; empty if unknown."""
    if not isinstance(manifest, dict):
        return ""
    index = {"format", "kind", "corpus_hash"} <= manifest.keys()
    return "index build" if index else str(manifest.get("command") or "")


def checked(path: Path, manifest: Any, form: type[Form]) -> dict[str, Any]:
    """Checks the form of a manifest.

    Raises:
        RunError: If the manifest has another form.
    """
    if problem := misfit(form, manifest):
        raise damaged(path, problem)
    return dict(manifest)


def damaged(path: Path, problem: object) -> RunError:
    """The error for a damaged manifest."""
    return RunError(f"{path}: damaged ({problem}); restore it or start a new run")


def maker(manifest: object) -> str:
    """The version that wrote an unchecked manifest; empty if unknown."""
    versions = manifest.get("versions") if isinstance(manifest, dict) else None
    return str(versions.get("dfactscore") or "") if isinstance(versions, dict) else ""


def other_run(path: Path, reason: str) -> RunError:
    """The error for resuming a run in the folder of another run."""
    return RunError(f"{path}: holds another run: {reason}; choose another --out")


def limit_of(manifest: Mapping[str, Any]) -> Any:
    """The limit of input items; None for all."""
    for part in ("settings", "input"):
        if "limit" in (manifest.get(part) or {}):
            return manifest[part]["limit"]
    return None


def other_draw(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """The difference between two samples, in words; empty if the new one may replace the old one.

    A sample of the same seed may grow, and the input that it is drawn from may grow.
    """
    before, now = (manifest["settings"].get("sample") for manifest in (old, new))
    if isinstance(before, dict) and isinstance(now, dict):
        now = {**now, "of": before.get("of"), "n": min(now["n"], before.get("n", 0))}
    return difference(before, now, "settings.sample")


def check_same(path: Path, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    """Refuses to resume a work with other settings or another version.

    The contents of the input are compared with the finished items elsewhere.

    Raises:
        RunError: If the manifests differ; the message names the first difference.
    """
    made_by = maker(old)
    if made_by != __version__:
        raise RunError(
            f"{path}: made by dfactscore {made_by or 'of an unknown version'}, this is "
            f"{__version__}, which may judge otherwise; choose another --out"
        )
    for part in ("command", "settings"):
        if changed := difference(_fixed(old.get(part)), _fixed(new.get(part)), part):
            raise other_run(path, changed)


def _fixed(part: Any) -> Any:
    """The settings that must not change: all except limit and sample."""
    if not isinstance(part, dict):
        return part
    return {k: v for k, v in part.items() if k not in ("limit", "sample")}


def difference(old: Any, new: Any, path: str) -> str:
    """The first difference between two nested values, in words; empty if they are equal.

    Settings that only one value has are compared last, since they often follow from another one.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}, key=lambda key: (not (key in old and key in new), key)):
            if changed := difference(old.get(key), new.get(key), f"{path}.{key}"):
                return changed
        return ""
    return "" if old == new else f"{path} was {short_repr(old)} and is now {short_repr(new)}"
