"""The tables of a study. One file holds all of a study: texts, people, answers, events."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

__all__ = [
    "SCHEMA",
    "TRIGGERS",
    "annotator",
    "answer",
    "assignment",
    "candidate",
    "event",
    "fact",
    "item",
    "metadata",
    "page",
    "session",
    "study",
]

SCHEMA = 1

metadata = MetaData()

study = Table(
    "study",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", Text, nullable=False),  # of its texts: equal texts, equal key
    Column("schema", Integer, nullable=False),
    Column("created", Text, nullable=False),
    Column("settings", Text, nullable=False),  # JSON
    Column("address", Text),  # where it was last served
)

annotator = Table(
    "annotator",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("role", Text, nullable=False),  # annotator, adjudicator
    Column("revoked", Integer, nullable=False, default=0),
    Column("released", Integer, nullable=False, default=0),  # though not qualified
)

# Entry links and the sessions that they are exchanged for; only hashes are kept.
session = Table(
    "session",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("annotator_id", ForeignKey("annotator.id"), nullable=False),
    Column("kind", Text, nullable=False),  # serve, token: links; cookie: a session
    Column("digest", Text, nullable=False, unique=True),
    Column("created", Float, nullable=False),
)

item = Table(
    "item",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("public", Text, nullable=False, unique=True),  # in addresses; says nothing
    Column("kind", Text, nullable=False),  # task, qualify
    Column("run", Text, nullable=False),
    Column("record", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("stratum", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("sentences", Text, nullable=False),  # JSON: [[start, end], …]
    Column("automatic", Text, nullable=False),  # JSON: what the run says
    Column("known", Text),  # JSON: the right answers of a qualifying paragraph
    UniqueConstraint("run", "record"),
)

fact = Table(
    "fact",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("item_id", ForeignKey("item.id"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("sentence", Integer),
    UniqueConstraint("item_id", "position"),
)

page = Table(
    "page",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("digest", Text, nullable=False, unique=True),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),
)

candidate = Table(
    "candidate",
    metadata,
    Column("item_id", ForeignKey("item.id"), primary_key=True),
    Column("page_id", ForeignKey("page.id"), primary_key=True),
    Column("rank", Integer, nullable=False),
)

assignment = Table(
    "assignment",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("item_id", ForeignKey("item.id"), nullable=False),
    Column("annotator_id", ForeignKey("annotator.id"), nullable=False),
    Column("position", Integer, nullable=False),
    UniqueConstraint("item_id", "annotator_id"),
)

answer = Table(
    "answer",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("annotator_id", ForeignKey("annotator.id"), nullable=False),
    Column("item_id", ForeignKey("item.id"), nullable=False),
    Column("part", Text, nullable=False),  # item, biography/1, fact/0
    Column("question", Text, nullable=False),
    Column("value", Text, nullable=False),  # JSON
    Column("counter", Integer, nullable=False),  # the browser's; a late one changes nothing
    Column("saved", Float, nullable=False),
    UniqueConstraint("annotator_id", "item_id", "part", "question"),
)

event = Table(
    "event",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("time", Float, nullable=False),
    Column("annotator_id", ForeignKey("annotator.id"), nullable=False),
    Column("item_id", ForeignKey("item.id"), nullable=False),
    Column("part", Text, nullable=False),
    Column("question", Text, nullable=False),
    Column("value", Text, nullable=False),
    Column("counter", Integer, nullable=False),
    Index("event_of_item", "item_id", "annotator_id"),
)

TRIGGERS = tuple(
    f"CREATE TRIGGER event_no_{verb} BEFORE {verb.upper()} ON event "
    "BEGIN SELECT RAISE(ABORT, 'events are only added'); END"
    for verb in ("update", "delete")
)
