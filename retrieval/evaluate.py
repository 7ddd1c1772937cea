"""How good a retriever is: recall, reciprocal rank, and namesakes found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfactscore._util.jsonl import iter_lines
from dfactscore._util.names import bears_name
from dfactscore._util.numbers import mean
from dfactscore.retrieval.documents import Passage
from dfactscore.retrieval.errors import RecordError, SourceError
from dfactscore.retrieval.readers import json_record

__all__ = ["Evaluation", "Question", "evaluate", "read_questions"]


@dataclass(frozen=True, slots=True)
class Question:
    """One query of an evaluation.

    Attributes:
        name: The target name (put into the query template), or empty.
        query: The query as it is, or empty where `name` is given.
        relevant: Ids or titles of the passages that should be found; may be empty, then only the
            namesakes are counted.
    """

    name: str = ""
    query: str = ""
    relevant: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Means over the questions.

    Attributes:
        questions: Number of questions.
        judged: Those of them that say what is relevant.
        k: Depth.
        recall: Mean share of the relevant ids or titles within the first k; None if none judged.
        mrr: Mean reciprocal rank of the first relevant hit within k (0 where there is none).
        namesakes: Mean number of distinct titles within k that bear the target name; None where
            no question has a name.
    """

    questions: int
    judged: int
    k: int
    recall: float | None
    mrr: float | None
    namesakes: float | None


def read_questions(path: str | Path) -> list[Question]:
    """Reads questions from JSONL ``{name or query, relevant}``.

    Args:
        path: The file.

    Returns:
        The questions.

    Raises:
        SourceError: If the file cannot be read or is empty.
        RecordError: If a record has neither a name nor a query, or `relevant` is not a list.
    """
    path = Path(path)
    questions = [
        _question(json_record(line.raw, line.where), line.where)
        for line in iter_lines(path, error=SourceError)
    ]
    if not questions:
        raise SourceError(f"{path}: contains no questions")
    return questions


def _question(record: Any, where: str) -> Question:
    if not isinstance(record, dict) or not (record.get("name") or record.get("query")):
        raise RecordError(where, "needs 'name' or 'query' (and 'relevant': ids or titles)")
    relevant = record.get("relevant", [])
    if not isinstance(relevant, list) or not all(isinstance(r, (str, int)) for r in relevant):
        raise RecordError(where, "'relevant' must be a list of passage ids or titles")
    return Question(
        name=str(record.get("name") or ""),
        query=str(record.get("query") or ""),
        relevant=tuple(dict.fromkeys(map(str, relevant))),
    )


def evaluate(
    questions: Sequence[Question], found: Sequence[Sequence[Passage]], k: int = 5
) -> Evaluation:
    """Scores rankings.

    Args:
        questions: The questions.
        found: The passages found for each, best first; only the first k count.
        k: Depth.

    Returns:
        The means.

    Raises:
        ValueError: If there is not one ranking for each question.
    """
    recalls, ranks, namesakes = [], [], []
    for question, ranking in zip(questions, found, strict=True):
        top = list(ranking)[:k]
        if question.relevant:
            wanted = set(question.relevant)
            hits = [wanted & {passage.id, passage.title} for passage in top]
            recalls.append(len(set().union(*hits)) / len(wanted))
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
