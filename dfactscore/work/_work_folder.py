"""The files of a running task: lock, manifest, journals."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from dfactscore._errors import RunError
from dfactscore._util.files import dump_json, make_folder, remove_leftovers, why
from dfactscore._util.jsonl import parse_json, read_json, write_json
from dfactscore._util.key_table import KeyTable
from dfactscore._util.lock import WriteLock
from dfactscore._util.usage import Usage
from dfactscore._util.validated import Form
from dfactscore.work._journal import Journal
from dfactscore.work._manifest import (
    WorkManifest,
    check_same,
    limit_of,
    other_draw,
    other_run,
    read_manifest,
    write_manifest,
)
from dfactscore.work._place import Place


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
        write_json(self.place.folder / "timing.json", {"sessions": self._sessions})

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
