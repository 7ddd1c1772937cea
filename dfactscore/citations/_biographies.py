"""Citation recall and precision of biographies, judged by a model or from existing judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from dfactscore._errors import InputError
from dfactscore._readers.shown_text import no_text
from dfactscore._records import Biography
from dfactscore._runs.biography_json import biography_key
from dfactscore._util.jsonl import iter_lines
from dfactscore._util.reporting import Progress
from dfactscore._util.roles import role_fault
from dfactscore._util.tasks import run_sync
from dfactscore._util.validated import Count, Form, Text
from dfactscore.citations._entailment import Asker, Batches, CountsTruncated, Entailer, Query
from dfactscore.citations._scores import (
    MAX_CITATIONS,
    CitationScore,
    Outcome,
    SentenceScore,
    Status,
    cited_sentences,
    score_paragraphs,
    score_sentence,
    status_of,
)
from dfactscore.work import Asked, Asks, AsksModel, Finished, Journals, Work, beside, run_async


def read_judged(path: str | Path, *, n_passages: int = 5) -> list[CitationScore]:
    """Reads a JSONL file of judged sentences, one paragraph per line.

    A line is ``{"name": ..., "sentences": [{"text": ..., "citations": [1, 2], "entailed": true,
    "precise": [true, false]}]}``. ``entailed`` is null or absent if no passage is cited or
    the answer was unreadable; ``precise`` is optional. ``dfactscore citations --out`` writes this
    format and includes ``n_passages`` in each line.

    Args:
        path: The file.
        n_passages: The number of passages that can be cited, for lines that do not give this
            number. A sentence that cites a larger number has recall 0.

    Raises:
        InputError: If a line does not have this format; the message names the line and the field.
    """
    source = Path(path)
    scores = []
    for line in iter_lines(source, error=InputError):
        record = line.value(error=InputError)
        scores.append(_paragraph(record, line.where, n_passages, default_id=str(line.number)))
    if not scores:
        raise InputError(f"{source}: no judged paragraphs in it")
    return scores


def _paragraph(record: Any, where: str, n_passages: int, *, default_id: str) -> CitationScore:
    if not isinstance(record, Mapping) or not isinstance(record.get("sentences"), list):
        raise InputError(
            f'{where}: expected an object with a list "sentences"'
            + (f"; found keys {sorted(record)}" if isinstance(record, Mapping) else "")
        )
    limit = _int(record.get("n_passages", n_passages), f'{where}, field "n_passages"')
    sentences = tuple(
        _sentence(item, f"{where}, sentence {i}", limit)
        for i, item in enumerate(record["sentences"], 1)
    )
    written = record.get("status") or ("scored" if sentences else "empty")
    status = next((known for known in get_args(Status) if known == written), None)
    if status is None:
        raise InputError(f'{where}, field "status": {written!r} is not scored, abstained or empty')
    if status == "scored" and not sentences:
        raise InputError(f'{where}: status "scored", but "sentences" is empty')
    return CitationScore(
        id=str(record.get("id", default_id)),
        name=str(record.get("name", "")),
        sentences=sentences,
        status=status_of(sentences, status),
        n_passages=limit,
    )


def _sentence(item: Any, where: str, n_passages: int) -> SentenceScore:
    if not isinstance(item, Mapping):
        raise InputError(f"{where}: expected an object, found {item!r}")
    cited = item.get("citations")
    if not isinstance(cited, list):
        raise InputError(f'{where}, field "citations": expected a list of numbers, found {cited!r}')
    numbers = tuple(_int(n, f'{where}, field "citations"') for n in cited)
    entailed = item.get("entailed")
    if entailed not in (None, True, False):
        raise InputError(f'{where}, field "entailed": {entailed!r} is not true, false or null')
    outcome = _outcome(numbers, entailed, n_passages)
    precise = item.get("precise")
    read = min(len(numbers), MAX_CITATIONS)
    flags: tuple[bool, ...] | None
    if precise is None:
        certain = outcome != "entailed" or read == 1
        flags = (outcome == "entailed",) * read if certain else None
    elif (
        isinstance(precise, list)
        and len(precise) == read
        and all(flag in (True, False) for flag in precise)
    ):
        flags = tuple(bool(flag) and outcome == "entailed" for flag in precise)
    else:
        raise InputError(
            f'{where}, field "precise": {precise!r} needs true or false for each of the first '
            f"{MAX_CITATIONS} citations"
        )
    return SentenceScore(str(item.get("text", "")), numbers, outcome, flags)


def _outcome(numbers: tuple[int, ...], entailed: bool | None, n_passages: int) -> Outcome:
    if not numbers:
        return "uncited"
    if any(not 1 <= n <= n_passages for n in numbers):
        return "no_such_passage"
    if entailed is None:
        return "unreadable"
    return "entailed" if entailed else "not_entailed"


def _int(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(f"{where}: {value!r} is not a whole number")
    return value


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
    if no_text(replace(biography, facts=None)):
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
    ending = no_text(replace(biography, facts=None))
    if not sentences and (ending is None or ending.status == "abstained"):
        status = "empty"
    elif ending is not None:
        status, sentences = ending.status, ()
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
