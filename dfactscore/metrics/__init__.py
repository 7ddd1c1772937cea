"""All scores, as pure functions of a support matrix and a grouping."""

from dfactscore.metrics.aggregate import Summary, summarise
from dfactscore.metrics.biography import BiographyScores, ScoreOptions, score_matrix
from dfactscore.metrics.category import Category, categorise
from dfactscore.metrics.entities import credited_entities
from dfactscore.metrics.length import length_penalty

__all__ = [
    "BiographyScores",
    "Category",
    "ScoreOptions",
    "Summary",
    "categorise",
    "credited_entities",
    "length_penalty",
    "score_matrix",
    "summarise",
]
