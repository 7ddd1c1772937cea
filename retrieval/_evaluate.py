"""Evaluates a retriever by recall, reciprocal rank and number of namesakes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from dfactscore._text.names import bears_name
from dfactscore._text.questions import name_of_question
from dfactscore._util.jsonl import iter_lines
from dfactscore._util.numbers import mean
from dfactscore.retrieval._documents import Passage
from dfactscore.retrieval._errors import RecordError, SourceError
from dfactscore.retrieval._page_files import json_record


@dataclass(frozen=True, slots=True)
class Question:
    """One query in an evaluation."""

    name: str = ""  # target name (for the query template), or empty
    query: str = ""  # query itself, or empty if there is a `name`
    # Ids or titles of the relevant passages; if empty, only namesakes are counted.
    relevant: tuple[str, ...] = ()
    id: str = ""  # query id in TREC runs and judgments; if empty, the question's number is used


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Metrics averaged over the questions."""

    questions: int
    judged: int
    k: int  # number of results considered per question
    # Mean share of the relevant ids or titles found within the first k results; None if `judged` is
    # 0.
    recall: float | None
    # Mean reciprocal rank of the first relevant hit within the first k (0 if there is none); None
    # if `judged` is 0.
    mrr: float | None
    # Mean number of distinct titles within the first k that bear the target name; None if no
    # question has a name.
    namesakes: float | None


def read_questions(path: str | Path) -> list[Question]:
    """Reads questions from JSONL ``{name or query, relevant, id}`` or text with one name per line.

    A line of text may also be ``id<TAB>query``, a common format for TREC topics.
    """
    path = Path(path)
    if path.name.removesuffix(".gz").endswith((".txt", ".tsv")):
        return _text_questions(path)
    questions = [
        _question(json_record(line.raw, line.where), line.where)
        for line in iter_lines(path, error=SourceError)
    ]
    if not questions:
        raise SourceError(f"{path}: contains no questions")
    return questions


def _question(record: Any, where: str) -> Question:
    if not isinstance(record, dict) or not any(
        str(record.get(key) or "").strip() for key in ("name", "query")
    ):
        raise RecordError(where, "needs 'name' or 'query' (and 'relevant': ids or titles)")
    relevant = record.get("relevant", [])
    if not isinstance(relevant, list) or not all(isinstance(r, (str, int)) for r in relevant):
        raise RecordError(where, "'relevant' must be a list of passage ids or titles")
    return Question(
        name=str(record.get("name") or ""),
        query=str(record.get("query") or ""),
        relevant=tuple(dict.fromkeys(map(str, relevant))),
        id="_".join(str(record.get("id") or "").split()),
    )


def _text_questions(path: Path) -> list[Question]:
    questions: list[Question] = []
    for line in iter_lines(path, error=SourceError):
        try:
            text = line.raw.decode("utf-8-sig").strip(" \r\n")
        except UnicodeDecodeError as error:
            raise RecordError(line.where, f"not UTF-8 (byte {error.start})") from None
        key, tab, query_column = text.partition("\t")
        if text.strip():
            text_asked = query_column.strip() if tab else text
            if not text_asked:
                raise RecordError(line.where, f"query {key!r} is empty")
            questions.append(
                Question(query=text_asked, id="_".join(key.split()))
                if tab
                else Question(name=name_of_question(text_asked))
            )
    if not questions:
        raise SourceError(f"{path}: contains no questions")
    return questions


def read_qrels(path: str | Path) -> dict[str, tuple[str, ...]]:
    """Reads TREC judgments, one ``query 0 passage grade`` per line."""
    judgments: dict[str, list[str]] = {}
    for line in iter_lines(Path(path), error=SourceError):
        cells = line.raw.decode("utf-8", "replace").split()
        if not cells:
            continue
        if len(cells) != 4 or not re.fullmatch(r"-?\d+", cells[3]):
            raise RecordError(line.where, "not a TREC judgment: query, 0, passage id, grade")
        listed = judgments.setdefault(cells[0], [])
        if int(cells[3]) > 0:
            listed.append(cells[2])
    if not judgments:
        raise SourceError(f"{path}: contains no judgments")
    return {key: tuple(dict.fromkeys(ids)) for key, ids in judgments.items()}


def with_qrels(questions: Sequence[Question], path: str | Path) -> list[Question]:
    """Returns the questions with relevant passages taken from a TREC file."""
    judged, keys = read_qrels(path), trec_ids(questions)
    if not set(keys) & set(judged):
        raise SourceError(
            f"{path}: judges the queries {', '.join(list(judged)[:3])} …, and the questions are "
            f"{', '.join(keys[:3])} …: give the questions the field 'id'"
        )
    pairs = zip(questions, keys, strict=True)
    return [replace(question, relevant=judged.get(key, ())) for question, key in pairs]


def trec_ids(questions: Sequence[Question]) -> list[str]:
    """Returns the question ids to use in TREC runs and judgments."""
    numbers: dict[str, int] = {}
    for number, question in enumerate(questions, 1):
        key = question.id or str(number)
        if (first := numbers.setdefault(key, number)) != number:
            raise SourceError(
                f"questions {first} and {number} are both called {key!r}, and would be one query "
                "in TREC's form; give each an 'id' of its own"
            )
    return list(numbers)


def trec_lines(
    query_id: str, ranking: Sequence[tuple[str, float]], tag: str = "dfactscore"
) -> list[str]:
    """Formats a ranking as lines of a TREC run: ``query Q0 passage rank score tag``.

    Example:
        >>> trec_lines("q1", [("7", 1.5), ("3", 1.5)])
        ['q1 Q0 7 1 1.5 dfactscore', 'q1 Q0 3 2 1.49999988 dfactscore']
    """
    lines: list[str] = []
    below = np.float32("inf")
    for rank, (passage, score) in enumerate(ranking, 1):
        # Tools sort only by score, and trec_eval uses single precision: lowers equal scores to keep
        # their order.
        below = min(np.float32(score), np.nextafter(below, np.float32("-inf")))
        lines.append(f"{query_id} Q0 {'_'.join(passage.split())} {rank} {float(below):.9g} {tag}")
    return lines


def evaluate(
    questions: Sequence[Question], rankings: Sequence[Sequence[Passage]], k: int = 5
) -> Evaluation:
    """Computes the metrics of rankings."""
    recalls, ranks, namesakes = [], [], []
    for question, ranking in zip(questions, rankings, strict=True):
        top = list(ranking)[:k]
        if question.relevant:
            relevant = set(question.relevant)
            hits = [relevant & {passage.id, passage.title} for passage in top]
            recalls.append(len(set().union(*hits)) / len(relevant))
            ranks.append(next((1 / n for n, hit in enumerate(hits, start=1) if hit), 0.0))
        if question.name:
            titles = {passage.title for passage in top}
            namesakes.append(sum(bears_name(title, question.name) for title in titles))

    return Evaluation(
        questions=len(questions),
        judged=len(recalls),
        k=k,
        recall=mean(recalls),
        mrr=mean(ranks),
        namesakes=mean(namesakes),
    )
