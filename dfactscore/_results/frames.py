"""Runs as data frames, for notebooks and statistics."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from dfactscore._results.outcomes import quoted
from dfactscore._results.result import Result
from dfactscore._results.tables import COLUMNS, score_row
from dfactscore._scoring.record import Record
from dfactscore.linking import STATUSES

if TYPE_CHECKING:
    import pandas as pd


_FACTS = ("id", "name", "fact", "text", "sentence", "start", "end", "label", "group", "standing",
          "why_not")  # fmt: skip
_GROUPS = ("id", "name", "group", "label", "n_facts", "bears_name")
_LINKS = ("id", "name", "group", "entity", "label", "named", "support", "runner_up", "margin",
          "outside")  # fmt: skip
_CELLS = ("id", "name", "fact", "entity", "status", "probability", "group", "linked", "evidence",
          "conflict")  # fmt: skip


@dataclass(frozen=True, repr=False)
class RunFrames(Mapping[str, "pd.DataFrame"]):
    """A run's tables, by attribute or key; to join on ``id``, ``fact``, ``group`` or ``entity``."""

    biographies: pd.DataFrame  # row per biography, with the columns of `scores.csv`
    # A row per fact: its position in the text, its group, and its outcome (`standing`: supported by
    # the linked entity, elsewhere, unsupported, unreadable; `why_not`: whether an unsupported fact
    # is contradicted or not_stated).
    facts: pd.DataFrame
    groups: pd.DataFrame  # row per perceived individual
    # A row per group: the linked entity or None, the number of facts that it supports, the
    # runner-up, the margin over the runner-up, and bearers without a page that the group may be
    # about (`outside`).
    links: pd.DataFrame
    # A row per fact and entity: status, probability, the sentence that decides the verdict, and the
    # passage that contradicts the fact.
    cells: pd.DataFrame

    def __getitem__(self, table: str) -> pd.DataFrame:
        if table not in self:
            raise KeyError(table)
        frame: pd.DataFrame = getattr(self, table)
        return frame

    def __iter__(self) -> Iterator[str]:
        return (item.name for item in fields(self))

    def __len__(self) -> int:
        return len(fields(self))

    def __contains__(self, table: object) -> bool:
        return table in list(self)

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}: {len(frame)} rows" for name, frame in self.items())
        return f"RunFrames({sizes})"


def run_frames(records: Iterable[Record]) -> RunFrames:
    """Converts scored records into data frames."""
    import pandas as pd

    tables: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("biographies", "facts", "groups", "links", "cells")
    }
    for record in records:
        tables["biographies"].append(score_row(record))
        _add(record, tables)
    columns = dict(zip(tables, (COLUMNS, _FACTS, _GROUPS, _LINKS, _CELLS), strict=True))
    return RunFrames(
        **{name: pd.DataFrame(rows, columns=list(columns[name])) for name, rows in tables.items()}
    )


def _add(record: Record, tables: dict[str, list[dict[str, Any]]]) -> None:
    result = Result(record)
    key = {"id": record.id, "name": record.name}
    named = {record.entities[e].id for e in record.named}
    labels = {e.id: e.label for e in record.entities}
    linked: dict[int, str | None] = {}
    for g, group in enumerate(result.groups):
        row = {"label": group.label, "n_facts": len(group.facts), "bears_name": group.bears_name}
        tables["groups"].append({**key, "group": g, **row})
        link = {name: getattr(group, name) for name in ("entity", "support", "runner_up", "margin")}
        link["label"] = labels.get(group.entity or "")
        link["named"] = None if group.entity is None else group.entity in named
        link["outside"] = "; ".join(group.outside) or None
        tables["links"].append({**key, "group": g, **link})
        linked.update((f, group.entity) for f in group.facts)
    group_of = {f: g for g, group in enumerate(result.groups) for f in group.facts}
    for f, fact in enumerate(record.facts):
        start, end = fact.span or (None, None)
        place = {"sentence": fact.sentence, "start": start, "end": end, "label": fact.label}
        scored = record.scores is not None
        tables["facts"].append(
            {
                **key,
                "fact": f,
                "text": fact.text,
                **place,
                "group": group_of.get(f),
                "standing": record.standing[f] if scored else None,
                "why_not": record.why_not[f] if scored else None,
            }
        )
    if record.matrix is not None:
        tables["cells"] += ({**key, **cell} for cell in _cells(record, group_of, linked))


def _cells(
    record: Record, group_of: Mapping[int, int], linked: Mapping[int, str | None]
) -> Iterator[dict[str, Any]]:
    matrix = record.matrix
    assert matrix is not None
    for e, entity in enumerate(record.entities):
        for f in range(len(record.facts)):
            probability = float(matrix.probability[f, e])
            yield {
                "fact": f,
                "entity": entity.id,
                "status": STATUSES[matrix.status[f, e]],
                "probability": None if math.isnan(probability) else probability,
                "group": group_of.get(f),
                "linked": linked.get(f) == entity.id,
                "evidence": quoted(entity, matrix.evidence_at(f, e)),
                "conflict": quoted(entity, matrix.conflict_at(f, e)),
            }
