"""Classes of answers by the entities that they tell apart, entity recall, and gold answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._readers.files import file_rows
from dfactscore._scoring.biography_scores import AnswerKind, BiographyScores
from dfactscore._scoring.record import Record
from dfactscore._text.clean_text import plain_words
from dfactscore._text.questions import name_of_question
from dfactscore._text.remarks import asks_back
from dfactscore._util.numbers import percent
from dfactscore.measures._resampling import clustered_interval
from dfactscore.retrieval._normalize import normalize_title

_ITEM = re.compile(r"^[ \t]{0,8}(?:[-*•]|\d{1,2}[.)])[ \t]+\S", re.MULTILINE)
Gold = Mapping[str, tuple[str, ...]]
"""The answers by id and by normalized name."""


def told_entities(record: Record) -> tuple[int, ...]:
    """Returns the columns of entities of the name to which a group with a true fact is linked."""
    support = record.decided.support
    counted = {f for f, fact in enumerate(record.facts) if fact.label != "irrelevant"}
    told = {
        link.entity
        for group, link in zip(record.groups or (), record.links, strict=False)
        if link.entity is not None
        and any(support[fact, link.entity] for fact in group.facts if fact in counted)
    }
    return tuple(column for column in record.named if column in told)


def with_answer(record: Record, scores: BiographyScores) -> BiographyScores:
    """Returns scores with the entities in the evidence and in the text, and recall of the former.

    A text has none of these if it has no D-FS; without an entity of the name, there is no recall.
    """
    if scores.dfs is None or scores.n_bio is None:
        return scores
    told = told_entities(replace(record, scores=scores))
    evidence = [c for c in record.named if record.entities[c].documents]
    groups = zip(record.groups or (), scores.links, strict=False)
    own = sum(
        (group.bears_name is not False and not set(group.facts).isdisjoint(scores.facts))
        or link.entity in told
        for group, link in groups
    )
    return replace(
        scores,
        n_evidence=len(evidence),
        n_told=len(told),
        entity_recall=len(told) / len(evidence) if evidence else None,
        entity_precision=len(told) / own if own and evidence else None,
    )


def answer_kind(record: Record) -> AnswerKind | None:
    """Returns the class of an answer; None if it is not known, or the text could not be read."""
    scores, text = record.scores, record.biography.text
    if record.status in ("abstained", "no_answer", "no_facts"):
        listed = record.status == "no_facts" and len(_ITEM.findall(text)) > 1
        return "ambiguous" if listed or asks_back(text) else "none"
    if scores is None or scores.dfs is None or not scores.n_evidence:
        return None
    if scores.mixed is not False:
        return "merged" if scores.mixed else None
    if not scores.n_told:
        return "ambiguous" if asks_back(text) else "unsupported"
    return "complete" if scores.n_told == scores.n_evidence else "partial"


def read_gold(path: Path) -> Gold:
    """Reads the answers to each question of a file in the form of RAMDocs or AmbigDocs."""
    gold: dict[str, tuple[str, ...]] = {}
    for place, row in file_rows(path):
        given = row.get("gold_answers")
        if given is None:
            documents = row.get("documents") or ()
            given = [d["answer"] for d in documents if isinstance(d, Mapping) and d.get("answer")]
        answers = tuple(dict.fromkeys(str(a) for a in given if plain_words(str(a))))
        keys = list(_keys(row))
        if not answers or not keys:
            missing = "gold_answers, nor documents with answer" if keys else "id, name or question"
            raise InputError(f"{place}: has no {missing} (it has {', '.join(map(str, row))})")
        for key in keys:
            if gold.setdefault(key, answers) != answers:
                gold[key] = ()  # several questions about one name: only ids can tell
    return {key: answers for key, answers in gold.items() if answers}


def _keys(row: Mapping[str, Any]) -> Iterator[str]:
    """Yields the id and the normalized name of a question."""
    for field in ("id", "qid"):
        if row.get(field) not in (None, ""):
            yield f"id {row[field]}"
    name = row.get("name") or row.get("ambiguous_entity")
    if not name and isinstance(row.get("question"), str):
        name = name_of_question(row["question"])
    if name:
        yield f"name {normalize_title(str(name))}"


def text_row(record: Record, gold: Gold | None) -> dict[str, Any]:
    """Returns a text's class and entities, and the gold answers that it gives."""
    names = ("n_evidence", "n_told", "entity_recall", "entity_precision")
    row: dict[str, Any] = {"id": record.id, "name": record.name, "model": record.biography.model}
    row |= {"answer": answer_kind(record)}
    row |= {name: getattr(record.scores, name, None) for name in names}
    if gold is None:
        return row
    keys = (f"id {record.id}", f"name {normalize_title(record.name)}")
    answers = next((gold[key] for key in keys if key in gold), ())
    text = f" {plain_words(record.biography.text)} "
    given = [a for a in answers if f" {plain_words(a)} " in text]
    row |= {"n_gold": len(answers) or None, "n_gold_given": len(given) if answers else None}
    return row | {"gold_missing": "; ".join(a for a in answers if a not in given)}


def gold_line(rows: Sequence[Mapping[str, Any]]) -> str:
    """Returns the mean share of gold answers that texts give, and of the texts that give all."""
    known = [row for row in rows if row["n_gold"]]
    if not known:
        raise InputError("--gold: has no answers to a text of the run, by id or by name")
    names = [row["name"] for row in known]
    parts = []
    for what, values in (
        ("gold answers given", [row["n_gold_given"] / row["n_gold"] for row in known]),
        ("texts with all", [float(row["n_gold_given"] == row["n_gold"]) for row in known]),
    ):
        low, high = clustered_interval(values, names)
        parts.append(
            f"{what} {percent(sum(values) / len(values))} % [{percent(low)}, {percent(high)}]"
        )
    return f"{', '.join(parts)}, of {len(known)} texts"
