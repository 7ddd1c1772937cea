"""Results as HTML for notebooks: no script, no style sheet, every text escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from dfactscore._util.numbers import percent
from dfactscore.measures.markup import to_html
from dfactscore.measures.table import Column, Table
from dfactscore.results.summary import summary_table
from dfactscore.results.text import head_lines
from dfactscore.scoring.category import kind_label
from dfactscore.scoring.summary import Summary

if TYPE_CHECKING:
    from dfactscore.readers.problems import BadRecord
    from dfactscore.results.result import Result

__all__ = ["result_html", "results_html"]

_LISTED = 50
_COLUMNS = (
    Column("id", left=True),
    Column("name", left=True),
    *map(Column, ("FS", "D-FS", "facts", "mixed")),
    Column("kind", left=True),
)


def results_html(results: Sequence[Result], summary: Summary, bad: Sequence[BadRecord] = ()) -> str:
    """The summary, then one row a text."""
    rows = tuple(_row(result) for result in results[:_LISTED])
    parts = [
        to_html(summary_table(summary, ((r.name, r.fs, r.dfs) for r in results))),
        to_html(Table(_COLUMNS, rows)),
    ]
    if len(results) > _LISTED:
        parts.append(f"<p>{len(results) - _LISTED} more texts.</p>")
    parts += [f"<p>skipped {escape(str(one))}</p>" for one in bad[:_LISTED]]
    return "".join(parts)


def result_html(result: Result) -> str:
    """The scores and each fact with how it fared, by group."""
    parts = [f"<p>{'<br>'.join(map(escape, head_lines(result)))}</p>"]
    for number, group in enumerate(result.groups, start=1):
        parts.append(f"<p>group {number} {escape(group.label)} → {escape(group.entity or '–')}</p>")
        parts.append(_facts(result, group.facts))
    if not result.groups and result.facts:
        parts.append(_facts(result, range(len(result.facts))))
    return "".join(parts)


def _facts(result: Result, indices: Iterable[int]) -> str:
    told = [result.facts[index] for index in indices]
    rows = tuple(
        (str(f.standing), f.fact.text, ", ".join(f.supported_by), f.evidence or "") for f in told
    )
    head = ("", "fact", "supported by", "evidence")
    return to_html(Table(tuple(Column(title, left=True) for title in head), rows))


def _row(result: Result) -> tuple[str, ...]:
    scores = result.scores
    kind, mixed = str(result.status).replace("_", " "), ""
    if scores is not None and scores.category is not None:
        kind = kind_label(scores.category, mixed=scores.mixed_groups, n_ent=scores.n_ent)
        mixed = "" if scores.mixed_groups is None else str(scores.mixed_groups)
    numbers = (percent(result.fs), percent(result.dfs), str(len(result.facts)), mixed)
    return (result.record.id, result.name, *numbers, kind)
