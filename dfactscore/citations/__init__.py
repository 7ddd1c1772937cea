"""Citation recall and precision, with any entailment model."""

from dfactscore.citations.biographies import (
    citation_record,
    score_citations,
    score_citations_async,
)
from dfactscore.citations.cited_sentences import CitedSentence, cited_sentences
from dfactscore.citations.entailment import Entailer, Judgment, Query
from dfactscore.citations.judged import read_judged
from dfactscore.citations.scores import (
    MAX_CITATIONS,
    CitationScore,
    CitationSummary,
    SentenceScore,
    score_paragraphs,
    summarize,
)

__all__ = [
    "MAX_CITATIONS",
    "CitationScore",
    "CitationSummary",
    "CitedSentence",
    "Entailer",
    "Judgment",
    "Query",
    "SentenceScore",
    "citation_record",
    "cited_sentences",
    "read_judged",
    "score_citations",
    "score_citations_async",
    "score_paragraphs",
    "summarize",
]
