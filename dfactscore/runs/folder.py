"""A run folder: journals that grow, and tables that are made from them at the end."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from dfactscore._util.files import dump_json, make_folder, remove_leftovers, write_text
from dfactscore._util.jsonl import read_json, write_jsonl
from dfactscore._util.lock import WriteLock
from dfactscore._util.usage import Usage, collect_usage, take_usage
from dfactscore.errors import RunError
from dfactscore.linking import SupportMatrix
from dfactscore.readers import BadRecord
from dfactscore.records import Biography, Fact, FactGroup
from dfactscore.runs import serial
from dfactscore.runs.journal import Journal
from dfactscore.runs.manifest import check_same, read_manifest, write_manifest
from dfactscore.scoring.stages import Judged

__all__ = ["Run", "RunStages"]

_JOURNALS = ("biographies", "facts", "groups", "verdicts", "documents")
# The stages that a biography with scores has records of.
_STAGES = dict.fromkeys(("scored", "grouping_failed"), ("facts", "groups", "verdicts"))


class Run:
    """A run folder that is being written or read.

    Args:
        folder: The folder.
        manifest: Describes the run; None opens one that is there, for reading.
        biographies: The input; a run that is there may be resumed by any input that holds all
            it has judged.

    Raises:
        RunError: If the folder holds another run or something else, or cannot be written.
    """

    def __init__(
        self,
        folder: str | Path,
        manifest: Mapping[str, Any] | None = None,
        biographies: Sequence[Biography] = (),
    ) -> None:
        self.folder = Path(folder)
        self._lock: WriteLock | None = None
        self._before: dict[str, Any] | None = None
        read_only = manifest is None
        self._journals: dict[str, Journal] = {}
        try:
            if manifest is None:
                self.manifest = read_manifest(self.folder)
            else:
                self.manifest = self._enter(dict(manifest))
            for name in _JOURNALS:
                path = self.folder / f"{name}.jsonl"
                self._journals[name] = Journal(path, read_only=read_only)
            if self._before is not None:
                self._check_input(self._before, biographies)
                write_manifest(self.folder, self.manifest)
        except BaseException:
            self.close()
            raise

    def _enter(self, manifest: dict[str, Any]) -> dict[str, Any]:
        make_folder(self.folder)
        self._lock = WriteLock(self.folder / ".lock", str(self.folder))
        if (self.folder / "manifest.json").exists():
            self._before = read_manifest(self.folder)
            check_same(self.folder, self._before, manifest)
            remove_leftovers(self.folder)
        else:
            others = sorted(p.name for p in self.folder.iterdir() if not p.name.startswith("."))
            if others:
                raise RunError(
                    f"{self.folder}: is no run and not empty ({', '.join(others[:3])}); "
                    "choose another --out"
                )
            write_manifest(self.folder, manifest)
        return manifest

    def _check_input(self, before: dict[str, Any], biographies: Sequence[Biography]) -> None:
        """Refuses an input that lacks a biography which the run has judged."""
        now = self.manifest
        if before["input"].get("sha256") == now["input"].get("sha256"):
            return
        keys = {serial.biography_key(b) for b in biographies}
        journal = self._journals["biographies"]
        lost = [key for key in journal.keys() if key not in keys]  # noqa: SIM118
        if lost:
            old, new = before["settings"].get("limit"), now["settings"].get("limit")
            record = journal.get(lost[0]) or {}
            why = (
                f"settings.limit was {old!r} and is now {new!r}"
                if old != new
                else f"it has judged {record.get('id')!r}, and the input has no such biography"
            )
            raise RunError(f"{self.folder}: holds another run: {why}; choose another --out")

    def stages(self, biography: Biography) -> RunStages:
        """Where the stages of one biography are kept."""
        return RunStages(self, serial.biography_key(biography), biography)

    def done(self, key: str) -> bool:
        """Whether a biography is finished and everything of it is there.

        One that ended in an error is tried again; where a stage or a document was lost (a deleted
        journal), what is left is used and the rest made anew.
        """
        record = self._journals["biographies"].get(key)
        if record is None or record["status"] == "error":
            return False
        if any(key not in self._journals[n] for n in _STAGES.get(record["status"], ())):
            return False
        texts = _digests(record, self._journals["verdicts"].get(key))
        return all(digest in self._journals["documents"] for digest in texts)

    def save(self, key: str, judged: Judged, missing: Sequence[str] = ()) -> None:
        """Notes that a biography is finished, and how.

        Args:
            key: Its key.
            judged: What was found.
            missing: What the knowledge source said of titles that it lacks.
        """
        if judged.matrix is not None:
            for entity in judged.entities:
                for document in entity.documents:
                    self._keep(document.text)
        record = serial.biography_to_json(judged.biography, self._keep)
        record |= {"status": judged.status, "reason": judged.reason, "missing": list(missing)}
        self._journals["biographies"].append(key, record)

    def _keep(self, text: str) -> str:
        digest = serial.sha256(text)[:32]
        if digest not in self._journals["documents"]:
            self._journals["documents"].append(digest, {"text": text})
        return digest

    def _fetch(self, digest: str) -> str:
        record = self._journals["documents"].get(digest)
        if record is None:
            raise RunError(f"{self.folder / 'documents.jsonl'}: lacks document {digest}")
        return str(record["text"])

    def judged(self, *, texts: bool = True) -> Iterator[Judged]:
        """Everything that was judged, in the order of the input.

        Args:
            texts: With the texts of documents and passages; scores need none of them.

        Raises:
            RunError: If a journal lacks something that another refers to.
        """
        keys = list(self._journals["biographies"].keys())
        rows = [self._journals[n].records(keys) for n in ("biographies", "facts", "groups")]
        verdicts = self._journals["verdicts"].records(keys)
        for biography, facts, groups, cells in zip(*rows, verdicts, strict=True):
            if biography is None:
                continue
            stages = {"facts": facts, "groups": groups, "verdicts": cells}
            for name in _STAGES.get(biography["status"], ()):
                if stages[name] is None:
                    raise RunError(
                        f"{self.folder / name}.jsonl: lacks biography {biography['id']!r}, which "
                        "the run holds as judged; restore it, or run the same command again"
                    )
            fetch = self._fetch if texts else _no_text
            yield _assemble(biography, facts, groups, cells, fetch)

    def missing(self) -> Iterator[tuple[str, str]]:
        """Id of a judged biography and what the knowledge source said of a title that it lacks."""
        journal = self._journals["biographies"]
        for record in journal.records(list(journal.keys())):
            if record is not None and record["status"] not in ("abstained", "no_facts"):
                yield from ((record["id"], said) for said in record.get("missing", ()))

    def settle(self, keys: Sequence[str]) -> None:
        """Puts the journals into the order of the input, without anything else."""
        for name in ("biographies", "facts", "groups", "verdicts"):
            self._journals[name].settle(keys)
        self._journals["documents"].settle(self._documents_in_order(keys))

    def _documents_in_order(self, keys: Sequence[str]) -> list[str]:
        found: dict[str, None] = {}
        biographies = self._journals["biographies"].records(keys)
        for record, cells in zip(
            biographies, self._journals["verdicts"].records(keys), strict=True
        ):
            found.update(dict.fromkeys(_digests(record, cells)))
        return list(found)

    def write_errors(self, bad: Sequence[BadRecord], failed: Sequence[Judged]) -> None:
        """Writes ``errors.jsonl``: records that could not be read, and roles that failed."""
        rows: list[dict[str, Any]] = [
            {"id": r.id, "file": r.file, "line": r.line, "stage": "input", "reason": r.reason}
            for r in bad
        ]
        rows += [{"id": j.biography.id, "stage": j.status, "reason": j.reason} for j in failed]
        write_jsonl(self.folder / "errors.jsonl", rows)

    def usage(self) -> Usage:
        """What the answers of models that are in the journals cost when they were made."""
        total = Usage()
        for name in ("facts", "groups", "verdicts"):
            journal = self._journals[name]
            for record in journal.records(list(journal.keys())):
                total.merge((record or {}).get("usage", {}))
        return total

    def note_session(self, started: float, seconds: float, judged: int, **more: Any) -> None:
        """Adds to ``timing.json``, the only file in which two equal runs differ."""
        path = self.folder / "timing.json"
        sessions = []
        if path.exists():
            with contextlib.suppress(RunError, KeyError, TypeError):
                sessions = list(read_json(path, error=RunError)["sessions"])
        begun = datetime.fromtimestamp(started, timezone.utc).isoformat(timespec="seconds")
        sessions.append({"started": begun, "seconds": round(seconds, 3), "judged": judged, **more})
        self.write_text("timing.json", dump_json({"sessions": sessions}, indent=2) + "\n")

    def write_text(self, name: str, text: str) -> None:
        """Writes another file of the run in one step."""
        write_text(self.folder / name, text)

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

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class RunStages:
    """The finished stages of one biography in a run (a `dfactscore.scoring.stages.StageStore`)."""

    def __init__(self, run: Run, key: str, biography: Biography) -> None:
        self.key = key
        self._run = run
        self._biography = biography
        self._journals = run._journals

    def facts(self) -> tuple[Fact, ...] | None:
        """The facts, if they are in the journal."""
        record = self._journals["facts"].get(self.key)
        return None if record is None else serial.facts_from_json(record["facts"])

    def groups(self) -> tuple[tuple[FactGroup, ...] | None, str] | None:
        """The groups, if they are in the journal."""
        record = self._journals["groups"].get(self.key)
        return None if record is None else serial.groups_from_json(record)

    def matrix(self) -> SupportMatrix | None:
        """The support matrix, if it is in the journal."""
        record = self._journals["verdicts"].get(self.key)
        return None if record is None else serial.matrix_from_json(record)

    def forget_failures(self) -> bool:
        """Lets a failed grouping and verdicts without an answer be asked for again.

        Verdicts are forgotten as a whole: the answers that were good are in the cache of answers,
        and with them the usage of the stage stays what it would have been without the failure.

        Returns:
            Whether there were any. What was given with the biography did not fail here.
        """
        failed = []
        groups = self._journals["groups"].get(self.key) or {}
        if self._biography.groups is None and groups.get("groups", ()) is None:
            failed.append("groups")
        cells = self._journals["verdicts"].get(self.key) or {}
        unanswered = any("error" in e["status"] for e in cells.get("entities", ()))
        if self._biography.verdicts is None and unanswered:
            failed.append("verdicts")
        for name in failed:
            self._journals[name].forget(self.key)
        return bool(failed)

    def save_all(self, judged: Judged) -> None:
        """Writes the stages of a biography that was judged elsewhere."""
        with collect_usage() as usage:
            usage.merge(judged.usage.get("facts", {}))
            if judged.facts or judged.status == "no_facts":
                self.save_facts(judged.facts)
            usage.merge(judged.usage.get("groups", {}))
            if judged.matrix is not None:
                self.save_groups(judged.groups, judged.reason)
                usage.merge(judged.usage.get("verdicts", {}))
                self.save_matrix(judged)

    def save_facts(self, facts: tuple[Fact, ...]) -> None:
        """Writes the facts; groups and verdicts of earlier ones count no more."""
        self._journals["groups"].forget(self.key)
        self._journals["verdicts"].forget(self.key)
        row = {"id": self._biography.id, "facts": serial.facts_to_json(facts)}
        self._journals["facts"].append(self.key, row | _usage())

    def save_groups(self, groups: tuple[FactGroup, ...] | None, reason: str) -> None:
        """Writes the groups."""
        row = {"id": self._biography.id, **serial.groups_to_json(groups, reason)}
        self._journals["groups"].append(self.key, row | _usage("group"))

    def save_matrix(self, judged: Judged) -> None:
        """Writes entities and the matrix."""
        row = {"id": self._biography.id, **serial.matrix_to_json(judged, self._run._keep)}
        self._journals["verdicts"].append(self.key, row | _usage(without="group"))


def _digests(biography: Mapping[str, Any] | None, cells: Mapping[str, Any] | None) -> Iterator[str]:
    """The texts that the records of a biography refer to."""
    for entity in (cells or {}).get("entities", ()):
        yield from (d["text"] for d in entity["documents"])
    yield from (p["text"] for p in (biography or {}).get("passages", ()))


def _usage(*stages: str, without: str = "") -> dict[str, Any]:
    """What models were asked for a stage, where any was; grouping and judging go side by side."""
    usage = take_usage(*stages, without=without)
    return {"usage": usage} if usage else {}


def _assemble(
    biography: Mapping[str, Any],
    facts: Mapping[str, Any] | None,
    groups: Mapping[str, Any] | None,
    cells: Mapping[str, Any] | None,
    fetch: serial.Fetch,
) -> Judged:
    return Judged(
        biography=serial.biography_from_json(biography, fetch),
        status=biography["status"],
        reason=biography["reason"],
        facts=() if facts is None else serial.facts_from_json(facts["facts"]),
        groups=None if groups is None else serial.groups_from_json(groups)[0],
        entities=() if cells is None else serial.entities_from_json(cells, fetch),
        matrix=None if cells is None else serial.matrix_from_json(cells),
        tells_entities_apart=cells is None or cells["tells_entities_apart"],
    )


def _no_text(_: str) -> str:
    return ""
