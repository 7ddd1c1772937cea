"""Citation recall and precision of biographies, as judged by an entailment model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dfactscore._errors import InputError
from dfactscore._readers.shown_text import why_no_answer
from dfactscore._records import Biography
from dfactscore._runs.biography_json import biography_key
from dfactscore._text.abstention import is_abstention
from dfactscore._util.callbacks import Progress
from dfactscore._util.roles import role_fault
from dfactscore._util.tasks import run_sync
from dfactscore._util.validated import Count, Form, Text
from dfactscore.citations._batching import Asker, Batches
from dfactscore.citations._cited_sentences import cited_sentences
from dfactscore.citations._entailment import CountsTruncated, Entailer, Query
from dfactscore.citations._scores import (
    CitationScore,
    Outcome,
    SentenceScore,
    Status,
    score_paragraphs,
    score_sentence,
    status_of,
)
from dfactscore.work import Asked, Asks, AsksModel, Finished, Journals, Work, beside, run_async

_AT_ONCE = 25  # number of paragraphs judged concurrently
_JOURNAL = "citations"


class _SentenceLine(Form):
    text: Text
    citations: list[int]
    outcome: Outcome
    precise: list[bool] | None
    probability: float | None


class _CitationLine(Form):
    id: Text
    name: Text
    status: Status
    n_passages: Count
    sentences: list[_SentenceLine]
    again: bool = False


def score_citations(
    biographies: Sequence[Biography],
    entailer: Entailer,
    *,
    precision: bool = True,
    progress: Progress | None = None,
) -> list[CitationScore]:
    """Scores the citations of biographies; see `score_citations_async`."""
    return run_sync(
        score_citations_async(biographies, entailer, precision=precision, progress=progress)
    )


async def score_citations_async(
    biographies: Sequence[Biography],
    entailer: Entailer,
    *,
    precision: bool = True,
    out: Path | None = None,
    source: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> list[CitationScore]:
    """Scores the citations of biographies (paper appendix D).

    Args:
        biographies: The biographies, including their citations and passages.
        entailer: The entailment model.
        precision: Whether to ask the additional questions needed for precision.
        out: A ``.jsonl`` file for the judged paragraphs; a later call resumes it.
        source: The source of the biographies, for the manifest.
        progress: Called with the number of paragraphs judged so far and the total number.

    Returns:
        One score per biography, in order. Abstentions and empty texts have no recall.

    Raises:
        InputError: If the entailer lacks a method, or does not return one judgment per question.
        RunError: If the file contains judgments made with other settings, or cannot be written.
    """
    work = citation_work(biographies, entailer, precision=precision, source=source)
    place = None if out is None else beside(out)
    return await run_async(work, place, concurrency=_AT_ONCE, progress=progress)


def citation_work(
    biographies: Sequence[Biography],
    entailer: Entailer,
    *,
    precision: bool = True,
    source: Mapping[str, Any] | None = None,
) -> Work[Biography, list[CitationScore]]:
    """Creates the work of judging the citations of biographies; see `score_citations_async`."""
    fault = role_fault(entailer, Entailer, optional=(AsksModel, CountsTruncated))
    if fault:
        raise InputError(f"entailer: {fault}")
    batches = Batches(entailer)

    async def do(biography: Biography, journals: Journals) -> None:
        asker = Asker(batches)
        record = dict(citation_record(await _score(biography, asker, precision)))
        retry = {"again": True} if asker.passing else {}
        journals[_JOURNAL].append(biography_key(biography), {**record, **retry})

    def finish(finished: Finished[Biography]) -> list[CitationScore]:
        lines = (finished.journals[_JOURNAL].get(biography_key(b)) for b in biographies)
        return [
            CitationScore(b.id, b.name, (), "error", n_passages=len(b.passages))
            if line is None
            else _score_of(line, b)
            for line, b in zip(lines, biographies, strict=True)
        ]

    return Work(
        name="citations",
        settings={**entailer.settings, "precision": precision},
        items=biographies,
        key=biography_key,
        label=lambda biography: biography.id,
        journals={_JOURNAL: _CitationLine},
        do=do,
        finish=finish,
        again=lambda line: bool(line.get("again")),
        source=source or {},
        asks=lambda biography: _asks(biography, entailer, precision),
        things="paragraphs",
    )


def _asks(biography: Biography, entailer: Entailer, precision: bool) -> Asks:
    """Returns the questions about a paragraph and, on request, all that precision could require."""
    if is_abstention(biography.text):
        return ()
    joint: list[Query] = []
    for sentence in cited_sentences(biography.text, biography.citations):
        _, cited = score_sentence(sentence, len(biography.passages))
        if cited:
            passages = tuple(biography.passages[i] for i in cited)
            joint.append(Query(sentence.text, passages, biography.name))
    queries = list(joint)
    for query in joint if precision else ():
        for place in range(len(query.passages) if len(query.passages) > 1 else 0):
            others = query.passages[:place] + query.passages[place + 1 :]
            queries.append(replace(query, passages=(query.passages[place],)))
            queries.append(replace(query, passages=others))
    if isinstance(entailer, AsksModel):
        return entailer.asks(list(dict.fromkeys(queries)))
    kind = str(entailer.settings.get("entailer", ""))
    return [Asked("entailment", kind) for _ in dict.fromkeys(queries)]


async def _score(biography: Biography, entailer: Entailer, precision: bool) -> CitationScore:
    sentences = cited_sentences(biography.text, biography.citations)
    status: Status = "scored"
    if why_no_answer(biography):
        status = "no_answer"
    elif not sentences:
        status = "empty"
    elif is_abstention(biography.text):
        status, sentences = "abstained", ()
    paragraph = (biography.id, biography.name, sentences, biography.passages)
    (scores,) = await score_paragraphs([paragraph], entailer, precision=precision)
    return CitationScore(
        biography.id,
        biography.name,
        scores,
        status_of(scores, status),
        n_passages=len(biography.passages),
        trimmed=_trimmed(biography),
    )


def _score_of(line: Mapping[str, Any], biography: Biography) -> CitationScore:
    """Reads a score from a line of the journal."""
    sentences = tuple(
        SentenceScore(
            row["text"],
            tuple(row["citations"]),
            row["outcome"],
            None if row["precise"] is None else tuple(row["precise"]),
            row["probability"],
        )
        for row in line["sentences"]
    )
    return CitationScore(
        line["id"],
        line["name"],
        sentences,
        status_of(sentences, line["status"]),
        n_passages=line["n_passages"],
        trimmed=_trimmed(biography),
    )


def _trimmed(biography: Biography) -> tuple[int, ...]:
    """Returns the numbers of the passages that `generate` shortened to fit the model's context."""
    trims = biography.extra.get("trims")
    if not isinstance(trims, list):
        return ()
    numbers = (trim.get("passage") for trim in trims if isinstance(trim, Mapping))
    return tuple(sorted({n for n in numbers if isinstance(n, int)}))


def citation_record(score: CitationScore) -> Mapping[str, Any]:
    """Converts a score to a JSON object in the format that `read_judged` reads."""
    return {
        "id": score.id,
        "name": score.name,
        "status": score.status,
        "n_passages": score.n_passages,
        "citation_recall": score.recall,
        "citation_precision": score.precision,
        "sentences": [
            {
                "text": s.text,
                "citations": list(s.citations),
                "outcome": s.outcome,
                "entailed": {"entailed": True, "not_entailed": False}.get(s.outcome),
                "precise": None if s.precise is None else list(s.precise),
                "probability": s.probability,
                **({"trimmed": True} if score.on_unseen_text(s) else {}),
            }
            for s in score.sentences
        ],
    }
