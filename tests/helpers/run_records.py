"""A record with all fields, and the manifest of a matching run."""

from __future__ import annotations

from dfactscore._records import (
    Biography,
    Citation,
    Document,
    Entity,
    Evidence,
    Fact,
    FactGroup,
    Verdict,
)
from dfactscore._runs import Run, begin_records, record_work
from dfactscore._runs.biography_json import biography_key
from dfactscore._runs.journal_forms import JOURNAL_FORMS
from dfactscore._runs.run_manifest import RunManifest
from dfactscore._runs.run_writer import RunWriter
from dfactscore._scoring import score_record
from dfactscore._scoring.matrix import support_matrix
from dfactscore._scoring.record import STAGES, Record
from dfactscore._util.tasks import run_sync
from dfactscore.retrieval import Passage
from dfactscore.work import in_folder
from dfactscore.work._running import process_items
from dfactscore.work._work_folder import Filled, WorkFolder, new_manifest

ROLES = {role: {"name": "x"} for role in ("decomposer", "grouper", "verifier")}
SETTINGS = {
    **ROLES,
    "scores": {"gamma": None},
    "candidates": "retrieved",
    "evidence": "passages",
}
SOURCE = {"file": "x.jsonl", "records": 1, "bad": 0}


def manifest(**settings):
    return new_manifest(command="score", source=SOURCE, settings={**SETTINGS, **settings})


def complete(id="a"):
    biography = Biography(
        id,
        "Ann Lee",
        "Ann sang. She ran.",
        citations=(Citation(9, (1, 2)),),
        passages=(Passage("Ann Lee", "Ann Lee sang."),),
        raw="Ann sang [1][2]. She ran.",
        links=("Ann Lee",),
    )
    entities = (Entity("Ann Lee", "Ann Lee", (Document("Ann Lee", "Ann Lee sang."),), 0, ("A",)),)
    verdicts = (
        Verdict("supported", 0.9, Evidence(0, 0, 13), sent=True),
        Verdict("refused", conflict=Evidence(0, 8, 12)),
    )
    record = Record(
        biography,
        biography_key(biography),
        entities=entities,
        missing=("no page 'Ann'",),
        facts=(Fact("Ann sang.", 0, (0, 9)), Fact("Ann ran.", label="irrelevant")),
        groups=(FactGroup((0, 1), "Ann", True),),
        matrix=support_matrix(entities, [verdicts]),
        status="scored",
        usage={"verdicts": {"verify": {"m": {"calls": 1}}}},
    )
    return score_record(record)


class WritableRun(Run):
    """A run folder into which a test writes stages directly."""

    def __init__(self, folder, manifest, keys=None):
        self.files = WorkFolder(in_folder(folder), manifest, JOURNAL_FORMS, keys, form=RunManifest)
        self.files.begin()
        self.__dict__.update(vars(Run.of(self.files)))
        self.writer = RunWriter(self._journals)

    def judge(self, records, engine):
        work = record_work(records, engine, None, lambda found: None)
        run_sync(process_items(work, self.files.journals, Filled()))

    def settle(self, keys):
        for name in ("biographies", *STAGES):
            self.files.settle(name, keys)

    def close(self):
        self.files.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def opened(record):
    """Returns the record before any stage."""
    return begin_records([record.biography])[0]
