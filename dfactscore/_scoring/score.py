"""Scores records from their verdicts; finds facts that may be about a person without a page."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from dfactscore._records import FactGroup
from dfactscore._scoring.answer_classes import with_answer
from dfactscore._scoring.matrix_scores import NOTHING_READ, score_matrix
from dfactscore._scoring.record import Record, pages_not_judged
from dfactscore._scoring.score_options import ScoreOptions
from dfactscore._util.numbers import counted
from dfactscore.engines._wrapping import FS_ONLY
from dfactscore.linking import CandidateMode, Link, candidate_mask
from dfactscore.retrieval._tokens import STOP_WORDS, tokenize

_COMMON_WORDS = frozenset({"born", "died"})


def may_be_outside(record: Record, lines: Collection[str]) -> tuple[tuple[str, ...], ...]:
    """Returns the bearers without a page that each group may be about; usually, there are none.

    A group may be about such a bearer if it has a scored fact and no given link, all its verdicts
    are readable, no candidate supports any of its facts, and its individual is not known to have a
    different name. The result contains the bearers whose descriptions share a word or a year with
    the facts or, if there are none, all bearers.
    """
    line_words = {line: _words(line, record.name) for line in lines}
    columns, matrix = list(record.candidate_columns), record.decided
    # Unreadable verdicts may be support.
    may_support = (matrix.support | ~matrix.readable)[:, columns]
    scored = frozenset(record.scores.facts if record.scores else ())

    def bearers(group: FactGroup, link: Link) -> tuple[str, ...]:
        rows = list(group.facts)
        has_given_link = record.biography.links is not None and link.entity is not None
        if group.bears_name is False or has_given_link or may_support[rows].any():
            return ()
        if scored.isdisjoint(rows):
            return ()
        fact_words = _words(" ".join(record.facts[fact].text for fact in rows), record.name)
        similar = (line for line, words in line_words.items() if not fact_words.isdisjoint(words))
        return tuple(similar) or tuple(line_words)

    return tuple(map(bearers, record.groups or (), record.links))


def _words(text: str, name: str) -> frozenset[str]:
    words = {word for word in tokenize(text) if len(word) > 2}
    return frozenset(words.difference(STOP_WORDS, _COMMON_WORDS, tokenize(name)))


def score_record(
    record: Record,
    *,
    options: ScoreOptions | None = None,
    candidates: CandidateMode = "retrieved",
    # Titles of the name's entities, used if candidates is `"dataset"`; without titles, there is no
    # D-FActScore.
    dataset: Collection[str] = (),
    outside: Collection[str] = (),
) -> Record:
    """Scores a judged record; no model is called."""
    # Returns the record with new scores; if no verdict could be read, it has at most bounds and its
    # status is `"not_judged"`.
    options = options or ScoreOptions()
    record = replace(
        record,
        options=options,
        candidates=candidates,
        candidate_columns=(),
        scores=None,
        outside=(),
    )
    if record.status == "partly_judged":  # by other options
        record = replace(record, status="scored", reason="")
    if record.matrix is None or record.status not in ("scored", "grouping_failed", "not_judged"):
        return record
    columns = {e.id: i for i, e in enumerate(record.entities)}
    fs_only = [column for id, column in columns.items() if id in FS_ONLY]
    mask, reason = np.zeros(len(columns), dtype=bool), _no_dfs(record)
    if candidates == "dataset" and not dataset:
        reason = f"the dataset lists no one called {record.name!r}"
    else:
        titles = [(e.id, e.label, *e.aliases) for e in record.entities]
        mask = candidate_mask(titles, record.name, mode=candidates, dataset=dataset)
        mask[fs_only] = False
    scores = score_matrix(
        record.matrix,
        options=options,
        candidates=mask,
        fs_only=fs_only,
        named_entities=record.named,
        named_otherwise=record.named_otherwise,
        irrelevant=[
            i
            for i, f in enumerate(record.facts)
            if f.label == "irrelevant" or (f.label and options.irrelevant == "exclude")
        ],
        dfs_reason=reason,
        doubts=record.doubts,
        **_grouped(record, columns),
    )
    if scores.dfs_reason == NOTHING_READ:
        record = replace(record, status="not_judged", reason=NOTHING_READ)
        if scores.fs_bounds is None:
            return record
    if record.status == "scored" and (
        _is_open(scores.fs, scores.fs_bounds) or _is_open(scores.dfs, scores.dfs_bounds)
    ):
        record = replace(record, status="partly_judged", reason=_unread(record))
    linkable = tuple(int(c) for c in np.flatnonzero(mask))
    record = replace(record, candidate_columns=linkable)
    record = replace(record, scores=with_answer(record, scores))
    if not outside or not record.links:
        return record
    bearers = may_be_outside(record, outside)
    groups = zip(record.groups or (), bearers, strict=True)
    facts_outside = {fact for group, lines in groups if lines for fact in group.facts}
    count = len(facts_outside.intersection(scores.facts))
    return replace(record, outside=bearers, scores=replace(record.scores or scores, outside=count))


def _is_open(score: float | None, bounds: tuple[float, float] | None) -> bool:
    """Whether a score has bounds instead of a value."""
    return score is None and bounds is not None


def _unread(record: Record) -> str:
    """Returns the reason why a record has bounds."""
    unread = len(pages_not_judged(record))
    pages = counted(len(record.entities), "page")
    return f"{unread} of {pages} not judged" if unread else "some verdicts could not be read"


def _grouped(record: Record, columns: Mapping[str, int]) -> dict[str, Any]:
    """Returns the arguments of `score_matrix` that concern groups."""
    if (groups := record.groups) is None:
        return {"groups": None}
    links = record.biography.links
    return {
        "groups": [g.facts for g in groups],
        "named_groups": [g.bears_name for g in groups],
        "fixed_links": None if links is None else [columns.get(e or "") for e in links],
    }


def _no_dfs(record: Record) -> str:
    if not record.tells_entities_apart:
        return "the verifier reads no documents and cannot tell entities apart"
    if record.entities and all(entity.id in FS_ONLY for entity in record.entities):
        return "evidence was searched for in general; of a person with --per-entity and --pages"
    return record.reason if record.groups is None else ""
