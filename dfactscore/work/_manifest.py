"""The manifest of a task: settings, input and versions."""

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
    """Format shared by all manifests; more specific formats check their fields."""


class WorkManifest(AnyManifest):
    """Format of a task's manifest."""

    command: Text = ""
    status: Text = ""
    input: dict[Text, Any] = Field(default_factory=dict)
    settings: dict[Text, Any]
    versions: dict[Text, Text]


def new_manifest(
    *, command: str, source: Mapping[str, Any], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Returns the manifest for a task that is about to start."""
    return {
        "schema": SCHEMA,
        "command": command,
        "status": "running",
        "input": dict(source),
        "settings": dict(settings),
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """Returns the versions of this package and of Python."""
    return {"dfactscore": __version__, "python": platform.python_version()}


def write_manifest(path: Path, manifest: Mapping[str, Any]) -> None:
    """Writes a manifest atomically."""
    write_json(path, manifest)


def read_manifest(
    path: Path, form: type[Form] = WorkManifest, *, command: str = ""
) -> dict[str, Any]:
    """Reads the manifest of a task."""
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
    """Returns the command that wrote a manifest, or an empty string if it is unknown."""
    if not isinstance(manifest, dict):
        return ""
    index = {"format", "kind", "corpus_hash"} <= manifest.keys()
    return "index build" if index else str(manifest.get("command") or "")


def checked(path: Path, manifest: Any, form: type[Form]) -> dict[str, Any]:
    """Checks the format of a manifest."""
    if problem := misfit(form, manifest):
        raise damaged(path, problem)
    return dict(manifest)


def damaged(path: Path, problem: object) -> RunError:
    """Returns the error for a damaged manifest."""
    return RunError(f"{path}: damaged ({problem}); restore it or start a new run")


def maker(manifest: object) -> str:
    """Returns the version that wrote a manifest that has not been checked; empty if unknown."""
    versions = manifest.get("versions") if isinstance(manifest, dict) else None
    return str(versions.get("dfactscore") or "") if isinstance(versions, dict) else ""


def other_run(path: Path, reason: str) -> RunError:
    """Returns the error for an attempt to resume a run in another run's folder."""
    return RunError(f"{path}: holds another run: {reason}; choose another --out")


def limit_of(manifest: Mapping[str, Any]) -> Any:
    """Returns the maximum number of input items, or None if all are used."""
    for part in ("settings", "input"):
        if "limit" in (manifest.get(part) or {}):
            return manifest[part]["limit"]
    return None


def other_draw(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """Describes the difference between two samples; empty if the new one may replace the old one.

    A sample with the same seed may grow, and so may the input it is drawn from.
    """
    before, now = (manifest["settings"].get("sample") for manifest in (old, new))
    if isinstance(before, dict) and isinstance(now, dict):
        now = {**now, "of": before.get("of"), "n": min(now["n"], before.get("n", 0))}
    return difference(before, now, "settings.sample")


def check_same(path: Path, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    """Checks that a task is resumed with the same settings and version.

    This function does not compare the contents of the input with the finished items.
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
    """Returns the settings that must not change: all except for limit and sample."""
    if not isinstance(part, dict):
        return part
    return {k: v for k, v in part.items() if k not in ("limit", "sample")}


def difference(old: Any, new: Any, path: str) -> str:
    """Describes the first difference between two nested values; empty if they are equal.

    Settings found in only one of the values are compared last, since they often follow from another
    setting.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}, key=lambda key: (not (key in old and key in new), key)):
            if changed := difference(old.get(key), new.get(key), f"{path}.{key}"):
                return changed
        return ""
    return "" if old == new else f"{path} was {short_repr(old)} and is now {short_repr(new)}"
