"""The manifest of a task: settings, input, versions."""

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
    """The form of a manifest of any version that this one reads."""


class WorkManifest(AnyManifest):
    """The form of the manifest of any work."""

    command: Text = ""
    status: Text = ""
    input: dict[Text, Any] = Field(default_factory=dict)
    settings: dict[Text, Any]
    versions: dict[Text, Text]


def new_manifest(
    *, command: str, source: Mapping[str, Any], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Describes a work before it starts.

    Args:
        command: The command (``"score"``).
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
    """Returns the versions of this package and Python."""
    return {"dfactscore": __version__, "python": platform.python_version()}


def write_manifest(path: Path, manifest: Mapping[str, Any]) -> None:
    """Writes the manifest in one step."""
    write_json(path, manifest)


def read_manifest(
    path: Path, form: type[Form] = WorkManifest, *, command: str = ""
) -> dict[str, Any]:
    """Reads the manifest of a work.

    Args:
        path: The file.
        form: Its expected form.
        command: The command that must have made it; any if it is empty.

    Raises:
        RunError: If it is none, is another command's or damaged, or is of a version that this one
            cannot read.
    """
    manifest = read_json(path, error=RunError)
    if command and (other := _command_of(manifest)) not in ("", command):
        raise another(path.parent, f"'dfactscore {other}' made it, not 'dfactscore {command}'")
    schema = manifest.get("schema") if isinstance(manifest, dict) else None
    if schema != SCHEMA:
        raise RunError(
            f"{path}: schema {short_repr(schema)}, this version reads {SCHEMA} "
            f"(made by {maker(manifest) or 'an unknown version'}, this is {__version__})"
        )
    return checked(path, manifest, form)


def _command_of(manifest: object) -> str:
    """The command that made a folder, as far as its manifest says; empty if it does not."""
    if not isinstance(manifest, dict):
        return ""
    index = {"format", "kind", "corpus_hash"} <= manifest.keys()
    return "index build" if index else str(manifest.get("command") or "")


def checked(path: Path, manifest: Any, form: type[Form]) -> dict[str, Any]:
    """A manifest that looks as it must.

    Raises:
        RunError: If it does not.
    """
    if problem := misfit(form, manifest):
        raise damaged(path, problem)
    return dict(manifest)


def damaged(path: Path, problem: object) -> RunError:
    """The error of a manifest that does not fit."""
    return RunError(f"{path}: damaged ({problem}); restore it or start a new run")


def maker(manifest: object) -> str:
    """The version that wrote a manifest, of which nothing is known yet."""
    versions = manifest.get("versions") if isinstance(manifest, dict) else None
    return str(versions.get("dfactscore") or "") if isinstance(versions, dict) else ""


def another(path: Path, why: str) -> RunError:
    """The one refusal to resume: what is there is of another run."""
    return RunError(f"{path}: holds another run: {why}; choose another --out")


def limit_of(manifest: Mapping[str, Any]) -> Any:
    """Returns the number of input items to do; None for all."""
    for part in ("settings", "input"):
        if "limit" in (manifest.get(part) or {}):
            return manifest[part]["limit"]
    return None


def other_draw(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """Returns how the new draw differs, in words; empty if it may replace the old one."""
    before, now = (of["settings"].get("sample") for of in (old, new))
    if isinstance(before, dict) and isinstance(now, dict):  # as many or more, of as many or more
        now = {**now, "of": before.get("of"), "n": min(now["n"], before.get("n", 0))}
    return difference(before, now, "settings.sample")


def check_same(path: Path, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    """Refuses to resume a work whose settings or version are different.

    The input's contents are checked against the finished items, not here.

    Raises:
        RunError: Naming the first thing that differs.
    """
    made_by = maker(old)
    if made_by != __version__:
        raise RunError(
            f"{path}: made by dfactscore {made_by or 'of an unknown version'}, this is "
            f"{__version__}, which may judge otherwise; choose another --out"
        )
    for part in ("command", "settings"):
        found = difference(_fixed(old.get(part)), _fixed(new.get(part)), part)
        if found:
            raise another(path, found)


def _fixed(part: Any) -> Any:
    """Returns the settings that may not change: all but limit and sample."""
    if not isinstance(part, dict):
        return part
    return {k: v for k, v in part.items() if k not in ("limit", "sample")}


def difference(old: Any, new: Any, path: str) -> str:
    """The first thing in which two nested values differ, in words; empty if they are equal.

    Settings that only one of them has come last: they often follow from another setting.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}, key=lambda key: (not (key in old and key in new), key)):
            found = difference(old.get(key), new.get(key), f"{path}.{key}")
            if found:
                return found
        return ""
    return "" if old == new else f"{path} was {short_repr(old)} and is now {short_repr(new)}"
