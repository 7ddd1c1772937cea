"""Citation recall and precision, with any entailment model."""

from typing import TYPE_CHECKING

from dfactscore._util.imports import names_on_use

if TYPE_CHECKING:
    from dfactscore.citations._biographies import (
        citation_record,
        read_judged,
        score_citations,
        score_citations_async,
    )
    from dfactscore.citations._entailment import Entailer, Judgment, Query
    from dfactscore.citations._scores import (
        MAX_CITATIONS,
        CitationScore,
        CitationSummary,
        CitedSentence,
        SentenceScore,
        cited_sentences,
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

__getattr__ = names_on_use(
    __name__,
    {
        "_biographies": (
            "citation_record",
            "read_judged",
            "score_citations",
            "score_citations_async",
        ),
        "_entailment": ("Entailer", "Judgment", "Query"),
        "_scores": (
            "CitationScore",
            "CitationSummary",
            "CitedSentence",
            "MAX_CITATIONS",
            "SentenceScore",
            "cited_sentences",
            "score_paragraphs",
            "summarize",
        ),
    },
)
