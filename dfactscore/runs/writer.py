"""A run folder that is being written: journals that grow, and tables made of them at the end."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from dfactscore._util.files import make_folder, remove_leftovers
from dfactscore._util.jsonl import read_json, write_json
from dfactscore._util.key_table import KeyTable
from dfactscore._util.lock import WriteLock
from dfactscore.errors import RunError
from dfactscore.runs import serial
from dfactscore.runs.journal import Journal
from dfactscore.runs.lines import LINES
from dfactscore.runs.manifest import check_same, read_manifest, write_manifest
from dfactscore.runs.run import JOURNALS, NEEDED, Run, read_lines
from dfactscore.runs.tally import digests
from dfactscore.scoring.record import STAGES, Record, Stage

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
        """Fills a record with what the journals hold of it.

        What failed is left open, to be asked for again; where a stage or a document was lost (a
        deleted journal), so is what rests on it. A finished record has its status and nothing
        else, for nothing is left to be done.
        """
        key = record.key
        if not self._forget_failures(record) and self._done(key):
            return replace(record, status=self._journals["biographies"].get(key)["status"])  # type: ignore[index]
        facts, groups, cells = (self._journals[name].get(key) for name in STAGES)
        if facts is None:
            return record
        if serial.stages_problem((facts, groups, cells)):  # of facts that were lost: count no more
            groups = cells = None
        return replace(
            record,
            facts=serial.facts_from_json(facts["facts"]),
            groups=None if groups is None else serial.groups_from_json(groups),
            matrix=None if cells is None else serial.matrix_from_json(cells),
        )

    def _done(self, key: str) -> bool:
        """Whether a biography is finished and everything of it is there."""
        record = self._journals["biographies"].get(key)
        if record is None or record["status"] == "error":
            return False
        if any(key not in self._journals[name] for name in NEEDED.get(record["status"], ())):
            return False
        texts = digests(record, self._journals["verdicts"].get(key))
        return all(digest in self._journals["documents"] for digest in texts)

    def _forget_failures(self, record: Record) -> bool:
        """Forgets a failed grouping and verdicts without an answer; says whether there were any.

        Verdicts are forgotten as a whole: the answers that were good are in the cache of answers,
        and with them the usage of the stage stays what it would have been without the failure.
        What was given with the biography did not fail here.
        """
        failed: list[Stage] = []
        groups = self._journals["groups"].get(record.key) or {}
        if record.biography.groups is None and groups.get("groups", ()) is None:
            failed.append("groups")
        cells = self._journals["verdicts"].get(record.key) or {}
        unanswered = any("error" in e["status"] for e in cells.get("entities", ()))
        if record.biography.verdicts is None and unanswered:
            failed.append("verdicts")
        for name in failed:
            self._journals[name].forget(record.key)
        return bool(failed)

    def keep(self, stage: Stage, record: Record) -> None:
        """Writes a stage that is done."""
        if stage == "facts":  # Groups and verdicts of earlier facts count no more.
            self._journals["groups"].forget(record.key)
            self._journals["verdicts"].forget(record.key)
        row = {"id": record.id, **serial.stage_to_json(stage, record, self._keep_text)}
        usage = record.usage.get(stage)
        self._journals[stage].append(record.key, {**row, "usage": usage} if usage else row)

    def keep_all(self, record: Record) -> None:
        """Writes all stages of a record that was filled elsewhere."""
        if record.facts or record.status == "no_facts":
            self.keep("facts", record)
        if record.groups is not None or record.status == "grouping_failed":
            self.keep("groups", record)
        if record.matrix is not None:
            self.keep("verdicts", record)

    def end(self, record: Record) -> None:
        """Notes that a biography is finished, and how."""
        if record.matrix is not None:
            for entity in record.entities:
                for document in entity.documents:
                    self._keep_text(document.text)
        row = serial.biography_to_json(record.biography, self._keep_text)
        row |= {
            "status": record.status,
            "reason": record.reason,
            "missing": list(record.missing),
        }
        self._journals["biographies"].append(record.key, row)

    def _keep_text(self, text: str) -> str:
        digest = serial.sha256(text)[:32]
        if digest not in self._journals["documents"]:
            self._journals["documents"].append(digest, {"text": text})
        return digest

    def settle(self, keys: Iterable[str], texts: Iterable[str] | None = None) -> None:
        """Puts the journals into the order of the input, without anything else.

        Args:
            keys: Of the input's biographies, in order; read several times.
            texts: Digests of the documents that they refer to, in order; found where not given.
        """
        self.settle_stages(keys)
        self._journals["documents"].settle(self._texts() if texts is None else texts)

    def settle_stages(self, keys: Iterable[str]) -> None:
        """As `settle`, without the documents."""
        for name in ("biographies", *STAGES):
            self._journals[name].settle(keys)

    def _texts(self) -> KeyTable:
        found = KeyTable()
        for lines in self.lines():
            biography, stages = read_lines(self.folder, lines)
            for digest in digests(biography, stages["verdicts"]):
                found.put(digest)
        return found

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
