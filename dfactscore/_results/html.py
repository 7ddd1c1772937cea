"""Results as HTML for notebooks, without scripts or style sheets; all text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from dfactscore._results.outcomes import FactResult, fact_results, group_results
from dfactscore._results.signature import signature_lines
from dfactscore._results.summary import summary_table
from dfactscore._results.text import OR_UNREAD, head_lines
from dfactscore._scoring.biography_scores import kind_label
from dfactscore._scoring.record import Record
from dfactscore._scoring.summary import Summary
from dfactscore._util.numbers import percent
from dfactscore.measures._rendering import to_html
from dfactscore.measures._table import Column, Table

if TYPE_CHECKING:
    from dfactscore._readers.record_fields import BadRecord


_MAX_ROWS = 50
_COLUMNS = (
    Column("id", left=True),
    Column("name", left=True),
    *map(Column, ("FS", "D-FS", "facts", "mixed")),
    Column("kind", left=True),
)


def results_html(
    records: Sequence[Record],
    summary: Summary,
    bad: Sequence[BadRecord] = (),
    *,
    signature: str = "",
) -> str:
    """Renders the summary and its signature, followed by a row per text."""
    rows = tuple(_row(record) for record in records[:_MAX_ROWS])
    parts = [
        to_html(summary_table(summary, ((r.name, *_means(r)) for r in records))),
        *(f"<p>{escape(line)}</p>" for line in signature_lines({"": signature})),
        to_html(Table(_COLUMNS, rows)),
    ]
    if len(records) > _MAX_ROWS:
        parts.append(f"<p>{len(records) - _MAX_ROWS} more texts.</p>")
    parts += [f"<p>skipped {escape(str(record))}</p>" for record in bad[:_MAX_ROWS]]
    return "".join(parts)


def result_html(record: Record) -> str:
    """Renders a text's scores, followed by each group's facts and their outcomes."""
    parts = [f"<p>{'<br>'.join(map(escape, head_lines(record)))}</p>"]
    groups, facts = group_results(record), fact_results(record)
    for number, group in enumerate(groups, start=1):
        linked = escape((group.entity or "–") + OR_UNREAD * group.may_be_unread)
        parts.append(f"<p>group {number} {escape(group.label)} → {linked}</p>")
        parts.append(_facts(facts[index] for index in group.facts))
    if not groups and facts:
        parts.append(_facts(facts))
    return "".join(parts)


def _facts(facts: Iterable[FactResult]) -> str:
    rows = tuple(
        (str(f.standing), f.fact.text, ", ".join(f.supported_by), f.evidence or "") for f in facts
    )
    head = ("", "fact", "supported by", "evidence")
    return to_html(Table(tuple(Column(title, left=True) for title in head), rows))


def _row(record: Record) -> tuple[str, ...]:
    scores = record.scores
    kind, mixed = str(record.status).replace("_", " "), ""
    if scores is not None and scores.category is not None:
        kind = kind_label(scores.category, mixed=scores.mixed_groups, n_ent=scores.n_ent)
        mixed = "" if scores.mixed_groups is None else str(scores.mixed_groups)
    numbers = (*map(percent, _means(record)), str(len(record.facts)), mixed)
    return (record.id, record.name, *numbers, kind)


def _means(record: Record) -> tuple[float | None, float | None]:
    scores = record.scores
    return (scores.fs, scores.dfs) if scores else (None, None)
