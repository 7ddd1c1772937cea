"""Results as plain text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dfactscore._results.outcomes import FactResult, GroupResult, fact_results, group_results
from dfactscore._scoring.biography_scores import RANGE_NOTE, counts_differ
from dfactscore._scoring.matrix import Standing
from dfactscore._scoring.record import (
    OWNED_GAP,
    Record,
    fact_values,
    linked_values,
    out_of_range,
    why_unsure,
)
from dfactscore._text.clean_text import one_line
from dfactscore._util.numbers import counted

_MARKS: dict[Standing, str] = {
    "supported": "  +",
    "elsewhere": "  ≠",
    "unsupported": "  -",
    "unreadable": "  ?",
}
_NONE = "no entity supports any of its facts"
OR_UNREAD = ", or an unread page"


def head_lines(record: Record) -> Iterator[str]:
    """Returns lines with a text's scores, the related counts, and notes about the scores."""
    scores = record.scores
    unread = record.status == "not_judged"
    if scores is None or unread or (scores.fs is None and scores.fs_bounds is None):
        why = record.reason or (scores.dfs_reason if scores else "")
        yield f"{record.name}: {record.status}{': ' + why if why else ''}"
        return
    values = (fact_values(record), linked_values(record))
    true, linked = (_number(sum(by_fact[fact] for fact in scores.facts)) for by_fact in values)
    facts = counted(scores.n_facts, "fact")
    fs = _shown(scores.fs, scores.fs_bounds, f"{true} of {facts}")
    dfs = _shown(scores.dfs, scores.dfs_bounds, f"{linked} of {scores.n_facts}")
    yield f"{record.name}: FActScore {fs}, D-FActScore {dfs}"
    if record.status == "partly_judged":
        yield f"partly judged: {record.reason}; a range counts them as false and as true"
    if scores.dfs is None:
        yield f"no D-FActScore: {scores.dfs_reason}"
    else:
        yield (
            f"{counted(scores.n_bio or 0, 'biography')} of "
            f"{counted(scores.n_ent or 0, 'entity', 'entities')}"
            f"{' (mixed)' if scores.mixed else ' (mixed?)' if scores.mixed is None else ''}, "
            f"coverage {scores.coverage:.2f}{_counts(record)}"
        )
    if why := why_unsure(record):
        yield f"mixed: not known; {why}"
    low = scores.dfs_owned
    if scores.dfs is not None and low is not None and scores.dfs - low > OWNED_GAP:
        yield (
            f"D-FActScore {low:.2f} to {scores.dfs:.2f}: passages of unknown owner count for no "
            "one, or for each person they may be about"
        )
    if record.off_target:
        yield f"off target: no one in the text bears the name {record.name}"
    yield from range_notes(record)
    for line in record.missing:
        passages = "judged against its passages: " if record.biography.passages else ""
        yield f"{passages}{line}"


def range_notes(record: Record) -> tuple[str, ...]:
    """Returns the note on a text whose evidence is unlike that which the judge was measured on."""
    return (f"out of range: {RANGE_NOTE}",) if out_of_range(record) else ()


def _shown(score: float | None, bounds: tuple[float, float] | None, facts: str) -> str:
    """Formats a score with its number of facts, or its bounds."""
    if score is not None:
        return f"{score:.2f} ({facts})"
    return "none" if bounds is None else f"{bounds[0]:.2f}–{bounds[1]:.2f}"


def _counts(record: Record) -> str:
    """Returns a note on the values that scores are based on, if these are not verdicts."""
    scores = record.scores
    if record.options.counts == "verdicts" or scores is None:
        return ""
    if not counts_differ((scores.fs, scores.fs_verdicts), (scores.dfs, scores.dfs_verdicts)):
        return "; expected counts"
    by_verdicts = [scores.fs_verdicts, scores.dfs_verdicts]
    shown = " and ".join(f"{share:.2f}" for share in by_verdicts if share is not None)
    return f"; expected counts, by verdicts {shown}"


def result_lines(record: Record, marks: Mapping[Standing, str] = _MARKS) -> Iterator[str]:
    """Returns lines with a text's scores, followed by each group's facts and their outcomes."""
    yield from head_lines(record)
    if record.scores is None or not record.scores.n_facts:
        return
    scored = frozenset(record.scores.facts)
    groups, facts = group_results(record), fact_results(record)
    for number, group in enumerate(groups, start=1):
        linked = _linked(group, len(scored.intersection(group.facts)))
        yield ""
        yield f"group {number}{' ' + group.label if group.label else ''} -> {linked}"
        yield from (_fact_line(facts[i], i, marks, scored) for i in group.facts)
    if not groups:
        yield from (_fact_line(facts[i], i, marks, scored) for i in range(len(facts)))


def _fact_line(
    fact: FactResult, index: int, marks: Mapping[Standing, str], scored: frozenset[int]
) -> str:
    note = f"  [only {', '.join(fact.supported_by)}]" if fact.standing == "elsewhere" else ""
    if index not in scored:
        note += f"  [{fact.fact.label or 'unreadable'}: not counted]"
    return f"{marks[fact.standing]} {fact.fact.text}{note}"


def _bearers(lines: tuple[str, ...]) -> str:
    first = repr(one_line(lines[0], 100))
    if len(lines) == 1:
        return f"{first}, without a page"
    return f"one of {len(lines)} of the name without a page ({first}, …)"


def _number(facts: float) -> str:
    """Formats an actual or expected number of facts."""
    return f"{round(facts, 1):g}"


def _linked(group: GroupResult, counted: int) -> str:
    if group.outside:
        return f"{_NONE}; outside: may be about {_bearers(group.outside)}"
    if group.entity is None and group.runner_up is None:
        return f"{_NONE}{OR_UNREAD}" if group.may_be_unread else _NONE
    text = "linked to no entity"
    if group.entity is not None:
        text = f"{group.entity}: {_number(group.support)} of {counted} facts"
    if group.may_be_unread:
        text += OR_UNREAD
    if group.runner_up is not None:
        text += f" (next: {group.runner_up}, {_number(group.support - group.margin)})"
    return text
