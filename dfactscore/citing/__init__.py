"""Citation recall and precision, with any entailment model."""

from dfactscore.citing.entailment import Entailer, Judgement, Query
from dfactscore.citing.judged import read_judged
from dfactscore.citing.scores import (
    MAX_CITATIONS,
    CitationScore,
    CitationSummary,
    SentenceScore,
    score_paragraphs,
    summarize,
)
from dfactscore.citing.sentences import CitedSentence, cited_sentences

__all__ = [
    "MAX_CITATIONS",
    "CitationScore",
    "CitationSummary",
    "CitedSentence",
    "Entailer",
    "Judgement",
    "Query",
    "SentenceScore",
    "cited_sentences",
    "read_judged",
    "score_paragraphs",
    "summarize",
]
