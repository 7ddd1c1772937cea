"""A run folder that is being written: journals that grow, and tables made of them at the end."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfactscore._util.files import make_folder, remove_leftovers
from dfactscore._util.jsonl import read_json, write_json
from dfactscore._util.key_table import KeyTable
from dfactscore._util.lock import WriteLock
from dfactscore.errors import RunError
from dfactscore.runs.journal import Journal
from dfactscore.runs.keeping import StageKeeper
from dfactscore.runs.lines import LINES
from dfactscore.runs.manifest import check_same, read_manifest, write_manifest
from dfactscore.runs.run import JOURNALS, Run
from dfactscore.scoring.record import STAGES, Record, Stage

if TYPE_CHECKING:
    from dfactscore.runs.judging import Judged

__all__ = ["RunWriter"]


class RunWriter(Run):
    """A run folder, open for this process alone.

    Args:
        folder: The folder; a run that is there is resumed.
        manifest: Describes the run.
        keys: Keys of the input's biographies; a run is resumed by any input that has all it has
            judged.

    Raises:
        RunError: If the folder holds another run or something else, or cannot be written.
    """

    def __init__(
        self, folder: str | Path, manifest: Mapping[str, Any], keys: Iterable[str] = ()
    ) -> None:
        self.folder = Path(folder)
        self.manifest = dict(manifest)
        self._journals = {}
        self._keeper = StageKeeper(self._journals)
        make_folder(self.folder)
        self._lock: WriteLock | None = WriteLock(self.folder / ".lock", str(self.folder))
        try:
            before = self._enter()
            for name in JOURNALS:
                self._journals[name] = Journal(self.folder / f"{name}.jsonl", LINES[name])
            if before is not None:
                self._check_input(before, keys)
                write_manifest(self.folder, self.manifest)
        except BaseException:
            self.close()
            raise

    def _enter(self) -> dict[str, Any] | None:
        """The manifest that is there; where the folder is empty, the new one is written."""
        if (self.folder / "manifest.json").exists():
            before = read_manifest(self.folder)
            check_same(self.folder, before, self.manifest)
            remove_leftovers(self.folder)
            return before
        others = sorted(p.name for p in self.folder.iterdir() if not p.name.startswith("."))
        if others:
            raise RunError(
                f"{self.folder}: is not a run folder and not empty ({', '.join(others[:3])}); "
                "choose another --out"
            )
        write_manifest(self.folder, self.manifest)
        return None

    def _check_input(self, before: dict[str, Any], keys: Iterable[str]) -> None:
        """Refuses an input that lacks a biography which the run has judged."""
        now = self.manifest
        if before["input"].get("sha256") == now["input"].get("sha256"):
            return
        known, journal = KeyTable(), self._journals["biographies"]
        for key in keys:
            known.put(key)
        lost = next((key for key in journal.keys() if key not in known), None)  # noqa: SIM118
        if lost is not None:
            old, new = before["settings"].get("limit"), now["settings"].get("limit")
            record = journal.get(lost) or {}
            why = (
                f"settings.limit was {old!r} and is now {new!r}"
                if old != new
                else f"it has judged {record.get('id')!r}, and the input has no such biography"
            )
            raise RunError(f"{self.folder}: holds another run: {why}; choose another --out")

    def resume(self, record: Record) -> Record:
        """Fills a record with what the journals hold of it; see `StageKeeper.resume`."""
        return self._keeper.resume(record)

    def keep(self, stage: Stage, record: Record) -> None:
        """Writes a stage that is done."""
        self._keeper.keep(stage, record)

    def keep_all(self, record: Record) -> None:
        """Writes all stages of a record that was filled elsewhere."""
        self._keeper.keep_all(record)

    def end(self, record: Record) -> None:
        """Notes that a biography is finished, and how."""
        self._keeper.end(record)

    def has(self, key: str) -> bool:
        """Whether the journals hold anything of a biography."""
        return any(key in self._journals[name] for name in ("biographies", *STAGES))

    def begun(self, key: str) -> dict[Stage, bytes]:
        """The lines of the stages of a biography that are there."""
        lines = {name: self._journals[name].line(key) for name in STAGES}
        return {name: line for name, line in lines.items() if line is not None}

    def take(self, judged: Judged) -> None:
        """Writes what was judged elsewhere: all that the journals do not have.

        A biography's own line comes last, so that it is never there without the others.
        """
        for name, key in judged.forgotten:
            self._journals[name].forget(key)
        documents = self._journals["documents"]
        new = {key: line for key, line in judged.lines["documents"] if key not in documents}
        documents.extend(new.items())
        for name in (*STAGES, "biographies"):
            self._journals[name].extend(judged.lines[name])

    def settle(self, keys: Iterable[str]) -> None:
        """Puts the journals into the order of the input, without anything else.

        Args:
            keys: Of the input's biographies, in order; read several times.
        """
        for name in ("biographies", *STAGES):
            self._journals[name].settle(keys)

    def settle_documents(self, texts: Iterable[str]) -> None:
        """Puts the documents into the order in which the biographies refer to them.

        Args:
            texts: Digests of the documents, in order.
        """
        self._journals["documents"].settle(texts)

    def note_session(self, started: float, seconds: float, judged: int, **more: Any) -> None:
        """Adds to ``timing.json``, the only file in which two equal runs differ."""
        path = self.folder / "timing.json"
        sessions = []
        if path.exists():
            with contextlib.suppress(RunError, KeyError, TypeError):
                sessions = list(read_json(path, error=RunError)["sessions"])
        begun = datetime.fromtimestamp(started, timezone.utc).isoformat(timespec="seconds")
        sessions.append({"started": begun, "seconds": round(seconds, 3), "judged": judged, **more})
        write_json(path, {"sessions": sessions})

    def finish(self, status: str, **more: Any) -> None:
        """Writes the final manifest."""
        self.manifest |= {"status": status, **more}
        write_manifest(self.folder, self.manifest)

    def close(self) -> None:
        """Closes the journals and lets others write the folder."""
        if self._lock is not None:
            for journal in self._journals.values():
                journal.close()
            self._lock.release()
            self._lock = None

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
