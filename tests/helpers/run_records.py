"""A record with everything filled, and the manifest of a run that it fits into."""

from __future__ import annotations

from dfactscore.records import (
    Biography,
    Citation,
    Document,
    Entity,
    Evidence,
    Fact,
    FactGroup,
    Verdict,
)
from dfactscore.retrieval import Passage
from dfactscore.runs import begin_records, new_manifest
from dfactscore.runs.serial import biography_key
from dfactscore.scoring import score_record
from dfactscore.scoring.matrix import support_matrix
from dfactscore.scoring.record import Record

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


def save(run, record):
    run.keep_all(record)
    run.end(record)


def opened(record):
    """The record before anything is filled."""
    return begin_records([record.biography])[0]
