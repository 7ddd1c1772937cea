"""Writes the stages of biographies to journals, and restores them when a run is resumed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dfactscore._runs import record_json
from dfactscore._runs.biography_json import (
    biography_to_json,
    facts_from_json,
    groups_from_json,
    sha256,
)
from dfactscore._runs.run import NEEDED, text_digests
from dfactscore._scoring.record import STAGES, Record, Stage
from dfactscore.work import Journals


class RunWriter:
    """Writes records to the journals of a run, stage by stage."""

    def __init__(self, journals: Journals) -> None:
        self._journals = journals

    def resume(self, record: Record) -> Record:
        """Fills an empty record from the journals.

        Failed stages are left empty so that they are repeated. So are stages whose facts or
        documents are lost because a journal was deleted. For a finished record, only the status is
        restored.
        """
        key = record.key
        if not self._forget_failures(record) and self._is_finished(key):
            line = self._journals["biographies"].get(key) or {}
            return replace(record, status=line["status"])
        facts, groups, cells = (self._journals[name].get(key) for name in STAGES)
        if facts is None:
            return record
        if record_json.stages_problem((facts, groups, cells)):  # their facts are lost
            groups = cells = None
        return replace(
            record,
            facts=facts_from_json(facts["facts"]),
            groups=None if groups is None else groups_from_json(groups),
            matrix=None if cells is None else record_json.matrix_from_json(cells),
        )

    def is_finished(self, record: Record) -> bool:
        """Returns whether a biography needs no further work; forgets its failed stages."""
        return not self._forget_failures(record) and self._is_finished(record.key)

    def has_lines(self, key: str) -> bool:
        """Whether any journal contains a line for a biography."""
        return any(key in self._journals[name] for name in ("biographies", *STAGES))

    def _is_finished(self, key: str) -> bool:
        """Whether the lines and documents of a finished biography are complete."""
        line = self._journals["biographies"].get(key)
        if line is None or line["status"] == "error":
            return False
        if any(key not in self._journals[name] for name in NEEDED.get(line["status"], ())):
            return False
        digests = text_digests(line, self._journals["verdicts"].get(key))
        return self._has_documents(digests)

    def _has_documents(self, digests: Iterable[str]) -> bool:
        return all(digest in self._journals["documents"] for digest in digests)

    def _forget_failures(self, record: Record) -> bool:
        """Forgets a failed grouping and unanswered verdicts; returns whether there were any.

        All of the biography's verdicts are forgotten. The answer cache still has the usable
        answers, and the stage's usage is then the same as without the failure. Stages that came
        with the biography are not affected.
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

    def write_stage(self, stage: Stage, record: Record) -> None:
        """Writes a finished stage."""
        if stage == "facts":  # groups and verdicts of earlier facts are no longer valid
            self._journals["groups"].forget(record.key)
            self._journals["verdicts"].forget(record.key)
        row = {"id": record.id, **record_json.stage_to_json(stage, record, self._keep_text)}
        usage = record.usage.get(stage)
        self._journals[stage].append(record.key, {**row, "usage": usage} if usage else row)

    def write_end(self, record: Record) -> None:
        """Writes the line for a finished biography, including its status."""
        if record.matrix is not None:
            for entity in record.entities:
                for document in entity.documents:
                    self._keep_text(document.text)
        row = biography_to_json(record.biography, self._keep_text)
        row |= {
            "status": record.status,
            "reason": record.reason,
            "missing": list(record.missing),
        }
        self._journals["biographies"].append(record.key, row)

    def write_record(self, record: Record) -> None:
        """Writes all stages and the final line of a record that was judged elsewhere."""
        if record.facts or record.status == "no_facts":
            self.write_stage("facts", record)
        if record.groups is not None or record.status == "grouping_failed":
            self.write_stage("groups", record)
        if record.matrix is not None:
            self.write_stage("verdicts", record)
        self.write_end(record)

    def write_failure(self, record: Record, reason: str) -> None:
        """Records an unexpected exception; the biography will be tried again later."""
        self.write_end(replace(record, status="error", reason=reason))

    def _keep_text(self, text: str) -> str:
        digest = sha256(text)[:32]
        if digest not in self._journals["documents"]:
            self._journals["documents"].append(digest, {"text": text})
        return digest
