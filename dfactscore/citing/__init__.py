"""Citation recall and precision, with any entailment model."""

from dfactscore.citing.biographies import (
    citation_record,
    score_citations,
    score_citations_async,
)
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
    "citation_record",
    "cited_sentences",
    "read_judged",
    "score_citations",
    "score_citations_async",
    "score_paragraphs",
    "summarize",
]
