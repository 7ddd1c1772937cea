"""Results as HTML for notebooks: no script, no style sheet, every text escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from dfactscore._util.numbers import percent
from dfactscore.results.tables import summary_rows
from dfactscore.results.text import head_lines
from dfactscore.scoring.category import CATEGORY_LABELS
from dfactscore.scoring.summary import Summary

if TYPE_CHECKING:
    from dfactscore.readers.problems import BadRecord
    from dfactscore.results.result import Result

__all__ = ["result_html", "results_html"]

_LISTED = 50
_LEFT, _RIGHT = "text-align:left", "text-align:right"


def results_html(results: Sequence[Result], summary: Summary, bad: Sequence[BadRecord] = ()) -> str:
    """The summary, then one row a text."""
    means = _table([], [[(k, _LEFT), (v, _RIGHT)] for k, v in summary_rows(summary)])
    rows = [_row(result) for result in results[:_LISTED]]
    head = ["id", "name", "FS", "D-FS", "facts", "mixed", "kind"]
    parts = [means, _table(head, rows)]
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
    rows = []
    for index in indices:
        fact = result.facts[index]
        told = [fact.standing, fact.fact.text, ", ".join(fact.supported_by), fact.evidence or ""]
        rows.append([(text, _LEFT) for text in told])
    return _table(["", "fact", "supported by", "evidence"], rows)


def _row(result: Result) -> list[tuple[str, str]]:
    scores = result.scores
    kind = CATEGORY_LABELS.get(result.category or "") or str(result.status).replace("_", " ")
    mixed = "" if scores is None or scores.mixed_groups is None else str(scores.mixed_groups)
    facts = str(len(result.facts))
    numbers = [percent(result.fs), percent(result.dfs), facts, mixed]
    return [
        *((text, _LEFT) for text in (result.record.id, result.name)),
        *((text, _RIGHT) for text in numbers),
        (kind, _LEFT),
    ]


def _table(head: list[str], rows: list[list[tuple[str, str]]]) -> str:
    titles = "".join(f'<th style="{_LEFT}">{escape(title)}</th>' for title in head)
    body = "".join(
        "<tr>" + "".join(f'<td style="{s}">{escape(c)}</td>' for c, s in row) + "</tr>"
        for row in rows
    )
    top = f"<thead><tr>{titles}</tr></thead>" if head else ""
    return f"<table>{top}<tbody>{body}</tbody></table>"
