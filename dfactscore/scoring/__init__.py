"""All scores, as pure functions of a support matrix and a grouping."""

from dfactscore.scoring.biography import BiographyScores, ScoreOptions, score_matrix
from dfactscore.scoring.category import Category, categorize
from dfactscore.scoring.credit import credited_entities
from dfactscore.scoring.length import length_penalty
from dfactscore.scoring.summary import Summary, summarize

__all__ = [
    "BiographyScores",
    "Category",
    "ScoreOptions",
    "Summary",
    "categorize",
    "credited_entities",
    "length_penalty",
    "score_matrix",
    "summarize",
]
