"""Citation recall and precision of biographies with an entailment model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dfactscore._util.callbacks import Progress
from dfactscore._util.tasks import run_sync
from dfactscore.citations.entailment import Entailer
from dfactscore.citations.scores import CitationScore, Paragraph, Status, score_paragraphs
from dfactscore.citations.sentences import cited_sentences
from dfactscore.records import Biography
from dfactscore.text.abstention import is_abstention

__all__ = ["citation_record", "score_citations", "score_citations_async"]

_CHUNK = 25  # paragraphs judged between two signs of life


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
    progress: Progress | None = None,
) -> list[CitationScore]:
    """Scores the citations of biographies (paper appendix D).

    Args:
        biographies: With their citations and passages.
        entailer: The entailment model.
        precision: Whether to ask what precision needs besides recall.
        progress: Called with how many paragraphs are done and how many there are.

    Returns:
        One score per biography, in order; abstentions and empty texts have no recall.
    """
    scores: list[CitationScore] = []
    for start in range(0, len(biographies), _CHUNK):
        chunk = biographies[start : start + _CHUNK]
        paragraphs: list[Paragraph] = []
        statuses: list[Status] = []
        for biography in chunk:
            sentences = cited_sentences(biography.text, biography.citations)
            status: Status = "scored"
            if not sentences:
                status = "empty"
            elif is_abstention(biography.text):
                status, sentences = "abstained", ()
            statuses.append(status)
            paragraphs.append((biography.id, biography.name, sentences, biography.passages))
        found = await score_paragraphs(paragraphs, entailer, precision=precision)
        scores.extend(
            CitationScore(
                b.id,
                b.name,
                sentences,
                status,
                n_passages=len(b.passages),
                trimmed=_trimmed(b),
            )
            for b, sentences, status in zip(chunk, found, statuses, strict=True)
        )
        if progress is not None:
            progress(len(scores), len(biographies))
    return scores


def _trimmed(biography: Biography) -> tuple[int, ...]:
    """Numbers of the passages that `generate` shortened to fit the model's context."""
    trims = biography.extra.get("trims")
    if not isinstance(trims, list):
        return ()
    numbers = (trim.get("passage") for trim in trims if isinstance(trim, Mapping))
    return tuple(sorted({n for n in numbers if isinstance(n, int)}))


def citation_record(score: CitationScore) -> Mapping[str, Any]:
    """A score as a JSON object in the form that `read_judged` reads."""
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
