"""The files of a task: their place, lock, manifest and journals, and how the task ended."""

from __future__ import annotations

import contextlib
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import Field

from dfactscore._errors import RunError
from dfactscore._util.bounded_memory import KeyTable
from dfactscore._util.files import WriteLock, dump_json, make_folder, remove_leftovers, why
from dfactscore._util.jsonl import parse_json, read_json, write_json
from dfactscore._util.message_text import short_repr
from dfactscore._util.usage import Usage
from dfactscore._util.validated import Form, Text, misfit
from dfactscore._version import __version__
from dfactscore.work._blocks import Failure
from dfactscore.work._journal import Journal, Journals


@dataclass(frozen=True, slots=True)
class Place:
    """The location of a task's files.

    Attributes:
        path: The folder, or the file if the task has a single journal.
        manifest: The path of the manifest.
        lock: The path of the lock, which is held by the process that writes the files.
        single: Whether `path` is the single journal.
    """

    path: Path
    manifest: Path
    lock: Path
    single: bool = False

    @property
    def folder(self) -> Path:
        """The folder of the files."""
        return self.path.parent if self.single else self.path

    def journal(self, name: str) -> Path:
        """Returns the path of a journal."""
        return self.path if self.single else self.path / f"{name}.jsonl"


def in_folder(folder: str | Path) -> Place:
    """Returns the location of a task whose manifest, journals and results are in a folder."""
    path = Path(folder)
    return Place(path, path / "manifest.json", path / ".lock")


def beside(file: str | Path) -> Place:
    """Returns the location of a single journal that is also the result; its manifest is beside it.

    Example:
        >>> place = beside("bios.jsonl")
        >>> str(place.manifest), str(place.lock), str(place.journal("lines"))
        ('bios.manifest.json', '.bios.jsonl.lock', 'bios.jsonl')
    """
    path = Path(file)
    manifest = path.with_suffix(".manifest.json")
    return Place(path, manifest, path.with_name(f".{path.name}.lock"), single=True)


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


class WorkFolder:
    """The files of a task, locked for this process."""

    def __init__(
        self,
        place: Place,
        manifest: Mapping[str, Any],
        journals: Mapping[str, type[Form] | None],
        keys: Iterable[str] | None = None,
        *,
        # If the items are a sample, the keys of the whole input: if the input has grown, finished
        # items may be missing from the sample but not from the whole input.
        drawn_from: Iterable[str] = (),
        form: type[Form] = WorkManifest,
        later: Iterable[str] = (),
        read_only: bool = False,
    ) -> None:
        self.place = place
        self.manifest: dict[str, Any] = parse_json(dump_json(dict(manifest)))  # as it is read
        self.before: dict[str, Any] | None = None  # manifest that already exists, or None
        self.journals: dict[str, Journal] = {}
        self._lock: WriteLock | None = None
        self._sessions: list[dict[str, Any]] | None = None
        if not read_only:
            make_folder(place.folder)
            self._lock = WriteLock(place.lock, str(place.path))
        try:
            old = self._existing(journals, form)
            for name, line in journals.items():
                self.journals[name] = Journal(place.journal(name), line, read_only=read_only)
            if old is not None:
                known = {k: v for k, v in old["settings"].items() if k not in set(later)}
                try:
                    check_same(place.path, {**old, "settings": known}, self.manifest)
                except RunError:
                    if place.single or self._has_answer():
                        raise
                    old = None
                    self._empty(read_only)
                if not place.single and not read_only:
                    remove_leftovers(place.folder)
            if old is not None and keys is not None:
                wider = () if other_draw(old, self.manifest) else drawn_from
                self._check_keys(old, next(iter(journals)), chain(keys, wider))
            self.before = old
        except BaseException:
            self.close()
            raise

    @staticmethod
    def is_there(place: Place) -> bool:
        """Whether a location contains a task."""
        try:
            if place.manifest.exists():
                return True
            others = _others(place)
        except OSError as error:
            raise RunError(f"{place.path}: cannot be written ({why(error)})") from None
        if others:
            raise RunError(
                f"{place.path}: holds something else ({', '.join(others[:3])}); choose another "
                "--out"
            )
        return False

    def _existing(
        self, journals: Mapping[str, type[Form] | None], form: type[Form]
    ) -> dict[str, Any] | None:
        """Returns the existing manifest; None if there is none or the single journal is empty."""
        if not self.is_there(self.place):
            return None
        command = "" if self.place.single else self.manifest["command"]
        old = read_manifest(self.place.manifest, form, command=command)
        same = old.get("command") == self.manifest["command"]
        done = any(_has_content(self.place.journal(name)) for name in journals)
        return old if done or not same or not self.place.single else None

    def _has_answer(self) -> bool:
        """Whether an item is finished or a model has answered (which a wrong address prevents)."""
        main, *others = self.journals.values()
        if any(line and line.get("status") != "error" for line in main.records(main.keys())):
            return True
        lines = (line for journal in others for line in journal.records(journal.keys()))
        return any(line and line.get("usage") for line in lines)

    def _empty(self, read_only: bool) -> None:
        """Drops the lines of a task that has no answers."""
        for journal in self.journals.values():
            for key in list(journal.keys()):
                journal.forget(key)
            if not read_only:
                journal.settle(())

    def _check_keys(self, before: Mapping[str, Any], main: str, keys: Iterable[str]) -> None:
        """Raises an error if the input lacks a finished item."""
        known, journal = KeyTable(), self.journals[main]
        for key in keys:
            known.put(key)
        lost = next((key for key in journal.keys() if key not in known), None)  # noqa: SIM118
        if lost is None:
            return
        old, new = limit_of(before), limit_of(self.manifest)
        label = (journal.get(lost) or {}).get("id", lost)
        raise other_run(
            self.place.path,
            f"the limit was {old!r} and is now {new!r} (it may grow, not shrink)"
            if old != new
            else other_draw(before, self.manifest)
            or f"it has done {label!r}, which the input does not have with the same content",
        )

    def begin(self, **settings: Any) -> None:
        """Writes the manifest, with the settings that are known only after models are opened."""
        self.manifest["settings"] |= parse_json(dump_json(settings))
        if self.before is not None:
            check_same(self.place.path, self.before, self.manifest)
        write_manifest(self.place.manifest, self.manifest)

    def settle(self, name: str, keys: Iterable[str], others: bool = False) -> None:
        """Sorts a journal."""
        journal = self.journals[name]
        if others:
            keys = dict.fromkeys([*keys, *journal.keys()])
        journal.settle(keys)

    def note_session(self, started: float, seconds: float, done: int, **more: Any) -> None:
        """Writes this call to ``timing.json``, replacing its earlier entry.

        Identical tasks differ only in this file and in the totals that the manifest computes from
        it.
        """
        if self._sessions is None:
            self._sessions = [*self._stored_sessions(), {}]
        begun = datetime.fromtimestamp(started, UTC).isoformat(timespec="seconds")
        session = {"started": begun, "seconds": round(seconds, 3), "judged": done, **more}
        self._sessions[-1] = session
        write_json(
            self.place.folder / "timing.json",
            {"sessions": self._sessions},
            synced=False,  # written after each call
        )

    def asked(self) -> dict[str, Any]:
        """Returns the requests made in all calls, including probes and cached answers."""
        sessions, usage = self._sessions or self._stored_sessions(), Usage()
        for session in sessions:
            with contextlib.suppress(AttributeError, TypeError):
                usage.merge(session.get("asked") or {})
        return usage.total().to_dict()

    def _stored_sessions(self) -> list[dict[str, Any]]:
        with contextlib.suppress(RunError, KeyError, TypeError):
            return list(read_json(self.place.folder / "timing.json", error=RunError)["sessions"])
        return []

    def finish(self, status: str, **more: Any) -> None:
        """Writes the final manifest."""
        self.manifest |= {"status": status, **more}
        write_manifest(self.place.manifest, self.manifest)

    def close(self) -> None:
        """Closes the journals and releases the lock."""
        if self._lock is not None:
            for journal in self.journals.values():
                journal.close()
            self._lock.release()
            self._lock = None


def _others(place: Place) -> list[str]:
    """Returns the names of existing files that do not belong to a task."""
    if place.single:
        return [place.path.name] if _has_content(place.path) else []
    paths = place.folder.iterdir() if place.folder.is_dir() else ()
    return sorted(p.name for p in paths if not p.name.startswith(".") and not _is_empty_journal(p))


def _is_empty_journal(path: Path) -> bool:
    """Whether a file may be a journal of a task that was stopped before it had a manifest."""
    return path.suffix == ".jsonl" and path.is_file() and not path.stat().st_size


def _has_content(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0


Item = TypeVar("Item")


@dataclass
class Filled:
    """The outcome of a call: how many items it finished and which items failed."""

    failed: list[Failure] = field(default_factory=list)  # failed items, in the order of the input
    fresh: int = 0
    kept: int = 0


@dataclass(frozen=True)
class Finished(Generic[Item]):
    """The state of a task when all items have been tried, for `Work.finish`.

    Attributes:
        items: The items.
        journals: The journals, with their lines in the order of the items.
        filled: The outcome of this call.
        files: The files of the task; None if it runs in memory.
        more: Additional entries for the manifest, which `Work.finish` may add.
    """

    items: Sequence[Item]
    journals: Journals
    filled: Filled
    files: WorkFolder | None
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def failed(self) -> Sequence[Failure]:
        """The failed items, in the order of the input."""
        return self.filled.failed

    @property
    def folder(self) -> Path | None:
        """The folder of the task; None if it runs in memory."""
        return None if self.files is None else self.files.place.folder
