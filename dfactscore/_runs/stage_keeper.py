"""Journals the stages of biographies and restores records from them."""

from __future__ import annotations

from dataclasses import replace

from dfactscore._runs import record_json
from dfactscore._runs.block_scores import digests
from dfactscore._runs.run import NEEDED
from dfactscore._scoring.record import STAGES, Record, Stage
from dfactscore.work import Journals


class StageKeeper:
    """Writes stages into journals and reads them again.

    Args:
        journals: By name: of the biographies, of each stage, of the documents.
    """

    def __init__(self, journals: Journals) -> None:
        self._journals = journals

    def resume(self, record: Record) -> Record:
        """Fills a record from the journals.

        Failed parts are left open, to be retried; after the loss of a stage or a document (a
        deleted journal), so are those based on it. A finished record has its status and nothing
        else, for nothing is left to be done.
        """
        key = record.key
        if not self._forget_failures(record) and self._done(key):
            done = self._journals["biographies"].get(key) or {}
            return replace(record, status=done["status"])
        facts, groups, cells = (self._journals[name].get(key) for name in STAGES)
        if facts is None:
            return record
        if record_json.stages_problem(
            (facts, groups, cells)
        ):  # of facts that were lost: count no more
            groups = cells = None
        return replace(
            record,
            facts=record_json.facts_from_json(facts["facts"]),
            groups=None if groups is None else record_json.groups_from_json(groups),
            matrix=None if cells is None else record_json.matrix_from_json(cells),
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
        Parts given with the biography did not fail here.
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
        row = {"id": record.id, **record_json.stage_to_json(stage, record, self._keep_text)}
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
        row = record_json.biography_to_json(record.biography, self._keep_text)
        row |= {
            "status": record.status,
            "reason": record.reason,
            "missing": list(record.missing),
        }
        self._journals["biographies"].append(record.key, row)

    def _keep_text(self, text: str) -> str:
        digest = record_json.sha256(text)[:32]
        if digest not in self._journals["documents"]:
            self._journals["documents"].append(digest, {"text": text})
        return digest


def keep_failure(journals: Journals, record: Record, reason: str) -> None:
    """Notes that something no one foresaw went wrong with a biography; it will be tried again."""
    StageKeeper(journals).end(replace(record, status="error", reason=reason))
